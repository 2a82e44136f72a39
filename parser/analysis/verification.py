"""Training of a model again from its metadata, and comparison of the two models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import yaml

from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..config.blend_config import BlendConfig, load_any_config
from ..config.config import Config
from ..config.loading import FEATURES, make_config, saved_values
from ..models.files import load_model, save_model
from ..models.model import Content, ParserModel
from ..models.trained import TrainedParser
from ..training.blend import train_any
from ..training.train import score_on, versions
from ..treebank import checksum, unpack_file

VERSION = re.compile(r"(^|\.)provenance\.[\w-]+$")
"""Matches names of values that state the versions with which a model or a component was trained."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of training a model again.

    differences: descriptions of all differences; empty if the parsers are the same.
    versions: versions of libraries that have changed, as name: (then, now).
    same_bytes: whether the files are identical.
    """

    differences: tuple[str, ...]
    versions: Mapping[str, tuple[str, str]]
    same_bytes: bool


def verify(
    path: str, train_file: str, dev_file: str = "", config: str = "", progress: Progress = nothing
) -> Verification:
    """Train the model of a file again and compare both models.

    path: model file.
    train_file, dev_file: treebanks that the model was trained and scored on, or compressed copies; checksums are
        compared first.
    config: YAML file or ready config that replaces the metadata of the model; blends need it.
    progress: receives reports, one line at a time.

    Raises CrossarcError for other treebanks, and for a model whose metadata do not suffice for training it again.
    """
    model = load_model(path)
    with TemporaryDirectory() as folder:
        files = _treebanks(model, path, {"train": train_file, "dev": dev_file}, Path(folder))
        again = _train(_config(model, path, config, Path(folder)), files, progress)
        if not config:  # feature files were copied elsewhere; their content is the same
            again = replace(TrainedParser.of(again, ""), config=model.content().values["config"])
        differences = tuple(_differences(model.content(), again.content()))
        save_model(again, copy := f"{folder}/again.model")
        same_bytes = Path(copy).read_bytes() == Path(path).read_bytes()
    now = versions()
    then = {name.rpartition(".")[2]: own for name, own in _flat(model.content().values) if VERSION.search(name)}
    others = {name: (own, now[name]) for name, own in then.items() if name in now and own != now[name]}
    return Verification(differences, others, same_bytes)


def _treebanks(model: ParserModel, path: str, files: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the files whose checksums the model contains: the given files, or copies unpacked into the folder."""
    found = {}
    for part, file in files.items():
        known = model.provenance.get(part)
        if known is None and file:
            raise CrossarcError(f"{path}: was not scored on a development treebank; omit --dev")
        if known is not None and not file:
            raise CrossarcError(
                f"{path}: was scored on a development treebank (sha256 {known['sha256']}); give it with --dev"
            )
        found[part] = file if known is None else _of_checksum(known["sha256"], file, part, path, folder)
    return found


def _of_checksum(known: str, file: str, part: str, path: str, folder: Path) -> str:
    """Return the file or its unpacked copy, whichever has the checksum."""
    own = checksum(file)
    if own == known:
        return file
    copy = folder / f"{part}-{Path(file).stem}"
    unpack_file(file, copy)
    inside = checksum(str(copy))
    if inside == known:
        return str(copy)
    unpacked = "" if inside == own else f", unpacked {inside}"
    raise CrossarcError(f"{file}: sha256 {own}{unpacked}, expected {known} for the {part} treebank of {path}")


def _config(model: ParserModel, path: str, given: str, folder: Path) -> Config | BlendConfig:
    """Return the config to train with: the given config, or the config in the metadata of the model."""
    if given:
        return load_any_config(given)
    refusal = f"{path}: a {model.kind} does not contain the configs of its components; give --config"
    trained = TrainedParser.of(model, refusal)
    values = saved_values(trained.config)
    for name, own in zip(FEATURES, trained.templates, strict=False):
        file = folder / f"{name}.yaml"
        file.write_text(yaml.safe_dump({"templates": own}, allow_unicode=True), "utf-8")
        values[name] = str(file)
    return make_config(values)


def _train(config: Config | BlendConfig, files: Mapping[str, str], progress: Progress) -> ParserModel:
    treebank = replace(config.treebank, train=files["train"], dev=files["dev"])
    config = replace(config, treebank=treebank, model="")
    model = train_any(config, progress)
    return score_on(model, config.treebank)[0] if config.treebank.dev else model


def _differences(one: Content, two: Content) -> Iterator[str]:
    """Yield descriptions of all differences except versions of libraries."""
    values = [dict(_flat(json.loads(json.dumps(own.values)))) for own in (one, two)]
    for name in sorted({*values[0], *values[1]}):
        if VERSION.search(name):
            continue
        then, now = (own.get(name, "nothing") for own in values)
        if then != now:
            yield f"{name}: {then} then, {now} now"
    for name in sorted({*one.arrays, *two.arrays}):
        first, second = one.arrays.get(name), two.arrays.get(name)
        if first is None or second is None or first.shape != second.shape or first.dtype != second.dtype:
            yield f"array {name}: {_described(first)} then, {_described(second)} now"
        elif others := int(np.count_nonzero(first != second)):
            yield f"array {name}: {others} of {first.size} values differ"


def _described(array: np.ndarray[Any, Any] | None) -> str:
    return "none" if array is None else f"{array.dtype} of shape {array.shape}"


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted names and plain values of a nested value."""
    if isinstance(value, dict):
        for key, own in value.items():
            yield from _flat(own, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for number, own in enumerate(value):
            yield from _flat(own, f"{name}[{number}]")
    else:
        yield name, value
