"""The scores of the CoNLL 2018 shared task (Zeman et al. 2018, section 5), for files with different words.

Both files must have the same characters without spaces. Words are aligned by the characters that they cover, words of
multiword tokens by a longest common subsequence of their forms. F1 is the harmonic mean of precision and recall.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Ints
from ..base.errors import CrossarcError
from ..treebank import Sentence

METRICS = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
)
_CONTENT = (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
CONTENT = frozenset(_CONTENT.split())
"""Relations of content words, which CLAS, MLAS and BLEX count."""
FUNCTION = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
"""Relations of function words, whose attachment MLAS counts with their heads."""
_FEATURES = (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)
FEATURES = frozenset(_FEATURES.split())
"""Features that UFeats compares; others are ignored."""
ROOT, MISSING = -1, -2
"""Heads instead of a word: node 0, and a word without a partner in the other file."""


class _Words(NamedTuple):
    """The words of a file.

    text: all characters except spaces.
    tokens, sentences: spans of tokens and sentences in the text.
    spans: the span of each word; words of a multiword token have its span.
    multiword: whether a word belongs to a multiword token.
    forms, upos, xpos, feats, lemmas: their values; feats has universal features alone.
    heads: the number of each word's head among all words; ROOT for node 0.
    deprels: the relations without subtypes.
    starts: where each sentence begins in the text.
    """

    text: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    spans: list[tuple[int, int]]
    multiword: list[bool]
    forms: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    lemmas: list[str]
    heads: list[int]
    deprels: list[str]


class Counts(NamedTuple):
    """Numbers of items by sentence of the gold file and by metric (int64, (sentences, metrics)).

    gold, system: the items of each file. correct: equal items. aligned: aligned words; 0 for Tokens and Sentences.
    """

    gold: Ints
    system: Ints
    correct: Ints
    aligned: Ints


@dataclass(frozen=True, slots=True)
class Conll18Scores:
    """The scores of the CoNLL 2018 shared task, in per cent, by metric (see :data:`METRICS`).

    aligned: accuracy on aligned words; None for Tokens, Sentences and Words.
    counts: numbers of items by sentence of the gold file.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> scores = crossarc.evaluate_conll18(gold, gold)
    >>> isinstance(scores, crossarc.Conll18Scores), scores.aligned["UPOS"]
    (True, 100.0)
    """

    precision: Mapping[str, float]
    recall: Mapping[str, float]
    f1: Mapping[str, float]
    aligned: Mapping[str, float | None]
    counts: Counts

    def to_json(self) -> dict[str, dict[str, float | None]]:
        """The scores by metric and kind."""
        return {
            name: {
                "precision": self.precision[name],
                "recall": self.recall[name],
                "f1": self.f1[name],
                "aligned": self.aligned[name],
            }
            for name in METRICS
        }


def evaluate_conll18(gold: Iterable[Sentence], system: Iterable[Sentence]) -> Conll18Scores:
    """Score a file against another one with the same text, as the CoNLL 2018 shared task did.

    gold, system: sentences with the columns of CoNLL-U; words and sentences may differ.

    Raises CrossarcError if the characters differ, for invalid heads and for missing columns.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> crossarc.evaluate_conll18(gold, gold).f1["LAS"]
    100.0
    """
    counts = _counts(_words(gold, "gold"), _words(system, "system"))
    totals = Counts(*(own.sum(axis=0) for own in counts))
    precision, recall, f1, aligned = {}, {}, {}, {}
    for place, name in enumerate(METRICS):
        correct, right, found = (int(own[place]) for own in (totals.correct, totals.gold, totals.system))
        precision[name] = 100 * correct / found if found else 0.0
        recall[name] = 100 * correct / right if right else 0.0
        f1[name] = 200 * correct / (right + found) if right + found else 0.0
        pairs = int(totals.aligned[place])
        tested = name not in ("Tokens", "Sentences", "Words")
        aligned[name] = (100 * correct / pairs if pairs else 0.0) if tested else None
    return Conll18Scores(precision, recall, f1, aligned, counts)


def f1_of(gold: NDArray[Any], system: NDArray[Any], correct: NDArray[Any]) -> NDArray[np.float64]:
    """F1 in per cent of arrays of numbers; 0 without items."""
    total = gold + system
    return np.divide(200.0 * correct, total, out=np.zeros(total.shape), where=total > 0)


def _words(sentences: Iterable[Sentence], name: str) -> _Words:
    words = _Words("", [], [], [], [], [], [], [], [], [], [], [])
    texts: list[str] = []
    at = 0
    for sentence in sentences:
        first, begin = len(words.forms), at
        forms = sentence.column("form")
        several = dict(_multiword_tokens(sentence))
        number = 0
        while number < len(forms):
            size, form = several.get(number, (1, forms[number]))
            visible = "".join(character for character in form if unicodedata.category(character) != "Zs")
            if not visible:
                raise CrossarcError(f"{sentence.source}:{sentence.line}: a FORM consists of spaces only")
            texts.append(visible)
            span = at, at + len(visible)
            at = span[1]
            words.tokens.append(span)
            words.spans.extend([span] * size)
            words.multiword.extend([number in several] * size)
            number += size
        words.sentences.append((begin, at))
        words.forms.extend("".join(c for c in form if unicodedata.category(c) != "Zs").lower() for form in forms)
        for values, column in ((words.upos, "upos"), (words.xpos, "xpos"), (words.lemmas, "lemma")):
            values.extend(sentence.column(column))
        words.feats.extend(map(_universal, sentence.column("feats")))
        words.heads.extend(first + head - 1 if head else ROOT for head in sentence.heads()[1:])
        words.deprels.extend(_universal_relation(deprel) for deprel in sentence.deprels()[1:])
    if not texts:
        raise CrossarcError(f"{name}: found no sentences, expected one or more")
    return words._replace(text="".join(texts))


def _multiword_tokens(sentence: Sentence) -> Iterator[tuple[int, tuple[int, str]]]:
    """The multiword tokens: number of words before, number of words inside, form."""
    for before, row in sentence.extras:
        cells = row.split("\t")
        first, dash, last = cells[0].partition("-")
        if dash:
            yield before, (int(last) - int(first) + 1, cells[1])


def _universal_relation(deprel: str) -> str:
    """The label without its subtype."""
    return deprel.partition(":")[0]


def _universal(feats: str) -> str:
    return "|".join(sorted(own for own in feats.split("|") if own.partition("=")[0] in FEATURES))


def _aligned(gold: _Words, system: _Words) -> list[tuple[int, int]]:
    """The pairs of aligned words, in their order."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold.spans) and s < len(system.spans):
        if gold.multiword[g] or system.multiword[s]:
            g_first, s_first, g, s = _multiword_region(gold, system, g, s)
            pairs += _common(gold.forms, system.forms, (g_first, g), (s_first, s))
        elif gold.spans[g] == system.spans[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold.spans[g][0] <= system.spans[s][0]:
            g += 1
        else:
            s += 1
    return pairs


def _multiword_region(gold: _Words, system: _Words, g: int, s: int) -> tuple[int, int, int, int]:
    """The smallest region of both files around multiword tokens: (first gold, first system, end gold, end system)."""
    if gold.multiword[g]:
        end = gold.spans[g][1]
        if not system.multiword[s] and system.spans[s][0] < gold.spans[g][0]:
            s += 1
    else:
        end = system.spans[s][1]
        if not gold.multiword[g] and gold.spans[g][0] < system.spans[s][0]:
            g += 1
    first = g, s
    while not (_is_beyond(gold, g, end) and _is_beyond(system, s, end)):
        of_gold = g < len(gold.spans) and (s >= len(system.spans) or gold.spans[g][0] <= system.spans[s][0])
        words, at = (gold, g) if of_gold else (system, s)
        if words.multiword[at]:
            end = max(end, words.spans[at][1])
        g, s = g + of_gold, s + (not of_gold)
    return *first, g, s


def _is_beyond(words: _Words, at: int, end: int) -> bool:
    if at >= len(words.spans):
        return True
    return words.spans[at][0] >= end if words.multiword[at] else words.spans[at][1] > end


def _common(
    gold: Sequence[str], system: Sequence[str], left: tuple[int, int], right: tuple[int, int]
) -> list[tuple[int, int]]:
    """A longest common subsequence of forms between two positions of each file; the earliest pairs come first."""
    rows, columns = left[1] - left[0], right[1] - right[0]
    longest = [[0] * (columns + 1) for _ in range(rows + 1)]
    for g in reversed(range(rows)):
        for s in reversed(range(columns)):
            best = max(longest[g + 1][s], longest[g][s + 1])
            if gold[left[0] + g] == system[right[0] + s]:
                best = max(best, longest[g + 1][s + 1] + 1)
            longest[g][s] = best
    pairs = []
    g = s = 0
    while g < rows and s < columns:
        if gold[left[0] + g] == system[right[0] + s]:
            pairs.append((left[0] + g, right[0] + s))
            g, s = g + 1, s + 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1
    return pairs


def _counts(gold: _Words, system: _Words) -> Counts:
    if gold.text != system.text:
        place = next(
            (n for n, (a, b) in enumerate(zip(gold.text, system.text, strict=False)) if a != b),
            min(len(gold.text), len(system.text)),
        )
        near = gold.text[max(0, place - 10) : place + 10], system.text[max(0, place - 10) : place + 10]
        raise CrossarcError(
            f"the files have different text: {near[0]!r} in the gold file, {near[1]!r} in the other; "
            "compare files made from the same text"
        )
    pairs = _aligned(gold, system)
    gold_of = {s: g for g, s in pairs}
    starts = np.array([start for start, _ in gold.sentences])
    counts = Counts(*(np.zeros((len(gold.sentences), len(METRICS)), dtype=np.int64) for _ in Counts._fields))

    def add(to: Ints, name: str, places: Iterable[int]) -> None:
        sentence = np.searchsorted(starts, np.fromiter(places, np.int64), side="right") - 1
        np.add.at(to[:, METRICS.index(name)], sentence, 1)

    for name, left, right in (("Tokens", gold.tokens, system.tokens), ("Sentences", gold.sentences, system.sentences)):
        add(counts.gold, name, (start for start, _ in left))
        add(counts.system, name, (start for start, _ in right))
        add(counts.correct, name, (start for start, _ in {*left} & {*right}))
    gold_keys, system_keys = _Keys(gold, {}), _Keys(system, gold_of)
    for name in METRICS[2:]:
        content = name in ("CLAS", "MLAS", "BLEX")
        for to, words in ((counts.gold, gold), (counts.system, system)):
            spans = zip(words.spans, words.deprels, strict=True)
            add(to, name, (start for (start, _), deprel in spans if not content or deprel in CONTENT))
        counted = [(g, s) for g, s in pairs if not content or gold.deprels[g] in CONTENT]
        add(counts.aligned, name, (gold.spans[g][0] for g, _ in counted))
        lemmas = [gold.lemmas[g] != "_" for g, _ in counted]  # words without gold lemma count as right
        same = (
            g
            for (g, s), lemma in zip(counted, lemmas, strict=True)
            if gold_keys.key(name, g, lemma) == system_keys.key(name, s, lemma)
        )
        add(counts.correct, name, (gold.spans[g][0] for g in same))
    return counts


class _Keys:
    """The properties of words that metrics compare.

    gold_of: the aligned word of the gold file, by word; empty for the gold file itself.
    """

    def __init__(self, words: _Words, gold_of: Mapping[int, int]) -> None:
        self._words = words
        self._gold_of = gold_of
        self._function: dict[int, list[int]] = {}
        for word, (head, deprel) in enumerate(zip(words.heads, words.deprels, strict=True)):
            if deprel in FUNCTION:
                self._function.setdefault(head, []).append(word)

    def key(self, metric: str, word: int, lemma: bool) -> object:
        """The value that is equal for a word and its aligned word if the metric counts them as right."""
        words = self._words
        if metric == "Words":
            return None
        if metric == "UPOS":
            return words.upos[word]
        if metric == "XPOS":
            return words.xpos[word]
        if metric == "UFeats":
            return words.feats[word]
        if metric == "AllTags":
            return words.upos[word], words.xpos[word], words.feats[word]
        if metric == "Lemmas":
            return lemma and words.lemmas[word]
        head = words.heads[word]
        arc = head if head == ROOT else self._in_gold(head)
        if metric == "UAS":
            return arc
        labelled = arc, words.deprels[word]
        if metric == "BLEX":
            return labelled, lemma and words.lemmas[word]
        if metric == "MLAS":
            own = words.upos[word], words.feats[word]
            function = [
                (self._in_gold(child), words.deprels[child], words.upos[child], words.feats[child])
                for child in self._function.get(word, ())
            ]
            return labelled, own, function
        return labelled

    def _in_gold(self, word: int) -> int:
        return self._gold_of.get(word, MISSING) if self._gold_of else word


def universal_las(gold: Iterable[Sentence], parsed: Iterable[Sentence]) -> float:
    """The LAS of the shared task, in per cent, for parsed sentences with the gold words: labels without subtypes.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> universal_las(gold, gold)
    100.0
    """
    right = words = 0
    for one, other in zip(gold, parsed, strict=True):
        (head, label), (own_head, own_label) = ((own.column("head"), own.column("deprel")) for own in (one, other))
        labels = zip(map(_universal_relation, label), map(_universal_relation, own_label), strict=True)
        right += sum(a == b and c == d for a, b, (c, d) in zip(head, own_head, labels, strict=True))
        words += len(one)
    return 100 * right / words
