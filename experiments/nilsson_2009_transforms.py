"""Chapters 5 and 6 of Nilsson (2009): what transforms lose by themselves, and what a parser gains by them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..parser.errors import CrossarcError
from ..parser.evaluate import Comparison, Scores, pairwise, score_comparison
from ..parser.evaluate.percent import Json, percentage
from ..parser.transforms import Tree, distortion, parse_transform
from ..version import __version__
from .nilsson_2009 import PAPER, PROPAGATION, propagation_row
from .parsing import Part, compared, performance_cell
from .runner import Cell, progress, run_cells
from .settings import Settings, TreebankEntry, available, load_settings
from .tables import Row, published_rows, score_table, significance_json, significance_table, write_text

__all__ = ["run_transforms"]

LOST = {
    "uas": "UAS",
    "las": "LAS",
    "nonprojective_uas": "non-proj. UAS",
    "changed": "% arcs changed",
    "labels_after": "labels",
    "labels_before": "without transform",
    "lifts_1": "lifts in %: 1",
    "lifts_2": "2",
    "lifts_3": "3",
}
SCORES = {"uas": "UAS", "las": "LAS", "uem": "UEM", "lem": "LEM"}
ARCS = {"precision": "precision", "recall": "recall"}


def lost_by(transforms: tuple[Any, ...], part: Part) -> Json:
    """What the first transform and its inverse lose, see :func:`~crossarc.parser.transforms.distortion`."""
    trees = [Tree(own.heads(), own.deprels(), {}) for own in part.sentences()]
    return distortion(trees, parse_transform(transforms[0]))


def run_transforms(name: str, title: str, options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json.

    The YAML's ``transforms`` (tables 5.3 to 5.5 and 6.2) and ``parsers`` (tables 5.6, 5.7, 6.3 to 6.6) are run on
    every treebank; ``deprels`` names by their ends the deprels of table 6.5, and ``curve`` lists how many sentences
    the parsers are trained on for the learning curves of section 5.4.3.
    """
    settings = load_settings(name, options.config, options.set, options.only)
    split = settings.values["split"]
    for key, spec in settings.values["transforms"].items():
        try:
            parse_transform(spec)
        except CrossarcError as error:
            raise CrossarcError(f"transforms: {key}: {error}") from error
    entries = available(settings.treebanks, ("train", split), progress)
    folder = Path(options.out)
    results = run_cells([c for entry in entries for c in _cells(entry, settings)], folder, jobs=options.jobs)
    outcomes = {entry.name: _outcome(entry, settings, results) for entry in entries}
    lines = [
        f"# {title}",
        "",
        f"Reproduced by `crossarc experiment {name}` (crossarc {__version__}). Distortion is measured on the training "
        f"sets, parsing on the split {split}; punctuation is parsed but not counted, as in the thesis.",
        "",
    ]
    for entry in entries:
        lines += [f"## {entry.name}", "", *_report(entry, settings, outcomes[entry.name])]
    write_text(folder, "report.md", "\n".join(lines))
    document: dict[str, Json] = {key: own["json"] for key, own in outcomes.items()}
    write_text(folder, "results.json", document)
    progress(f"wrote {folder / 'report.md'}")
    return 0


def _cells(entry: TreebankEntry, settings: Settings) -> list[Cell]:
    train, test = entry.part("train"), entry.part(settings.values["split"])
    cells = [
        Cell(f"{entry.name} {name} distortion", lost_by, ((spec,), train), {"transform": spec}, (train.path,))
        for name, spec in settings.values["transforms"].items()
    ]
    for name, config in settings.parsers.items():
        cells.append(performance_cell(f"{entry.name} {name}", config, train, test))
        for limit in settings.values["curve"]:
            part = replace(train, limit=limit)
            cells.append(performance_cell(f"{entry.name} {name} {limit}", config, part, test))
    return cells


