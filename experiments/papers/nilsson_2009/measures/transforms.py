"""Shared parts of chapters 5 and 6 of Nilsson (2009): parsers with transforms and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .....parser.base.errors import CrossarcError, choices
from .....parser.config.config import Config
from .....parser.evaluate.comparison import Comparison
from .....parser.evaluate.metrics import score_comparison
from .....parser.evaluate.scores import Scores
from .....parser.transforms import Transform, parse_transform
from ....harness.experiment import Treebank
from ....harness.parsing import Part, parses_both_ways
from ....harness.runner import Cell
from ....harness.settings import Settings

PARSED = ("dev", "test")
NONE = "none"
"""The parser without transforms, which the YAML must have."""


def parser_cell(treebank: Treebank, name: str, config: Config, train: Part | None = None) -> Cell:
    """A parser trained on the training set, or another part, that parses development and test set, both ways."""
    tests = {split: treebank.part(split) for split in PARSED}
    return treebank.cell(name, parses_both_ways, config, train or treebank.part("train"), tests)


def transforms_of(parsers: Mapping[str, Config]) -> dict[str, tuple[Transform, ...]]:
    """The transforms of each parser. Raises CrossarcError for what is no transform, and without a parser ``none``."""
    found = {}
    for name, config in parsers.items():
        try:
            found[name] = tuple(parse_transform(spec) for spec in config.transforms)
        except CrossarcError as error:
            raise CrossarcError(f"parser {name}: {error}") from error
    if found.get(NONE) != ():
        raise CrossarcError(f"parsers: expected one without transforms, named {NONE!r}")
    return found


def check_parsers(settings: Settings) -> None:
    """Raise CrossarcError for a split that is not parsed, and for what :func:`transforms_of` refuses."""
    if settings.values["split"] not in PARSED:
        raise CrossarcError(f"split: found {choices(settings.values['split'], PARSED)}")
    transforms_of(settings.parsers)


def inverted(treebank: Treebank, names: Iterable[str], split: str) -> dict[str, Comparison]:
    """The inverted trees of parsers against the gold trees of a split."""
    return {name: treebank.compared(treebank.part(split), name, f"{split} inverted") for name in names}


def scored(comparisons: Mapping[str, Comparison]) -> dict[str, Scores]:
    """The scores of comparisons, without punctuation."""
    return {name: score_comparison(own, breakdowns="no_punct") for name, own in comparisons.items()}
