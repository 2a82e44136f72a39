"""Tests of differences between parsers, which arrows in tables and words on pages show."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from ...parser.base.errors import CrossarcError
from ...parser.evaluate.mcnemar import holm, mcnemar_of
from .figures import Figure, as_figure, fitting, lookup, number, selection

ARROWS = ((0.01, "⇑", "⇓"), (0.05, "↑", "↓"))
"""Levels, with the arrows of a better and of a worse parser."""
ROUNDING = 0.00005
"""Largest rounding error of a probability in the results, which is added to it."""


class Test(NamedTuple):
    """A test: a name, the same for a pair in either order; the difference; p; whether p is corrected already."""

    name: Hashable
    difference: float
    p: float
    corrected: bool


def with_arrows(
    cells: list[list[tuple[Figure, str]]], tests: Mapping[tuple[int, int], Test | None]
) -> tuple[dict[tuple[int, int], tuple[float, float]], int]:
    """Add an arrow or a space to the texts of columns with tests. Return the tests as in a table, and their family."""
    ps = {test.name: test.p for test in tests.values() if test and not test.corrected}
    corrected = {test.name: test.p for test in tests.values() if test} | holm(ps)
    results = {at: (test.difference, corrected[test.name]) for at, test in tests.items() if test}
    tested = {column for _, column in results}
    for row, column in tests:
        if column in tested:
            figure, text = cells[row][column]
            cells[row][column] = figure, f"{text} {_arrow(results.get((row, column)))}"
    return results, len(ps)


def _arrow(test: tuple[float, float] | None) -> str:
    """The arrow of a difference and its probability; a space without a significant difference."""
    return next(
        (up if test[0] > 0 else down for level, up, down in ARROWS if test and test[0] and test[1] < level), " "
    )


def base_test(figures: Any, path: str, figure: Figure, base: str | None) -> Test | None:
    """The test of a figure against that at ``base``, with the probability at ``path``; None if it is undefined."""
    p, other = as_figure(figures, path, path), as_figure(figures, base, base) if base else 0
    if p is None or figure is None:
        return None
    p = float(p.split()[0]) if isinstance(p, str) else p + ROUNDING
    return Test(path, number(figure, path) - number(other, path), p, corrected=False)


def pair_test(figures: Any, path: str) -> Test | None:
    """The test ``first=A,second=B`` in a list of pairwise tests, in either order; None for a parser and itself.

    McNemar's probability is computed from its counts, since the results have it rounded.
    """
    place, _, step = path.rpartition("/")
    pair = selection(step)
    if pair["first"] == pair["second"]:
        return None
    tests = lookup(figures, place)
    turned = {**pair, "first": pair["second"], "second": pair["first"]}
    for names, sign in ((pair, 1), (turned, -1)):
        for test in fitting(tests, names):
            name = (place, frozenset(pair.values()))
            if "b" in test:
                b, c = test["b"], test["c"]
                return Test(name, sign * (b - c), mcnemar_of(b, c).p, corrected=False)
            return Test(name, sign * {"second": 1, "first": -1, None: 0}[test["winner"]], test["p"], corrected=True)
    raise CrossarcError(f"{path}: no test of this pair")
