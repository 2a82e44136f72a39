"""Finished components of a training run, kept beside the model so that a run that was stopped can continue."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..base.errors import CrossarcError
from ..base.progress import Progress, tasks_of
from ..config.config import Config
from ..config.feature_files import load_features
from ..models.files import load_model, save_model
from ..models.trained import TrainedParser
from ..treebank import Sentence
from .passes import load_pass_features
from .train import train


def kept_folder(model: str) -> Path | None:
    """Return the folder beside a model file for finished components of its training; None without a file."""
    return Path(f"{model}.parts") if model else None


def remove_kept(model: str) -> None:
    """Remove the finished components of a model that has been written."""
    if folder := kept_folder(model):
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """The place of finished components.

    folder: folder of their model files; None keeps nothing.
    key: JSON values that affect all components: versions, treebank, predicted tags.
    """

    folder: Path | None
    key: Mapping[str, Any]

    def found(self) -> int:
        """Return the number of components that an earlier run has finished."""
        return len(list(self.folder.glob("*.model"))) if self.folder else 0

    def component(
        self, name: str, config: Config, part: str, sentences: Sequence[Sentence], progress: Progress
    ) -> TrainedParser:
        """Return the parser of a component: the one that an earlier run has finished, or a trained one, which is kept.

        part: description of the sentences, a part of the treebank.

        Raises CrossarcError, with the name of the component, as training does.
        """
        try:
            if self.folder is None:
                return train(config, tasks_of(progress, f"{name}: "), sentences)
            file = self.folder / f"{self._digest(config, part)}.model"
            try:
                return TrainedParser.of(load_model(file), f"{file}: not a component")
            except CrossarcError:  # missing or damaged
                model = train(config, tasks_of(progress, f"{name}: "), sentences)
            self.folder.mkdir(exist_ok=True)
            save_model(model, file)
        except CrossarcError as error:
            raise CrossarcError(f"component {name}: {error}") from error
        except OSError as error:
            raise CrossarcError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        return model

    def _digest(self, config: Config, part: str) -> str:
        plain = replace(config, model="")
        features = {config.first_system: load_features(config.features_name, config.first_system, None)}
        features |= load_pass_features(config, None)
        lines = {system: model.lines() for system, model in features.items()}
        text = json.dumps([self.key, plain.to_json(), lines, part], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]
