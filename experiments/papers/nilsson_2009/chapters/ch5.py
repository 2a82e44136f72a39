"""Nilsson (2009), chapter 5: pseudo-projective transforms, their parsers, and learning curves."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .....parser.evaluate import McNemar, PrecisionRecall, Scores, error_reduction, mcnemar, significance_json
from .....parser.evaluate.percent import Json, percentage
from .....parser.transforms import Transform
from .....parser.transforms.lifting.pseudo_projective import PseudoProjective
from ....harness.generated import generated_entries
from ....harness.old_cells import statistics_cell
from ....harness.results import write_results, write_text
from ....harness.rows import Row
from ....harness.runner import Cell, run_cells
from ....harness.settings import SPLITS, Settings, TreebankEntry, available, load_settings
from ..measures.lifted import lifted_arcs, lifted_in, marked_in
from ..measures.parses import votes_of
from ..measures.tables import beside, published_names, thesis_rows
from ..measures.transforms import (
    NONE,
    Tests,
    attachment_rows,
    attachment_table,
    average_rows,
    comparisons_of,
    distortion_cell,
    parser_cell,
    scored,
    significance_lines,
    split_of,
    tests_of,
    transforms_of,
)
from .ch5_curves import check_curves, curve_cells, curve_lines, curves_of

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch5"
SIZES = {"tokens": "#T", "sentences": "#S", "nonprojective_sentences": "%NS", "nonprojective_arcs": "%NA"}
LIFTS = {"lifts_1": "1", "lifts_2": "2", "lifts_3": "3", "lifts_more": ">3"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is found out about a treebank.

    statistics: of its training set; lost: what transforms lose; scores: of the parsers; lifted: their lifted arcs;
    curve: UAS of each parser by the share of the training set; tests: between the parsers.
    """

    statistics: Mapping[str, Any]
    lost: Mapping[str, Mapping[str, Any]]
    scores: Mapping[str, Scores]
    lifted: Mapping[str, PrecisionRecall]
    curve: Mapping[str, Mapping[str, float | None]]
    tests: Tests

    def reductions(self) -> dict[str, dict[str, float | None]]:
        """Error reduction of UAS against the parser without transforms, by share; nothing without a curve."""
        return {
            name: {share: error_reduction(self.curve[NONE][share], uas) for share, uas in own.items()}
            for name, own in self.curve.items()
            if name != NONE
        }

    def to_json(self) -> dict[str, Json]:
        """All figures."""
        return {
            "statistics": dict(self.statistics),
            "distortion": {name: dict(own) for name, own in self.lost.items()},
            "performance": {name: own.to_json() for name, own in self.scores.items()},
            "lifted": {name: own.to_json() for name, own in self.lifted.items()},
            "curve": {name: dict(own) for name, own in self.curve.items()},
            "error_reduction": {name: dict(own) for name, own in self.reductions().items()},
            "significance": significance_json(self.tests),
        }


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and a figure for each learning curve.

    ``split`` in the YAML says on which part the parsers are compared; ``curve`` lists shares of the training set in
    per cent, ``curve_treebanks`` the treebanks whose parsers are trained on them for table 5.8, ``curve_sets`` how
    (see :mod:`.ch5_curves`); ``generated`` has treebanks that are made up.
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    split_of(settings)
    transforms = transforms_of(settings.parsers)
    check_curves(settings, options.progress)
    folder = Path(options.out)
    entries = available(settings.treebanks, SPLITS, options.progress)
    if not options.only:
        entries += generated_entries(settings.values["generated"], folder)
    transformed = {name: config for name, config in settings.parsers.items() if transforms[name]}
    cells = [statistics_cell(f"{entry.name} statistics", entry.part("train")) for entry in entries]
    cells += [distortion_cell(entry, *parser) for entry in entries for parser in transformed.items()]
    measured = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    parsed = run_cells(
        [cell for entry in entries for cell in _parser_cells(entry, settings, measured)],
        folder,
        jobs=options.jobs,
        progress=options.progress,
    )
    encodings = {name: _encoding(own) for name, own in transforms.items()}
    outcomes = {entry.name: _outcome(entry, settings, encodings, measured | parsed) for entry in entries}
    write_text(folder, "report.md", "\n".join(_report(entries, settings, encodings, outcomes, folder)))
    means = average_rows(_attachment(outcomes))
    document: dict[str, Json] = {name: own.to_json() for name, own in outcomes.items()}
    document["average"] = {score: dict(row) for (_, score), row in means.items()}
    write_results(folder, NAME, settings, entries, document)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _parser_cells(entry: TreebankEntry, settings: Settings, measured: Mapping[str, Json]) -> list[Cell]:
    counted: Any = measured[f"{entry.name} statistics"]
    cells = [parser_cell(entry, name, config) for name, config in settings.parsers.items()]
    return cells + curve_cells(entry, settings, counted["sentences"])


