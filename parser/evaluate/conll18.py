"""The scores of the CoNLL 2018 shared task (Zeman et al. 2018, section 5), for files with different words.

Both files must have the same characters without spaces. Words are aligned by the characters that they cover, words of
multiword tokens by a longest common subsequence of their forms. F1 is the harmonic mean of precision and recall.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from ..treebank import Sentence
from ..treebank.symbols import nfc
from .resampling import SentenceCounts, percent

COMPARED = {
    "Words": (),
    "UPOS": ("upos",),
    "XPOS": ("xpos",),
    "UFeats": ("feats",),
    "AllTags": ("upos", "xpos", "feats"),
    "Lemmas": ("lemma",),
    "UAS": ("head",),
    "LAS": ("head", "deprel"),
    "CLAS": ("head", "deprel"),
    "MLAS": ("head", "deprel", "upos", "feats", "function"),
    "BLEX": ("head", "deprel", "lemma"),
}
"""The properties of aligned words that must be equal, by metric."""
METRICS = ("Tokens", "Sentences", *COMPARED)
_CONTENT = (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
CONTENT = frozenset(_CONTENT.split())
"""Relations of content words."""
OF_CONTENT = frozenset({"CLAS", "MLAS", "BLEX"})
"""Metrics that count content words only."""
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
_Span: TypeAlias = tuple[int, int]


class _Word(NamedTuple):
    """A word of a file.

    span: where the word, or else the multiword token that it belongs to, begins and ends in the text.
    form: in lower case and without spaces.
    feats: the universal features alone.
    head: the number of its head among all words; ROOT for node 0.
    deprel: the relation without subtype.
    """

    span: _Span
    multiword: bool
    form: str
    upos: str
    xpos: str
    feats: str
    lemma: str
    head: int
    deprel: str


class _ScoredFile(NamedTuple):
    """A file: all characters except spaces, the spans of tokens and sentences in them, and the words."""

    text: str
    tokens: Sequence[_Span]
    sentences: Sequence[_Span]
    words: Sequence[_Word]


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
    counts: SentenceCounts

    def to_json(self) -> dict[str, dict[str, float | None]]:
        """The scores by metric and kind."""
        kinds = ("precision", "recall", "f1", "aligned")
        return {name: {kind: getattr(self, kind)[name] for kind in kinds} for name in METRICS}


def evaluate_conll18(gold: Iterable[Sentence], system: Iterable[Sentence]) -> Conll18Scores:
    """Score a file against another one with the same text, as the CoNLL 2018 shared task did.

    gold, system: sentences with the columns of CoNLL-U; words and sentences may differ. Composed and decomposed
        characters (NFC and NFD) count as equal.

    Raises CrossarcError if the characters differ, for invalid heads and for missing columns.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> crossarc.evaluate_conll18(gold, gold).f1["LAS"]
    100.0
    """
    counts, pairs = _counted(_read(gold, "gold"), _read(system, "system"))
    right, parsed, correct = (count.sum(axis=0) for count in counts)
    shares = (percent(correct, parsed), percent(correct, right), percent(2 * correct, right + parsed))
    precision, recall, f1 = (dict(zip(METRICS, share.tolist(), strict=True)) for share in shares)
    aligned = dict(zip(METRICS, percent(correct, np.array(pairs)).tolist(), strict=True))
    return Conll18Scores(precision, recall, f1, aligned | dict.fromkeys(("Tokens", "Sentences", "Words")), counts)


def _read(sentences: Iterable[Sentence], name: str) -> _ScoredFile:
    texts: list[str] = []
    tokens: list[_Span] = []
    bounds: list[_Span] = []
    words: list[_Word] = []
    at = inside = 0  # the end of the text, and the number of words that the multiword token still has
    multiword = False
    for sentence in sentences:
        first, begin = len(words), at
        form = sentence.format.index["form"]
        several = {start - 1: (end + 1 - start, cells[form]) for start, end, cells in sentence.multiword_tokens()}
        columns = map(sentence.column, ("form", "upos", "xpos", "feats", "lemma", "deprel"))
        rows = zip(sentence.heads()[1:], *columns, strict=True)
        for number, (head, word, upos, xpos, feats, lemma, deprel) in enumerate(rows):
            if not inside:
                multiword = number in several
                inside, token = several.get(number, (1, word))
                texts.append(_without_spaces(nfc(token)))
                if not texts[-1]:
                    raise CrossarcError(f"{sentence.source}:{sentence.line}: a FORM consists of spaces only")
                tokens.append((at, at + len(texts[-1])))
                at = tokens[-1][1]
            inside -= 1
            values = _without_spaces(nfc(word)).lower(), upos, xpos, _universal(feats), nfc(lemma)
            place = first + head - 1 if head else ROOT
            words.append(_Word(tokens[-1], multiword, *values, place, _universal_relation(deprel)))
        bounds.append((begin, at))
    if not words:
        raise CrossarcError(f"{name}: found no sentences, expected one or more")
    return _ScoredFile("".join(texts), tokens, bounds, words)


def _without_spaces(form: str) -> str:
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def _universal_relation(deprel: str) -> str:
    """The label without its subtype."""
    return deprel.partition(":")[0]


def _universal(feats: str) -> str:
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in FEATURES))


def _aligned(gold: Sequence[_Word], system: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """The pairs of aligned words, in their order."""
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].multiword or system[s].multiword:
            g_first, s_first, g, s = _multiword_region(gold, system, g, s)
            forms = ([word.form for word in words] for words in (gold[g_first:g], system[s_first:s]))
            yield from ((g_first + left, s_first + right) for left, right in _common(*forms))
        elif gold[g].span == system[s].span:
            yield g, s
            g, s = g + 1, s + 1
        elif gold[g].span[0] <= system[s].span[0]:
            g += 1
        else:
            s += 1


def _multiword_region(gold: Sequence[_Word], system: Sequence[_Word], g: int, s: int) -> tuple[int, int, int, int]:
    """The smallest region of both files around multiword tokens: (first gold, first system, end gold, end system)."""
    if gold[g].multiword:
        end = gold[g].span[1]
        if not system[s].multiword and system[s].span[0] < gold[g].span[0]:
            s += 1
    else:
        end = system[s].span[1]
        if not gold[g].multiword and gold[g].span[0] < system[s].span[0]:
            g += 1
    first = g, s
    while not (_is_beyond(gold, g, end) and _is_beyond(system, s, end)):
        of_gold = g < len(gold) and (s >= len(system) or gold[g].span[0] <= system[s].span[0])
        word = gold[g] if of_gold else system[s]
        if word.multiword:
            end = max(end, word.span[1])
        g, s = g + of_gold, s + (not of_gold)
    return *first, g, s


def _is_beyond(words: Sequence[_Word], at: int, end: int) -> bool:
    return at >= len(words) or (words[at].span[0] >= end if words[at].multiword else words[at].span[1] > end)


def _common(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places of a longest common subsequence; the earliest pairs come first."""
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for g in reversed(range(len(left))):
        for s in reversed(range(len(right))):
            same = longest[g + 1][s + 1] + 1 if left[g] == right[s] else 0
            longest[g][s] = max(longest[g + 1][s], longest[g][s + 1], same)
    g = s = 0
    while g < len(left) and s < len(right):
        if left[g] == right[s]:
            yield g, s
            g, s = g + 1, s + 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1


