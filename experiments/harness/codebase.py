"""Facts about the code for pages, read from its files: messages to users, and the folders with their imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...parser.base.plugins import FOLDER, found_plugins
from .registry import ROOT

PACKAGES = ("transitions", "oracles", "features", "parser")
PLACES = {
    **dict.fromkeys(("CrossarcError", "TemplateError", "UnknownPartError", "TooMuchError", "ChangedError", "error"), 0),
    "Fault": 2,
    "warn": 0,
}
"""By name of an error or function, which of its arguments is a message."""
WARNING = "warn"
OF_CORE = {
    "transitions": "arc_standard.py, system.py",
    "oracles": "arc_standard.py, oracle.py",
    "features": "template.py",
    "parser/base": "errors.py, parameters.py",
    "parser/treebank": "sentence.py",
    "parser/learners": "learner.py",
    "parser/transforms": "transform.py",
    "parser/config": "config.py",
    "parser/search": "greedy.py, learned_guide.py",
    "parser/evaluate": "comparison.py",
    "parser/models": "model.py, steps.py",
    "parser/training": "train.py",
    "parser/console": "line.py",
    "parser/commands": "train.py",
}
OF_EXPERIMENTS = {
    "experiments/harness": "experiment.py",
    "experiments/synthetic": "generator.py",
    "experiments/papers": "kuhlmann_nivre_2010/experiment.py",
    "experiments/studies": "controlled_nonprojectivity/experiment.py",
}
"""Folders in the order of their layers, each with the files to begin with; plugins name theirs themselves."""
CORE = "the core"
LEAST_WORDS = 2
"""Minimum number of words of a message: those with fewer only pass on another one."""
SECTIONS = (
    (
        "Treebanks and other input",
        "Correct the file; `crossarc check FILE` lists all faults of a treebank.",
        ("parser/treebank",),
    ),
    (
        "Features",
        "[Features](../../features/README.md) explains templates; `crossarc list features` names the models.",
        ("features",),
    ),
    (
        "Keys of configs",
        "`crossarc list keys` explains all keys; `--set KEY=VALUE` changes one.",
        ("parser/config", "parser/learners", "parser/transforms"),
    ),
    (
        "Training",
        "Most name what the treebank lacks. Nothing is written.",
        ("parser/training", "oracles", "transitions"),
    ),
    (
        "Models and parsing",
        "`crossarc info MODEL` describes a model; train again where it is of another version.",
        ("parser/models", "parser/search"),
    ),
    ("Comparing", "Compare files with the same words.", ("parser/evaluate",)),
    (
        "Command line, files and Python",
        "`crossarc help COMMAND` explains a command.",
        ("parser/commands", "parser/console", "parser/base"),
    ),
    ("Plugins", "The page in the folder of the plugin says what it needs.", ("parser/plugins",)),
)
"""Titles, what usually helps, and folders whose messages belong there."""
GAP = "…"
"""What stands for a value that is known when the message is written."""


class Message(NamedTuple):
    """A message.

    text: with names in capitals and :data:`GAP` instead of values.
    warning: whether the command goes on.
    module: the file that raises it.
    """

    text: str
    warning: bool
    module: Path


def messages() -> list[Message]:
    """The different messages of each module of the package, but for those of experiments.

    Those of damaged model files (ShapeError) are left out: their remedy is the same.
    """
    raised: dict[Message, None] = {}
    for module in sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        calls = (node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Call))
        for name, arguments in ((_name(call.func), call.args) for call in calls):
            for argument in arguments[PLACES[name] :][:1] if name in PLACES else ():
                text = re.sub(rf"{GAP}(?:\s*{GAP})+", GAP, _text(argument)).strip()
                if len(re.findall(r"\b[a-z]+\b", text)) >= LEAST_WORDS:
                    raised[Message(text, name == WARNING, module.relative_to(ROOT))] = None
    return list(raised)


def messages_by_section() -> Iterator[tuple[str, str, list[Message]]]:
    """Title of each section, what usually helps, and its messages."""
    every = messages()
    for title, remedy, folders in SECTIONS:
        yield (
            title,
            remedy,
            [message for message in every if any(message.module.is_relative_to(folder) for folder in folders)],
        )


class Room(NamedTuple):
    """A folder of the code. purpose: from its docstring; imports: names of the folders whose modules it imports."""

    folder: str
    purpose: str
    read_first: Sequence[str]
    imports: Sequence[str]


def read_first() -> dict[str, str]:
    """The folders in the order of their layers, each with the files to begin with."""
    of_plugins = {
        "/".join(plugin.__name__.split(".")[1:]): plugin.READ_FIRST
        for plugin in found_plugins()
        if Path(str(plugin.__file__)).parents[1] == FOLDER
    }
    return OF_CORE | of_plugins | OF_EXPERIMENTS


def rooms() -> Iterator[Room]:
    """The folders of the code; for plugins and experiments, the core counts as one."""
    first = read_first()
    order = [CORE, *first]
    for folder, files in first.items():
        modules = {name for file in (ROOT / folder).rglob("*.py") for name in _imported(file)}
        imported = {_room(name, first) for name in modules} - {folder, ""}
        core = {room for room in imported if not room.startswith(("parser/plugins/", "experiments/"))}
        if folder.startswith(("parser/plugins/", "experiments/")) and core:
            imported = {CORE, *(imported - core)}
        docstring = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))) or ""
        names = [room.rpartition("/")[2] for room in sorted(imported & {*order}, key=order.index)]
        yield Room(folder, docstring.partition(".")[0], files.split(", "), names)


def _imported(file: Path) -> Iterator[str]:
    """The modules that a file imports from, by their paths in the package."""
    home = file.relative_to(ROOT).parent
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = home.parts[: len(home.parts) - node.level + 1]
            path = "/".join((*above, *(node.module or "").split(".")))
            yield from (f"{path}/{alias.name}" for alias in node.names)


def _room(module: str, folders: Iterable[str]) -> str:
    """The folder that a module belongs to, "" for none."""
    return max((room for room in folders if f"{module}/".startswith(f"{room}/")), key=len, default="")


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _text(value: ast.expr) -> str:
    """The text of a message, with names in capitals and :data:`GAP` instead of other values."""
    if isinstance(value, ast.Constant):
        return str(value.value)
    if isinstance(value, ast.JoinedStr):
        return "".join(map(_text, value.values))
    if isinstance(value, ast.BinOp):
        return _text(value.left) + _text(value.right)
    if isinstance(value, ast.FormattedValue):
        text = _text(value.value)
        return f"'{text}'" if value.conversion == ord("r") else text
    if isinstance(value, ast.Name):
        return value.id.upper()
    # what choices of parser.base.errors returns: a quoted value, and the allowed ones
    if isinstance(value, ast.Call) and _name(value.func) == "choices":
        return f"'{GAP}'; allowed: {GAP}"
    return GAP
