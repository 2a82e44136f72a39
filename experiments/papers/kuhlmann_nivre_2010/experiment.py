"""Kuhlmann & Nivre (2010): theoretical coverage and empirical performance of the parsers P0 to P3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....parser.evaluate.percent import Json
from ....parser.evaluate.significance_figure import arrows, significance_figure
from ...harness.experiment import Experiment, Treebank
from ...harness.outputs import Outputs
from ...harness.parsing import count_part
from ...harness.results import tests_json
from ...harness.rows import arc_row, cost_row, overall_row
from ...harness.runner import Cell


def cells(treebank: Treebank) -> list[Cell]:
    """Cells that count the treebank, the oracles' coverage, and the parsers (none for ``untrained`` treebanks)."""
    split = treebank.values["split"]
    test = treebank.part(split)
    counted = [treebank.cell(f"statistics {own}", count_part, treebank.part(own)) for own in ("train", split)]
    return counted + treebank.coverage(test, treebank.settings.parsers) + treebank.alike(test)


def performance(treebank: Treebank) -> Outputs:
    """The trees of the trained parsers for the evaluated split."""
    return treebank.of_alike(treebank.part(treebank.values["split"]))


def figures(treebank: Treebank) -> dict[str, Json]:
    """The figures of one treebank: coverage, performance and cost of each parser, and tests between parsers."""
    test, parsed = treebank.part(treebank.values["split"]), performance(treebank)
    scores = {"coverage": treebank.of_coverage(test, treebank.settings.parsers).scores, "performance": parsed.scores}
    tests, cells = parsed.tests(), treebank.cells_alike()
    return {
        "statistics": {own: treebank[f"statistics {own}"] for own in ("train", treebank.values["split"])},
        **{
            kind: {name: {**overall_row(own), **arc_row(own)} for name, own in found.items()}
            for kind, found in scores.items()
        },
        **tests_json(tests),
        "cost": {name: cost_row([treebank[cell]["cost"]], name) for name, cell in cells.items()},
        "full": {kind: {name: own.to_json() for name, own in found.items()} for kind, found in scores.items()},
    }


def together(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """The figures of all treebanks, and in ``tests`` the numbers of significant tests.

    ``by chance`` is the number of significant tests to expect if all parsers were equal.
    """
    document: dict[str, Json] = {treebank.name: figures(treebank) for treebank in treebanks}
    tests = [test for treebank in treebanks for own in performance(treebank).tests().values() for test in own.values()]
    passed = {level: sum(test.level is not None and test.level <= level for test in tests) for level in (0.05, 0.01)}
    return {
        **document,
        "tests": {
            "all": len(tests),
            **{f"beyond {level}": number for level, number in passed.items()},
            **{f"by chance beyond {level}": level * len(tests) for level in passed},
        },
    }


def charts(treebanks: Sequence[Treebank], _: Mapping[str, Any]) -> dict[str, str]:
    """Figure 4 for each treebank, and one figure for all treebanks."""
    tests = {treebank.name: own.tests() for treebank in treebanks if (own := performance(treebank)).trees}
    panels = {name: {score.upper(): arrows(own) for score, own in found.items()} for name, found in tests.items()}
    parsers = list(treebanks[0].settings.parsers)
    drawn = {f"figure4-{_slug(name)}.svg": {name: own} for name, own in panels.items()}
    every = {"figure4-all.svg": panels} if panels else {}
    return {file: significance_figure(parsers, own) for file, own in {**every, **drawn}.items()}


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in name).strip("-")


EXPERIMENT = Experiment(
    title="Kuhlmann & Nivre (2010): coverage and performance",
    note="Learner {learner}; evaluated on the {split} split, all tokens counted. Figures are percentages; L is the "
    "mean arc length in words. Precision and recall are unlabelled. A sentence is projective if its gold tree is. "
    "Arrows: better or worse than P0 with p < 0.01 (double) or p < 0.05 (single), McNemar's test.",
    splits=lambda values: ("train", values["split"]),
    cells=(cells,),
    figures=together,
    charts=charts,
)
