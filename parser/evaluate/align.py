"""Scoring of parsed sentences against gold sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import NamedTuple

from ...transitions.trees import nonprojective_arcs
from ..treebank import Sentence
from ..treebank.pairs import pair_sentences, read_tree
from ..treebank.tree import Tree
from .comparison import COLUMNS, Comparison, compare
from .metrics import score_comparison
from .percent import percentage
from .scores import Scores


def scored_tree(sentence: Sentence) -> Tree:
    """The tree and the columns that metrics use. Raises CrossarcError, with file and line, if arcs form a cycle."""
    index = sentence.format.index
    columns = {
        index[name]: name for name in reversed(COLUMNS) if name in index
    }  # CoNLL-2009 has a single column of tags
    return read_tree(sentence, ("form", *columns.values()))


def compare_sentences(
    gold: Iterable[Sentence], predicted: Iterable[Sentence], *, punctuation: str = "unicode"
) -> Comparison:
    """Align parsed sentences with gold sentences of the same words.

    punctuation: which words are punctuation: "unicode", "upos:TAG,..." or "deprel:LABEL,...".

    Raises CrossarcError for different words, values that are not sentences, and heads that are not a tree.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> crossarc.compare_sentences(gold, gold).token_right("las").mean().item()
    1.0
    """
    pairs = [(scored_tree(left), scored_tree(right)) for left, right in pair_sentences(gold, predicted)]
    return compare([left for left, _ in pairs], [right for _, right in pairs], punctuation)


def score_sentences(
    gold: Iterable[Sentence], predicted: Iterable[Sentence], *, punctuation: str = "unicode", breakdowns: str = "all"
) -> Scores:
    """Score parsed sentences against gold sentences with the same words.

    punctuation: as in :func:`compare_sentences`.
    breakdowns: "all" or "no_punct", the words that all tables but the totals count.

    Raises CrossarcError as :func:`compare_sentences` does.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> scores = crossarc.score_sentences(gold, gold)
    >>> scores.las, scores.nonprojective.all.labelled.recall
    (100.0, 100.0)
    """
    return score_comparison(compare_sentences(gold, predicted, punctuation=punctuation), breakdowns=breakdowns)


class DecidedScores(NamedTuple):
    """Percentages of the words with a gold head whose head and label, head, and label are right; None without any."""

    las: float | None
    uas: float | None
    la: float | None
    words: int


def score_decided(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> DecidedScores:
    """Score the words that have a head in gold sentences that are annotated in part.

    gold: gold sentences, in which the HEAD of undecided words is "_".
    parsed: the same sentences, once or several times.

    Raises CrossarcError for invalid heads.
    """
    heads, labels, both, words = 0, 0, 0, 0
    for right, sentence in zip(cycle(gold), parsed):
        tree = read_tree(sentence)
        pairs = zip(right.heads(partial=True), tree.heads, ["", *right.column("deprel")], tree.deprels, strict=True)
        same = [(a == b, c == d) for a, b, c, d in pairs if a >= 0]
        words += len(same)
        heads += sum(head for head, _ in same)
        labels += sum(label for _, label in same)
        both += sum(head and label for head, label in same)
    return DecidedScores(percentage(both, words), percentage(heads, words), percentage(labels, words), words)


GOLD = ("sent_id", "word", "form", "head", "deprel", "crossing")
"""Columns of the gold file. crossing: 1 for a non-projective gold arc."""


def word_rows(gold: Sequence[Sentence], parsed: Mapping[str, Sequence[Sentence]]) -> Iterator[list[object]]:
    """The heading, then one row per word.

    After :data:`GOLD`, each parsed file has its head, its deprel, and whether both are right (1 or 0).

    parsed: for each file the same sentences in the same order.

    Raises CrossarcError for invalid heads and cycles.
    """
    yield [*GOLD, *(f"{column}:{name}" for name in parsed for column in ("head", "deprel", "right"))]
    for number, sentence in enumerate(gold):
        heads, deprels, _ = read_tree(sentence)
        crossing = nonprojective_arcs(heads)
        others = [read_tree(file[number]) for file in parsed.values()]
        for word, form in enumerate(sentence.column("form"), 1):
            right = heads[word], deprels[word]
            row: list[object] = [sentence.id, word, form, *right, int(crossing[word])]
            for other in others:
                annotation = other.heads[word], other.deprels[word]
                row += [*annotation, int(annotation == right)]
            yield row
