"""Nilsson (2009), chapter 7: combining classifiers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from .....parser.evaluate import (
    Comparison,
    McNemar,
    Scores,
    clustering_figure,
    depth_figure,
    length_figure,
    score_comparison,
    significance,
)
from .....parser.evaluate.percent import Json
from ....harness.results import write_results, write_text
from ....harness.rows import Row, figure
from ....harness.runner import run_cells
from ....harness.settings import Settings, TreebankEntry, available, load_settings
from ....harness.tables import markdown_table
from ..measures.errors import STEPS, analysis_of, clustering_row, pre_post_row, root_table
from ..measures.learners import GRAPH, TRANSITION, held_out_of, learners_cell, level
from ..measures.outputs import TOGETHER, Keyed, Outputs, best_of, blended, elsewhere, joined, summary
from ..measures.parses import votes_of
from ..measures.tables import beside, thesis_rows

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch7"
THEIRS = "CoNLL 2007, four"
BEST_TRANSITION, BEST_GRAPH = "best TL", "best GL"
LEVELS = (TRANSITION, GRAPH)
THEIR_PARSERS = {"svm-q": "SVM(Q)", "svm-l": "SVM(L)", "maxent": "MaxEnt", "knn": "MBL"}
PRE_POST = {
    "pre": "Pre",
    "post": "Post",
    "pre_normalised": "Pre, normalised error rate",
    "post_normalised": "Post, normalised",
    "pre_reduction": "ER, Pre",
    "post_reduction": "ER, Post",
}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and the figures.

    ``combinations`` in the YAML lists which parsers are combined, ``weights`` how their votes are weighed, and
    ``folds`` says of how many training sentences one is held out to learn the weights from.
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    entries = available(settings.treebanks, ("train", "test"), options.progress)
    folder = Path(options.out)
    combinations, weights, folds = (settings.values[key] for key in ("combinations", "weights", "folds"))
    cells = [
        learners_cell(
            entry.name, settings.parsers, combinations, weights, entry.part("train"), entry.part("test"), folds
        )
        for entry in entries
    ]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    outputs = [_outputs(entry, settings, results[entry.name]) for entry in entries]
    own = {output.treebank: {name: output.comparison(name) for name in output.trees} for output in outputs}
    every = {name: joined(outputs, name) for name in outputs[0].trees}
    scores = {TOGETHER: _scored(every), **{treebank: _scored(systems) for treebank, systems in own.items()}}
    best = _best(scores[TOGETHER], settings)
    analysed = {name: scores[TOGETHER][system] for name, system in best.items()}
    tests = {name: significance(every[name], every[best[BEST_GRAPH]], "las") for name in every}
    graph = {name: own for name, own in analysed.items() if name != BEST_TRANSITION}
    figures = {
        "figure7.2": clustering_figure("Normalised error clustering", graph),
        "figure7.3-depth": depth_figure("Labelled precision by depth", graph),
        "figure7.3-length": length_figure("Labelled precision by arc length", graph),
    }
    for name, svg in figures.items():
        write_text(folder, f"{name}.svg", svg)
    write_text(folder, "report.md", "\n".join(_report(settings, scores, best, tests)))
    document: dict[str, Json] = {
        "treebanks": {
            entry.name: {
                "scores": {name: summary(system) for name, system in scores[entry.name].items()},
                "cost": _cost(results[entry.name]),
            }
            for entry in entries
        },
        "together": {
            "scores": {name: summary(system, full=True) for name, system in scores[TOGETHER].items()},
            "best": dict(best),
            "significance": {name: test.to_json() for name, test in tests.items()},
        },
        "analysis": analysis_of(analysed),
    }
    write_results(folder, NAME, settings, entries, document, ("train", "test"))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _outputs(entry: TreebankEntry, settings: Settings, result: Json) -> Outputs:
    """The test sentences of a treebank with the trees of the parsers and of the combinations at both levels."""
    combinations, weights = settings.values["combinations"], settings.values["weights"]
    held_out = list(held_out_of(entry.part("train"), settings.values["folds"]).sentences())
    before = Outputs(entry.name, held_out, {name: votes_of(result, f"held out {name}") for name in settings.parsers})
    trees = {name: votes_of(result, f"test {name}") for name in (*settings.parsers, *_levels(TRANSITION, settings))}
    test = Outputs(entry.name, list(entry.part("test").sentences()), trees)
    for name, members in combinations.items():
        for by in weights:
            trees[level(GRAPH, name, by)], _ = blended(by, members, before, test)
    return test


def _scored(systems: Mapping[str, Comparison]) -> dict[str, Scores]:
    return {name: score_comparison(comparison) for name, comparison in systems.items()}


def _cost(result: Json) -> Json:
    assert isinstance(result, dict)
    return result["cost"]


def _best(scores: Mapping[str, Scores], settings: Settings) -> dict[str, str]:
    """The systems of the error analysis: the best parser by its own name, and the best combination at each level."""
    parser = best_of(scores, list(settings.parsers))
    combined = {BEST_TRANSITION: _levels(TRANSITION, settings), BEST_GRAPH: _levels(GRAPH, settings)}
    return {parser: parser, **{name: best_of(scores, names) for name, names in combined.items()}}


def _levels(key: str, settings: Settings) -> list[str]:
    """The names of all combinations at a level."""
    return [level(key, name, by) for name in settings.values["combinations"] for by in settings.values["weights"]]


def _report(
    settings: Settings,
    scores: Mapping[str, Mapping[str, Scores]],
    best: Mapping[str, str],
    tests: Mapping[str, McNemar],
) -> list[str]:
    single, graph = next(iter(best)), best[BEST_GRAPH]
    analysed = {name: scores[TOGETHER][system] for name, system in best.items()}
    return [
        "# Nilsson (2009), chapter 7: combining classifiers",
        "",
        f"{settings.origin}. As in the thesis, all learners see the "
        f"same features and one of {settings.values['folds']} training sentences is held out, on which the weights of "
        "both levels are learned: of the transition level (TL, votes at each transition) and of the graph level (GL, "
        "votes for arcs after parsing). All figures are of the test sets, punctuation included; what is called "
        f"{TOGETHER} is of the outputs for all treebanks one after another. Published rows follow in italics.",
        "",
        "## Table 7.1: LAS of the single parsers",
        "",
        _parsers_table(settings, scores),
        "## Table 7.2: LAS of the combinations",
        "",
        _levels_table(settings, scores),
        f"McNemar's test on LAS, {TOGETHER}: the best combination on the graph level, {graph}, against all others; "
        "how many words only the one and only the other has right.",
        "",
        _tests_table(graph, scores[TOGETHER], tests),
        "## Table 7.3: LAS up to the first error of a sentence and after it",
        "",
        f"Best TL: {best[BEST_TRANSITION]}. Best GL: {graph}. ER: error reduction on {single}, the best parser.",
        "",
        _pre_post_table(single, analysed),
        "## Table 7.4: labelled error rates by the steps from the latest error",
        "",
        _clustering_table({name: own for name, own in analysed.items() if name != BEST_TRANSITION}),
        "![figure 7.2](figure7.2.svg)\n",
        "## Table 7.5: labelled precision and recall of root and non-root words",
        "",
        root_table("7.5", THEIRS, {name: own for name, own in analysed.items() if name != BEST_TRANSITION}),
        "## Precision by depth and by arc length",
        "",
        "![figure 7.3, left](figure7.3-depth.svg)\n![figure 7.3, right](figure7.3-length.svg)\n",
    ]


def _parsers_table(settings: Settings, scores: Mapping[str, Mapping[str, Scores]]) -> str:
    ours: Keyed = {(treebank,): {name: own[name].las for name in settings.parsers} for treebank, own in scores.items()}
    (row,) = thesis_rows("7.1", (), "parser", {"las": ""}).values()
    theirs: Keyed = {(THEIRS,): {name: row[called] for name, called in THEIR_PARSERS.items()}}
    return beside(("treebank",), {name: name for name in settings.parsers}, ours, theirs)


def _levels_table(settings: Settings, scores: Mapping[str, Mapping[str, Scores]]) -> str:
    weights = settings.values["weights"]
    ours: Keyed = {
        (treebank, key, name): {by: own[level(key, name, by)].las for by in weights}
        for treebank, own in scores.items()
        for key in LEVELS
        for name in settings.values["combinations"]
    }
    theirs = elsewhere(THEIRS, thesis_rows("7.2", ("level", "parsers"), "weights", {"las": ""}))
    return beside(("treebank", "level", "parsers"), {by: by for by in weights}, ours, theirs)


def _tests_table(graph: str, scores: Mapping[str, Scores], tests: Mapping[str, McNemar]) -> str:
    rows = [
        [name, figure(scores[name].las), str(test.b), str(test.c), f"{test.p:.2g}", _level(test)]
        for name, test in tests.items()
        if name != graph
    ]
    return markdown_table(["against", "LAS", f"only {graph}", "only the other", "p", "better beyond"], rows)


def _level(test: McNemar) -> str:
    return f"{test.level:.2f}" if test.winner == "second" else "worse" if test.winner else "–"


def _pre_post_table(single: str, analysed: Mapping[str, Scores]) -> str:
    ours: Keyed = {
        (TOGETHER, name): pre_post_row(own, None if name == single else analysed[single])
        for name, own in analysed.items()
    }
    theirs = elsewhere(THEIRS, thesis_rows("7.3", ("system",), None, {key: key for key in PRE_POST}))
    return beside(("treebanks", "system"), PRE_POST, ours, theirs)


def _clustering_table(analysed: Mapping[str, Scores]) -> str:
    rows: dict[tuple[str, ...], Row] = {}
    for form in ("error rate", "normalised"):
        for name, own in analysed.items():
            rows[TOGETHER, form, name] = clustering_row(own, form == "normalised")
    theirs = elsewhere(THEIRS, thesis_rows("7.4", ("form", "system"), None, {key: key for key in STEPS}))
    return beside(("treebanks", "form", "system"), {step: step for step in STEPS}, rows, theirs)
