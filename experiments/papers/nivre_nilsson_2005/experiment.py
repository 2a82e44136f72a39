"""The experiments of Nivre & Nilsson (2005): what pseudo-projective transforms lose, what a parser gains by them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from ....parser.base.errors import CrossarcError
from ....parser.evaluate import (
    ArcScores,
    Comparison,
    McNemar,
    Scores,
    score_comparison,
    significance,
    significance_json,
)
from ....parser.evaluate.percent import Json, percentage
from ....parser.transforms import parse_transform
from ....parser.transforms.distortion import distortion
from ....parser.treebank.tree import Tree
from ...harness.inverses import performance_by_parser, performance_cells
from ...harness.parsing import Part, compared
from ...harness.results import differing, write_results
from ...harness.rows import Row, published_rows, score_table, significance_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings

__all__ = ["NAME", "run", "transformed"]

NAME = "nivre-nilsson-2005"
LIFTS = {
    "sentences": "sentences",
    "nonprojective_sentences_percent": "% NP",
    "words": "arcs",
    "nonprojective_arcs_percent": "% NP",
    "lifts_1": "lifts in %: 1",
    "lifts_2": "2",
    "lifts_3": "3",
    "lifts_more": ">3",
}
RECOVERED = {"recovered": "recovered %", "labels": "labels", "labels_before": "without transform", "lost": "arcs lost"}
OVERALL = {"uas": "UAS", "las": "LAS", "uem": "UEM", "lem": "LEM"}
ARCS = {
    f"{kind}_{measure}": f"{kind} {measure[0].upper()}"
    for kind in ("unlabelled", "labelled")
    for measure in ("precision", "recall", "f")
}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    split, whole = settings.values["split"], settings.values["transformed"]
    for name, spec in settings.values["transforms"].items():
        try:
            parse_transform(spec)
        except CrossarcError as error:
            raise CrossarcError(f"transforms: {name}: {error}") from error
    entries = available(settings.treebanks, ("train", split, *whole), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, settings)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    outcomes = {entry.name: _outcome(entry, settings, results) for entry in entries}
    write_text(folder, "report.md", _report(settings, entries, outcomes))
    figures = {name: outcome["json"] for name, outcome in outcomes.items()}
    scores = {name: outcome["scores"] for name, outcome in outcomes.items()}
    write_results(folder, NAME, settings, entries, figures, ("train", split), scores)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def transformed(spec: str | Mapping[str, Any], parts: tuple[Part, ...]) -> Json:
    """What a transform and its inverse do to trees, see :func:`~crossarc.parser.transforms.distortion`."""
    sentences = [sentence for part in parts for sentence in part.sentences()]
    return distortion([Tree(own.heads(), own.deprels(), {}) for own in sentences], parse_transform(spec))


def _cells(entry: TreebankEntry, settings: Settings) -> list[Cell]:
    parts = tuple(entry.part(split) for split in settings.values["transformed"])
    files = tuple(part.path for part in parts)
    cells = []
    for name, spec in settings.values["transforms"].items():
        key = {"transform": spec, "parts": [part.key() for part in parts]}
        cells.append(Cell(f"{entry.name} {name} transform", transformed, (spec, parts), key, files))
    if entry.name in settings.values["untrained"]:
        return cells
    train, test = entry.part("train"), entry.part(settings.values["split"])
    return [*cells, *performance_cells(entry.name, settings.parsers, train, test)]


def _outcome(entry: TreebankEntry, settings: Settings, results: Mapping[str, Json]) -> dict[str, Any]:
    test = entry.part(settings.values["split"])
    trained = {} if entry.name in settings.values["untrained"] else settings.parsers
    parsed = performance_by_parser(entry.name, trained, results)
    comparisons = {name: compared(test, own) for name, own in parsed.items()}
    scores = {name: score_comparison(own, breakdowns="no_punct") for name, own in comparisons.items()}
    tests = _tests(comparisons)
    lost: dict[str, Any] = {name: results[f"{entry.name} {name} transform"] for name in settings.values["transforms"]}
    rows: dict[str, Any] = {
        "lifts": _lifts_row(next(iter(lost.values()))) if lost else {},
        "recovered": {name: _recovered_row(own) for name, own in lost.items()},
        "overall": {name: {key: getattr(own.no_punct, key) for key in OVERALL} for name, own in scores.items()},
        "arcs": {name: _arc_row(own) for name, own in scores.items()},
    }
    significant = significance_json(tests)
    return {
        **rows,
        "tests": tests,
        "json": {
            **rows,
            "significance": significant,
            "differing": {score: differing(row) for score, row in tests.items()},
        },
        "scores": {
            "transforms": lost,
            "performance": {name: own.to_json() for name, own in scores.items()},
            "significance": significant,
        },
    }


def _tests(comparisons: Mapping[str, Comparison]) -> dict[str, dict[tuple[str, str], McNemar]]:
    """McNemar's test of every pair of parsers, punctuation left out as in the tables."""
    return {
        score: {
            (first, second): significance(comparisons[first], comparisons[second], score, counted="no_punct")
            for first, second in combinations(comparisons, 2)
        }
        for score in OVERALL
    }


