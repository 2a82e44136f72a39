"""Parsers with transforms: training, scores, and the combination of the best ones (Nilsson 2009, chapters 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .....parser.base.errors import CrossarcError, check_names
from .....parser.config.config import ParserConfig
from .....parser.transforms.registry import parse_transform
from ....harness import Cell, ExperimentTreebank, Outputs, Settings
from ....harness.parsing import parses_both_ways

PARSED = ("dev", "test")
NONE = "none"
"""Name of the parser without transforms, which the YAML must have."""
COORDINATION, VERB_GROUPS, _ = KINDS = ("coordination", "verb-groups", "pseudo-projective")
"""Names of transforms, in the order of application: coordination before verb groups, whose auxiliary verbs are not
conjuncts; projectivization last, so that training trees are projective."""


@dataclass(frozen=True, slots=True)
class BestTransforms:
    """The best parsers with one transform (section 6.5.2).

    best: by kind of transform, the best parser of this kind.
    combined: the best parsers that are better than the parser without transforms.
    """

    best: Mapping[str, str]
    combined: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the parser that combines all transforms; with fewer than two, that of an existing parser."""
        return " ".join(self.combined) or NONE

    def shown(self) -> list[str]:
        """The parsers in the figures of chapter 6: without transforms, and the best two with its transforms."""
        return [NONE, *(self.best[kind] for kind in (COORDINATION, VERB_GROUPS) if kind in self.best)]


def parser_cells(treebank: ExperimentTreebank, parsers: Mapping[str, ParserConfig]) -> list[Cell]:
    """Cells that train parsers and parse, with and without inverse transforms."""
    tests = {split: treebank.part(split) for split in PARSED}
    return treebank.each(parsers, parses_both_ways, treebank.part("train"), tests)


def inverted(treebank: ExperimentTreebank, names: Iterable[str], split: str) -> Outputs:
    """The trees of parsers after inverse transforms, scored without punctuation."""
    return treebank.outputs(treebank.part(split), f"{split} inverted", list(names), "no_punct")


def check_parsers(settings: Settings) -> None:
    """Check the settings: the split must be one that is parsed, and the baseline ``none`` must have no transforms.

    Raises CrossarcError otherwise.
    """
    check_names("split: found", [settings.values["split"]], PARSED)
    if NONE not in settings.parsers or settings.parsers[NONE].transforms:
        raise CrossarcError(f"parsers: expected one without transforms, named {NONE!r}")


def kinds_of(parsers: Mapping[str, ParserConfig]) -> dict[str, str]:
    """The kind of each parser with a single transform, if this is one of :data:`KINDS`."""
    single = {
        name: parse_transform(*parser.transforms).name
        for name, parser in parsers.items()
        if len(parser.transforms) == 1
    }
    return {name: kind for name, kind in single.items() if kind in KINDS}


def choose(kinds: Mapping[str, str], las: Mapping[str, float | None]) -> BestTransforms:
    """The best parsers by LAS on held-out data; of equally good parsers the first.

    kinds: kind of transform of each parser.
    las: LAS of each parser.
    """
    reached = {name: value or 0.0 for name, value in las.items()}
    tried = {kind: [name for name in reached if kinds.get(name) == kind] for kind in KINDS}
    best = {kind: max(names, key=reached.__getitem__) for kind, names in tried.items() if names}
    return BestTransforms(best, tuple(name for name in best.values() if reached[name] > reached[NONE]))


def combined_config(choice: BestTransforms, parsers: Mapping[str, ParserConfig]) -> ParserConfig:
    """The parser without transforms, with all chosen transforms in the order of application."""
    specs = tuple(spec for name in choice.combined for spec in parsers[name].transforms)
    return replace(parsers[NONE], transforms=specs)
