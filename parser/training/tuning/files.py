"""Files written by tuning, ready to train and parse: config, feature model, model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from ...base.parameters import parameter_values
from ...base.text_files import utf8
from ...config.config import Config
from ...models.files import load_model, save_model
from ...models.trained import TrainedParser
from ...treebank import Sentence, atomic_output
from ..train import score_on, train
from .trial import Candidate, Outcome

CONFIG, FEATURES, MODEL = "tuned.yaml", "features.yaml", "tuned.model"
PATHS = ("train", "dev")


def write_parser(
    folder: Path,
    config: Config,
    best: Candidate,
    outcome: Outcome,
    start: Outcome,
    kept: Path | None,
    sentences: Sequence[Sentence],
) -> None:
    """Write the best config, the features that it names, and the model.

    config: the given config, which names the files of the treebank
    kept: model file of the trial; without it, the model is trained on ``sentences``
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = replace(config, features=str(folder / FEATURES), model=str(folder / MODEL))
    lines = [
        f"# The best result of crossarc tune: LAS {outcome.las:.2f}; initial config: {start.las:.2f}.",
        yaml.safe_dump(config_values(config, folder), sort_keys=False, allow_unicode=True, width=110),
    ]
    _write(folder / CONFIG, "\n".join(lines))
    templates = "".join(f"  - {line}\n" for line in best.templates)
    _write(folder / FEATURES, f"# Chosen by crossarc tune, for {CONFIG}.\ntemplates:\n{templates}")
    if kept is None:
        model = train(config, sentences=sentences)
    else:
        model = replace(TrainedParser.of(load_model(kept), f"{kept}: not a trial"), config=config.to_json())
    if config.treebank.dev:
        model, _ = score_on(model, config.treebank)
    save_model(model, folder / MODEL)


def config_values(config: Config, folder: Path) -> dict[str, Any]:
    """A config as YAML in ``folder``: only values other than the defaults, with file names relative to the folder."""
    values = _changed(config.to_json(), Config().to_json())
    files = {name: path for name in PATHS if (path := getattr(config.treebank, name))}
    treebank: dict[str, Any] = {name: os.path.relpath(path, folder) for name, path in files.items()}
    values.pop("model", None)
    guide = {"guide": dict(config.guide)} if "guide" in config.to_json() else {}
    features = {"features": FEATURES}
    rest = {key: value for key, value in values.items() if key not in ("system", "guide", "features", "treebank")}
    treebank |= values.get("treebank", {})
    if limits := _changed(parameter_values(config.treebank.limits), parameter_values(type(config.treebank.limits)())):
        treebank["limits"] = limits
    return {"system": config.system, **features, **guide, **rest, "treebank": treebank, "model": MODEL}


def _changed(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Values that differ from the defaults, in nested mappings."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and isinstance(defaults.get(key), Mapping) and key != "guide":
            if inner := _changed(value, defaults[key]):
                found[key] = inner
        elif key not in defaults or value != defaults[key]:
            found[key] = value
    return found


def _write(path: Path, text: str) -> None:
    with atomic_output(path) as out:
        out.write(utf8(text))
