"""The experiments by name. An experiment is a module with a YAML file of the same name beside it."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...parser.base.errors import CrossarcError

HERE = Path(__file__).parents[1]
ROOT = HERE.parent


@cache
def experiments() -> Mapping[str, Path]:
    """The YAML files of the experiments by the name that their key ``experiment`` states; papers come first."""
    named = {}
    for module in sorted(HERE.glob("*/*/**/*.py")):
        file = module.with_suffix(".yaml")
        if file.is_file() and (match := re.search(r"^experiment: (\S+)$", file.read_text("utf-8"), re.M)):
            named[match[1]] = file
    return MappingProxyType(named)


def file_of(name: str) -> Path:
    """The YAML file of an experiment: of an installed one by its name, or of one's own, whose name is its path."""
    return experiments().get(name) or Path(name)


def is_own(name: str) -> bool:
    """Whether a name is the path of a YAML file with a module of the same name beside it, which is not installed."""
    return name not in experiments() and Path(name).suffix in (".yaml", ".yml") and module_of(name).is_file()


def module_of(name: str) -> Path:
    """The file of the module of one's own experiment."""
    return Path(name).with_suffix(".py")


def load_experiment(name: str) -> Any:
    """The :class:`~.experiment.Experiment` that a module declares. Raises CrossarcError if it declares none."""
    if name in experiments():
        module = ".".join(experiments()[name].relative_to(HERE).with_suffix("").parts)
        return import_module(f"..{module}", __package__).EXPERIMENT
    sys.path.insert(0, str(Path(name).absolute().parent))  # worker processes import the module, too
    try:
        return import_module(Path(name).stem).EXPERIMENT
    except (AttributeError, ImportError) as error:
        raise CrossarcError(f"{module_of(name)}: {error}; define EXPERIMENT") from error


def report_template(name: str) -> Path:
    """The template of the report of an experiment, which it may lack."""
    return file_of(name).with_suffix(".report.j2")


def describe_experiments() -> str:
    """The experiments with the first lines of their YAML files, one per line."""
    first = {name: file.read_text("utf-8").partition("\n")[0] for name, file in experiments().items()}
    width = max(map(len, first))
    return "\n".join(f"{name:<{width}}  {line.removeprefix('#').strip()}" for name, line in first.items())


def published_file(paper: str) -> Path:
    """The figures that a paper printed: JSON in its folder."""
    return HERE / "papers" / paper.replace("-", "_") / "published.json"
