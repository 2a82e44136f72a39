"""The lexicon of the invented language: lemmas, their frequencies and their preferred combinations.

The lexicon is the same for every seed, so treebanks with different seeds are samples of one language. Random choices
use only ``random.Random.random`` and divisions, which give the same numbers on every platform.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

TOPICS = 6
GENDERS = ("Fem", "Masc", "Neut")

_ONSETS = ("p", "t", "k", "b", "d", "g", "m", "n", "l", "r", "s", "v", "z", "f", "š", "tr", "kl", "st", "br", "gl")
_VOWELS = ("a", "e", "i", "o", "u", "ä", "ai", "ou")
_CODAS = ("n", "r", "l", "s", "t", "k", "m", "nd", "rt", "lk", "st", "v", "d", "p")
_HOMONYMS = 0.35
"""Probability that a verb or adjective has the stem of a noun."""
_SHARED = 500
"""Number of frequent nouns whose stems may be shared."""

# lemma, governed case, "after" for postpositions, weight as modifier of a noun and as modifier of a verb
_ADPOSITIONS = """
ul Gen - 5.0 0.6
na Dat - 2.0 4.0
ip Acc - 0.6 3.0
so Dat - 2.0 2.0
per Acc - 1.0 2.0
kon Dat - 1.5 1.5
od Gen - 2.0 1.0
vis Acc - 0.8 1.2
tran Gen - 0.6 0.8
bei Dat - 0.5 0.8
halb Gen after 0.6 1.0
ento Dat after 0.5 1.0
"""
# frame: number of lemmas, share of the clauses
_FRAMES = {
    "intr": (180, 0.18),
    "trans": (320, 0.36),
    "ditr": (60, 0.10),
    "prep": (120, 0.13),
    "clausal": (70, 0.12),
    "control": (40, 0.11),
}
_ADVERBS = {"verbal": 110, "degree": 20, "focus": 16}


class Dice:
    """Random choices that are the same on every platform and with every version of Python."""

    __slots__ = ("roll",)

    def __init__(self, seed: str) -> None:
        self.roll = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """Whether an event with this probability happens."""
        return self.roll() < probability

    def index(self, count: int) -> int:
        """A random number from 0 to count - 1."""
        return int(self.roll() * count)

    def pick(self, options: Sequence[T]) -> T:
        """A random option."""
        return options[int(self.roll() * len(options))]


class Pool(Generic[T]):
    """Entries to draw from. weighted: (entry, weight) pairs."""

    __slots__ = ("_cumulative", "entries")

    def __init__(self, weighted: Iterable[tuple[T, float]]) -> None:
        pairs = list(weighted)
        self.entries: tuple[T, ...] = tuple(entry for entry, _ in pairs)
        self._cumulative = list(accumulate(weight for _, weight in pairs))

    def draw(self, dice: Dice) -> T:
        """A random entry, with a probability proportional to its weight."""
        return self.entries[bisect_right(self._cumulative, dice.roll() * self._cumulative[-1])]


class Adposition(NamedTuple):
    """A word that governs a case. postposed: whether it follows its noun."""

    lemma: str
    case: str
    postposed: bool


class Determiner(NamedTuple):
    """A determiner that agrees with its noun. feats: features besides those of agreement."""

    stem: str
    feats: str
    xpos: str


class Noun(NamedTuple):
    """A noun; verbs with the same topic prefer it as object, and its modifiers prefer the adposition (None: any)."""

    stem: str
    gender: str
    topic: int
    adposition: Adposition | None


class Verb(NamedTuple):
    """A verb with its frame, the preferred topic of its objects, and the adposition that it governs or prefers."""

    stem: str
    frame: str
    topic: int
    adposition: Adposition


_DETERMINERS = (
    (Determiner("d", "Definite=Def|PronType=Art", "ART"), 10.0),
    (Determiner("un", "Definite=Ind|PronType=Art", "ART"), 5.0),
    (Determiner("kel", "PronType=Dem", "PDEM"), 2.0),
    (Determiner("mi", "Poss=Yes|PronType=Prs", "PPOS"), 2.0),
)


class Lexicon(NamedTuple):
    """Pools of words and frames.

    Verbs are grouped by frame; adverbs modify verbs (``verbal``), adjectives (``degree``) or nouns (``focus``).
    """

    nouns: Pool[Noun]
    nouns_by_topic: tuple[Pool[Noun], ...]
    names: Pool[Noun]
    verbs: Mapping[str, Pool[Verb]]
    frames: Pool[str]
    determiners: Pool[Determiner]
    adjectives: Pool[str]
    adverbs: Mapping[str, Pool[str]]
    numerals: Pool[str]
    noun_adpositions: Pool[Adposition]
    verb_adpositions: Pool[Adposition]


def build_lexicon() -> Lexicon:
    """The lexicon of about 3 300 lemmas. Frequencies follow Zipf's law in every class."""
    dice = Dice("crossarc lexicon 1")
    rows = [line.split() for line in _ADPOSITIONS.strip().splitlines()]
    adpositions = [Adposition(lemma, case, place == "after") for lemma, case, place, *_ in rows]
    taken = {own.lemma for own in adpositions}
    of_nouns, of_verbs = (Pool(zip(adpositions, (float(row[k]) for row in rows), strict=True)) for k in (3, 4))
    noun_stems = [_new_stem(dice, taken, 1 + dice.index(2)) for _ in range(1900)]
    nouns = [_noun(stem, dice, of_nouns) for stem in noun_stems]
    names = [_noun(_new_stem(dice, taken, 2).capitalize(), dice, of_nouns) for _ in range(350)]
    verbs = {}
    for frame, (count, _) in _FRAMES.items():
        stems = [_shared_stem(dice, taken, noun_stems) for _ in range(count)]
        verbs[frame] = _zipf([Verb(stem, frame, dice.index(TOPICS), of_verbs.draw(dice)) for stem in stems])
    return Lexicon(
        nouns=_zipf(nouns),
        nouns_by_topic=tuple(_zipf([noun for noun in nouns if noun.topic == topic]) for topic in range(TOPICS)),
        names=_zipf(names),
        verbs=verbs,
        frames=Pool((frame, share) for frame, (_, share) in _FRAMES.items()),
        determiners=Pool(_DETERMINERS),
        # A different order of these fields would change the language, since random stems are drawn in this order.
        adjectives=_zipf([_shared_stem(dice, taken, noun_stems) for _ in range(500)]),
        adverbs={
            group: _zipf([_new_stem(dice, taken, 1) + "e" for _ in range(count)]) for group, count in _ADVERBS.items()
        },
        numerals=_zipf([_new_stem(dice, taken, 1) for _ in range(15)]),
        noun_adpositions=of_nouns,
        verb_adpositions=of_verbs,
    )


def _zipf(entries: Sequence[T]) -> Pool[T]:
    return Pool((entry, 1.0 / (rank + 3)) for rank, entry in enumerate(entries))


def _noun(stem: str, dice: Dice, adpositions: Pool[Adposition]) -> Noun:
    liking = adpositions.draw(dice) if dice.chance(0.35) else None
    return Noun(stem, dice.pick(GENDERS), dice.index(TOPICS), liking)


def _new_stem(dice: Dice, taken: set[str], syllables: int) -> str:
    while True:
        stem = "".join(dice.pick(_ONSETS) + dice.pick(_VOWELS) for _ in range(syllables)) + dice.pick(_CODAS)
        if stem not in taken:
            taken.add(stem)
            return stem


def _shared_stem(dice: Dice, taken: set[str], nouns: Sequence[str]) -> str:
    """A new stem, or the stem of a frequent noun, so that some inflected forms are homonyms."""
    if dice.chance(_HOMONYMS):
        return nouns[dice.index(_SHARED)]
    return _new_stem(dice, taken, 1 + dice.index(2))