def _encoding(transforms: Sequence[Transform]) -> str:
    """The encoding of the outermost transform, if that marks what it lifts; "" else."""
    last = transforms[-1] if transforms else None
    return last.encoding if isinstance(last, PseudoProjective) and last.encoding != "baseline" else ""


def _outcome(
    entry: TreebankEntry, settings: Settings, encodings: Mapping[str, str], results: Mapping[str, Json]
) -> Outcome:
    split = split_of(settings)
    gold = list(entry.part(split).sentences())
    comparisons = comparisons_of(gold, entry, settings.parsers, split, results)
    scores = scored(comparisons)
    curve = curves_of(entry, settings, gold, {name: own.no_punct.uas for name, own in scores.items()}, results)
    lifted = lifted_in(gold)
    marked = {
        name: marked_in(votes_of(results[f"{entry.name} {name}"], f"{split} uninverted"))
        if encodings[name]
        else lifted & False
        for name in settings.parsers
    }
    counted = {name: lifted & ~own.punctuation for name, own in comparisons.items()}
    tests = tests_of(comparisons)
    tests["recall of lifted arcs"] = {
        (first, second): _recall_test(comparisons, counted, first, second) for first, second in tests["uas"]
    }
    lost: dict[str, Any] = {
        name: results[f"{entry.name} {name} distortion"] for name, own in settings.parsers.items() if own.transforms
    }
    statistics: Any = results[f"{entry.name} statistics"]
    return Outcome(
        statistics,
        lost,
        scores,
        {name: lifted_arcs(own, marked[name], lifted) for name, own in comparisons.items()},
        curve,
        tests,
    )


def _recall_test(comparisons: Mapping[str, Any], counted: Mapping[str, Any], first: str, second: str) -> McNemar:
    return mcnemar(*(comparisons[name].head_right[counted[name]] for name in (first, second)))


def _report(
    entries: Sequence[TreebankEntry],
    settings: Settings,
    encodings: Mapping[str, str],
    outcomes: Mapping[str, Outcome],
    folder: Path,
) -> list[str]:
    named = {name: "None" if name == NONE else name for name in settings.parsers}
    same = published_names(entries)
    split = split_of(settings)
    rows = _attachment(outcomes)
    return [
        "# Nilsson (2009), chapter 5: pseudo-projective parsing",
        "",
        f"{settings.origin}. Tables 5.2 to 5.5 are of the training "
        f"sets, all tokens counted; the parsers are scored on the split {split}, without punctuation, as in the "
        "thesis. Published figures are in italics.",
        "",
        *_training_lines(named, encodings, outcomes, same),
        f"## Table 5.6: the parsers on the split {split}",
        "",
        attachment_table("5.6", named, rows | average_rows(rows), same),
        *_lifted_lines(named, encodings, outcomes, same),
        *curve_lines(entries, settings, {name: own.reductions() for name, own in outcomes.items()}, folder),
        *significance_lines(
            "Significance (McNemar's test, without punctuation)", {name: own.tests for name, own in outcomes.items()}
        ),
    ]


def _attachment(outcomes: Mapping[str, Outcome]) -> dict[tuple[str, ...], Row]:
    return {key: row for name, own in outcomes.items() for key, row in attachment_rows(name, own.scores).items()}