def _counted(gold: _ScoredFile, system: _ScoredFile) -> tuple[SentenceCounts, list[int]]:
    """The counts by metric, and the number of aligned words of each metric, 0 for Tokens and Sentences."""
    _require_same_text(gold.text, system.text)
    pairs = list(_aligned(gold.words, system.words))
    same = _equal(gold.words, system.words, pairs)
    starts = [begin for begin, _ in gold.sentences]

    def by_sentence(spans: Iterable[_Span]) -> NDArray[np.int64]:
        places = np.fromiter((begin for begin, _ in spans), np.int64)
        return np.bincount(np.searchsorted(starts, places, side="right") - 1, minlength=len(starts))

    counts = [
        list(map(by_sentence, (left, right, {*left} & {*right})))
        for left, right in ((gold.tokens, system.tokens), (gold.sentences, system.sentences))
    ]
    numbers = [0, 0]
    every = frozenset(word.deprel for word in (*gold.words, *system.words))
    for name, properties in COMPARED.items():
        relations = CONTENT if name in OF_CONTENT else every
        sides = ([word.span for word in file.words if word.deprel in relations] for file in (gold, system))
        aligned = [(number, gold.words[g]) for number, (g, _) in enumerate(pairs) if gold.words[g].deprel in relations]
        right = [word.span for number, word in aligned if all(same[column][number] for column in properties)]
        counts.append(list(map(by_sentence, (*sides, right))))
        numbers.append(len(aligned))
    return SentenceCounts(*np.moveaxis(np.array(counts), 0, -1)), numbers


def _require_same_text(gold: str, system: str) -> None:
    if gold == system:
        return
    differing = (place for place, (a, b) in enumerate(zip(gold, system, strict=False)) if a != b)
    place = next(differing, min(len(gold), len(system)))
    near = slice(max(0, place - 10), place + 10)
    difference = f"{gold[near]!r} in the gold file, {system[near]!r} in the other"
    raise CrossarcError(f"the files have different text: {difference}; compare files made from the same text")


def _equal(
    gold: Sequence[_Word], system: Sequence[_Word], pairs: Sequence[tuple[int, int]]
) -> Mapping[str, Sequence[bool]]:
    """By property, whether the words of each pair are equal in it."""
    gold_of = {s: g for g, s in pairs} | {ROOT: ROOT}
    children = _function_words(gold, {g: g for g in range(len(gold))}), _function_words(system, gold_of)
    words = [(gold[g], system[s]) for g, s in pairs]
    names = ("upos", "xpos", "feats", "deprel")
    return {
        **{name: [getattr(a, name) == getattr(b, name) for a, b in words] for name in names},
        "lemma": [a.lemma in ("_", b.lemma) for a, b in words],  # words without gold lemma count as right
        "head": [a.head == gold_of.get(b.head, MISSING) for a, b in words],
        "function": [children[0].get(g) == children[1].get(s) for g, s in pairs],
    }


def _function_words(words: Sequence[_Word], gold_of: Mapping[int, int]) -> Mapping[int, list[object]]:
    """The dependent function words of each word: aligned gold word, relation, tag, features."""
    children: dict[int, list[object]] = {}
    for number, word in enumerate(words):
        if word.deprel in FUNCTION:
            child = gold_of.get(number, MISSING), word.deprel, word.upos, word.feats
            children.setdefault(word.head, []).append(child)
    return children


def universal_las(gold: Iterable[Sentence], parsed: Iterable[Sentence]) -> float:
    """The LAS of the shared task, in per cent, for parsed sentences with the gold words: labels without subtypes.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> universal_las(gold, gold)
    100.0
    """
    right = words = 0
    for one, other in zip(gold, parsed, strict=True):
        (head, label), (own_head, own_label) = (
            (sentence.column("head"), sentence.column("deprel")) for sentence in (one, other)
        )
        labels = zip(map(_universal_relation, label), map(_universal_relation, own_label), strict=True)
        right += sum(a == b and c == d for a, b, (c, d) in zip(head, own_head, labels, strict=True))
        words += len(one)
    return 100 * right / words
