"""The best transforms of each kind, and all of them together (Nilsson 2009, section 6.5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .....parser.config.config import Config
from .....parser.transforms import Transform
from .transforms import NONE

COORDINATION, VERB_GROUPS, ENCODING = KINDS = ("coordination", "verb-groups", "pseudo-projective")
"""Names of the transforms, in the order in which they are applied together: projectivization comes last, so that the
trees to train on are projective; coordination before verb groups, whose auxiliary verbs are not conjuncts."""


@dataclass(frozen=True, slots=True)
class Choice:
    """best: of each kind that there is, the best parser; combined: those of them that are better than none."""

    best: Mapping[str, str]
    combined: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the parser with all transforms: that of an existing one, if they are fewer than two."""
        return " ".join(self.combined) or NONE

    def shown(self) -> dict[str, str]:
        """The parsers of the tables and figures that are about the best ones of chapter 6, by what they are called."""
        return {"none": NONE} | {
            called: self.best[kind]
            for kind, called in ((COORDINATION, "coordination"), (VERB_GROUPS, "verb groups"))
            if kind in self.best
        }


def kinds_of(transforms: Mapping[str, Sequence[Transform]]) -> dict[str, str]:
    """The kind of each parser that has one transform, of chapter 5 or 6."""
    return {name: own[0].name for name, own in transforms.items() if len(own) == 1 and own[0].name in KINDS}


def choose(kinds: Mapping[str, str], las: Mapping[str, float | None]) -> Choice:
    """The choice by LAS on held-out data; the first of equally good parsers."""
    reached = {name: value or 0.0 for name, value in las.items()}
    best = {}
    for kind in KINDS:
        own = [name for name in reached if kinds.get(name) == kind]
        if own:
            best[kind] = max(own, key=reached.__getitem__)
    return Choice(best, tuple(name for name in best.values() if reached[name] > reached[NONE]))


def combined_config(choice: Choice, parsers: Mapping[str, Config]) -> Config:
    """The parser without transforms with the chosen ones, in the order in which they are applied."""
    specs = tuple(spec for name in choice.combined for spec in parsers[name].transforms)
    return replace(parsers[NONE], transforms=specs)
