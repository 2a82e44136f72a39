"""The command that searches for a better parser within a time limit."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from ..base.cluster import on_cluster
from ..base.errors import CrossarcError
from ..config.loading import load_config, read_document
from ..console.options import JOBS, SET, Options, option, positive, refuse_overwriting
from ..console.progress import progress_of
from ..console.streams import warn
from ..training.tuning import Budget, tune
from ..training.tuning.search import CONFIG, JOURNAL, MODEL

WRITTEN = (CONFIG, MODEL, JOURNAL)


def run_tune(options: argparse.Namespace) -> int:
    budget = Budget(60 * options.minutes)
    given = {"treebank.train": options.train, "treebank.dev": options.dev}
    overrides = {key: value for key, value in given.items() if value}
    document = read_document(options.config, options.set, overrides)
    if document.is_blend:
        raise CrossarcError(f"{options.config}: cannot tune a blend of several parsers; tune its components one by one")
    config = load_config(document, options.set, overrides)
    folder = Path(options.out)
    for name in WRITTEN:
        inputs = (options.config, config.features, config.treebank.train, config.treebank.dev)
        refuse_overwriting(folder / name, *inputs)
    if "test" in Path(config.treebank.dev).name.lower():
        remedy = "tune on a development set, since scores on tuning data are too high"
        warn(f"{config.treebank.dev} is named like a test set; {remedy}")
    with on_cluster(options.jobs) as jobs, progress_of(options) as progress:
        result = tune(config, folder, budget, folds=options.folds, jobs=jobs, progress=progress, graph=options.graph)
    start, best = result.start_outcome, result.best_outcome
    print(f"LAS {best.las:.2f} (UAS {best.uas:.2f}); initial config: {start.las:.2f} ({start.uas:.2f})")
    print(f"{result.trained} parsers trained, {result.known} known from before; see {folder / JOURNAL}")
    print(f"crossarc train {folder / CONFIG} trains {folder / MODEL} again")
    return 0


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < 1e6:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a number of minutes above 0")
    return minutes


FOLDS = (
    "number of parts of the training treebank for cross-validation (default: 5 without --dev, 2 if it has less than a "
    "third of the training words, else none)"
)
TUNE: Options = {
    "CONFIG": "config whose variants are tried: a level (fast, accurate), a ready config or a YAML file",
    "--train FILE": "training treebank (default: that of the config)",
    "--dev FILE": "development treebank (default: that of the config); never the test set",
    "--folds K": option(FOLDS, type=partial(positive, least=2), default=0),
    "--minutes M": option("minutes that the search may take", type=_minutes, required=True),
    "--out FOLDER": option("folder for the best parser, its config and a list of all trials", required=True),
    "--graph": "also try a graph-based parser, which parses more slowly",
    **JOBS,
    **SET,
}
