"""The configs and blends that are installed with crossarc."""

from __future__ import annotations

from importlib import resources
from typing import Any

__all__ = ["describe_ready_configs", "name_ready_configs", "ready_blends", "ready_configs"]


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
