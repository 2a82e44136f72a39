"""What the command line says about itself: all commands by task, one on a screen, what is nearest to a wrong name."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from ..base.errors import choices, did_you_mean

WIDEST = 100
"""Columns of help, however wide the terminal is."""
STATUS = "Exit status: 0 done, 1 a mistake that one line tells, 2 a command line that is none."


class Command(NamedTuple):
    """home: the module that has ``describe_NAME`` and ``run_NAME``, imported when the command is called. summary: the
    first line of its description. task: what ``crossarc --help`` lists it under. example: its arguments in one."""

    home: str
    summary: str
    task: str
    example: str


class _OneScreen(argparse.RawDescriptionHelpFormatter):
    """Options and what they do side by side, an option's value named once."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=width())

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class CommandParser(argparse.ArgumentParser):
    """A parser of arguments that suggests what is nearest to a wrong one, and whose help ends with an example."""

    def __init__(self, *, example: str | None = None, **options: Any) -> None:
        super().__init__(formatter_class=_OneScreen, **options)
        if example is not None:
            self.epilog = f"example:\n  {self.prog} {example}".rstrip()

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {choices(value, action.choices)}")

    def refuse(self, words: list[str]) -> NoReturn:
        """End with what is wrong with words that mean nothing here."""
        known = re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.format_help())
        hints = [did_you_mean(word.partition("=")[0], known) for word in words if word.startswith("-")]
        self.error(f"unrecognized arguments: {' '.join(words)}{next(filter(None, hints), '')}")


class OverviewParser(CommandParser):
    """The parser of the whole command line."""

    def __init__(self, commands: Mapping[str, Command], **options: Any) -> None:
        super().__init__(**options)
        self.commands = commands

    def format_help(self) -> str:
        """The commands by task, each with an example."""
        return overview(self.prog, self.description or "", self.commands)


def overview(prog: str, description: str, commands: Mapping[str, Command]) -> str:
    """The commands by task, each with what it does and an example; then the options, and where to read on."""
    column = max(map(len, commands)) + 4
    lines = [f"usage: {prog} COMMAND ...", "", description]
    for task in dict.fromkeys(command.task for command in commands.values()):
        lines += ["", f"{task}:"]
        for name, command in commands.items():
            if command.task == task:
                start, rest = f"  {name}".ljust(column), " " * column
                lines += textwrap.wrap(command.summary, width(), initial_indent=start, subsequent_indent=rest)
                lines.append(f"{rest}$ {prog} {name} {command.example}".rstrip())
    more = f"{prog} COMMAND --help says more. -q or --quiet leaves progress out, --version says which version this is."
    lines += ["", *textwrap.wrap(f"{more} {STATUS}", width())]
    return "\n".join(lines) + "\n"


def width() -> int:
    """The columns of help."""
    return max(40, min(shutil.get_terminal_size().columns - 2, WIDEST))
