"""Help texts: all commands in two groups, one command per screen.

Messages about wrong names suggest the most similar name.
"""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from ..base.errors import choices, did_you_mean

WIDEST = 100
"""Maximum width of help, in columns."""
STATUS = "Exit status: 0 success, 1 error (one line on standard error), 2 usage error."


class Command(NamedTuple):
    """A command of the command line.

    home: the module with ``describe_NAME`` and ``run_NAME``, imported when the command is called.
    summary: description on one line.
    group: heading in ``crossarc --help``.
    example: arguments of an example call.
    """

    home: str
    summary: str
    group: str
    example: str


class _OneScreen(argparse.RawDescriptionHelpFormatter):
    """Formats options and their help side by side, and writes the metavariable of an option once."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=width())

    def _format_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None) -> str:
        named = [action for action in actions if action.required or not action.option_strings]
        return super()._format_usage(usage, named, [], prefix).replace(self._prog, f"{self._prog} [options]", 1)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class CommandParser(argparse.ArgumentParser):
    """An argument parser that suggests the most similar name for a wrong one, and whose help ends with an example."""

    def __init__(self, *, example: str | None = None, **options: Any) -> None:
        super().__init__(formatter_class=_OneScreen, **options)
        self._rare: argparse._ArgumentGroup | None = None
        if example is not None:
            self.epilog = f"example:\n  {self.prog} {example}".rstrip()

    @property
    def rare(self) -> argparse._ArgumentGroup:
        """The group of rarely used options, which the help lists last."""
        if self._rare is None:
            self._rare = self.add_argument_group("rare options")
        return self._rare

    def format_help(self) -> str:
        """Return the help text, with rare options at the end."""
        self._action_groups.sort(key=lambda group: group is self._rare)
        return super().format_help()

    def described(self) -> list[tuple[str, str]]:
        """Return each argument and option as written on the command line, with its help; rare options last."""
        actions = [action for action in self._actions if action.help != argparse.SUPPRESS and action.dest != "help"]
        if self._rare is not None:
            rare = self._rare._group_actions
            actions = [*(own for own in actions if own not in rare), *rare]
        formatter = self._get_formatter()
        return [
            (formatter._format_action_invocation(own), " ".join(formatter._expand_help(own).split())) for own in actions
        ]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {choices(value, action.choices)}")

    def refuse(self, words: list[str]) -> NoReturn:
        """Exit with a usage error that names the unknown words."""
        known = re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.format_help())
        hints = [did_you_mean(word.partition("=")[0], known) for word in words if word.startswith("-")]
        self.error(f"unrecognized arguments: {' '.join(words)}{next(filter(None, hints), '')}")


class OverviewParser(CommandParser):
    """The argument parser of the whole command line."""

    def __init__(self, commands: Mapping[str, Command], **options: Any) -> None:
        super().__init__(**options)
        self.commands = commands

    def format_help(self) -> str:
        """Return the commands by group with their summaries, then the general options."""
        column = max(map(len, self.commands)) + 4
        lines = [f"usage: {self.prog} COMMAND ...", "", self.description or ""]
        for group in dict.fromkeys(command.group for command in self.commands.values()):
            lines += ["", f"{group}:"]
            for name, command in self.commands.items():
                if command.group == group:
                    start, rest = f"  {name}".ljust(column), " " * column
                    lines += textwrap.wrap(command.summary, width(), initial_indent=start, subsequent_indent=rest)
        more = (
            f"'{self.prog} help COMMAND' explains a command. All commands accept -h (help), -q (print no "
            "progress) and --plugin FILE.py (register systems, oracles, learners and features of your own). "
            f"'{self.prog} --version' prints the version. {STATUS}"
        )
        return "\n".join([*lines, "", *textwrap.wrap(more, width())]) + "\n"


def width() -> int:
    """Return the width of help in columns."""
    return max(40, min(shutil.get_terminal_size().columns - 2, WIDEST))
