"""Experiment configs: YAML, typed and validated, every key settable from the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from ...oracles.registry import ORACLES
from ...transitions.registry import PASSES, SYSTEMS
from ..errors import CrossarcError, choices
from ..treebank import FORMATS
from ..yaml_values import load_yaml

__all__ = [
    "THREE_STEP",
    "AnchorOptions",
    "Config",
    "PassOptions",
    "RootOptions",
    "TreebankOptions",
    "describe_ready_configs",
    "load_config",
    "name_ready_configs",
    "ready_blends",
    "ready_configs",
]

UNDERIVABLE = ("projectivize", "skip", "best-effort", "refuse")
AUTO = "auto"
THREE_STEP = "three-step"
"""The system that is a projective one followed by the passes of :data:`~crossarc.transitions.registry.PASSES`."""


@dataclass(frozen=True, slots=True)
class RootOptions:
    """single: whether node 0 gets exactly one dependent ("auto": if it is so in all training trees). label: of arcs
    from node 0 that no guide labelled ("auto": the most frequent one in training)."""

    single: bool | str = AUTO
    label: str = AUTO


@dataclass(frozen=True, slots=True)
class TreebankOptions:
    """train, dev: files ("" for none). format: named, or "auto" to detect it. columns: "gold" or "predicted" ones of
    CoNLL-2009. faulty: what to do with training sentences that are no trees, "refuse" or "skip"."""

    train: str = ""
    dev: str = ""
    format: str = AUTO
    columns: str = "gold"
    faulty: str = "refuse"


@dataclass(frozen=True, slots=True)
class PassOptions:
    """A pass of three-step. features: "auto" (plain: those of Lacroix & Béchet 2014, table 6), "rich", "plain" or a
    file. guide: as that of the config, which it is if empty."""

    features: str = AUTO
    guide: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnchorOptions:
    """The columns of the training treebank that have the projective tree of three-step, e.g. phead and pdeprel; empty
    names ask for artificial anchors: the tree is projectivized."""

    heads: str = ""
    deprels: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that decides what a parser will be.

    system: a transition system. oracle: one of its oracles ("auto": its default). features: "auto" (the rich model for
    linear guides, the plain one for kernels and memory), "rich", "small", "plain", or a file. guide: the learner and
    its parameters, see :mod:`~crossarc.parser.learners`. transforms: applied to training trees in order and inverted in
    reverse order. underivable: what training does with trees the oracle cannot derive. sentences: the size of a batch.

    first, left, right, anchors: of the system three-step, whose first step is the projective system ``first``; oracle,
    features and guide are those of the first step.
    """

    system: str = "arc-standard"
    oracle: str = AUTO
    features: str = AUTO
    guide: Mapping[str, Any] = field(default_factory=lambda: {"learner": "svm"})
    transforms: tuple[Any, ...] = ()
    underivable: str = "projectivize"
    root: RootOptions = RootOptions()
    treebank: TreebankOptions = TreebankOptions()
    model: str = ""
    sentences: int = 512
    first: str = "arc-eager"
    left: PassOptions = PassOptions()
    right: PassOptions = PassOptions()
    anchors: AnchorOptions = AnchorOptions()

    @property
    def first_system(self) -> str:
        """The system that parses, or that of the first step."""
        return self.first if self.system == THREE_STEP else self.system

    @property
    def passes(self) -> dict[str, PassOptions]:
        """The passes that follow the first step, by the names of their systems."""
        return dict(zip(PASSES, (self.left, self.right), strict=True)) if self.system == THREE_STEP else {}

    def to_json(self) -> dict[str, Any]:
        """The config as nested plain values, without file locations: what a model keeps."""
        values = {
            "system": self.system,
            "oracle": self.oracle,
            "features": self.features,
            "guide": dict(self.guide),
            "transforms": list(self.transforms),
            "underivable": self.underivable,
            "root": {"single": self.root.single, "label": self.root.label},
            "treebank": {
                "format": self.treebank.format,
                "columns": self.treebank.columns,
                "faulty": self.treebank.faulty,
            },
            "sentences": self.sentences,
        }
        if self.system == THREE_STEP:
            values["first"] = self.first
            for name, options in (("left", self.left), ("right", self.right)):
                values[name] = {"features": options.features, "guide": dict(options.guide)}
            values["anchors"] = {"heads": self.anchors.heads, "deprels": self.anchors.deprels}
        return values


