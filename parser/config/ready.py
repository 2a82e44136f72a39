"""The configs and blends that are installed with crossarc."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from ...transitions.registry import SYSTEMS
from ..base.errors import CrossarcError, choices, did_you_mean
from ..base.lazy import Lazy
from ..base.plugins import found_plugins
from ..treebank import Sentence

SIMPLEST = "arc-standard"


class Level(NamedTuple):
    """A choice of settings by facts about a treebank, under a name that stands for a config.

    summary: one line for lists.
    choose: function from the sentences of a treebank, its name for messages and the key ``treebank.decided`` to the
        values of the config, nested as in YAML, and reasons: lines, each with the top keys that it is about.
    usual: whether training without a config takes this level.
    """

    summary: str
    choose: Callable[[Sequence[Sentence], str, str], tuple[dict[str, Any], Sequence[tuple[str, Set[str]]]]]
    usual: bool = False


LEVELS: Mapping[str, Level] = Lazy(__package__, {}, "LEVELS")
"""Levels of effort by name, which plugins declare."""


def usual_config() -> str:
    """The name of the config or level that training takes if none is named."""
    return next((name for name, level in LEVELS.items() if level.usual), SIMPLEST)


def fast_config() -> str:
    """The name of the config for parsers that a command trains in passing: the level ``fast``, if there is one."""
    return "fast" if "fast" in LEVELS else SIMPLEST


def _folders() -> list[Any]:
    """The folders with ready configs: that of the core, and those of plugins that are packages.

    A plugin in one file has none: what stands beside the file is not its own.
    """
    packages = (Path(place) for plugin in found_plugins() for place in getattr(plugin, "__path__", ()))
    folders = (package / "configs" for package in packages)
    return [resources.files("crossarc.configs"), *(folder for folder in folders if folder.is_dir())]


@cache
def _ready_texts() -> dict[str, str]:
    """The YAML texts of the ready configs and blends, by name."""
    texts = {
        name: folder.joinpath(f"{name}.yaml").read_text("utf-8") for folder in _folders() for name in _ready(folder)
    }
    return dict(sorted(texts.items()))


def ready_configs() -> list[str]:
    """The names of the configs that are installed with crossarc.

    >>> import crossarc
    >>> "swap" in crossarc.ready_configs()
    True
    """
    return [name for name, text in _ready_texts().items() if not _of_several(text)]


def ready_blends() -> list[str]:
    """Return the names of the blends that are installed with crossarc."""
    return [name for name, text in _ready_texts().items() if _of_several(text)]


def _of_several(text: str) -> bool:
    return re.search("^components:", text, re.MULTILINE) is not None


def ready_text(name: str) -> str:
    """Return the YAML text of a ready config or blend, or "" if the name is unknown."""
    return _ready_texts().get(name, "")


def name_ready_configs(instead_of: str = "") -> str:
    """List the levels, ready configs and blends for messages.

    instead_of: name that was not found; the most similar ready name is suggested.
    """
    names = {"levels": [*LEVELS], "ready configs": ready_configs(), "ready blends": ready_blends()}
    listed = "; ".join(f"{kind}: {', '.join(ready)}" for kind, ready in names.items() if ready)
    return listed + did_you_mean(instead_of, [name for ready in names.values() for name in ready])


def ready_features() -> dict[str, list[str]]:
    """Return the names of the installed feature models by system.

    Models of one system are in the folder of the system. Models outside these folders suit all systems that have the
    nodes that the model addresses. The feature model of an added system is its model ``rich``.
    """
    of_systems, shared = _installed_features()
    models_of = {name: list(models) for name, models in of_systems.items()}
    models_of.update({name: ["rich"] for name, system in SYSTEMS.items() if system.features})
    for model, nodes in shared.items():
        for name in models_of.keys() & SYSTEMS.keys():
            if nodes.issubset(SYSTEMS[name].sources):
                models_of[name] = sorted({*models_of[name], model})
    return dict(sorted(models_of.items()))


@cache
def _installed_features() -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Return the names of the models in the folder of each system, and the nodes of each model outside them."""
    of_systems: dict[str, list[str]] = {}
    for system in (system for folder in _feature_folders() for system in folder.iterdir() if system.is_dir()):
        if models := _ready(system):
            of_systems[system.name] = sorted([*of_systems.get(system.name, ()), *models])
    shared = _feature_folders()[0]
    texts = {model: shared.joinpath(f"{model}.yaml").read_text("utf-8") for model in _ready(shared)}
    return of_systems, {model: set(re.findall(r"(\w+)\[", text)) for model, text in texts.items()}


def _feature_folders() -> list[Any]:
    return [features for folder in _folders() if (features := folder.joinpath("features")).is_dir()]


def ready_feature_model(name: str) -> str:
    """Return the text of the model called ``SYSTEM-MODEL``. Raises CrossarcError if the name is unknown."""
    names = {f"{system}-{model}": (system, model) for system, models in ready_features().items() for model in models}
    if name not in names:
        with_system = [ready_name for ready_name in names if ready_name.endswith(f"-{name}")]
        raise CrossarcError(f"no ready feature model is called {choices(name, with_system or names)}")
    system, model = names[name]
    if model == "rich" and (preset := SYSTEMS[system].features if system in SYSTEMS else ()):
        return json.dumps({"extends": preset} if isinstance(preset, str) else {"templates": preset})
    folders = _feature_folders()
    for file in (folder.joinpath(system, f"{model}.yaml") for folder in folders):
        if file.is_file():
            return str(file.read_text("utf-8"))
    return str(folders[0].joinpath(f"{model}.yaml").read_text("utf-8")).replace("SYSTEM", system)


def describe_ready_configs() -> str:
    """List the levels, ready configs and blends, one per line, with their descriptions."""
    levels = {name: level.summary for name, level in LEVELS.items()}
    first = {**levels, **{name: ready_text(name).partition("\n")[0] for name in (*ready_configs(), *ready_blends())}}
    width = max(map(len, first))
    return "\n".join(f"{name:<{width}}  {line.removeprefix('#').strip()}" for name, line in first.items())


def _ready(folder: Any) -> list[str]:
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))
