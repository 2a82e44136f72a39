"""The lexicon of the invented language: lemmas, their frequencies, their preferred combinations, and their forms.

The lexicon is the same for every seed, so treebanks with different seeds are samples of one language. Random choices
use only ``random.Random.random`` and divisions, which give the same numbers on every platform. ``language.yaml`` has
the sounds, the classes of words and the paradigms.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from ...parser.base.yaml_values import load_yaml

T = TypeVar("T")


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


class Lexicon(NamedTuple):
    """Pools of words and frames, and forms.

    Verbs are grouped by frame; adverbs modify verbs (``verbal``), adjectives (``degree``) or nouns (``focus``).
    paradigms: by name, gender or person and number, and case or tense, the ending and FEATS.
    """

    topics: int
    paradigms: Mapping[str, Mapping[str, Mapping[str, tuple[str, str]]]]
    particles: Mapping[str, tuple[str, str]]
    frames: Pool[str]
    determiners: Pool[Determiner]
    noun_adpositions: Pool[Adposition]
    verb_adpositions: Pool[Adposition]
    nouns: Pool[Noun]
    nouns_by_topic: tuple[Pool[Noun], ...]
    names: Pool[Noun]
    verbs: Mapping[str, Pool[Verb]]
    adjectives: Pool[str]
    adverbs: Mapping[str, Pool[str]]
    numerals: Pool[str]

    def form(self, paradigm: str, who: str, number: str, cell: str) -> tuple[str, str]:
        """(ending, FEATS) of a gender or person (``who``), a number, and a case or tense (``cell``)."""
        return self.paradigms[paradigm][f"{who} {number}"][cell]


@cache
def build_lexicon() -> Lexicon:
    """The lexicon of about 3 300 lemmas. Frequencies follow Zipf's law in every class."""
    language: Any = load_yaml(Path(__file__).with_name("language.yaml").read_text("utf-8"), "language.yaml")
    dice, taken = Dice("crossarc lexicon 1"), set(language["adpositions"])
    adpositions = [(Adposition(lemma, *own[:2]), *own[2:]) for lemma, own in language["adpositions"].items()]
    of_nouns, of_verbs = (Pool((own[0], own[k]) for own in adpositions) for k in (1, 2))

    def new_stem(syllables: int = 0) -> str:
        syllables = syllables or 1 + dice.index(2)
        while True:
            onsets = (dice.pick(language["onsets"]) + dice.pick(language["vowels"]) for _ in range(syllables))
            stem = "".join(onsets) + dice.pick(language["codas"])
            if stem not in taken:
                taken.add(stem)
                return stem

    def shared_stem() -> str:
        """A new stem, or the stem of a frequent noun, so that some inflected forms are homonyms."""
        return stems[dice.index(language["shared"])] if dice.chance(language["homonyms"]) else new_stem()

    def noun(stem: str) -> Noun:
        liking = of_nouns.draw(dice) if dice.chance(0.35) else None
        return Noun(stem, dice.pick(language["genders"]), dice.index(language["topics"]), liking)

    def verbs(frame: str, count: int) -> Pool[Verb]:
        own = [shared_stem() for _ in range(count)]
        return zipf([Verb(stem, frame, dice.index(language["topics"]), of_verbs.draw(dice)) for stem in own])

    stems = [new_stem() for _ in range(language["nouns"])]
    nouns = [noun(stem) for stem in stems]
    topics = range(language["topics"])
    return Lexicon(
        language["topics"],
        language["paradigms"],
        language["particles"],
        Pool((frame, share) for frame, (_, share) in language["frames"].items()),
        Pool((Determiner(stem, *own[:2]), own[2]) for stem, own in language["determiners"].items()),
        of_nouns,
        of_verbs,
        zipf(nouns),
        tuple(zipf([own for own in nouns if own.topic == topic]) for topic in topics),
        zipf([noun(new_stem(2).capitalize()) for _ in range(language["names"])]),
        {frame: verbs(frame, count) for frame, (count, _) in language["frames"].items()},
        zipf([shared_stem() for _ in range(language["adjectives"])]),
        {group: zipf([new_stem(1) + "e" for _ in range(count)]) for group, count in language["adverbs"].items()},
        zipf([new_stem(1) for _ in range(language["numerals"])]),
    )


def zipf(entries: Sequence[T]) -> Pool[T]:
    """Entries with weights that fall with their rank."""
    return Pool((entry, 1.0 / (rank + 3)) for rank, entry in enumerate(entries))
