"""Nilsson (2009), chapter 9: generic transforms searched systematically, and blends of the parsers trained on them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .....parser.config.config import Config
from .....parser.drawing.line_chart import line_chart
from .....parser.evaluate import Comparison
from .....parser.evaluate.percent import Json
from .....parser.transforms import parse_transform
from .....parser.transforms.generic import GENERIC
from .....parser.treebank import Sentence
from .....parser.treebank.tree import Tree
from ....harness.results import write_results, write_text
from ....harness.rows import Row, figure, score_table
from ....harness.runner import Cell, run_cells
from ....harness.settings import Settings, TreebankEntry, available, load_settings
from ....harness.tables import markdown_table
from ..measures.outputs import joined, verdict
from ..measures.parses import parses_both_ways, parses_cell
from ..measures.search import (
    BASE,
    BEST,
    BEST_UNINVERTED,
    BLEND,
    BLEND_UNINVERTED,
    Curve,
    Search,
    Trial,
    las_of,
    search_of,
)
from ..measures.tables import beside, published_names, thesis_rows

__all__ = ["NAME", "frequent_labels", "run"]

NAME = "nilsson-2009-ch9"
AVERAGE = "average"
SYSTEMS = (BASE, BEST, BEST_UNINVERTED, BLEND, BLEND_UNINVERTED)
PUBLISHED = (*SYSTEMS, "transform")


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and the figures.

    Every generic transform of every one of the most frequent labels is tried (section 9.3.1), but for those that change
    fewer arcs of the training trees than ``least`` says, whose parsers would be the base once more.
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    entries = available(settings.treebanks, ("train", "dev", "test"), options.progress)
    folder = Path(options.out)
    (base,) = settings.parsers.values()
    specs = {entry.name: _specs(entry, settings.values["labels"], settings.values["least"]) for entry in entries}
    cells = [_cell(entry, name, base, spec) for entry in entries for name, spec in specs[entry.name].items()]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    found = {
        entry.name: search_of(
            entry,
            list(specs[entry.name]),
            results,
            by=settings.values["weights"],
            blended=settings.values["parsers_blended"],
            longest=settings.values["curve"],
        )
        for entry in entries
    }
    rows = {name: _row([search]) for name, search in found.items()} | {AVERAGE: _row(list(found.values()))}
    curves = {name: _las([search]) for name, search in found.items()} | {AVERAGE: _las(list(found.values()))}
    for name, own in curves.items():
        series = {key: list(enumerate(curve, 1)) for key, curve in own.items()}
        chart = line_chart(series, title=name, x_label="parsers", y_label="LAS")
        write_text(folder, "figure9.3.svg" if name == AVERAGE else f"figure9.3-{name}.svg", chart)
    same = published_names(entries)
    write_text(folder, "report.md", "\n".join(_report(settings, found, rows, curves, same)))
    write_results(folder, NAME, settings, entries, _results(found, rows, curves))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def frequent_labels(sentences: Sequence[Sentence], number: int) -> list[str]:
    """The most frequent deprels; of equally frequent ones those that sort first."""
    counts = Counter(label for sentence in sentences for label in sentence.deprels()[1:])
    return sorted(counts, key=lambda label: (-counts[label], label))[:number]


def _specs(entry: TreebankEntry, labels: int, least: float) -> dict[str, Any]:
    """The transforms to try, by name; the first is none at all."""
    specs: dict[str, Any] = {BASE: None}
    sentences = list(entry.part("train").sentences())
    trees = [Tree(sentence.heads(), sentence.deprels(), {}) for sentence in sentences]
    words = sum(map(len, sentences))
    for label in frequent_labels(sentences, labels):
        for kind in GENERIC:
            spec = {"name": kind.name, "params": {"label": label}}
            transform = parse_transform(spec)
            changed = sum(
                head != other
                for tree in trees
                for head, other in zip(tree.heads, transform.apply(tree).heads, strict=True)
            )
            if 100.0 * changed >= least * words:
                specs[f"{kind.name} {label}"] = spec
    return specs


def _cell(entry: TreebankEntry, name: str, base: Config, spec: Any) -> Cell:
    config = base if spec is None else replace(base, transforms=(spec, *base.transforms))
    parts = {split: entry.part(split) for split in ("dev", "test")}
    return parses_cell(f"{entry.name} {name}", config, entry.part("train"), parts, parses_both_ways)


def _row(found: Sequence[Search]) -> Row:
    """A row of table 9.1, of one treebank, or of several with their outputs one after another."""
    comparisons: dict[str, Comparison] = {name: joined([own.outputs for own in found], name) for name in SYSTEMS}
    helps = [own.best for own in found]
    row: dict[str, float | str | None] = {name: las_of(comparison) for name, comparison in comparisons.items()}
    if not any(helps):
        row[BEST] = row[BEST_UNINVERTED] = None
    trials = [trial for own in found for trial in own.helpful]
    return {
        **row,
        "transform": helps[0] if len(found) == 1 else None,
        "p_best": verdict(comparisons[BASE], comparisons[BEST], "las") if any(helps) else None,
        "p_blend": verdict(comparisons[BASE], comparisons[BLEND], "las"),
        "p_blend_uninverted": verdict(comparisons[BASE], comparisons[BLEND_UNINVERTED], "las"),
        "tried": sum(len(own.dev) - 1 for own in found),
        "helpful": len(trials),
        "helpful_test": sum(trial.test > 0 for trial in trials),
        "significant": sum(trial.level == 0.01 for trial in trials),
    }


def _las(found: Sequence[Search]) -> dict[str, list[float]]:
    """LAS along the curves, the outputs one after another; a treebank with fewer parsers stays at its last blend."""
    words = sum(len(sentence) for own in found for sentence in own.outputs.sentences)
    curves: dict[str, list[float]] = {}
    for name in found[0].curves:
        own: list[Curve] = [search.curves[name] for search in found]
        right = [sum(curve[min(k, len(curve) - 1)] for curve in own) for k in range(max(map(len, own)))]
        curves[name] = [100.0 * count / words if words else 0.0 for count in right]
    return curves


def _report(
    settings: Settings,
    found: Mapping[str, Search],
    rows: Mapping[str, Row],
    curves: Mapping[str, Mapping[str, Sequence[float]]],
    same: Mapping[str, str],
) -> list[str]:
    others = settings.values["parsers_blended"] - 1
    columns = {
        BASE: "base",
        BEST: "best, inverted",
        BEST_UNINVERTED: "not inverted",
        "transform": "transform and label",
        BLEND: f"base + {others}, inverted",
        BLEND_UNINVERTED: "not inverted",
        "p_best": "p, base : best",
        "p_blend": "base : blend",
        "p_blend_uninverted": "base : blend, not inverted",
    }
    theirs = thesis_rows("9.1", ("treebank",), None, {name: name for name in PUBLISHED})
    counts = {
        "tried": "tried",
        "helpful": "better on the development set",
        "helpful_test": "on the test set too",
        "significant": "with p < 0.01",
    }
    return [
        "# Nilsson (2009), chapter 9: generic transforms and combination",
        "",
        f"{settings.origin}; LAS on the test sets, punctuation "
        f"included. Transforms are tried for the {settings.values['labels']} most frequent labels of each treebank "
        f"where they change {settings.values['least']} % of the training arcs or more. Every second sentence of the "
        "development set chooses the parsers to blend, the others weigh them; the best transform is the best on all of "
        f"them. The row {AVERAGE} is of the outputs for all treebanks one after another, as in the thesis. A dash: no "
        "transform was better than the base on the development set. p: McNemar's test on LAS, * means that the base is "
        "worse with p < 0.01; in the thesis it is so for Arabic with the best transform, and for Arabic, Czech, Greek "
        "and the average with the blend.",
        "",
        "## Table 9.1",
        "",
        beside(("treebank",), columns, {(name,): row for name, row in rows.items()}, theirs, same),
        "## The transforms that help",
        "",
        score_table(counts, rows, first="treebank"),
        *(line for name, own in found.items() for line in _trials(name, own.helpful)),
        "## Figure 9.3: LAS of blends by the number of parsers and how they are chosen",
        "",
        "The base is joined by the best other parsers first (descending) or by the worst (ascending).",
        "",
        "![figure 9.3](figure9.3.svg)\n",
        _curve_table(curves[AVERAGE]),
        *(f"![{name}](figure9.3-{name}.svg)\n" for name in found),
    ]


def _trials(treebank: str, trials: Sequence[Trial]) -> list[str]:
    if not trials:
        return [f"### {treebank}", "", "None helps on the development set.\n"]
    rows = [
        [
            trial.transform,
            f"{trial.dev:+.2f}",
            f"{trial.test:+.2f}",
            f"{trial.p:.2g}" + (" *" if trial.level == 0.01 else ""),
        ]
        for trial in trials
    ]
    return [
        f"### {treebank}",
        "",
        markdown_table(["transform and label", "development set", "test set", "p, test set"], rows),
    ]


def _curve_table(curves: Mapping[str, Sequence[float]]) -> str:
    rows = [[str(size), *map(figure, own)] for size, own in enumerate(zip(*curves.values(), strict=True), 1)]
    return markdown_table(["parsers", *curves], rows)


def _results(
    found: Mapping[str, Search], rows: Mapping[str, Row], curves: Mapping[str, Mapping[str, Sequence[float]]]
) -> dict[str, Json]:
    document: dict[str, Json] = {}
    for name, row in rows.items():
        own: dict[str, Json] = {
            "row": dict(row),
            "curves": {key: list(curve) for key, curve in curves[name].items()},
        }
        if name in found:
            own["dev"] = dict(found[name].dev)
            own["helpful"] = [trial.to_json() for trial in found[name].helpful]
        document[name] = own
    return document
