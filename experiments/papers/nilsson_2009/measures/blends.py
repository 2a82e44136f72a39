"""Blends of parsers that differ in algorithm and direction: the figures of chapter 8 of Nilsson (2009)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .....parser.base.errors import CrossarcError, choices
from .....parser.config.config import Config
from .....parser.evaluate import Comparison, Scores, error_reduction, score_comparison
from .....parser.transforms import parse_transform
from ....harness.experiment import Bank
from ....harness.settings import Settings
from .outputs import Outputs, best_of, blended, joined, verdict

__all__ = [
    "BACKWARD",
    "FORWARD",
    "SINGLE",
    "Blended",
    "Components",
    "blend_of",
    "components_of",
    "joined_blends",
    "mean_row",
    "printed_reduction",
    "treebank_blends",
]

Row = Mapping[str, float | str | None]

SINGLE, FORWARD, BACKWARD = "single", "left to right", "right to left"


@dataclass(frozen=True, slots=True)
class Components:
    """The parsers that take part in blends: from left to right, from right to left, and the baseline among them."""

    forward: tuple[str, ...]
    backward: tuple[str, ...]
    baseline: str

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.forward, *self.backward)


@dataclass(frozen=True, slots=True)
class Blended:
    """A test set, or several one after another, parsed and blended.

    outputs: the trees of the parsers, and of their blends as :func:`blend_of` names them; of one treebank or more.
    chosen: for each of them the parsers that are best with it: of all, from left to right, from right to left (where
    there are some). comparisons, scores: of all of these. seconds: what parsing cost, and each blend.
    """

    outputs: tuple[Outputs, ...]
    chosen: Mapping[str, Mapping[str, str]]
    comparisons: Mapping[str, Comparison]
    scores: Mapping[str, Scores]
    seconds: Mapping[str, float]

    def row(self, by: str, baseline: str) -> Row:
        """A row of table 8.2: the best component of each treebank, and the blend weighted so."""
        blend = blend_of(by)
        names = {own[SINGLE] for own in self.chosen.values()}
        row: dict[str, float | str | None] = {"single": names.pop() if len(names) == 1 else "each one's best"}
        for key in ("las", "uas"):
            single, first, after = (getattr(self.scores[name], key) for name in (SINGLE, baseline, blend))
            row |= {
                f"{key}_single": single,
                key: after,
                f"{key}_reduction": error_reduction(single, after),
                f"{key}_p": verdict(self.comparisons[SINGLE], self.comparisons[blend], key),
                f"{key}_baseline_reduction": error_reduction(first, after),
                f"{key}_printed_reduction": printed_reduction(single, after),
            }
        row["cost"] = 100.0 * self.seconds[blend] / self.seconds["parsing"] if self.seconds["parsing"] else None
        return row


def printed_reduction(single: float | None, blend: float | None) -> float | None:
    """The error reduction as table 8.2 of the thesis has it: a share of the blend's errors, not of the single parser's.

    Section 3.1 defines it as :func:`~crossarc.parser.evaluate.error_reduction` does, and table 8.3 goes by that.
    """
    if single is None or blend is None or blend >= 100:
        return None
    return 100.0 * (blend - single) / (100.0 - blend)


def blend_of(by: str) -> str:
    """What the blend under a weighting is called."""
    return f"blend {by}"


def components_of(settings: Settings) -> Components:
    """The parsers of the settings but those apart, by direction. Raises CrossarcError for a wrong name."""
    if not settings.values["weights"]:
        raise CrossarcError("weights: found none; allowed: one or more")
    names, apart, baseline = list(settings.parsers), settings.values["apart"], settings.values["baseline"]
    for name in apart:
        if name not in names:
            raise CrossarcError(f"apart: {choices(name, names)}")
    names = [name for name in names if name not in apart]
    if baseline not in names:
        raise CrossarcError(f"baseline: {choices(baseline, names)}")
    backward = tuple(name for name in names if _reversed(settings.parsers[name]))
    return Components(tuple(name for name in names if name not in backward), backward, baseline)


def treebank_blends(bank: Bank, components: Components) -> Blended:
    """The test set of a treebank: the parsers, and the blends under all weightings."""
    parsers = list(bank.settings.parsers)
    dev, test = (
        Outputs(bank.name, bank.gold(bank.part(split)), {name: bank.trees(name, split) for name in parsers})
        for split in ("dev", "test")
    )
    trees = dict(test.trees)
    seconds = {"parsing": float(sum(bank[name]["cost"]["parse_cpu"]["test"] for name in components.names))}
    voting = [name for name in parsers if name in components.names]
    for by in bank.values["weights"]:
        trees[blend_of(by)], seconds[blend_of(by)] = blended(by, voting, dev, test)
    test = Outputs(bank.name, test.gold, trees)
    comparisons = {name: test.comparison(name) for name in trees}
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    roles = {SINGLE: components.names, FORWARD: components.forward, BACKWARD: components.backward}
    chosen = {role: best_of(scores, [name for name in parsers if name in own]) for role, own in roles.items() if own}
    for role, name in chosen.items():
        comparisons[role], scores[role] = comparisons[name], scores[name]
    return Blended((test,), {bank.name: chosen}, comparisons, scores, seconds)


def joined_blends(parts: Sequence[Blended]) -> Blended:
    """The test sets of several treebanks one after another."""
    outputs = tuple(output for part in parts for output in part.outputs)
    chosen = {treebank: own for part in parts for treebank, own in part.chosen.items()}
    comparisons = {name: joined(outputs, name) for name in outputs[0].trees}
    for role in next(iter(chosen.values())):
        comparisons[role] = joined(outputs, {treebank: own[role] for treebank, own in chosen.items()})
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    seconds = {name: sum(part.seconds[name] for part in parts) for name in parts[0].seconds}
    return Blended(outputs, chosen, comparisons, scores, seconds)


def mean_row(rows: Sequence[Row]) -> Row:
    """The plain means of the error reductions of several treebanks."""
    mean: dict[str, float | None] = {}
    for key in rows[0]:
        values = [value for row in rows if isinstance(value := row[key], float)]
        if key.endswith("_reduction") and len(values) == len(rows):
            mean[key] = sum(values) / len(values)
    return mean


def _reversed(config: Config) -> bool:
    return sum(parse_transform(spec).name == "reversal" for spec in config.transforms) % 2 == 1
