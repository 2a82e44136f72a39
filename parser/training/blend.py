"""Training a blend: its config, its components, and the weights of their votes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from ..blending.weights import WEIGHTINGS, learn_weights
from ..config.config import AUTO, Config, TreebankOptions, load_config, ready_blends
from ..errors import CrossarcError, choices
from ..models.blend_model import BlendModel
from ..models.transition_model import TransitionModel
from ..treebank import Sentence, checksum
from ..treebank.tree import Tree, trees_of
from ..yaml_values import load_yaml
from .train import read_part, train

__all__ = ["BlendConfig", "is_blend_config", "load_blend_config", "train_blend"]

Progress = Callable[[str], None]
KEYS = ("components", "shared", "weights", "held-out", "retrain", "jobs", "root", "treebank", "model")
OWN = ("weights", "held-out", "retrain", "jobs", "root.single", "model")


@dataclass(frozen=True, slots=True)
class BlendConfig:
    """components: configs by name. weights: one of :data:`~.weights.WEIGHTINGS`. held_out: every how many-th sentence
    of the training treebank weights are learned on, and not the components (Nilsson 2009, section 8.2: 10); with equal
    weights there is no need to. retrain: whether the components are then trained again on all sentences. jobs: worker
    processes. single_root: "auto" is what all components do."""

    components: Mapping[str, Config]
    treebank: TreebankOptions
    weights: str = "pos"
    held_out: int = 10
    retrain: bool = False
    jobs: int = 1
    single_root: bool | str = AUTO
    model: str = ""


def is_blend_config(path: str) -> bool:
    """Whether it is the name or the file of a blend: one that lists components."""
    if path in ready_blends() and not Path(path).is_file():
        return True
    try:
        document = load_yaml(Path(path).read_text("utf-8"), path)
    except (OSError, UnicodeDecodeError, CrossarcError):
        return False
    return isinstance(document, Mapping) and "components" in document


def load_blend_config(
    path: str, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> BlendConfig:
    """The blend that a YAML file, or a ready blend by its name, describes.

    ``components`` lists configs: a name or file, or a mapping with the key ``config`` and any keys of a config, and
    ``name``; ``shared`` has keys of a config that hold for all of them. settings: ``key=value`` texts; keys that are
    none of the blend's own are shared ones. overrides: ``treebank.train``, ``treebank.dev`` and ``model``. Raises
    CrossarcError for whatever is wrong.
    """
    ready = path in ready_blends() and not Path(path).is_file()
    try:
        text = (
            resources.files("crossarc.configs").joinpath("blends", f"{path}.yaml") if ready else Path(path)
        ).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise CrossarcError(f"{path}: cannot read the blend: {reason}") from error
    document = load_yaml(text, path)
    folder = None if ready else Path(path).parent
    for key in document:
        if key not in KEYS:
            raise CrossarcError(f"{path}: unknown key {choices(key, KEYS)}")
    own = {key: document[key] for key in ("weights", "held-out", "retrain", "jobs", "model") if key in document}
    own.update({f"root.{key}": value for key, value in _mapping(document, "root", path).items()})
    shared = [f"{key}={_text(value)}" for key, value in _mapping(document, "shared", path).items()]
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key in OWN and equals:
            own[key] = load_yaml(value, f"--set {setting}")
        else:
            shared.append(setting)
    treebank = _treebank(_mapping(document, "treebank", path), path, folder, overrides or {})
    components = _components(document["components"], path, folder, shared)
    model = (overrides or {}).get("model") or own.get("model", "")
    config = BlendConfig(
        components,
        treebank,
        own.get("weights", "pos"),
        own.get("held-out", 10),
        own.get("retrain", False),
        own.get("jobs", 1),
        own.get("root.single", AUTO),
        str(folder / model) if folder and model and model == own.get("model") else str(model),
    )
    _check(config, path)
    return config


def train_blend(config: BlendConfig, progress: Progress = lambda line: None) -> BlendModel:
    """Train the components, in parallel with ``jobs``, and learn the weights of their votes."""
    options = config.treebank
    if not options.train:
        raise CrossarcError("treebank.train names no file; give one in the config or with --train")
    sentences = read_part(options, options.train)
    held_out = sentences[config.held_out - 1 :: config.held_out] if config.weights != "equal" else []
    rest = [own for number, own in enumerate(sentences, 1) if number % config.held_out] if held_out else sentences
    names = list(config.components)
    configs = [replace(own, treebank=replace(options, dev="")) for own in config.components.values()]
    with Parallel(n_jobs=config.jobs) as parallel:
        progress(f"{len(configs)} components on {len(rest)} sentences, weights on {len(held_out)}")
        trained = parallel(delayed(_trained)(*own, rest, held_out) for own in zip(names, configs, strict=True))
        upos = [own.column("upos") for own in held_out]
        weights = learn_weights(config.weights, trees_of(held_out), [votes for _, votes in trained], upos)
        if held_out and config.retrain:
            progress(f"again on all {len(sentences)} sentences")
            trained = parallel(delayed(_trained)(*own, sentences, []) for own in zip(names, configs, strict=True))
    models = [model for model, _ in trained]
    single = config.single_root
    if single == AUTO:
        single = all(stage.system.single_root for model in models for stage in model.stages)
    for name, weight in zip(names, weights.overall, strict=True):
        progress(f"{name}: weight {weight:.4f}")
    provenance = {"train": {"sha256": checksum(options.train), "sentences": len(sentences), "held_out": len(held_out)}}
    return BlendModel(dict(zip(names, models, strict=True)), weights, bool(single), provenance)


def _trained(
    name: str, config: Config, sentences: Sequence[Sentence], held_out: Sequence[Sentence]
) -> tuple[TransitionModel, list[Tree]]:
    try:
        model = train(config, sentences=sentences)
    except CrossarcError as error:
        raise CrossarcError(f"component {name}: {error}") from error
    return model, trees_of(model.parse_chunk(held_out))


def _components(listed: Any, where: str, folder: Path | None, shared: Sequence[str]) -> dict[str, Config]:
    if not isinstance(listed, list) or len(listed) < 2:
        raise CrossarcError(f"{where}: components: expected a list of two or more configs")
    components: dict[str, Config] = {}
    for number, entry in enumerate(listed, 1):
        keys = {"config": entry} if isinstance(entry, str) else entry
        if not isinstance(keys, Mapping) or "config" not in keys:
            raise CrossarcError(f"{where}: component {number}: expected a config or a mapping with the key 'config'")
        base = str(keys["config"])
        if folder is not None and (folder / base).is_file():
            base = str(folder / base)
        given = {str(key): value for key, value in keys.items() if key not in ("config", "name")}
        try:
            config = load_config(base, shared, given)
        except CrossarcError as error:
            raise CrossarcError(f"{where}: component {number}: {error}") from error
        name = str(keys.get("name", f"{number} {Path(base).stem}"))
        if name in components:
            raise CrossarcError(f"{where}: two components have the name {name!r}")
        components[name] = config
    return components


def _treebank(
    values: Mapping[str, Any], where: str, folder: Path | None, overrides: Mapping[str, Any]
) -> TreebankOptions:
    """Checked as those of a config are, by making a config of them."""
    given = {f"treebank.{key}": value for key, value in values.items()}
    if folder is not None:
        for key in ("treebank.train", "treebank.dev"):
            if isinstance(given.get(key), str) and not given[key].startswith(("$", "~", "/")):
                given[key] = str(folder / given[key])
    given.update({key: value for key, value in overrides.items() if key.startswith("treebank.")})
    try:
        return load_config("arc-standard", (), given).treebank
    except CrossarcError as error:
        raise CrossarcError(f"{where}: {error}") from error


def _check(config: BlendConfig, where: str) -> None:
    if config.weights not in WEIGHTINGS:
        raise CrossarcError(f"{where}: weights: found {choices(config.weights, WEIGHTINGS)}")
    for key, value, least in (("held-out", config.held_out, 2), ("jobs", config.jobs, 1)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise CrossarcError(f"{where}: {key}: found {value!r}, expected a number, {least} or more")
    if not isinstance(config.retrain, bool):
        raise CrossarcError(f"{where}: retrain: found {config.retrain!r}; allowed: true, false")
    if config.single_root not in (AUTO, True, False):
        raise CrossarcError(f"{where}: root.single: found {config.single_root!r}; allowed: auto, true, false")


def _mapping(document: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, Mapping):
        raise CrossarcError(f"{where}: {key}: found {value!r}, expected a mapping")
    return value


def _text(value: Any) -> str:
    """A value as --set takes it."""
    return value if isinstance(value, str) else repr(value)
