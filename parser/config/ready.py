"""The configs and blends that are installed with crossarc."""

from __future__ import annotations

from importlib import resources
from typing import Any

from ..errors import did_you_mean

__all__ = ["describe_ready_configs", "name_ready_configs", "ready_blends", "ready_configs", "ready_features"]


def ready_configs() -> list[str]:
    """The names of the configs that are installed with crossarc.

    >>> import crossarc
    >>> "swap" in crossarc.ready_configs()
    True
    """
    return _ready(resources.files("crossarc.configs"))


def ready_blends() -> list[str]:
    """The names of the blends that are installed with crossarc."""
    return _ready(resources.files("crossarc.configs").joinpath("blends"))


def name_ready_configs(instead_of: str = "") -> str:
    """The ready configs and blends, for messages, and the one that is nearest to what was found."""
    configs, blends = ready_configs(), ready_blends()
    hint = did_you_mean(instead_of, [*configs, *blends])
    return f"ready configs: {', '.join(configs)}; ready blends: {', '.join(blends)}{hint}"


def ready_features() -> dict[str, list[str]]:
    """The feature models that are installed, by the system that they are for: each system has a folder."""
    folders = resources.files("crossarc.configs").joinpath("features").iterdir()
    found = {folder.name: _ready(folder) for folder in folders if folder.is_dir()}
    return {system: found[system] for system in sorted(found) if found[system]}


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
