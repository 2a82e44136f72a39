"""The parts of pages that are generated from the code: values for ``parts.jinja``, which has a macro for each part."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...oracles.registry import DYNAMIC_ORACLES, ORACLES
from ...parser.base.parameters import Parameter, allowed_text, parameters_of, value_text
from ...parser.commands.table import COMMANDS as OF_PARSER
from ...parser.config.config import THREE_STEP, all_keys
from ...parser.config.ready import describe_ready_configs, ready_features
from ...parser.console.help import Command
from ...parser.console.line import command_parser
from ...parser.learners.registry import LEARNERS, section_text
from ...parser.plugins.analysis.derivation import deriver
from ...parser.plugins.blending.config import options_of_blends
from ...parser.plugins.drawing.derivation_text import derivation_text
from ...parser.plugins.drawing.text_tree import draw_tree
from ...parser.transforms.registry import TRANSFORMS
from ...parser.treebank import Sentence
from ...transitions.configuration import Configuration
from ...transitions.registry import SYSTEMS
from ...transitions.system import TransitionSystem
from ..commands import COMMANDS as OF_EXPERIMENTS
from .codebase import messages_by_section, rooms
from .registry import ROOT, describe_experiments, experiments

TEMPLATE = Path(__file__).with_name("parts.jinja")


@cache
def generated_parts() -> Mapping[str, Callable[[], str]]:
    """The parts by name, each with the macro that writes it as Markdown."""
    from jinja2 import Environment, StrictUndefined

    jinja = Environment(undefined=StrictUndefined, autoescape=False)
    jinja.globals |= {
        "KEYS": all_keys(),
        "OPTIONS": options_of_blends(),
        "CONFIGS": [(fields[0], fields[2].strip()) for fields in _lines(describe_ready_configs(), "  ")],
        "LEARNERS": {section_text(kind): kind for kind in LEARNERS.values()},
        "TRANSFORMS": TRANSFORMS,
        "FEATURES": ready_features(),
        "EXPERIMENTS": [
            (fields[0], _folder(fields[0]), fields[2].strip()) for fields in _lines(describe_experiments(), " ")
        ],
        "SYSTEMS": SYSTEMS,
        "OPERATIONS": _members(Configuration),
        "METHODS": _members(TransitionSystem),
        "ORACLES": ORACLES,
        "DYNAMIC_ORACLES": DYNAMIC_ORACLES,
        "THREE_STEP": THREE_STEP,
        "described_commands": described_commands,
        "messages_by_section": messages_by_section,
        "rooms": rooms,
        "parameters_of": parameters_of,
        "default_of": lambda parameter: value_text(parameter.default),
        "allowed_of": _allowed,
        "derives": lambda kind: kind.of_derivations,
        "sentence": Sentence.from_tokens,
        "drawn": draw_tree,
        "derived": lambda system, tree: derivation_text(deriver(system)(tree), 0).strip("\n"),
    }
    macros = vars(jinja.from_string(TEMPLATE.read_text("utf-8")).module)
    return {name.replace("_", " "): macro for name, macro in macros.items() if callable(macro)}


def described_commands() -> Iterator[tuple[str, Command, list[tuple[str, str]]]]:
    """Of each command its description, and the meanings of its arguments and options."""
    commands = {**OF_PARSER, **OF_EXPERIMENTS}
    for name, command in commands.items():
        yield name, command, list(command_parser(commands, name).described())


def _members(of: type) -> dict[str, str]:
    """The public methods and properties of a class with their parameters, and the first paragraph of their text."""
    texts = {}
    for name, member in vars(of).items():
        function = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and callable(function):
            parameters = [] if member is not function else list(inspect.signature(function).parameters)[1:]
            text = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
            called = f"{name}({', '.join(parameters)})" if member is function else name
            texts[called] = re.sub(r":\w+:`~?\.?([^`]*)`", r"`\1`", text).replace("``", "`").replace("|", "\\|")
    return texts


def _lines(text: str, separator: str) -> list[tuple[str, str, str]]:
    return [line.partition(separator) for line in text.splitlines()]


def _folder(experiment: str) -> str:
    """The folder of the page on an experiment: of the paper or study as a whole."""
    return Path(*experiments()[experiment].relative_to(ROOT).parts[1:3]).as_posix()


def _allowed(parameter: Parameter) -> Any:
    return ", ".join(f"`{word}`" for word in parameter.allowed.names) or allowed_text(parameter.allowed)