def _training_lines(
    named: Mapping[str, str], encodings: Mapping[str, str], outcomes: Mapping[str, Outcome], same: Mapping[str, str]
) -> list[str]:
    lost = {name: own.lost for name, own in outcomes.items()}
    columns = {name: called for name, called in named.items() if any(name in own for own in lost.values())}
    sizes: dict[tuple[str, ...], Row] = {(name,): _size_row(own.statistics) for name, own in outcomes.items()}
    distorted: dict[tuple[str, ...], Row] = {(name,): _distortion_row(own, encodings) for name, own in lost.items()}
    lifts: dict[tuple[str, ...], Row] = {(name,): _lifts_row(own) for name, own in lost.items()}
    labels: dict[tuple[str, ...], Row] = {
        (name,): {key: figures["labels_after"] for key, figures in own.items()} for name, own in lost.items()
    }
    return [
        "## Table 5.2: non-projectivity of the training sets",
        "",
        "Thousands of tokens and of sentences; % of the sentences and of the arcs that are non-projective.",
        "",
        beside(("treebank",), SIZES, sizes, _published_sizes(), same),
        "## Table 5.3: distortion",
        "",
        "UAS after transform and inverse against the original trees; in parentheses over the non-projective arcs.",
        "",
        beside(("treebank",), columns, distorted, _published_distortion(), same),
        "## Table 5.4: lifts of the non-projective arcs, in %",
        "",
        beside(("treebank",), LIFTS, lifts, thesis_rows("5.4", ("treebank",), None, {key: key for key in LIFTS}), same),
        "## Table 5.5: distinct labels of the transformed training sets",
        "",
        beside(
            ("treebank",), columns, labels, thesis_rows("5.5", ("treebank",), None, {key: key for key in columns}), same
        ),
    ]


def _lifted_lines(
    named: Mapping[str, str], encodings: Mapping[str, str], outcomes: Mapping[str, Outcome], same: Mapping[str, str]
) -> list[str]:
    columns = {f"{name} precision": f"P: {called}" for name, called in named.items() if encodings[name]}
    columns |= {f"{name} recall": f"G: {called}" for name, called in named.items()}
    ours: dict[tuple[str, ...], Row] = {
        (treebank,): {
            f"{name} {side}": getattr(own, side)
            for name, own in outcome.lifted.items()
            for side in ("precision", "recall")
        }
        for treebank, outcome in outcomes.items()
    }
    theirs = thesis_rows("5.7", ("treebank",), "encoding", {"precision": "precision", "recall": "recall"})
    return [
        "## Table 5.7: unlabelled precision (P) and recall (G) of lifted arcs",
        "",
        "Precision: of the words whose label says that their arc was lifted, how many have the right head after the "
        "inverse; recall: of the words whose gold arc projectivization lifts (shortest first).",
        "",
        beside(("treebank",), columns, ours, theirs, same),
    ]


def _size_row(statistics: Mapping[str, Any]) -> Row:
    return {
        "tokens": statistics["arcs"] / 1000,
        "sentences": statistics["sentences"] / 1000,
        "nonprojective_sentences": statistics["nonprojective_sentences_percent"],
        "nonprojective_arcs": statistics["nonprojective_arcs_percent"],
    }


def _published_sizes() -> Mapping[tuple[str, ...], Row]:
    called = {f"thousand_{key}": key for key in ("tokens", "sentences")}
    called |= {f"{key}_percent": key for key in ("nonprojective_sentences", "nonprojective_arcs")}
    return thesis_rows("5.2", ("treebank",), None, called)


def _distortion_row(lost: Mapping[str, Mapping[str, Any]], encodings: Mapping[str, str]) -> Row:
    return {
        name: _with_parenthesis(own["uas"], own["nonprojective_uas"] if encodings[name] else None)
        for name, own in lost.items()
    }


def _published_distortion() -> dict[tuple[str, ...], Row]:
    rows: dict[tuple[str, ...], Any] = dict(
        thesis_rows("5.3", ("treebank",), "encoding", {"uas": "", "nonprojective_uas": "arcs"})
    )
    return {
        key: {name: _with_parenthesis(row[name], row[f"{name} arcs"]) for name in row if f"{name} arcs" in row}
        for key, row in rows.items()
    }


def _with_parenthesis(overall: float | None, inner: float | None) -> str | None:
    if overall is None:
        return None
    return f"{overall:.2f}" if inner is None else f"{overall:.2f} ({inner:.1f})"


def _lifts_row(lost: Mapping[str, Mapping[str, Any]]) -> Row:
    """The lifts are the same whatever the encoding, if the order is."""
    own: Mapping[str, int] = next(iter(lost.values()))["lifts"] if lost else {}
    count = {int(steps): number for steps, number in own.items() if int(steps)}
    few = {f"lifts_{steps}": count.get(steps, 0) for steps in (1, 2, 3)}
    every = sum(count.values())
    return {key: percentage(number, every) for key, number in (few | {"lifts_more": every - sum(few.values())}).items()}
