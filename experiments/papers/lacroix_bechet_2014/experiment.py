"""The comparison of Lacroix & Béchet (2014): three-step parsing against Covington and pseudo-projective parsing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

from ....parser.analysis.pass_diagnosis import first_step, refused_cycles
from ....parser.config.config import Config
from ....parser.evaluate import Accuracy, Comparison, McNemar, compare, score_comparison, scored_tree, significance_json
from ....parser.evaluate import significance as significance_of
from ....parser.evaluate.percent import Json, percentage
from ....parser.transforms.lifting.projectivize import projectivize
from ....parser.treebank.tree import Tree, trees_of
from ...harness.parsing import Part, pack, performance_cell, resolved, trained_stages, unpack
from ...harness.results import differing, write_results
from ...harness.rows import Row, published_rows, score_table, significance_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings
from ...studies.cross_validation.experiment import fold_parts

__all__ = ["NAME", "run", "staged"]

NAME = "lacroix-bechet-2014"
SCORES = ("la", "uas", "las")
TABLE = {
    f"{arcs}_{score}": f"{title}{score.upper()}"
    for arcs, title in (("all", ""), ("projective", "proj. "), ("nonprojective", "non-proj. "))
    for score in SCORES
}
"""The columns of table 7."""
SIDES = {
    f"{side}_{score}": f"{side} {score.upper() if score != 'arcs' else 'arcs'}"
    for side in ("left", "right")
    for score in ("arcs", *SCORES)
}
"""Section 5.3: non-projective arcs by their direction; a left arc has its dependent left of its head."""
ANCHORS = {
    "arcs": "arcs",
    "label": "label right",
    "anchor": "anchor right",
    "found_right": "found, anchor right",
    "found_wrong": "found, anchor wrong",
    "refused": "pairs refused",
    "wanted": "of them wanted",
}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    folds, split = settings.values["folds"], settings.values["split"]
    entries = available(settings.treebanks, ("train",) if folds else ("train", split), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, settings)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    outcomes = {entry.name: _outcome(entry, settings, results) for entry in entries}
    write_text(folder, "report.md", _report(settings, outcomes))
    figures = {name: own["json"] for name, own in outcomes.items()}
    full = {name: own["scores"] for name, own in outcomes.items()}
    write_results(folder, NAME, settings, entries, figures, ("train",) if folds else ("train", split), full)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def staged(config: Config, train_part: Part, test: Part) -> Json:
    """Train a three-step parser and parse: the trees, those of its first step, and pairs refused because of cycles."""
    model = trained_stages(config, train_part)
    sentences = list(test.sentences())
    return {
        **pack(trees_of(model.parse(sentences))),
        "first": pack(trees_of(first_step(model, sentences))),
        "refused": {name: asdict(count) for name, count in refused_cycles(model, sentences).items()},
    }


def _parts(entry: TreebankEntry, settings: Settings) -> list[tuple[Part, Part]]:
    """(what to train on, what to parse), once or for each fold."""
    folds = settings.values["folds"]
    train = entry.part("train")
    return fold_parts(train, folds) if folds else [(train, entry.part(settings.values["split"]))]


def _cells(entry: TreebankEntry, settings: Settings) -> list[Cell]:
    cells = []
    for name, config in settings.parsers.items():
        for number, (train, test) in enumerate(_parts(entry, settings)):
            title = _title(entry, name, number)
            if config.passes:
                key = {"config": resolved(config, train), "train": train.key(), "test": test.key()}
                cells.append(Cell(title, staged, (config, train, test), key, (train.path, test.path)))
            else:
                cells.append(performance_cell(title, config, train, test))
    return cells


def _title(entry: TreebankEntry, parser: str, number: int) -> str:
    return f"{entry.name} {parser} {number}"


def _outcome(entry: TreebankEntry, settings: Settings, results: Mapping[str, Json]) -> dict[str, Any]:
    """Everything of one treebank: the rows of the tables by parser, and tests."""
    parts = _parts(entry, settings)
    gold = [[scored_tree(sentence) for sentence in test.sentences()] for _, test in parts]
    flat = [tree for own in gold for tree in own]
    comparisons: dict[str, Comparison] = {}
    anchors = {}
    for name, config in settings.parsers.items():
        own: list[Any] = [results[_title(entry, name, number)] for number in range(len(parts))]
        parsed = [tree for result in own for tree in unpack(result)]
        comparisons[name] = compare(flat, parsed)
        if config.passes:
            first = [tree for result in own for tree in unpack(result["first"])]
            anchors[name] = _anchor_rows(flat, comparisons[name], compare(flat, first), [r["refused"] for r in own])
    scores = {name: score_comparison(own, breakdowns="no_punct") for name, own in comparisons.items()}
    tests = _tests(comparisons)
    rows: dict[str, Any] = {
        "table": {name: _row(own.gold_arcs) for name, own in scores.items()},
        "sides": {name: _sides(own.gold_arcs) for name, own in scores.items()},
        "anchors": anchors,
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
            "performance": {name: own.to_json() for name, own in scores.items()},
            "anchors": anchors,
            "significance": significant,
        },
    }


def _row(arcs: Mapping[str, Accuracy]) -> Row:
    """A row of table 7; all arcs are the projective and the non-projective ones."""
    both = (arcs["projective"], arcs["nonprojective"])
    every = Accuracy(
        *(sum(getattr(own, key) for own in both) for key in ("tokens", "las_correct", "uas_correct", "la_correct"))
    )
    rows = {"all": every, "projective": arcs["projective"], "nonprojective": arcs["nonprojective"]}
    return {f"{name}_{score}": getattr(own, score) for name, own in rows.items() for score in SCORES}


def _sides(arcs: Mapping[str, Accuracy]) -> Row:
    row: dict[str, float | int | None] = {}
    for side in ("left", "right"):
        own = arcs[f"nonprojective_{side}"]
        row[f"{side}_arcs"] = own.tokens
        row.update({f"{side}_{score}": getattr(own, score) for score in SCORES})
    return row


def _anchor_rows(
    gold: Sequence[Tree], final: Comparison, first: Comparison, refused: Sequence[Mapping[str, Mapping[str, int]]]
) -> dict[str, Row]:
    """For the arcs that each pass is to find: how their anchors fared in the first step, and whether they were found.

    These are the gold arcs, without punctuation, of words that projectivization lifts. An anchor is right if the first
    step gives the word the head and label that the projectivized gold tree has.
    """
    lifted = [word for tree in gold for word in projectivize(tree.heads)[0][1:]]
    anchor_right = (first.predicted.heads == lifted) & first.label_right
    moved = (final.gold.heads != lifted) & ~final.punctuation
    found = final.head_right & final.label_right
    rows: dict[str, Row] = {}
    for name, side in (
        ("three-step-left", final.position < final.gold.heads),
        ("three-step-right", final.position > final.gold.heads),
    ):
        here = moved & side
        right, wrong = here & anchor_right, here & ~anchor_right
        rows[name.removeprefix("three-step-")] = {
            "arcs": int(here.sum()),
            "label": percentage(int((here & first.label_right).sum()), int(here.sum())),
            "anchor": percentage(int(right.sum()), int(here.sum())),
            "found_right": percentage(int((right & found).sum()), int(right.sum())),
            "found_wrong": percentage(int((wrong & found).sum()), int(wrong.sum())),
            "refused": sum(own[name]["steps"] for own in refused),
            "wanted": sum(own[name]["wanted"] for own in refused),
        }
    return rows


def _tests(comparisons: Mapping[str, Comparison]) -> dict[str, dict[tuple[str, str], McNemar]]:
    tests: dict[str, dict[tuple[str, str], McNemar]] = {}
    for pair in combinations(comparisons, 2):
        first, second = (comparisons[name] for name in pair)
        for score in ("uas", "las"):
            tests.setdefault(score, {})[pair] = significance_of(first, second, score, counted="no_punct")
        for arcs in ("projective", "nonprojective"):
            test = significance_of(first, second, "las", counted="no_punct", arcs=arcs)
            tests.setdefault(f"las, {arcs}", {})[pair] = test
    return tests


def _report(settings: Settings, outcomes: Mapping[str, Mapping[str, Any]]) -> str:
    folds = settings.values["folds"]
    how = f"{folds} folds by sentence number" if folds else f"the {settings.values['split']} split"
    lines = [
        "# Lacroix & Béchet (2014): three-step parsing",
        "",
        f"{settings.origin}; learner {settings.values['learner']}, "
        f"evaluated on {how}. Punctuation is parsed but not counted, as in the paper. Label accuracy, unlabelled and "
        "labelled attachment score by the kind of the gold arc, in percent. The paper's figures are of another "
        "treebank, the CDG Treebank of French.",
        "",
        "## Table 7",
        "",
    ]
    rows = {row["method"]: row for row in published_rows(NAME, "7")}
    theirs = {name: rows[other] for name, other in settings.values["published"].items()}
    for name, outcome in outcomes.items():
        table = score_table(TABLE, outcome["table"], theirs, label="published for French")
        lines += [f"### {name}", "", table]
    lines += ["## Non-projective arcs by direction (section 5.3)", ""]
    lines += ["The paper has LAS 75.0 on left ones and 42.7 on right ones, LA 84.2 and 51.4.", ""]
    for name, outcome in outcomes.items():
        lines += [f"### {name}", "", score_table(SIDES, outcome["sides"])]
    lines += [
        "## Anchors (section 5.3)",
        "",
        "Of the arcs that a pass is to find: how many words get the right label in the first step, and the right "
        "anchor (head and label); how many arcs are found of words with right anchors and with wrong ones; at how many "
        "steps a pair would have closed a cycle, and how often the guide wanted that pair.",
        "",
    ]
    for name, outcome in outcomes.items():
        for parser, own in outcome["anchors"].items():
            lines += [f"### {name}, {parser}", "", score_table(ANCHORS, own, first="pass")]
    lines += ["## Significance (McNemar's test)", ""]
    for name, outcome in outcomes.items():
        lines += [f"### {name}", "", significance_table(outcome["tests"])]
    return "\n".join(lines)
