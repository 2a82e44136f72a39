"""The experiments by name, each with the folder where it lives."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

EXPERIMENTS: Mapping[str, str] = MappingProxyType(
    {
        "kuhlmann-nivre-2010": "papers.kuhlmann_nivre_2010.experiment",
        "nivre-nilsson-2005": "papers.nivre_nilsson_2005.experiment",
        "nivre-nilsson-2005-lifts": "papers.nivre_nilsson_2005.minimal_lifts",
        "lacroix-bechet-2014": "papers.lacroix_bechet_2014.experiment",
        "bjorkelund-kuhn-2012": "papers.bjorkelund_kuhn_2012.experiment",
        "nilsson-2009-ch5": "papers.nilsson_2009.chapters.ch5",
        "nilsson-2009-ch6": "papers.nilsson_2009.chapters.ch6",
        "nilsson-2009-ch7": "papers.nilsson_2009.chapters.ch7",
        "nilsson-2009-ch8": "papers.nilsson_2009.chapters.ch8",
        "nilsson-2009-ch9": "papers.nilsson_2009.chapters.ch9",
        "blend-components": "studies.blend_components.experiment",
        "controlled-nonprojectivity": "studies.controlled_nonprojectivity.experiment",
        "cross-validation": "studies.cross_validation.experiment",
        "dynamic-oracles": "studies.dynamic_oracles.experiment",
        "exploration": "studies.exploration.experiment",
        "learners": "studies.learners.experiment",
        "levels": "studies.levels.experiment",
        "most-accurate": "studies.most_accurate.experiment",
        "peers": "studies.peers.experiment",
        "techniques": "studies.techniques.experiment",
        "tuning": "studies.tuning.experiment",
    }
)
"""The module of each, below ``experiments``; its YAML stands beside it under the same name."""

HERE = Path(__file__).parents[1]


def load_experiment(name: str) -> Any:
    """The :class:`~.experiment.Experiment` that a module declares."""
    return import_module(f"..{EXPERIMENTS[name]}", __package__).EXPERIMENT


def tables_folder(name: str) -> Path:
    """The folder whose ``tables.yaml`` has the tables of an experiment: its own, or the one above."""
    folder = installed_yaml(name).parent
    return folder if (folder / "tables.yaml").is_file() else folder.parent


def installed_yaml(name: str) -> Path:
    """The YAML that is installed with an experiment."""
    *folders, module = EXPERIMENTS[name].split(".")
    return HERE.joinpath(*folders, f"{module}.yaml")


def describe_experiments() -> str:
    """The experiments with the first lines of their YAML files, one per line."""
    first = {name: installed_yaml(name).read_text("utf-8").partition("\n")[0] for name in EXPERIMENTS}
    width = max(map(len, first))
    return "\n".join(f"{name:<{width}}  {line.removeprefix('#').strip()}" for name, line in first.items())


def published_file(paper: str) -> Path:
    """The figures that a paper printed: JSON in its folder."""
    return HERE / "papers" / paper.replace("-", "_") / "published.json"
