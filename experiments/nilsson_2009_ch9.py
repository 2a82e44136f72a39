"""Nilsson (2009), chapter 9: generic transforms searched systematically, and blends of the parsers trained on them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..parser.blend import blend_votes, select_parsers
from ..parser.config import Config
from ..parser.evaluate import Scores, line_chart, score_comparison, significance
from ..parser.evaluate.percent import Json
from ..parser.transforms import Tree, parse_transform
from ..parser.transforms.generic import GENERIC
from ..parser.treebank import Sentence
from ..parser.weights import Vote, Weights, learn_weights
from ..version import __version__
from .nilsson_2009 import comparison_of, parses_both_ways, parses_cell, votes_of
from .runner import Cell, progress, run_cells
from .settings import Settings, TreebankEntry, available, load_settings
from .tables import Row, score_table, write_text

__all__ = ["NAME", "frequent_labels", "run"]

NAME = "nilsson-2009-ch9"
BASE = "base"
COLUMNS = {
    "base": "base",
    "best": "best, inverted",
    "uninverted": "not inverted",
    "transform": "transform and label",
    "blend": "blend, inverted",
    "blend_uninverted": "not inverted",
    "p": "p (blend : base)",
}
ORDERS = ("descending", "ascending")
FORMS = ("inverted", "uninverted")


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and a figure for each treebank.

    Every generic transform of every one of the most frequent labels is tried (section 9.3.1), but for those that change
    fewer arcs of the training trees than ``least`` says, whose parsers would be the base once more. Every second
    sentence of the development set chooses parsers, the others give the weights of their votes; table 9.1's best
    transform is the best on all of them.
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    entries = available(settings.treebanks, ("train", "dev", "test"), progress)
    folder = Path(options.out)
    (base,) = settings.parsers.values()
    specs = {entry.name: _specs(entry, settings.values["labels"], settings.values["least"]) for entry in entries}
    cells = [_cell(entry, name, base, spec) for entry in entries for name, spec in specs[entry.name].items()]
    results = run_cells(cells, folder, jobs=options.jobs)
    outcomes = {entry.name: _outcome(entry, list(specs[entry.name]), settings, results) for entry in entries}
    lines = [
        "# Nilsson (2009), chapter 9: generic transforms and combination",
        "",
        f"Reproduced by `crossarc experiment {NAME}` (crossarc {__version__}); LAS on the test sets.",
        "",
        "## Table 9.1",
        "",
        score_table(COLUMNS, {name: own["row"] for name, own in outcomes.items()}, first="treebank"),
        "## Figure 9.3: LAS of blends by the number of parsers and how they are chosen",
        "",
    ]
    for name, own in outcomes.items():
        columns = {str(size): str(size) for size in range(1, 1 + len(next(iter(own["curves"].values()))))}
        rows = {key: dict(zip(columns, curve, strict=True)) for key, curve in own["curves"].items()}
        lines += [f"### {name}", "", score_table(columns, rows, first="selection")]
        lines += ["The transforms that help on development data:", "", *(f"- {own}" for own in own["helpful"]), ""]
        series = {key: list(enumerate(curve, 1)) for key, curve in own["curves"].items()}
        chart = line_chart(series, title=name, x_label="parsers", y_label="LAS")
        write_text(folder, f"figure9.3-{name}.svg", chart)
    write_text(folder, "report.md", "\n".join(lines))
    document: dict[str, Json] = dict(outcomes)
    write_text(folder, "results.json", document)
    progress(f"wrote {folder / 'report.md'}")
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


def _outcome(
    entry: TreebankEntry, names: Sequence[str], settings: Settings, results: Mapping[str, Json]
) -> dict[str, Any]:
    dev, test = (list(entry.part(split).sentences()) for split in ("dev", "test"))
    most = settings.values["parsers_blended"]
    dev_las = {name: _scores(dev, votes_of(results[f"{entry.name} {name}"], "dev inverted")).las for name in names}
    curves: dict[str, list[float | None]] = {}
    blended: dict[str, list[Vote]] = {}
    for form in FORMS:
        chosen, held_out, parsed = _halves(entry, names, results, form)
        scores = [_scores(dev[0::2], votes).las or 0.0 for votes in chosen]
        gold = [Vote(own.heads(), own.deprels()) for own in dev[1::2]]
        weights = learn_weights(settings.values["weights"], gold, held_out, [own.column("upos") for own in dev[1::2]])
        for order in ORDERS:
            numbers = select_parsers(0, scores, order == "descending")
            votes = [_blend(parsed, weights, numbers[:size], test) for size in range(1, 1 + min(most, len(names)))]
            curves[f"{form}, {order}"] = [_scores(test, own).las for own in votes]
            blended[f"{form}, {order}"] = votes[-1]
    base = comparison_of(test, votes_of(results[f"{entry.name} {BASE}"], "test inverted"))
    best = max(names, key=lambda name: dev_las[name] or 0.0)
    blend = comparison_of(test, blended["inverted, descending"])
    trial = significance(base, blend, "las")
    row: Row = {
        "base": score_comparison(base).las,
        "best": _scores(test, votes_of(results[f"{entry.name} {best}"], "test inverted")).las,
        "uninverted": _scores(test, votes_of(results[f"{entry.name} {best}"], "test uninverted")).las,
        "transform": best,
        "blend": score_comparison(blend).las,
        "blend_uninverted": _scores(test, blended["uninverted, descending"]).las,
        "p": f"{trial.p:.2g}" + (" *" if trial.winner == "second" and trial.level == 0.01 else ""),
    }
    first = dev_las[BASE] or 0.0
    better = sorted((name for name in names if (dev_las[name] or 0.0) > first), key=lambda name: -(dev_las[name] or 0))
    helpful = [f"{name}: {(dev_las[name] or 0.0) - first:+.2f}" for name in better]
    return {"row": row, "curves": curves, "helpful": helpful, "dev": dev_las}


def _halves(
    entry: TreebankEntry, names: Sequence[str], results: Mapping[str, Json], form: str
) -> tuple[list[list[Vote]], list[list[Vote]], list[list[Vote]]]:
    """(trees that choose parsers, trees that weigh them, trees of the test set), by parser."""
    own = [results[f"{entry.name} {name}"] for name in names]
    dev = [votes_of(result, f"dev {form}") for result in own]
    return [votes[0::2] for votes in dev], [votes[1::2] for votes in dev], [votes_of(r, f"test {form}") for r in own]


def _blend(
    parsed: Sequence[list[Vote]], weights: Weights, numbers: Sequence[int], test: Sequence[Sentence]
) -> list[Vote]:
    special = tuple(weights.special[number] for number in numbers) if weights.special else ()
    own = Weights(weights.by, tuple(weights.overall[number] for number in numbers), special)
    return blend_votes([parsed[number] for number in numbers], own, [sentence.column("upos") for sentence in test])


def _scores(gold: Sequence[Sentence], votes: Sequence[Vote]) -> Scores:
    return score_comparison(comparison_of(gold, votes))
