"""Rounds of annotation: what a person has decided, what the parser had proposed, and what was learned from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...config.config import AUTO
from ...evaluate.align import score_decided
from ...training.partial import decided_words, only_decided
from ...treebank import Sentence
from ...treebank.sentence import without_scores


class Round(NamedTuple):
    """One batch, as it was proposed and as it was corrected.

    sentences, words: of the batch.
    decided: number of words that a person has decided.
    compared: those in sentences with the same words as in the proposal; those with split or joined words are left out.
    corrections: number of compared words with another head or deprel than proposed.
    las: percentage of compared words that were proposed with the right head and deprel, None without any: the accuracy
        of the parser on text that it has not learned from.
    all_words: decided words of all rounds so far.
    held: LAS on sentences that are never learned from, of a parser of all rounds so far; None without them.
    """

    sentences: int
    words: int
    decided: int
    compared: int
    corrections: int
    las: float | None
    all_words: int
    held: float | None


def rounds(
    batches: Sequence[tuple[Sequence[Sentence], Sequence[Sentence]]],
    first: Sequence[Sentence] = (),
    score: Callable[[Sequence[Sentence]], float | None] = lambda sentences: None,
) -> Iterator[Round]:
    """The figures of each round.

    batches: for each round, the parsed text and the corrected sentences, which are some of it.
    first: sentences that were annotated before the first round.
    score: LAS on held-out sentences of a parser that learns from these sentences.
    """
    known = only_decided(first, decided_words(AUTO, first))
    learned = _unmarked(known)
    seen = _decided(known)
    for parsed, corrected in batches:
        gold = only_decided(corrected, decided_words(AUTO, corrected))
        proposed = {sentence.column("form"): sentence for sentence in parsed}
        pairs = [(right, proposed[right.column("form")]) for right in gold if right.column("form") in proposed]
        scores = score_decided([right for right, _ in pairs], [sentence for _, sentence in pairs])
        decided = _decided(gold)
        seen += decided
        learned += _unmarked(gold)
        wrong = scores.words - round(scores.words * (scores.las or 0) / 100)
        words = sum(map(len, corrected))
        yield Round(len(corrected), words, decided, scores.words, wrong, scores.las, seen, score(learned))


def _unmarked(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without marks in MISC, so that in all of them the words with a head are the decided ones."""
    return [
        sentence.with_columns({"misc": tuple(without_scores(entry, "Keep") for entry in sentence.column("misc"))})
        for sentence in sentences
    ]


def _decided(sentences: Sequence[Sentence]) -> int:
    """The number of words with a head."""
    return sum(head != "_" for sentence in sentences for head in sentence.column("head"))