def _lifts_row(own: Mapping[str, Any]) -> Row:
    """Table 3; a lift count of 0 is left out: the arc became projective because another one was lifted."""
    lifts = {int(steps): count for steps, count in own["lifts"].items()}
    arcs = own["nonprojective_arcs"]
    share = {key: percentage(lifts.get(key, 0), arcs) for key in (1, 2, 3)}
    return {
        "sentences": own["sentences"],
        "nonprojective_sentences_percent": percentage(own["nonprojective_sentences"], own["sentences"]),
        "words": own["words"],
        "nonprojective_arcs_percent": percentage(arcs, own["words"]),
        **{f"lifts_{key}": value for key, value in share.items()},
        "lifts_more": percentage(sum(count for steps, count in lifts.items() if steps > 3), arcs),
    }


def _recovered_row(own: Mapping[str, Any]) -> Row:
    """Table 4."""
    return {
        "recovered": own["nonprojective_uas"],
        "labels": own["labels_after"],
        "labels_before": own["labels_before"],
        "lost": own["nonprojective_lost"],
    }


def _arc_row(scores: Scores) -> Row:
    """Table 6, with the F-measure that the paper gives; Kuhlmann & Nivre (2010, section 4.3) say why it is doubtful."""
    arcs: ArcScores = scores.nonprojective.all
    row: dict[str, float | None] = {}
    for kind in ("unlabelled", "labelled"):
        precision, recall = getattr(arcs, kind).precision, getattr(arcs, kind).recall
        both = precision is not None and recall is not None and precision + recall > 0
        f = 2 * precision * recall / (precision + recall) if both else None
        row.update({f"{kind}_precision": precision, f"{kind}_recall": recall, f"{kind}_f": f})
    return row


def _report(settings: Settings, entries: list[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]]) -> str:
    splits = ", ".join(settings.values["transformed"])
    lines = [
        "# Nivre & Nilsson (2005): pseudo-projective parsing",
        "",
        f"{settings.origin}; learner {settings.values['learner']}. "
        f"Tables 3 and 4 are of the splits {splits}, tables 5 and 6 of {settings.values['split']}, where punctuation "
        "is parsed but not counted, as in the paper.",
        "",
        "## Table 3: non-projective sentences and arcs, and the lifts that make the arcs projective",
        "",
        score_table(LIFTS, {name: own["lifts"] for name, own in outcomes.items()}, first="treebank"),
    ]
    titles = {
        "recovered": "Table 4: non-projective arcs recovered by transform and inverse, and labels",
        "overall": "Table 5: attachment scores and exact match",
        "arcs": "Table 6: precision, recall and F on non-projective arcs",
    }
    for key, columns in (("recovered", RECOVERED), ("overall", OVERALL), ("arcs", ARCS)):
        lines += [f"## {titles[key]}", ""]
        for entry in entries:
            if not outcomes[entry.name][key]:
                continue
            theirs, label = _published(entry) if key == "recovered" else (None, "")
            own = outcomes[entry.name][key]
            first = "encoding" if key == "recovered" else "training"
            table = score_table(columns, own, theirs, first=first, label=label, difference=bool(entry.published))
            lines += [f"### {entry.name}", "", table]
    lines += ["## Significance (McNemar's test, without punctuation, as tables 5 and 6)", ""]
    for entry in (own for own in entries if outcomes[own.name]["overall"]):
        lines += [f"### {entry.name}", "", significance_table(outcomes[entry.name]["tests"])]
    return "\n".join(lines)


def _published(entry: TreebankEntry) -> tuple[dict[str, Row] | None, str]:
    treebank = entry.published or entry.beside
    if not treebank:
        return None, ""
    label = "published" if entry.published else f"published for another treebank, {treebank}"
    return {row["encoding"]: row for row in published_rows(NAME, "4", treebank=treebank)}, label
