"""What a search over generic transforms finds on a treebank, and blends of its parsers (Nilsson 2009, section 9.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .....parser.blending.blend import blend_votes, select_parsers
from .....parser.blending.vote_weights import Weights, learn_weights
from .....parser.evaluate import Comparison, compare, significance
from .....parser.evaluate.percent import Json
from .....parser.treebank.tree import Tree
from ....harness.experiment import Bank
from .outputs import Outputs, single_root, tags_of

__all__ = [
    "BASE",
    "BEST",
    "BEST_UNINVERTED",
    "BLEND",
    "BLEND_UNINVERTED",
    "Curve",
    "Search",
    "Trial",
    "las_of",
    "search_of",
]

BASE, BEST, BEST_UNINVERTED = "base", "best", "best_uninverted"
BLEND, BLEND_UNINVERTED = "blend", "blend_uninverted"
ORDERS = ("descending", "ascending")
FORMS = ("inverted", "uninverted")
Curve = Sequence[int]
"""How many words of a test set the blends of 1, 2, ... parsers have right."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A parser with a transform against the one without.

    dev, test: by how many points its LAS is higher. p: of McNemar's test on the test set. level: of 0.01 and 0.05 the
    strictest that is passed by a parser that is better on the test set, None for others.
    """

    transform: str
    dev: float
    test: float
    p: float
    level: float | None

    def to_json(self) -> dict[str, Json]:
        """The five fields."""
        return {"transform": self.transform, "dev": self.dev, "test": self.test, "p": self.p, "level": self.level}


@dataclass(frozen=True, slots=True)
class Search:
    """The outcome on one treebank.

    dev: LAS on the development set of the base and of each parser with a transform. helpful: the transforms that help
    there, the best first. outputs: the test set as parsed by :data:`BASE`, by the parser with the best transform, with
    its inverse and without (the base itself if none helps), and as blended, with and without inverses. curves: by how
    parsers are chosen, see :data:`Curve`.
    """

    dev: Mapping[str, float]
    helpful: tuple[Trial, ...]
    outputs: Outputs
    curves: Mapping[str, Curve]

    @property
    def best(self) -> str | None:
        """The transform that helps most, if any does."""
        return self.helpful[0].transform if self.helpful else None


def search_of(bank: Bank, names: Sequence[str]) -> Search:
    """The outcome of the search on a treebank.

    names: of the parsers, the base first. Of the settings, ``weights`` is how votes are weighted, ``parsers_blended``
    how many parsers the blends have, ``curve`` how many those at the end of the curves have (0: all). Every second
    sentence of the development set chooses the parsers to blend, the others weigh them; the best transform is the best
    on all of them (section 9.2).
    """
    by, blended, longest = (bank.values[key] for key in ("weights", "parsers_blended", "curve"))
    test = bank.gold(bank.part("test"))
    dev_las = {name: las_of(bank.compared(bank.part("dev"), name, "dev inverted")) for name in names}
    better = sorted((name for name in names if dev_las[name] > dev_las[BASE]), key=lambda name: -dev_las[name])
    base = bank.compared(bank.part("test"), BASE, "test inverted")
    helpful = []
    for name in better:
        other = bank.compared(bank.part("test"), name, "test inverted")
        trial = significance(base, other, "las")
        gains = dev_las[name] - dev_las[BASE], las_of(other) - las_of(base)
        helpful.append(Trial(name, *gains, trial.p, trial.level if trial.winner == "second" else None))
    best = better[0] if better else BASE
    trees: dict[str, Sequence[Tree]] = {
        BASE: bank.trees(BASE, "test inverted"),
        BEST: bank.trees(best, "test inverted"),
        BEST_UNINVERTED: bank.trees(best, "test uninverted"),
    }
    curves: dict[str, Curve] = {}
    blends = {("inverted", "descending"): BLEND, ("uninverted", "descending"): BLEND_UNINVERTED}
    for form in FORMS:
        parsers = _Parsers.of(bank, names, form, by)
        for order in ORDERS:
            right = []
            for size, votes in enumerate(parsers.blends(order == "descending", max(longest or len(names), blended)), 1):
                right.append(int(compare(test, votes).token_right("las").sum()))
                if (form, order) in blends and size <= blended:
                    trees[blends[form, order]] = votes
            curves[f"{form}, {order}"] = right
    return Search(dev_las, tuple(helpful), Outputs(bank.name, test, trees), curves)


def las_of(comparison: Comparison) -> float:
    """The labelled attachment score over all words; 0 if there are none."""
    right = comparison.token_right("las")
    return 100.0 * float(right.mean()) if len(right) else 0.0


@dataclass(frozen=True, slots=True)
class _Parsers:
    """The trees that parsers gave the test set, what their votes weigh, and their scores by which they are chosen."""

    trees: Sequence[Sequence[Tree]]
    upos: Sequence[Sequence[str]]
    weights: Weights
    scores: Sequence[float]
    single_root: bool

    @classmethod
    def of(cls, bank: Bank, names: Sequence[str], form: str, by: str) -> _Parsers:
        votes = [bank.trees(name, f"dev {form}") for name in names]
        dev, test = (bank.gold(bank.part(split)) for split in ("dev", "test"))
        choosing, weighing = dev[0::2], dev[1::2]
        return cls(
            [bank.trees(name, f"test {form}") for name in names],
            tags_of(test),
            learn_weights(by, weighing, [own[1::2] for own in votes], tags_of(weighing)),
            [las_of(compare(choosing, own[0::2])) for own in votes],
            single_root(weighing),
        )

    def blends(self, descending: bool, longest: int) -> Iterator[list[Tree]]:
        """The blends of 1, 2, ... parsers, the first of which is the base."""
        numbers = select_parsers(0, self.scores, descending)
        for size in range(1, 1 + min(longest, len(numbers))):
            chosen = numbers[:size]
            special = tuple(self.weights.special[number] for number in chosen) if self.weights.special else ()
            weights = Weights(self.weights.by, tuple(self.weights.overall[number] for number in chosen), special)
            yield blend_votes([self.trees[number] for number in chosen], weights, self.upos, self.single_root)
