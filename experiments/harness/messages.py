"""Messages to users, read from the code that raises them: the page ``parser/commands/messages.md`` lists each once.

Those of damaged model files (ShapeError) are left out: their remedy is the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .registry import ROOT

PACKAGES = ("transitions", "oracles", "features", "parser")
PLACES = {
    **dict.fromkeys(("CrossarcError", "TemplateError", "UnknownPartError", "TooMuchError", "ChangedError", "error"), 0),
    "Fault": 2,
    "warn": 0,
}
"""By name of an error or function, which of its arguments is a message."""
WARNING = "warn"
LEAST_WORDS = 2
"""Minimum number of words of a message: those with fewer only pass on another one."""
SECTIONS = (
    (
        "Treebanks and other input",
        "Correct the file; `crossarc check FILE` lists all faults of a treebank.",
        ("parser/treebank", "parser/transforms"),
    ),
    (
        "Features",
        "[Features](../../features/README.md) explains templates; `crossarc list features` names the models.",
        ("features",),
    ),
    (
        "Keys of configs",
        "`crossarc list keys` explains all keys; `--set KEY=VALUE` changes one.",
        ("parser/config", "parser/learners"),
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

    text: with names in capitals and :data:`GAP` in place of values.
    warning: whether the command goes on.
    module: the file that raises it.
    """

    text: str
    warning: bool
    module: Path


def messages() -> list[Message]:
    """The different messages of each module of the package, but for those of experiments."""
    raised: dict[Message, None] = {}
    for module in sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            name = _name(node.func) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and len(node.args) > (place := PLACES.get(name, len(node.args))):
                text = re.sub(rf"{GAP}(?:\s*{GAP})+", GAP, _text(node.args[place])).strip()
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


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _text(value: ast.expr) -> str:
    """The text of an argument, with names in capitals."""
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
    if isinstance(value, ast.Call) and _name(value.func) == "choices":
        return f"'{GAP}'; allowed: {GAP}"
    return GAP
