"""Nilsson (2009), chapter 6: coordination and verb groups, by themselves and together with chapter 5's transforms."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from .....parser.base.errors import CrossarcError, choices
from .....parser.config.config import Config
from .....parser.evaluate.percent import Json
from .....parser.transforms.styles.profile import load_profile
from ....harness.generated import generated_entries
from ....harness.results import write_results, write_text
from ....harness.runner import Cell, run_cells
from ....harness.settings import SPLITS, Settings, TreebankEntry, available, load_settings
from ..measures.choice import COORDINATION, VERB_GROUPS, Choice, choose, combined_config, kinds_of
from ..measures.lengths import lengths_cell
from ..measures.transforms import NONE, comparisons_of, distortion_cell, parser_cell, scored, split_of, transforms_of
from ..measures.words import words_cell
from .ch6_outcome import outcome_of
from .ch6_tables import report_lines

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch6"


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and figures 6.8 to 6.10 of each treebank.

    ``split`` in the YAML says on which part the parsers are compared; ``profiles`` gives the profile of each treebank,
    ``parsers_for`` the parsers for treebanks of a profile; ``generated`` has treebanks that are made up. When those
    parsers have parsed, the best transforms of each kind are chosen by LAS on the development sets, and a parser with
    all of them is trained (table 6.4).
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    split = split_of(settings)
    kinds = kinds_of(transforms_of(settings.parsers))
    folder = Path(options.out)
    entries = available(settings.treebanks, SPLITS, options.progress)
    if not options.only:
        entries += generated_entries(settings.values["generated"], folder)
    parsers = {entry.name: _parsers(entry, settings) for entry in entries}
    cells = [cell for entry in entries for cell in _cells(entry, settings, parsers[entry.name], kinds)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    chosen = {entry.name: _chosen(entry, parsers[entry.name], kinds, results) for entry in entries}
    combining = [
        parser_cell(entry, chosen[entry.name].name, combined_config(chosen[entry.name], settings.parsers))
        for entry in entries
        if len(chosen[entry.name].combined) > 1
    ]
    combined = results | run_cells(combining, folder, jobs=options.jobs, progress=options.progress)
    outcomes = {
        entry.name: outcome_of(
            entry,
            load_profile(settings.values["profiles"][entry.name]),
            split,
            list(parsers[entry.name]),
            chosen[entry.name],
            results,
            combined[f"{entry.name} {chosen[entry.name].name}"],
        )
        for entry in entries
    }
    shown = {name: kinds.get(name, "") for name in settings.parsers if any(name in own for own in parsers.values())}
    write_text(folder, "report.md", "\n".join(report_lines(NAME, entries, settings, shown, outcomes, folder)))
    document: dict[str, Json] = {name: own.to_json() for name, own in outcomes.items()}
    write_results(folder, NAME, settings, entries, document)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _parsers(entry: TreebankEntry, settings: Settings) -> dict[str, Config]:
    """The parsers for the treebank's profile. Raises CrossarcError where the YAML does not say which."""
    profiles, parsers_for = settings.values["profiles"], settings.values["parsers_for"]
    if entry.name not in profiles:
        raise CrossarcError(f"profiles: none for treebank {entry.name}")
    profile = profiles[entry.name]
    if profile not in parsers_for:
        raise CrossarcError(f"parsers_for: found {choices(profile, parsers_for)}")
    own = {}
    for name in parsers_for[profile]:
        if name not in settings.parsers:
            raise CrossarcError(f"parsers_for: {profile}: found {choices(name, settings.parsers)}")
        own[name] = settings.parsers[name]
    if NONE not in own:
        raise CrossarcError(f"parsers_for: {profile}: {NONE!r} is needed")
    return own


def _cells(
    entry: TreebankEntry, settings: Settings, parsers: Mapping[str, Config], kinds: Mapping[str, str]
) -> list[Cell]:
    cells = [words_cell(entry, settings.values["profiles"][entry.name])]
    for name, config in parsers.items():
        if kinds.get(name) in (COORDINATION, VERB_GROUPS):
            cells += [distortion_cell(entry, name, config), lengths_cell(entry, name, config)]
    return cells + [parser_cell(entry, name, config) for name, config in parsers.items()]


def _chosen(
    entry: TreebankEntry, names: Iterable[str], kinds: Mapping[str, str], results: Mapping[str, Json]
) -> Choice:
    dev = list(entry.part("dev").sentences())
    scores = scored(comparisons_of(dev, entry, names, "dev", results))
    return choose(kinds, {name: own.no_punct.las for name, own in scores.items()})
