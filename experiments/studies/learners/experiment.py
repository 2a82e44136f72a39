"""All learners on the same configurations: accuracy, cost and size (compare Nilsson 2009, section 7.3)."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ....parser.analysis.oracle_report import derived_batches
from ....parser.config.config import Config, oracle_of
from ....parser.evaluate import score_comparison
from ....parser.evaluate.percent import Json, percentage
from ....parser.models.files import load_model, save_model
from ....parser.models.transition_model import TransitionModel
from ....parser.transforms.lifting.projectivize import projectivized
from ....parser.treebank import Sentence
from ....parser.treebank.symbols import feature_columns
from ....parser.treebank.tree import Tree, trees_of
from ....transitions.step import Observer, Step
from ...harness.parsing import Part, compared, pack, resolved, trained_stages
from ...harness.results import write_results
from ...harness.rows import Row, figure, published_rows, score_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import Settings, TreebankEntry, available, load_settings
from ...harness.tables import markdown_table

__all__ = ["NAME", "run", "transition_accuracy"]

NAME = "learners"
COLUMNS = {
    "transitions": "transitions",
    "las": "LAS",
    "uas": "UAS",
    "train_cpu": "training, CPU s",
    "speed": "parsed tokens per CPU s",
    "megabytes": "model, MB",
    "load": "loading, CPU s",
}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    split = settings.values["split"]
    entries = available(settings.treebanks, ("train", split), options.progress)
    folder = Path(options.out)
    cells = [cell for entry in entries for cell in _cells(entry, settings, split)]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    rows = {entry.name: _rows(entry, settings, split, results) for entry in entries}
    write_text(folder, "report.md", _report(settings, split, rows))
    figures: dict[str, Json] = {name: dict(own) for name, own in rows.items()}
    write_results(folder, NAME, settings, entries, figures, ("train", split))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def measure(config: Config, train_part: Part, test: Part) -> Json:
    """Train on one part, parse another: the parsed trees, the share of right transitions, and what it all cost.

    Times are CPU seconds of this process; the size is that of the model file.
    """
    start = time.process_time()
    model = trained_stages(config, train_part)
    trained = time.process_time()
    parsed = list(model.parse(test.sentences()))
    done = time.process_time()
    right, total = transition_accuracy(model, list(test.sentences()))
    with TemporaryDirectory(prefix="crossarc-") as folder:
        file = os.path.join(folder, "model")
        save_model(model, file)
        size = os.path.getsize(file)
        before = time.process_time()
        load_model(file)
        load = time.process_time() - before
    cost: dict[str, Json] = {
        "train_cpu": trained - start,
        "parse_cpu": done - trained,
        "load_cpu": load,
        "bytes": size,
        "words": sum(map(len, parsed)),
        "train_words": model.provenance["train"]["words"],
    }
    trees = pack(trees_of(parsed))
    return {**trees, "right": right, "transitions": total, "cost": cost}


def transition_accuracy(model: TransitionModel, sentences: Sequence[Sentence]) -> tuple[int, int]:
    """(right ones, all): how often the guide decides as the static oracle, in the configurations that this one visits.

    The guide chooses among the permissible transitions, as in parsing. Trees that a projective system cannot derive are
    projectivized. A label that training did not have is always wrong. Of several stages it is the first one's guide.
    """
    stage, config = model.stages[0], model.config
    oracle_name = oracle_of(stage.system.name, config["oracle"])
    trees = [_training_tree(model, sentence) for sentence in sentences]
    counts = np.zeros(2, dtype=np.int64)

    def judging(rows: Sequence[int], _: object) -> Observer:
        guide = stage.guide(model.value_ids([trees[row].columns for row in rows]))

        def judge(step: Step) -> None:
            own = guide.decide(step.c, step.legal)
            right = (own.moves == step.moves) & (own.labels == step.labels) & ~step.unguided
            counts[:] += right.sum(), (~step.unguided).sum()

        return judge

    for _ in derived_batches(
        stage.system, oracle_name, trees, model.labels, stage.fallback, judging, size=model.batch_size
    ):
        pass
    return int(counts[0]), int(counts[1])


def _training_tree(model: TransitionModel, sentence: Sentence) -> Tree:
    """The gold tree as training would see it."""
    tree = Tree(sentence.heads(), sentence.deprels(), feature_columns(sentence, model.columns, model.reads))
    for transform in model.transforms:
        tree = transform.apply(tree)
    return projectivized(tree) if model.stages[0].system.projective else tree


def _cells(entry: TreebankEntry, settings: Settings, split: str) -> list[Cell]:
    train_part, test = entry.part("train"), entry.part(split)
    return [
        Cell(
            f"{entry.name} {name}",
            measure,
            (config, train_part, test),
            {"config": resolved(config, train_part), "train": train_part.key(), "test": test.key()},
            (train_part.path, test.path),
        )
        for name, config in settings.parsers.items()
    ]


def _rows(
    entry: TreebankEntry, settings: Settings, split: str, results: Mapping[str, Json]
) -> dict[str, dict[str, Any]]:
    rows = {}
    for name in settings.parsers:
        result: Any = results[f"{entry.name} {name}"]
        scores = score_comparison(compared(entry.part(split), result))
        cost: Any = result["cost"]
        rows[name] = {
            "transitions": percentage(result["right"], result["transitions"]),
            "las": scores.las,
            "uas": scores.uas,
            "train_words": cost["train_words"],
            "train_cpu": cost["train_cpu"],
            "speed": round(cost["words"] / cost["parse_cpu"]) if cost["parse_cpu"] else 0,
            "megabytes": cost["bytes"] / 1e6,
            "load": cost["load_cpu"],
        }
    return rows


def _report(settings: Settings, split: str, rows: Mapping[str, Mapping[str, Row]]) -> str:
    lines = [
        "# All learners on the same configurations",
        "",
        f"{settings.origin}, on the {split} split; trained on as many words as "
        "the headings say. Transitions: percentage of the static oracle's decisions that the guide repeats.",
        "",
        *(f"- {name}: {_described(config)}" for name, config in settings.parsers.items()),
        "",
    ]
    for treebank, own in rows.items():
        words = next(iter(own.values()))["train_words"]
        lines += [f"## {treebank}, {words} words", "", score_table(COLUMNS, own, first="learner")]
    published = {row["parser"]: row["las"] for row in published_rows("nilsson-2009", "7.1")}
    table = [
        [f"{treebank}, LAS", *(figure(own[name]["las"]) if name in own else "–" for name in published)]
        for treebank, own in rows.items()
    ]
    table.append(["*Nilsson (2009), table 7.1*", *map(figure, published.values())])
    lines += ["## Beside the published figures, of other treebanks", "", markdown_table(["", *published], table)]
    return "\n".join(lines)


def _described(config: Config) -> str:
    guide = ", ".join(f"{key} {value}" for key, value in config.guide.items())
    return f"{config.system}, features {config.features}, {guide}"
