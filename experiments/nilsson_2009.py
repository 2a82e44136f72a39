"""What the chapters of Nilsson (2009) share: parsers that parse several files, blends of them, and their tables."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..parser.blend import blend_votes
from ..parser.config import Config
from ..parser.evaluate import (
    Comparison,
    ScoredTree,
    Scores,
    compare,
    error_reduction,
    score_comparison,
    scored_tree,
    significance,
)
from ..parser.evaluate.percent import Json
from ..parser.parse import GreedyParser
from ..parser.treebank import Sentence
from ..parser.weights import Vote, learn_weights
from ..transitions.trees import roots
from ..version import __version__
from .parsing import Part, pack, resolved, trained_on, unpack
from .runner import Cell, progress, run_cells
from .settings import Settings, TreebankEntry, available, load_settings
from .tables import Row, score_table, write_text

__all__ = [
    "BLEND_COLUMNS",
    "PROPAGATION",
    "blend_row",
    "comparison_of",
    "parses",
    "parses_both_ways",
    "parses_cell",
    "propagation_row",
    "run_blends",
    "votes_of",
]

PAPER = "nilsson-2009"
BLEND_COLUMNS = {
    "best": "best component",
    "las_single": "LAS of it",
    "las": "LAS blended",
    "las_reduction": "error reduction",
    "first_reduction": "on the first parser",
    "uas_single": "UAS of it",
    "uas": "UAS blended",
    "uas_reduction": "error reduction",
    "p": "p (LAS, McNemar)",
    "cost": "blending, % of parsing",
}
PROPAGATION = {"las": "LAS", "las_pre": "Pre", "las_post": "Post", "uas": "UAS", "uas_pre": "Pre", "uas_post": "Post"}


def parses(config: Config, train: Part, parts: Mapping[str, Part]) -> Json:
    """Train on one part and parse others: their trees by name, and what training and parsing cost in seconds of CPU."""
    start = time.process_time()
    parser = GreedyParser(trained_on(config, train))
    cost: dict[str, Json] = {"train_cpu": time.process_time() - start}
    trees: dict[str, Json] = {}
    for name, part in parts.items():
        sentences = list(part.sentences())
        start = time.process_time()
        parsed = list(parser.parse(sentences))
        cost[name] = time.process_time() - start
        trees[name] = pack((own.heads(), own.deprels()) for own in parsed)
    return {"parts": trees, "cost": cost}


def parses_both_ways(config: Config, train: Part, parts: Mapping[str, Part]) -> Json:
    """Train on one part, parse others, and give the trees with and without inverse transforms (section 9.3.2)."""
    model = trained_on(config, train)
    parsers = {"inverted": GreedyParser(model), "uninverted": GreedyParser(replace(model, transforms=()))}
    return {
        "parts": {
            f"{name} {form}": pack((own.heads(), own.deprels()) for own in parser.parse(part.sentences()))
            for name, part in parts.items()
            for form, parser in parsers.items()
        }
    }


def parses_cell(
    name: str,
    config: Config,
    train: Part,
    parts: Mapping[str, Part],
    compute: Callable[[Config, Part, Mapping[str, Part]], Json] = parses,
) -> Cell:
    """The cell of :func:`parses` or :func:`parses_both_ways`."""
    key = {
        "config": resolved(config, train),
        "train": train.key(),
        "parts": {name: part.key() for name, part in parts.items()},
    }
    return Cell(name, compute, (config, train, parts), key, (train.path, *(part.path for part in parts.values())))


def votes_of(result: Json, part: str) -> list[Vote]:
    """The trees of a part in the result of a cell."""
    assert isinstance(result, dict)
    parts: Any = result["parts"]
    return [Vote(heads, deprels) for heads, deprels in unpack(parts[part])]


def comparison_of(gold: Sequence[Sentence], votes: Sequence[Vote]) -> Comparison:
    """Trees against the gold trees of the same sentences."""
    right = [scored_tree(sentence) for sentence in gold]
    return compare(right, [ScoredTree(*vote, own.forms, own.upos) for vote, own in zip(votes, right, strict=True)])


def blend_row(best: str, single: Comparison, first: Comparison, blended: Comparison, cost: float) -> Row:
    """A row of table 8.2: the best component, and the blend; the thesis compares with its first parser, if not best."""
    scores = {
        "single": score_comparison(single),
        "blend": score_comparison(blended),
    }
    row: dict[str, float | str | None] = {"best": best, "cost": 100.0 * cost}
    for key in ("las", "uas"):
        before, after = getattr(scores["single"], key), getattr(scores["blend"], key)
        row.update({f"{key}_single": before, key: after, f"{key}_reduction": error_reduction(before, after)})
    row["first_reduction"] = error_reduction(score_comparison(first).las, scores["blend"].las)
    test = significance(single, blended, "las")
    row["p"] = f"{test.p:.2g}" + (" *" if test.winner == "second" and test.level == 0.01 else "")
    return row


def propagation_row(scores: Scores) -> Row:
    """A row of table 8.3: accuracy up to and including the first error of a sentence, and after it."""
    row: dict[str, float | None] = {}
    for key in ("las", "uas"):
        own = scores.propagation[key]
        row[key] = getattr(scores, key)
        for name in ("pre", "post"):
            rate = getattr(own, name).rate
            row[f"{key}_{name}"] = None if rate is None else 100.0 - rate
    return row


def run_blends(name: str, title: str, options: argparse.Namespace) -> int:
    """The experiments of chapters 7 and 8: parsers one by one, and blended under several weightings.

    ``weights`` in the YAML lists those; ``apart`` names parsers that are no components of the blends.
    """
    settings = load_settings(name, options.config, options.set, options.only)
    entries = available(settings.treebanks, ("train", "dev", "test"), progress)
    folder = Path(options.out)
    cells = [
        parses_cell(
            f"{entry.name} {parser}", config, entry.part("train"), {key: entry.part(key) for key in ("dev", "test")}
        )
        for entry in entries
        for parser, config in settings.parsers.items()
    ]
    results = run_cells(cells, folder, jobs=options.jobs)
    outcomes: dict[str, Any] = {entry.name: _blended(entry, settings, results) for entry in entries}
    weightings = settings.values["weights"]
    names = [*settings.parsers, *(f"blend {by}" for by in weightings)]
    lines = [
        f"# {title}",
        "",
        f"Reproduced by `crossarc experiment {name}` (crossarc {__version__}). The components are trained on the "
        "training sets and weighted by how they parse the development sets; all figures are of the test sets. "
        "Blended trees have a single root where all trees of the development set have. "
        "The best component is the best on the test set; * means better with p < 0.01.",
        "",
        "## LAS of the parsers one by one (tables 7.1 and 8.1) and of the blends",
        "",
        score_table({key: key for key in names}, {key: own["las"] for key, own in outcomes.items()}, first="treebank"),
    ]
    for by in weightings:
        rows: dict[str, Row] = {key: own["blends"][by] for key, own in outcomes.items()}
        rows["average"] = _average(list(rows.values()))
        lines += [
            f"## Blend weighted by {by} (tables 7.2 and 8.2)",
            "",
            score_table(BLEND_COLUMNS, rows, first="treebank"),
        ]
    lines += ["## Error propagation: accuracy up to the first error and after it (tables 7.3 and 8.3)", ""]
    for key, own in outcomes.items():
        lines += [f"### {key}", "", score_table(PROPAGATION, own["propagation"])]
    lines += ["## Precision and recall of roots, labelled (tables 7.5 and 8.4)", ""]
    for key, own in outcomes.items():
        lines += [f"### {key}", "", score_table({"precision": "precision", "recall": "recall"}, own["root"])]
    write_text(folder, "report.md", "\n".join(lines))
    write_text(folder, "results.json", outcomes)
    progress(f"wrote {folder / 'report.md'}")
    return 0


def _blended(entry: TreebankEntry, settings: Settings, results: Mapping[str, Json]) -> dict[str, Any]:
    dev, test = (list(entry.part(split).sentences()) for split in ("dev", "test"))
    all_results = {name: results[f"{entry.name} {name}"] for name in settings.parsers}
    own = {name: result for name, result in all_results.items() if name not in settings.values["apart"]}
    held_out = [votes_of(result, "dev") for result in own.values()]
    parsed = {name: votes_of(result, "test") for name, result in own.items()}
    parsing = sum(_cost(result) for result in own.values())
    comparisons = {name: comparison_of(test, votes_of(result, "test")) for name, result in all_results.items()}
    best = max(own, key=lambda name: int(comparisons[name].token_right("las").sum()))
    gold = [Vote(sentence.heads(), sentence.deprels()) for sentence in dev]
    single_root = all(len(roots(vote.heads)) == 1 for vote in gold)
    tags = [sentence.column("upos") for sentence in dev], [sentence.column("upos") for sentence in test]
    blends: dict[str, Row] = {}
    for by in settings.values["weights"]:
        weights = learn_weights(by, gold, held_out, tags[0])
        start = time.process_time()
        votes = blend_votes(list(parsed.values()), weights, tags[1], single_root)
        cost = (time.process_time() - start) / parsing
        comparisons[f"blend {by}"] = comparison_of(test, votes)
        blends[by] = blend_row(best, comparisons[best], comparisons[next(iter(own))], comparisons[f"blend {by}"], cost)
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    return {
        "las": {name: values.las for name, values in scores.items()},
        "blends": blends,
        "propagation": {name: propagation_row(values) for name, values in scores.items()},
        "root": {
            name: {"precision": values.root.labelled.precision, "recall": values.root.labelled.recall}
            for name, values in scores.items()
        },
    }


def _cost(result: Json) -> float:
    assert isinstance(result, dict)
    cost: Any = result["cost"]
    return float(cost["test"])


def _average(rows: Sequence[Row]) -> Row:
    """The mean of what are numbers in every row."""
    average: dict[str, float | None] = {}
    for key in rows[0]:
        values = [row[key] for row in rows]
        if all(isinstance(value, float) for value in values):
            average[key] = sum(float(value) for value in values if value is not None) / len(values)
    return average
