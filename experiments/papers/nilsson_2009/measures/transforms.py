"""Shared parts of chapters 5 and 6 of Nilsson (2009): parsers with transforms and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .....parser.base.errors import CrossarcError
from .....parser.config.config import Config
from .....parser.transforms import Transform, parse_transform
from ....harness.experiment import Treebank
from ....harness.outputs import Outputs
from ....harness.parsing import Part, parses_both_ways
from ....harness.runner import Cell
from ....harness.settings import Settings, check_names

PARSED = ("dev", "test")
NONE = "none"
"""The parser without transforms, which the YAML must have."""


def parser_cells(treebank: Treebank, parsers: Mapping[str, Config], train: Part | None = None) -> list[Cell]:
    """Parsers trained on the training set, or another part, that parse development and test set, both ways."""
    tests = {split: treebank.part(split) for split in PARSED}
    return treebank.each(parsers, parses_both_ways, train or treebank.part("train"), tests)


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
    check_names("split: found", [settings.values["split"]], PARSED)
    transforms_of(settings.parsers)


def inverted(treebank: Treebank, names: Iterable[str], split: str) -> Outputs:
    """The inverted trees of parsers, punctuation left out."""
    return treebank.outputs(treebank.part(split), {name: (name, f"{split} inverted") for name in names}, "no_punct")