ALLOWED: Mapping[str, Sequence[Any]] = {
    "system": (*SYSTEMS, THREE_STEP),
    "first": tuple(name for name, system in SYSTEMS.items() if system.projective),
    "underivable": UNDERIVABLE,
    "root.single": (AUTO, True, False),
    "treebank.format": (AUTO, *FORMATS),
    "treebank.columns": ("gold", "predicted"),
    "treebank.faulty": ("refuse", "skip"),
}
FEATURES = ("features", "left.features", "right.features")
ANCHORS = ("anchors.heads", "anchors.deprels")
TEXT = ("oracle", *FEATURES, *ANCHORS, "root.label", "treebank.train", "treebank.dev", "model")
PATHS = ("treebank.train", "treebank.dev", "model")
FREE = ("guide", "left.guide", "right.guide")
CHOOSE_GUIDE = {f"{owner}.{key}": value for owner in FREE for key, value in (("learner", "svm"), ("kernel", "linear"))}
KEYS = (*ALLOWED, *TEXT, *FREE, "transforms", "sentences")


def load_config(path: str | Path, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None) -> Config:
    """The config of a file, or of a ready config by its name (:func:`ready_configs`).

    settings: ``key=value`` texts that win over the file, e.g. ``guide.C=0.2``; values are YAML. overrides: values by
    dotted key that win over both. Where settings or overrides name another ``guide.learner`` or ``guide.kernel``, the
    other parameters of the guide before them are forgotten. Paths in the file are relative to the file, all others to
    the working directory; ``~`` and ``${NAME}``, an environment variable, are filled in. Raises CrossarcError for
    unknown keys, wrong values and unreadable files.
    """
    where, folder, text = _read(str(path))
    document = load_yaml(text, where)
    if document is not None and not isinstance(document, Mapping):
        raise CrossarcError(f"{where}: found no mapping; allowed: keys {', '.join(KEYS)}")
    given: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise CrossarcError(f"--set {setting}: expected KEY=VALUE")
        where_set = f"--set {setting}"
        parsed = value if key in TEXT else load_yaml(value, where_set)
        given.update(_flatten(_nest(key, parsed), where_set, None))
    demanded: dict[str, Any] = {}
    for key, value in (overrides or {}).items():
        demanded.update(_flatten(_nest(key, value), str(key), None))
    return _build(_layered([_flatten(document or {}, where, folder), given, demanded]))


def ready_configs() -> list[str]:
    """The names of the configs that are installed with crossarc."""
    return _ready(resources.files("crossarc.configs"))


def ready_blends() -> list[str]:
    """The names of the blends that are installed with crossarc."""
    return _ready(resources.files("crossarc.configs").joinpath("blends"))


def name_ready_configs() -> str:
    """The ready configs and blends, for messages."""
    return f"ready configs: {', '.join(ready_configs())}; ready blends: {', '.join(ready_blends())}"


def describe_ready_configs() -> str:
    """The ready configs and blends with what their first lines say about them, a line each."""
    folder = resources.files("crossarc.configs")
    files = {name: folder.joinpath(f"{name}.yaml") for name in ready_configs()}
    files.update({name: folder.joinpath("blends", f"{name}.yaml") for name in ready_blends()})
    first = {name: file.read_text("utf-8").partition("\n")[0] for name, file in files.items()}
    width = max(map(len, first))
    return "\n".join(f"{name:<{width}}  {line.removeprefix('#').strip()}" for name, line in first.items())


def _ready(folder: Any) -> list[str]:
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def _read(path: str) -> tuple[str, Path | None, str]:
    """(name for messages, folder that relative paths start from, text)."""
    file = Path(path)
    if not file.is_file() and file.name == path and path in ready_configs():
        return path, None, resources.files("crossarc.configs").joinpath(f"{path}.yaml").read_text("utf-8")
    try:
        return path, file.parent, file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise CrossarcError(f"{path}: cannot read the config: {reason}; {name_ready_configs()}") from error