def _outcome(entry: TreebankEntry, settings: Settings, results: Mapping[str, Json]) -> dict[str, Any]:
    test = entry.part(settings.values["split"])
    comparisons = {name: compared(test, results[f"{entry.name} {name}"]) for name in settings.parsers}
    scores = {name: score_comparison(own, breakdowns="no_punct") for name, own in comparisons.items()}
    lost = {name: _lost_row(results[f"{entry.name} {name} distortion"]) for name in settings.values["transforms"]}
    curve: dict[str, dict[str, float | None]] = {name: {} for name in settings.parsers}
    for name in settings.parsers:
        for limit in settings.values["curve"]:
            own = score_comparison(compared(test, results[f"{entry.name} {name} {limit}"]))
            curve[name][str(limit)] = own.no_punct.uas
        if curve[name]:
            curve[name]["all"] = scores[name].no_punct.uas
    tests = pairwise(comparisons, ("las", "uas"))
    return {
        "lost": lost,
        "scores": {name: {key: getattr(own.no_punct, key) for key in SCORES} for name, own in scores.items()},
        "crossing": {name: _precision_recall(own) for name, own in scores.items()},
        "deprels": {
            end: {name: _deprel_row(own, end) for name, own in comparisons.items()}
            for end in settings.values["deprels"]
        },
        "propagation": {name: propagation_row(own) for name, own in scores.items()},
        "curve": curve,
        "tests": tests,
        "json": {
            "distortion": {name: results[f"{entry.name} {name} distortion"] for name in lost},
            "performance": {name: own.to_json() for name, own in scores.items()},
            "curve": curve,
            "significance": significance_json(tests),
        },
    }


def _lost_row(result: Json) -> Row:
    own: Any = result
    lifts = {int(steps): count for steps, count in own["lifts"].items()}
    arcs = own["nonprojective_arcs"]
    return {
        **{key: own[key] for key in ("uas", "las", "nonprojective_uas", "labels_after", "labels_before")},
        "changed": percentage(own["changed_arcs"], own["words"]),
        **{f"lifts_{key}": percentage(lifts.get(key, 0), arcs) for key in (1, 2, 3)},
    }


def _precision_recall(scores: Scores) -> Row:
    arcs = scores.nonprojective.all.unlabelled
    return {"precision": arcs.precision, "recall": arcs.recall}


def _deprel_row(comparison: Comparison, end: str) -> Row:
    """Precision and recall of heads of the words whose deprel ends so (table 6.5)."""
    ends = np.array([label.endswith(end) for label in comparison.labels])
    wanted, found = ends[comparison.gold.labels], ends[comparison.predicted.labels]
    both = int(np.count_nonzero(wanted & found & comparison.head_right))
    return {
        "precision": percentage(both, int(np.count_nonzero(found))),
        "recall": percentage(both, int(np.count_nonzero(wanted))),
    }


def _report(entry: TreebankEntry, settings: Settings, own: Mapping[str, Any]) -> list[str]:
    lines = []
    tables = settings.values["published"]
    treebank = entry.published or entry.beside
    label = "published" if entry.published else f"published for another treebank, {treebank}"

    def beside(key: str) -> dict[str, Row] | None:
        if not treebank or not tables.get(key):
            return None
        return {row["encoding"]: row for row in published_rows(PAPER, tables[key], treebank=treebank)}

    lines += ["### Distortion: transform and inverse", ""]
    lines += [score_table(LOST, own["lost"], beside("lost"), first="transform", label=label)]
    lines += ["### Parsing", "", score_table(SCORES, own["scores"], beside("scores"), label=label)]
    lines += ["### Precision and recall on non-projective arcs, unlabelled", "", score_table(ARCS, own["crossing"])]
    for end, rows in own["deprels"].items():
        lines += [f"### Precision and recall of words whose deprel ends in {end}, unlabelled", ""]
        lines += [score_table(ARCS, rows)]
    lines += ["### Accuracy up to the first error of a sentence and after it", ""]
    lines += [score_table(PROPAGATION, own["propagation"])]
    if any(own["curve"].values()):
        columns = {key: key for key in next(iter(own["curve"].values()))}
        lines += [
            "### Learning curves: UAS by the number of training sentences",
            "",
            score_table(columns, own["curve"]),
        ]
    lines += ["### Significance (McNemar's test, all tokens)", "", significance_table(own["tests"])]
    return lines
