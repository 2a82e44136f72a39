"""What chapters 5 and 6 of Nilsson (2009) share: what transforms lose by themselves, and how parsers with them do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from .....parser.base.errors import CrossarcError, choices
from .....parser.config.config import Config
from .....parser.evaluate import Comparison, McNemar, Scores, score_comparison, significance
from .....parser.evaluate.percent import Json
from .....parser.transforms import Transform, parse_transform
from .....parser.transforms.composed import Composed
from .....parser.transforms.distortion import distortion
from .....parser.treebank import Sentence
from .....parser.treebank.tree import Tree
from ....harness.parsing import Part
from ....harness.rows import Row, significance_table
from ....harness.runner import Cell
from ....harness.settings import Settings, TreebankEntry
from .parses import comparison_of, parses_both_ways, parses_cell, votes_of
from .tables import beside, thesis_rows

__all__ = [
    "NONE",
    "PARSED",
    "Tests",
    "attachment_rows",
    "attachment_table",
    "average_rows",
    "comparisons_of",
    "distortion_cell",
    "lost_by",
    "parser_cell",
    "scored",
    "significance_lines",
    "split_of",
    "tests_of",
    "transforms_of",
]

PARSED = ("dev", "test")
NONE = "none"
"""The parser without transforms, which the YAML must have."""

Keyed = dict[tuple[str, ...], Row]
Tests = dict[str, dict[tuple[str, str], McNemar]]


def lost_by(transforms: tuple[Any, ...], part: Part) -> Json:
    """What transforms and their inverses lose, see :func:`~crossarc.parser.transforms.distortion`."""
    trees = [Tree(own.heads(), own.deprels(), {}) for own in part.sentences()]
    return distortion(trees, Composed([parse_transform(spec) for spec in transforms]))


def distortion_cell(entry: TreebankEntry, name: str, config: Config) -> Cell:
    """The cell of :func:`lost_by` for the transforms of a parser on its training set."""
    train = entry.part("train")
    key = {"transforms": list(config.transforms), "part": train.key()}
    return Cell(f"{entry.name} {name} distortion", lost_by, (config.transforms, train), key, (train.path,))


def parser_cell(entry: TreebankEntry, name: str, config: Config, train: Part | None = None) -> Cell:
    """A parser trained on the training set, or another part, that parses development and test set, both ways."""
    parts = {split: entry.part(split) for split in PARSED}
    return parses_cell(f"{entry.name} {name}", config, train or entry.part("train"), parts, parses_both_ways)


def split_of(settings: Settings) -> str:
    """The part that the parsers are compared on. Raises CrossarcError if it is none that they parse."""
    split = settings.values["split"]
    if split not in PARSED:
        raise CrossarcError(f"split: found {choices(split, PARSED)}")
    return str(split)


def transforms_of(parsers: Mapping[str, Config]) -> dict[str, tuple[Transform, ...]]:
    """The transforms of each parser. Raises CrossarcError for what is no transform, and without a parser ``none``."""
    found = {}
    for name, config in parsers.items():
        try:
            found[name] = tuple(parse_transform(spec) for spec in config.transforms)
        except CrossarcError as error:
            raise CrossarcError(f"parser {name}: {error}") from error
    if found.get(NONE) != ():
        raise CrossarcError(f"parsers: one without transforms is needed, named {NONE!r}")
    return found


def comparisons_of(
    gold: Sequence[Sentence], entry: TreebankEntry, names: Iterable[str], split: str, results: Mapping[str, Json]
) -> dict[str, Comparison]:
    """The inverted trees of parsers against the gold trees of a split."""
    return {name: comparison_of(gold, votes_of(results[f"{entry.name} {name}"], f"{split} inverted")) for name in names}


def scored(comparisons: Mapping[str, Comparison]) -> dict[str, Scores]:
    """The scores of comparisons, without punctuation."""
    return {name: score_comparison(own, breakdowns="no_punct") for name, own in comparisons.items()}


def attachment_rows(name: str, scores: Mapping[str, Scores]) -> Keyed:
    """The rows of a treebank in tables 5.6 and 6.3: UAS and LAS without punctuation, a parser a column."""
    return {
        (name, score.upper()): {parser: getattr(own.no_punct, score) for parser, own in scores.items()}
        for score in ("uas", "las")
    }


def average_rows(rows: Keyed) -> Keyed:
    """The means over the treebanks of the columns that all of them have."""
    average: Keyed = {}
    for score in dict.fromkeys(key[1] for key in rows):
        own = [row for key, row in rows.items() if key[1] == score]
        means = {}
        for name in own[0]:
            values = [row.get(name) for row in own]
            if all(isinstance(value, float) for value in values):
                means[name] = sum(value for value in values if isinstance(value, float)) / len(values)
        average["average", score] = means
    return average


def attachment_table(table: str, columns: Mapping[str, str], rows: Keyed, same: Mapping[str, str]) -> str:
    """Table 5.6 or 6.3, published rows beside ours."""
    theirs = thesis_rows(table, ("treebank",), "encoding", {"uas": "UAS", "las": "LAS"}, stacked=True)
    return beside(("treebank", "score"), columns, rows, theirs, same)


def tests_of(comparisons: Mapping[str, Comparison]) -> Tests:
    """McNemar's test between every two parsers, by score, without punctuation."""
    return {
        score: {
            (first, second): significance(comparisons[first], comparisons[second], score, counted="no_punct")
            for first, second in combinations(comparisons, 2)
        }
        for score in ("las", "uas")
    }


def significance_lines(title: str, tests: Mapping[str, Tests]) -> list[str]:
    """The section with the tests of each treebank."""
    lines = [f"## {title}", ""]
    for name, own in tests.items():
        lines += [f"### {name}", "", significance_table(own)]
    return lines