def _layered(layers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values of all layers, later ones winning. Parameters belong to their learner and kernel and go with them."""
    values: dict[str, Any] = {}
    for layer in layers:
        for key, default in CHOOSE_GUIDE.items():
            if key in layer and layer[key] != values.get(key, default):
                owner, _, parameter = key.rpartition(".")
                learner = f"{owner}.learner"
                kept = {} if parameter == "learner" else {learner: values.get(learner, "svm")}
                values = {name: value for name, value in values.items() if not name.startswith(f"{owner}.")} | kept
        values.update(layer)
    return values


def _nest(key: str, value: Any) -> dict[str, Any]:
    for part in reversed(key.split(".")):
        value = {part: value}
    assert isinstance(value, dict)
    return value


def _flatten(document: Mapping[Any, Any], where: str, folder: Path | None, prefix: str = "") -> dict[str, Any]:
    """Dotted keys with checked values."""
    values: dict[str, Any] = {}
    sections = {key.rpartition(".")[0] for key in KEYS} - {""}
    for name, value in document.items():
        key = f"{prefix}{name}"
        if value is None and key in (*KEYS, *sections):
            raise CrossarcError(f"{where}: {key}: found no value")
        if key.startswith(tuple(f"{owner}." for owner in FREE)):
            values[key] = value
        elif key in sections or key in FREE:
            if not isinstance(value, Mapping):
                known = [known for known in KEYS if known.startswith(f"{key}.")] or [f"{key}.learner, {key}.C, ..."]
                raise CrossarcError(f"{where}: {key}: found {value!r}, expected a mapping with {', '.join(known)}")
            values.update(_flatten(value, where, folder, f"{key}."))
        elif key not in KEYS:
            if full := [known for known in KEYS if known.endswith(f".{key}")]:
                raise CrossarcError(f"{where}: unknown key {key!r} (did you mean {full[0]!r}?)")
            allowed = [known for known in KEYS if known.startswith(prefix)] if prefix else KEYS
            raise CrossarcError(f"{where}: unknown key {choices(key, allowed)}")
        else:
            values[key] = _checked(key, value, where, folder)
    return values


def _checked(key: str, value: Any, where: str, folder: Path | None) -> Any:
    if key in ALLOWED and not any(value is allowed or (value == allowed and value != 1) for allowed in ALLOWED[key]):
        raise CrossarcError(f"{where}: {key}: found {choices(_yaml(value), map(_yaml, ALLOWED[key]))}")
    if key == "sentences" and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        raise CrossarcError(f"{where}: {key}: found {value!r}, expected a number, 1 or more")
    if key == "transforms":
        if not isinstance(value, str | list | tuple):
            raise CrossarcError(f"{where}: {key}: found {value!r}, expected a list of transforms")
        return (value,) if isinstance(value, str) else tuple(value)
    if key in PATHS and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if key in TEXT and not isinstance(value, str):
        raise CrossarcError(f"{where}: {key}: found {value!r}, expected text")
    is_file = key in PATHS or (key in FEATURES and value.endswith(".yaml"))
    return _located(value, where, key, folder) if is_file and value else value


def _located(value: str, where: str, key: str, folder: Path | None) -> str:
    expanded = os.path.expanduser(os.path.expandvars(value))
    if unset := re.search(r"\$(\w+|\{\w*\})", expanded):
        raise CrossarcError(f"{where}: {key}: {value}: the environment variable {unset[1].strip('{}')} is not set")
    return expanded if folder is None else str(folder / expanded)


def _yaml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _build(values: Mapping[str, Any]) -> Config:
    top = {key: value for key, value in values.items() if "." not in key}

    def section(name: str) -> dict[str, Any]:
        return {key.removeprefix(f"{name}."): value for key, value in values.items() if key.startswith(f"{name}.")}

    def of_pass(name: str) -> PassOptions:
        guide = section(f"{name}.guide")
        features = values.get(f"{name}.features", AUTO)
        return PassOptions(features, {"learner": "svm", **guide} if guide else {})

    config = Config(
        **top,
        guide={"learner": "svm", **section("guide")},
        root=RootOptions(**section("root")),
        treebank=TreebankOptions(**section("treebank")),
        left=of_pass("left"),
        right=of_pass("right"),
        anchors=AnchorOptions(**section("anchors")),
    )
    if bool(config.anchors.heads) != bool(config.anchors.deprels):
        raise CrossarcError(f"anchors: found {section('anchors')}, expected both 'heads' and 'deprels', or neither")
    if config.anchors.heads and config.transforms:
        raise CrossarcError("anchors: given anchors cannot be transformed; allowed: anchors or transforms, not both")
    oracles = ORACLES[config.first_system]
    if config.oracle != AUTO and config.oracle not in oracles:
        raise CrossarcError(f"oracle of {config.first_system}: found {choices(config.oracle, [AUTO, *oracles])}")
    return config
