"""The reference pages: public names of Python with their docstrings, commands with their options."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from types import FunctionType

from ...parser.commands.table import COMMANDS as OF_PARSER
from ...parser.console.help import Command
from ...parser.console.line import command_parser
from ..commands import COMMANDS as OF_EXPERIMENTS
from .registry import ROOT

ROLE = re.compile(r":\w+:`~?([^`]*)`|``([^`]*)``")
EXAMPLE = re.compile(r"(?:^>{3} .*\n(?:^(?!\s*$).*\n)*\n?)+", re.M)
PARAMETER = re.compile(r"^([a-zA-Z]\w*(?:, [a-zA-Z]\w*)*): ", re.M)
LONGEST_DEFAULT = 33
"""Characters of a default value and the equals sign in a signature; longer ones are written " = ..."."""


def described_names() -> Iterator[tuple[str, str, str, list[tuple[str, str]], list[tuple[str, str, str]]]]:
    """Of each public name its signature and docstring, of classes also their members with one-line purposes (``rows``)
    and their other methods with signatures and docstrings."""
    stub = ast.parse((ROOT / "__init__.pyi").read_text("utf-8"))
    homes = {name.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names}
    homes.pop("__version__")
    for name, home in sorted(homes.items(), key=lambda item: item[0].lower()):
        named = getattr(import_module(f"...{home}", __package__), name)
        yield name, *_documented(name, named), *(_members(name, named) if inspect.isclass(named) else ([], []))


def described_commands() -> Iterator[tuple[str, Command, list[tuple[str, str]]]]:
    """Of each command its description, and the meanings of its arguments and options."""
    commands = {**OF_PARSER, **OF_EXPERIMENTS}
    for name, command in commands.items():
        yield name, command, list(command_parser(commands, name).described())


def _documented(name: str, named: object) -> tuple[str, str]:
    return _signature(name, named), _markdown(inspect.getdoc(named) or "")


def _signature(name: str, named: object) -> str:
    """The call, each parameter on a line of its own if it does not fit into one."""
    signature = inspect.signature(named)  # type: ignore[arg-type]
    words: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        hint = f": {parameter.annotation}" if parameter.annotation is not parameter.empty else ""
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        words.append(f"{parameter.name}{hint}{default if len(default) <= LONGEST_DEFAULT else ' = ...'}")
    end = "" if inspect.isclass(named) else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(words)}){end}"
    return line if len(line) <= 100 else "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){end}"])


def _markdown(docstring: str) -> str:
    """A docstring with Markdown's marks for names and for examples."""
    parts, end = [], 0
    text = docstring + "\n"
    for example in EXAMPLE.finditer(text):
        parts += [_prose(text[end : example.start()]), f"```pycon\n{example[0].rstrip()}\n```\n\n"]
        end = example.end()
    return "".join([*parts, _prose(text[end:])]).strip()


def _prose(text: str) -> str:
    """Convert a docstring to Markdown: names become code, and parameters become a list."""
    text = PARAMETER.sub(lambda match: f"- {', '.join(f'`{name}`' for name in match[1].split(', '))}: ", text)
    return ROLE.sub(lambda role: f"`{(role[1] or role[2]).rpartition('.')[2] if role[1] else role[2]}`", text)


def _members(owner: str, named: type) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """The public members that one line describes, and the signature and docstring of each other method."""
    rows, methods = [], []
    bases = reversed([base for base in named.__mro__ if base.__module__.startswith(__package__.partition(".")[0])])
    members = {name: member for base in bases for name, member in vars(base).items()}
    for name, member in members.items():
        method = isinstance(member, FunctionType | classmethod | staticmethod)
        if name.startswith("_") or not (method or isinstance(member, property | cached_property)):
            continue
        summary, _, more = (inspect.getdoc(member) or "").partition("\n\n")
        if method and more:
            methods.append((f"{owner}.{name}", *_documented(f"{owner}.{name}", getattr(named, name))))
        else:
            rows.append((f"{name}{'()' * method}", _prose(" ".join(summary.split()))))
    return rows, methods
