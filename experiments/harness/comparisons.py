"""Tests of differences between parsers, which arrows in tables and words on pages show."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scipy.special import ndtr, ndtri

from ...parser.base.errors import CrossarcError
from ...parser.evaluate.mcnemar import holm, mcnemar_of
from .figures import Figure, as_figure, fitting, lookup, number, selection

ARROWS = ((0.01, "⇑", "⇓"), (0.05, "↑", "↓"))
"""Levels, with the arrows of a better and of a worse parser."""
ROUNDING = 0.00005
"""Largest rounding error of a probability in the results, which is added to it."""


RATIO = 2.2
"""Variance of a difference over sentences, as a multiple of the one that McNemar's test over words assumes: the median
of 319 pairs of parsers in the results of Kuhlmann & Nivre's experiment (1.1 to 3.8), which have both tests."""


class Test(NamedTuple):
    """A test: a name, the same for a pair in either order; the difference; p; whether p is corrected already."""

    name: Hashable
    difference: float
    p: float
    corrected: bool


@dataclass(slots=True)
class Entry:
    """A cell of a table: its figure, its printed text, and its test (None: it has none)."""

    figure: Figure
    text: str
    test: Test | None = None


def correct(rows: Sequence[Sequence[Entry]]) -> int:
    """Correct the tests of a table by Holm's method, and add an arrow or a space to the texts of columns with tests.

    Returns the number of tests over which they were corrected.
    """
    ps = {entry.test.name: entry.test.p for row in rows for entry in row if entry.test and not entry.test.corrected}
    corrected = holm(ps)
    for column in zip(*rows, strict=True):
        for cell in column if any(entry.test for entry in column) else ():
            cell.test = cell.test and cell.test._replace(p=corrected.get(cell.test.name, cell.test.p))
            cell.text += f" {_arrow(cell.test)}"
    return len(ps)


def _arrow(test: Test | None) -> str:
    """The arrow of a corrected test; a space without a significant difference."""
    if test and test.difference:
        return next((up if test.difference > 0 else down for level, up, down in ARROWS if test.p < level), " ")
    return " "


def embolden(entries: Sequence[Entry]) -> None:
    """Print the highest of some figures, as printed, in bold."""
    printed = [(float(entry.text.split()[0]), entry) for entry in entries if entry.figure]
    best = max((value for value, _ in printed), default=None)
    for value, entry in printed:
        if value == best:
            entry.text = re.sub(r"^\S+", r"**\g<0>**", entry.text)


def over_sentences(p: float) -> float:
    """The two-tailed p of McNemar's test over words, with :data:`RATIO` times its variance."""
    return float(2 * ndtr(ndtri(min(p, 1.0) / 2) / RATIO**0.5))


def base_test(figures: Any, path: str, figure: Figure, base: str | None, mcnemar: bool) -> Test | None:
    """The test of a figure against that at ``base``, with the probability at ``path``; None if it is undefined.

    mcnemar: whether the probability is that of McNemar's test over words. A figure ``over_sentences`` beside it is used
        in its place.
    """
    p, other = as_figure(figures, path, path), as_figure(figures, base, base) if base else 0
    home = path.rpartition("/")[0]
    row = lookup(figures, home) if home else figures
    if mcnemar and row.get("over_sentences") is not None:
        p, mcnemar = row["over_sentences"], False
    if p is None or figure is None:
        return None
    p = float(p.split()[0]) if isinstance(p, str) else p + ROUNDING
    p = over_sentences(p) if mcnemar else p
    return Test(path, number(figure, path) - number(other, path), p, corrected=False)


def pair_test(figures: Any, path: str) -> Test | None:
    """The test ``first=A,second=B`` in a list of pairwise tests, in either order; None for a parser and itself.

    The probability is that of the test over sentences, if the results have it, or else estimated
    (:func:`over_sentences`). McNemar's is computed from its counts, since the results have it rounded.
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
                b, c, p = test["b"], test["c"], test.get("over_sentences")
                if p is None:
                    p = mcnemar_of(b, c).p
                    p = p if re.search(r"/[lu]em$", place) else over_sentences(p)  # items of these are sentences
                else:
                    p += ROUNDING
                return Test(name, sign * (b - c), p, corrected=False)
            return Test(name, sign * {"second": 1, "first": -1, None: 0}[test["winner"]], test["p"], corrected=True)
    raise CrossarcError(f"{path}: no test of this pair")
