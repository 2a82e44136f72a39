"""The command that trains parsers and blends."""

from __future__ import annotations

import argparse
import shutil
from itertools import chain
from pathlib import Path

from ..base.cluster import on_cluster
from ..base.errors import CrossarcError
from ..base.parameters import parameter_values
from ..base.progress import task
from ..base.yaml_values import keys_set
from ..config.config import AnyConfig, Config
from ..config.loading import load_any_config
from ..config.ready import LEVELS, describe_ready_configs, name_ready_configs, ready_features, usual_config
from ..console.options import JOBS, SET, Options, refuse_overwriting
from ..console.progress import progress_of
from ..models.files import check_writable, save_model
from ..models.inputs import columns_text
from ..training.prepare import read_train
from ..training.scoring import calibrated_by_folds, score_on
from ..training.train import train_any
from ..transforms.registry import parse_transform
from ..treebank import reading_once

TRAIN: Options = {
    "[CONFIG]": f"{', '.join([*LEVELS, 'a ready config'])} or a YAML file (default: {usual_config()})",
    "--train FILE...": "training treebank; repeat for several, the first to parse like (default: that of the config)",
    "--dev FILE": "development treebank to score the parser on (default: that of the config)",
    "--model FILE": "file to write the model to (default: that of the config)",
    "--raw FILE...": "raw text to learn word classes from; repeat for several (default: those of the config)",
    "--classes FILE": "word classes from crossarc classes, instead of raw text (default: those of the config)",
    **SET,
    **JOBS,
}

KEYS = {name: name for name in ("model", "also", "raw", "classes")}
KEYS |= {name: f"treebank.{name}" for name in ("train", "dev")}
"""The options that name keys of the config."""


def run_train(options: argparse.Namespace) -> int:
    """Run ``crossarc train``; return its exit status."""
    options.train, options.also = next(iter(options.train), None), options.train[1:]
    overrides = {key: value for name, key in KEYS.items() if (value := getattr(options, name))}
    set_keys = set[str]().union(*map(keys_set, options.set))
    for name, key in KEYS.items():
        option = "--train, repeated," if name == "also" else f"--{name}"
        if key in overrides and key in set_keys:
            raise CrossarcError(f"train: {option} and --set {key} are the same; give one of them")
    if options.config is None and not options.train:
        if overrides or options.set:
            raise CrossarcError(f"train: found no treebank; give one with --train, or a CONFIG; {name_ready_configs()}")
        print(describe_ready_configs())
        return 0
    usual = usual_config()
    name = options.config or usual
    read = reading_once()  # levels choose by the treebank, which is learned from and parsed in parts, too
    with progress_of(options) as progress:
        if options.config is None:
            progress(f"no CONFIG given: training {'as level ' if usual in LEVELS else ''}{usual}")
        config = load_any_config(name, options.set, overrides, progress, read)
    if config.model in ("", "-"):
        raise CrossarcError("no file to write the model to; give one with --model or the config's key 'model'")
    refuse_overwriting(config.model, options.config or "", *config.files_read)
    check_writable(config.model)
    with progress_of(options) as progress:
        keep = Path(f"{config.model}.parts")
        for spec in chain.from_iterable(parser.transforms for parser in config.parsers):
            parse_transform(spec)  # errors come before a long reading
        try:
            with on_cluster(options.jobs) as jobs, task(progress, "training"):
                model = train_any(config, progress, keep, None, jobs, read)
                if not config.treebank.dev:
                    sentences = read_train(config.treebank, read_file=read).sentences
                    model = calibrated_by_folds(model, config, sentences, progress, jobs, read)
        except MemoryError as error:
            raise CrossarcError(f"out of memory; try {_remedy(name, config)}") from error
        tags = set(model.filled)
        reads = columns_text(model.looked_at.keys() - tags)
        progress(f"the model reads {reads} and takes their values as given: scores assume that they are correct")
        if tags:
            progress(f"it predicts {columns_text(tags)} where the input has no values")
        if config.treebank.dev:
            model, scores = score_on(model, config.treebank, progress, read)
            if from_text := model.provenance["dev"].get("from_text"):
                progress(f"dev, from raw text: {', '.join(f'{unit} {f1:.2f}' for unit, f1 in from_text.items())}")
            progress(f"dev: LAS {scores.las:.2f} UAS {scores.uas:.2f} LEM {scores.lem:.2f} UEM {scores.uem:.2f}")
        save_model(model, config.model)
        shutil.rmtree(keep, ignore_errors=True)
        progress(f"wrote {config.model}")
    return 0


def _remedy(name: str, config: AnyConfig) -> str:
    """What takes less memory than training the config of this name."""
    levels = list(LEVELS)
    if name in levels[1:]:
        return f"the level {levels[levels.index(name) - 1]}"
    for parser in config.parsers:
        if isinstance(parser, Config):
            small = "small" in ready_features().get(parser.first_system, ())
            if small and parser.features != "small":
                return "features=small"
            if "min_count" in parameter_values(parser.learner()):
                return "a higher guide.min_count, or fewer sentences"
    return "fewer sentences"
