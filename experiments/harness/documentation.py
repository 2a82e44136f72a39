"""The parts of pages that are generated from the code, see :mod:`~crossarc.experiments.harness.pages`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from ...oracles.registry import DYNAMIC_ORACLES, ORACLES
from ...parser.analysis.derivation import deriver
from ...parser.base.parameters import Parameter, allowed_text, parameters_of, value_text
from ...parser.config.blend_config import OPTIONS
from ...parser.config.config import KEYS, THREE_STEP
from ...parser.config.ready import describe_ready_configs, ready_features
from ...parser.drawing.derivation_text import derivation_text
from ...parser.drawing.text_tree import draw_tree
from ...parser.learners.learner import DerivationLearner, Learner
from ...parser.learners.registry import LEARNERS, section_text
from ...parser.transforms.registry import TRANSFORMS
from ...parser.treebank import Sentence
from ...transitions.registry import SYSTEMS
from .code import ROOT
from .reference import command_line, python_names
from .registry import describe_experiments, experiments as files_of_experiments

PARAMETER = ("default", "allowed", "meaning")

HEARING = Sentence.from_tokens(
    ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    heads=[2, 3, 0, 3, 2, 7, 5, 4, 3],
    deprels=["DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "TMP", "P"],
)
"""Kuhlmann & Nivre (2010), figure 1: a non-projective tree."""
NEWS = Sentence.from_tokens(
    ["Economic", "news", "had", "little", "effect", "on", "financial", "markets", "."],
    heads=[2, 3, 0, 5, 3, 5, 8, 6, 3],
    deprels=["nmod", "sbj", "root", "nmod", "obj", "nmod", "nmod", "pc", "p"],
)
"""The projective sentence of Nivre's articles on arc-eager and arc-standard parsing."""


def keys(described: Mapping[str, Parameter]) -> str:
    """A table of keys with their meanings, defaults and allowed values."""
    return _table(["key", *PARAMETER], [_cells(name, own) for name, own in described.items()])


def parameters(of: str, kinds: Callable[[], Mapping[str, type]]) -> str:
    """A table of the parameters of learners or transforms. of: heading of the column of names."""
    rows = [
        ["" if number else f"`{called}`", *_cells(own.name, own)]
        for called, kind in kinds().items()
        for number, own in enumerate(parameters_of(kind).values())
    ]
    return _table([of, "parameter", *PARAMETER], rows)


def learners() -> str:
    """A table of the learners: how a config chooses them, what they are, and the options that they support."""
    rows = []
    for section, kind in _learners().items():
        goes_with = (
            "no | no | trained with it" if issubclass(kind, DerivationLearner) else "yes | yes | log confidences"
        )
        rows.append([f"`{section}`", kind.summary, kind.features, goes_with])
    return _table(["`guide:`", "what", "features", "exploration", "`decide: two-step`", "beam"], rows)


def _learners() -> dict[str, type[Learner]]:
    return {section_text(kind): kind for kind in LEARNERS.values()}


def transforms() -> str:
    """A table of the transforms."""
    return _table(["transform", "what it does"], [[f"`{name}`", kind.summary] for name, kind in TRANSFORMS.items()])


def systems() -> str:
    """A table of the transition systems: first line, moves and oracles."""
    rows = []
    for name, system in SYSTEMS.items():
        oracles = [f"`{own}`" for own in ORACLES[name]] + (["dynamic"] if name in DYNAMIC_ORACLES else [])
        moves = ", ".join(f"{move.name} ({move.short})" for move in system.moves)
        rows.append([f"`{name}`", (system.__doc__ or "").strip().partition("\n")[0], moves, ", ".join(oracles)])
    return _table(["system", "what it is", "moves", "oracles"], rows)


def derivations() -> str:
    """Two sentences as trees, and for each system the derivation of one of them by its default oracle."""
    parts = [
        f"The projective example:\n\n{_fenced(_tree(NEWS))}",
        f"The non-projective one:\n\n{_fenced(_tree(HEARING))}",
    ]
    for name in (*SYSTEMS, THREE_STEP):
        projective = name in SYSTEMS and SYSTEMS[name].projective
        sentence = NEWS if projective else HEARING
        parts.append(f"### {name}\n\n{_fenced(derivation_text(deriver(name)(sentence), 0))}")
    return "\n".join(parts)


def configs() -> str:
    """A table of the ready configs and blends with the descriptions in their first lines."""
    lines = [line.partition("  ") for line in describe_ready_configs().splitlines()]
    return _table(["config", "what it is"], [[f"`{name}`", text.strip()] for name, _, text in lines])


def feature_models() -> str:
    """A table of the ready feature models of each system."""
    rows = [[f"`{name}`", ", ".join(f"`{model}`" for model in models)] for name, models in ready_features().items()]
    return _table(["for", "models"], rows)


def experiments() -> str:
    """A table of the experiments, each with its page and the first line of its YAML file."""
    rows = []
    for line in describe_experiments().splitlines():
        name, _, text = line.partition(" ")
        folder = Path(*files_of_experiments()[name].relative_to(ROOT).parts[1:3])  # of the paper or study as a whole
        rows.append([f"[{name}]({folder.as_posix()}/README.md)", text.strip()])
    return _table(["experiment", "what it compares"], rows)


GENERATED: Mapping[str, Callable[[], str]] = {
    "ready configs": configs,
    "keys": partial(keys, KEYS),
    "keys of blends": partial(keys, OPTIONS),
    "learners": learners,
    "parameters of learners": partial(parameters, "`guide:`", _learners),
    "transforms": transforms,
    "parameters of transforms": partial(parameters, "transform", lambda: TRANSFORMS),
    "feature models": feature_models,
    "experiments": experiments,
    "systems": systems,
    "derivations": derivations,
    "python names": python_names,
    "command line": command_line,
}
"""The function that writes each part."""


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table without padding, because some cells are very wide."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _cells(name: str, own: Parameter) -> list[str]:
    default = value_text(own.default)
    allowed = ", ".join(f"`{word}`" for word in own.allowed.names) or allowed_text(own.allowed)
    return [f"`{name}`", f"`{default}`" if default else "", allowed, own.meaning]


def _tree(sentence: Sentence) -> str:
    return draw_tree(sentence.heads(), sentence.deprels(), sentence.column("form"))


def _fenced(text: str) -> str:
    return f"```text\n{text.strip(chr(10))}\n```\n"
