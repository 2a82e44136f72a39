"""Gain by tuning within a time limit, on test sets that tuning does not use."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ....parser.config.levels import technique
from ....parser.config.loading import load_config
from ....parser.config.own_treebank import profile
from ....parser.evaluate.align import scored_tree
from ....parser.models.files import load_model
from ....parser.training.train import train
from ....parser.training.tuning import Budget, tune
from ....parser.treebank import write_sentences
from ....parser.treebank.tree import trees_of
from ...harness import Cell, Experiment, Json, Outputs, Part, Treebank, by_treebank

SPLITS = ("train", "dev", "test")
SEARCH = "search"


def cells(treebank: Treebank) -> list[Cell]:
    """One cell: tuning on the treebank."""
    return [
        treebank.cell(SEARCH, measure, *map(treebank.part, SPLITS), treebank.values["minutes"], treebank.values["jobs"])
    ]


def measure(train_part: Part, dev: Part, test: Part, minutes: float, jobs: int) -> Json:
    """Tune the config that is recommended for the training part; score it before and after tuning on the test set.

    minutes: time limit, of CPU time with one job, otherwise of wall-clock time.
    jobs: number of trials at the same time.
    """
    sentences, gold = list(train_part.sentences()), list(test.sentences())
    with TemporaryDirectory(prefix="crossarc-") as scratch:
        file, folder = Path(scratch, "train.conllu"), Path(scratch, "tuned")
        write_sentences(sentences, str(file))
        facts = profile(str(file), sentences[0].format.name)
        start = technique(facts.crossing)
        files = {"treebank.train": str(file), "treebank.dev": dev.path, "treebank.format": sentences[0].format.name}
        config = load_config(start, (), files)
        budget, cpu = Budget(60 * minutes, time.process_time if jobs == 1 else time.monotonic), time.process_time()
        found = tune(config, folder, budget, jobs=jobs)
        cpu = time.process_time() - cpu
        models = {"before": train(config, sentences=sentences), "after": load_model(folder / "tuned.model")}
        outputs = Outputs(
            [scored_tree(sentence) for sentence in gold],
            {name: trees_of(model.parse(gold)) for name, model in models.items()},
        )
    after = outputs.against("before")["after"]
    taken = [row.name for row in found.rows if row.kept][1:]
    return {
        "words": facts.words,
        "start": start,
        "dev_before": found.start_outcome.las,
        "dev_after": found.best_outcome.las,
        "test_before": outputs.scores["before"].las,
        "test_after": after["las"],
        **{key: after[key] for key in ("gain", "p", "over_sentences")},
        "trials": found.trained,
        "cpu": cpu,
        "found": f"{found.best.system}, {_brief(found.best.guide, found.best.to_json())}",
        "taken": ", ".join(taken),
    }


def _brief(guide: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    parts = [f"C {guide.get('C')}"]
    parts += [f"min_count {guide['min_count']}"] if "min_count" in guide else []
    parts += [str(spec) for spec in config["transforms"]]
    parts += ["explored"] if "explore" in config else []
    return ", ".join(parts)


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(lambda treebank: treebank[SEARCH]))
