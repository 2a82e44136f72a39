"""The lexicon of the invented language: lexemes, their frequencies and preferred partners, and the forms of words.

The lexicon is the same for every seed, so treebanks with different seeds are samples of one language. Random choices
use only ``random.Random.random`` and divisions, which give the same numbers on every platform. ``grammar.yaml`` has
the sounds, the classes of lexemes and the paradigms.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml

T = TypeVar("T")
SHARED = 500
"""Number of frequent nouns with whose stems other lexemes may share theirs."""


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

    def weighted(self, options: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """A random option; ``weight`` (default: 1) is proportional to its probability."""
        sums = list(accumulate(option.get("weight", 1) for option in options))
        return options[bisect_right(sums, self.roll() * sums[-1])]


class Lexeme(NamedTuple):
    """A stem with the features that each of its forms has, and its preferred partners."""

    stem: str
    features: Mapping[str, Any]


class Pool:
    """Lexemes to draw from, by their weights; those of each topic have a pool of their own."""

    def __init__(self, weighted: Iterable[tuple[Lexeme, float]], by_topic: bool = True) -> None:
        pairs = list(weighted)
        self.lexemes = [lexeme for lexeme, _ in pairs]
        self._sums = list(accumulate(weight for _, weight in pairs))
        topics = {lexeme.features.get("topic") for lexeme in self.lexemes if by_topic} - {None}
        self.of_topic = {topic: Pool([p for p in pairs if p[0].features["topic"] == topic], False) for topic in topics}

    def draw(self, dice: Dice) -> Lexeme:
        """A random lexeme, with a probability proportional to its weight."""
        return self.lexemes[bisect_right(self._sums, dice.roll() * self._sums[-1])]


@cache
def load_grammar() -> Mapping[str, Any]:
    """The contents of ``grammar.yaml``."""
    return yaml.safe_load(Path(__file__).with_name("grammar.yaml").read_text("utf-8"))


@cache
def build_lexicon() -> Mapping[str, Pool]:
    """The pools of the lexicon by class of lexemes, about 3 700 lexemes in all."""
    grammar, dice = load_grammar(), Dice("crossarc lexicon 2")
    stems = {stem for stems_of in grammar["lexemes"].values() if "count" not in stems_of for stem in stems_of}
    pools: dict[str, Pool] = {}
    drawn: dict[str, Callable[[], Any]] = {
        "topic": lambda: dice.index(grammar["topics"]),
        "gender": lambda: dice.pick(grammar["values"]["gender"]),
        "preposition": lambda: pools["preposition"].draw(dice),
    }

    def new_stem(syllables: int) -> str:
        while True:
            length = syllables or 1 + dice.index(2)
            onsets = (dice.pick(grammar["onsets"]) + dice.pick(grammar["vowels"]) for _ in range(length))
            stem = "".join(onsets) + dice.pick(grammar["codas"])
            if stem not in stems:
                stems.add(stem)
                return stem

    def lexeme(spec: Mapping[str, Any]) -> Lexeme:
        if dice.chance(spec.get("shared", 0)):
            stem = pools["noun"].lexemes[dice.index(SHARED)].stem
        else:
            stem = new_stem(spec.get("syllables", 0)) + spec.get("ending", "")
        stem = stem.capitalize() if spec.get("capital") else stem
        return Lexeme(stem, {name: drawn[name]() for name in spec.get("likes", ())})

    for name, spec in grammar["lexemes"].items():
        if "count" in spec:
            pools[name] = Pool((lexeme(spec), 1 / (rank + 3)) for rank in range(spec["count"]))
        else:
            pools[name] = Pool((Lexeme(stem, options), options.get("weight", 1)) for stem, options in spec.items())
    return pools
