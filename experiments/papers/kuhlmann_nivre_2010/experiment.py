"""The comparison of Kuhlmann & Nivre (2010): theoretical coverage and empirical performance of P0 to P3."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....parser.evaluate import (
    McNemar,
    Scores,
    arrows,
    pairwise,
    score_comparison,
    significance_figure,
    significance_json,
)
from ....parser.evaluate.percent import Json
from ...harness.inverses import performance_by_parser, performance_cells
from ...harness.parsing import compared, coverage_cell, statistics_cell
from ...harness.results import differing, write_results
from ...harness.rows import (
    ARCS,
    OVERALL,
    Row,
    arc_row,
    figure,
    overall_row,
    published_rows,
    score_table,
    significance_table,
    write_text,
)
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings
from ...harness.tables import markdown_table

__all__ = ["NAME", "run"]

NAME = "kuhlmann-nivre-2010"
STATISTICS = {
    "sentences": "sentences",
    "nonprojective_sentences_percent": "% NP",
    "arcs": "arcs",
    "arc_length": "L",
    "projective_arcs_percent": "proj. %",
    "projective_arc_length": "proj. L",
    "nonprojective_arcs_percent": "non-proj. %",
    "nonprojective_arc_length": "non-proj. L",
}
COST = {"train_words": "words", "train_cpu": "training, CPU s", "speed": "parsed tokens per CPU s", "labels": "labels"}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and the figures."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    split = settings.values["split"]
    entries = available(settings.treebanks, ("train", split), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, settings, split)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    outcomes = {entry.name: _outcome(entry, settings, split, results) for entry in entries}
    tests = {name: outcome["tests"] for name, outcome in outcomes.items() if outcome["cost"]}
    for name, own in tests.items():
        write_text(folder, f"figure4-{_slug(name)}.svg", _figure(settings, {name: own}))
    if tests:
        write_text(folder, "figure4-all.svg", _figure(settings, tests))
    write_text(folder, "report.md", _report(settings, split, entries, outcomes))
    figures: dict[str, Json] = {name: _json(outcome) for name, outcome in outcomes.items()}
    figures["tests"] = _test_counts(list(outcomes.values()))
    scores: dict[str, Json] = {name: _scores_json(outcome) for name, outcome in outcomes.items()}
    write_results(folder, NAME, settings, entries, figures, ("train", split), scores)
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _cells(entry: TreebankEntry, settings: Settings, split: str) -> list[Cell]:
    test = entry.part(split)
    cells = [statistics_cell(f"{entry.name} statistics {own}", entry.part(own)) for own in ("train", split)]
    for name, config in settings.parsers.items():
        cells.append(coverage_cell(f"{entry.name} {name} coverage", config, test))
    if entry.name in settings.values["untrained"]:
        return cells
    return [*cells, *performance_cells(entry.name, settings.parsers, entry.part("train"), test)]


def _outcome(entry: TreebankEntry, settings: Settings, split: str, results: Mapping[str, Json]) -> dict[str, Any]:
    """Everything of one treebank: the rows of the tables by parser, scores and tests."""
    test = entry.part(split)
    scores: dict[str, dict[str, Scores]] = {"coverage": {}, "performance": {}}
    comparisons, cost = {}, {}
    for name in settings.parsers:
        scores["coverage"][name] = score_comparison(compared(test, results[f"{entry.name} {name} coverage"]))
    trained = {} if entry.name in settings.values["untrained"] else settings.parsers
    for name, result in performance_by_parser(entry.name, trained, results).items():
        comparisons[name] = compared(test, result)
        scores["performance"][name] = score_comparison(comparisons[name])
        cost[name] = _cost(result["cost"])
    statistics = {own: results[f"{entry.name} statistics {own}"] for own in ("train", split)}
    return {"statistics": statistics, "scores": scores, "tests": pairwise(comparisons), "cost": cost}


def _cost(cost: Any) -> dict[str, float | int]:
    return {
        "train_words": cost["train"]["words"],
        "train_cpu": cost["train_cpu"],
        "parse_cpu": cost["parse_cpu"],
        "speed": round(cost["words"] / cost["parse_cpu"]) if cost["parse_cpu"] else 0,
        "labels": cost["labels"],
    }


def _json(outcome: Mapping[str, Any]) -> Json:
    return {
        "statistics": outcome["statistics"],
        **{
            kind: {name: {**overall_row(own), **arc_row(own), **_arc_counts(own)} for name, own in scores.items()}
            for kind, scores in outcome["scores"].items()
        },
        "significance": significance_json(outcome["tests"]),
        "differing": {score: differing(row) for score, row in outcome["tests"].items()},
        "cost": outcome["cost"],
    }  # fmt: skip


def _scores_json(outcome: Mapping[str, Any]) -> Json:
    return {
        "statistics": outcome["statistics"],
        **{
            kind: {name: own.to_json() for name, own in scores.items()}
            for kind, scores in outcome["scores"].items()
        },
        "significance": significance_json(outcome["tests"]),
    }  # fmt: skip


def _arc_counts(scores: Scores) -> dict[str, int]:
    """How many non-projective arcs there are and were predicted, and how many of the latter are right, unlabelled."""
    arcs = scores.nonprojective.all.unlabelled
    return {
        "nonprojective_gold": arcs.gold,
        "nonprojective_predicted": arcs.predicted,
        "nonprojective_correct": arcs.predicted_correct,
    }


def _test_counts(outcomes: Sequence[Mapping[str, Any]]) -> Json:
    """How many tests there are, how many pass at each level, and how many would if no parser differed from another."""
    tests = [test for outcome in outcomes for row in outcome["tests"].values() for test in row.values()]
    passed = {level: sum(test.level is not None and test.level <= level for test in tests) for level in (0.05, 0.01)}
    return {
        "all": len(tests),
        **{f"beyond {level}": number for level, number in passed.items()},
        **{f"by chance beyond {level}": level * len(tests) for level in passed},
    }


def _figure(settings: Settings, tests: Mapping[str, Mapping[str, Mapping[tuple[str, str], McNemar]]]) -> str:
    panels = {name: {score.upper(): arrows(row) for score, row in by_score.items()} for name, by_score in tests.items()}
    return significance_figure(list(settings.parsers), panels)


def _report(
    settings: Settings, split: str, entries: list[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]]
) -> str:
    lines = [
        "# Kuhlmann & Nivre (2010): coverage and performance",
        "",
        f"{settings.origin}; learner {settings.values['learner']}, "
        f"evaluated on the {split} split, all tokens counted. Figures are percentages; L is the mean arc length in "
        "words. Precision and recall are unlabelled; trees are classed by the gold analysis.",
        "",
        *(f"- {name}: `{_described(settings, name)}`" for name in settings.parsers),
        "",
        *_summary(settings, {name: own for name, own in outcomes.items() if own["cost"]}),
        "## Table 1: the data",
        "",
        _statistics_table(entries, outcomes, split),
    ]
    tables = (
        ("2", "coverage", "theoretical coverage", OVERALL, overall_row),
        ("3", "coverage", "theoretical coverage by projectivity", ARCS, arc_row),
        ("4", "performance", "empirical performance", OVERALL, overall_row),
        ("5", "performance", "empirical performance by projectivity", ARCS, arc_row),
    )
    for number, kind, title, columns, row in tables:
        lines += [f"## Table {number}: {title}", ""]
        for entry in _with(kind, entries, outcomes):
            ours = {name: row(scores) for name, scores in outcomes[entry.name]["scores"][kind].items()}
            theirs, label = _published(entry, number)
            table = score_table(columns, ours, theirs, label=label, difference=bool(entry.published))
            lines += [f"### {entry.name}", "", table]
        if number == "4":
            lines += _figure4(_with(kind, entries, outcomes), outcomes)
    lines += ["## Cost", ""]
    for entry in _with("performance", entries, outcomes):
        lines += [f"### {entry.name}", "", score_table(COST, outcomes[entry.name]["cost"])]
    return "\n".join(lines)


def _with(kind: str, entries: list[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]]) -> list[TreebankEntry]:
    """The treebanks that have scores of a kind."""
    return [entry for entry in entries if outcomes[entry.name]["scores"][kind]]


def _summary(settings: Settings, outcomes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Tables 4 and 5 of all treebanks at a glance, with figure 4's arrows between the first parser and each other."""
    first, *others = settings.parsers
    lines = [
        "## Summary",
        "",
        f"⇑ and ⇓: better and worse than {first} beyond the 0.01 level, ↑ and ↓ beyond 0.05 (McNemar's test).",
        "",
    ]
    for score, title in OVERALL.items():
        rows = []
        for treebank, outcome in outcomes.items():
            scores, tests = outcome["scores"]["performance"], outcome["tests"][score]
            cells = [f"{figure(getattr(scores[name], score))} {_arrow(tests[first, name])}" for name in others]
            rows.append([treebank, figure(getattr(scores[first], score)) + "  ", *cells])
        lines += [markdown_table([title, first, *others], rows)]
    for key, title in (("precision", "P"), ("recall", "R")):
        rows = [
            [
                treebank,
                str(outcome["statistics"][settings.values["split"]]["nonprojective_arcs"]),
                *(
                    figure(getattr(scores.nonprojective.all.unlabelled, key))
                    for scores in outcome["scores"]["performance"].values()
                ),
            ]
            for treebank, outcome in outcomes.items()
        ]
        lines += [markdown_table([f"{title} on non-projective arcs", "gold arcs", first, *others], rows)]
    return lines


