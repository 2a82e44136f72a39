"""The experiments by name. An experiment is a module with a YAML file of the same name beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

HERE = Path(__file__).parents[1]


@cache
def experiments() -> Mapping[str, Path]:
    """The YAML files of the experiments by the name that their key ``experiment`` states; papers come first."""
    named = {}
    for module in sorted(HERE.glob("*/*/**/*.py")):
        file = module.with_suffix(".yaml")
        if file.is_file() and (found := re.search(r"^experiment: (\S+)$", file.read_text("utf-8"), re.M)):
            named[found[1]] = file
    return MappingProxyType(named)


def load_experiment(name: str) -> Any:
    """The :class:`~.experiment.Experiment` that a module declares."""
    module = ".".join(experiments()[name].relative_to(HERE).with_suffix("").parts)
    return import_module(f"..{module}", __package__).EXPERIMENT


def tables_folder(name: str) -> Path:
    """The folder whose ``tables.yaml`` has the tables of an experiment: its own, or the one above."""
    folder = experiments()[name].parent
    return folder if (folder / "tables.yaml").is_file() else folder.parent


def describe_experiments() -> str:
    """The experiments with the first lines of their YAML files, one per line."""
    first = {name: file.read_text("utf-8").partition("\n")[0] for name, file in experiments().items()}
    width = max(map(len, first))
    return "\n".join(f"{name:<{width}}  {line.removeprefix('#').strip()}" for name, line in first.items())


def published_file(paper: str) -> Path:
    """The figures that a paper printed: JSON in its folder."""
    return HERE / "papers" / paper.replace("-", "_") / "published.json"