def _arrow(test: McNemar) -> str:
    if test.winner is None:
        return " "
    return {"second": "⇑↑", "first": "⇓↓"}[test.winner][test.level != 0.01]


def _described(settings: Settings, name: str) -> str:
    config = settings.parsers[name]
    parts = [
        config.system,
        f"oracle {config.oracle}",
        f"underivable {config.underivable}",
        *map(str, config.transforms),
    ]
    return ", ".join([*parts, f"guide {dict(config.guide)}"])


def _statistics_table(entries: list[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]], split: str) -> str:
    ours: dict[str, Row] = {}
    theirs: dict[str, Row] = {}
    for entry in entries:
        for own, word in (("train", "training"), (split, "development")):
            name = f"{entry.name} {own}"
            ours[name] = outcomes[entry.name]["statistics"][own]
            if entry.published and own != "test":
                (theirs[name],) = published_rows(NAME, "1", language=entry.published, set=word)
    return score_table(STATISTICS, ours, theirs, first="treebank", difference=True)


def _published(entry: TreebankEntry, table: str) -> tuple[dict[str, Row] | None, str]:
    """The paper's rows for a treebank by parser, and what they are to be called."""
    language = entry.published or entry.beside
    if not language:
        return None, ""
    label = "published" if entry.published else f"published for another treebank, {language}"
    return {row["parser"]: row for row in published_rows(NAME, table, language=language)}, label


def _figure4(entries: list[TreebankEntry], outcomes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = [
        "## Figure 4: significance of table 4 (McNemar's test)",
        "",
        "![Figure 4](figure4-all.svg)",
        "",
        "Who is better, beyond which level; in brackets how many tokens (LAS, UAS) or sentences (LEM, UEM) only the "
        "first and only the second parser of the pair gets right.",
        "",
    ]
    for entry in entries:
        lines += [f"### {entry.name}", "", significance_table(outcomes[entry.name]["tests"])]
    return lines


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in name).strip("-")
