"""Help texts: all commands in two groups, one command per screen.

Messages about wrong names suggest the most similar name.
"""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..base.errors import choices, did_you_mean

WIDEST = 100
"""Maximum width of help, in columns."""
STATUS = "Exit status: 0 success, 1 error (one line on standard error), 2 usage error."


class Command(NamedTuple):
    """A command of the command line.

    home: the module with the options ``NAME`` and the function ``run_NAME``, imported when the command is called.
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
        if usage is not None:
            return super()._format_usage(usage, actions, groups, prefix)
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
        if example is not None:
            self.epilog = f"example:\n  {self.prog} {example}".rstrip()

    def described(self) -> list[tuple[str, str]]:
        """Return each argument and option as written on the command line, with its help."""
        formatter = self._get_formatter()
        return [
            (formatter._format_action_invocation(own), " ".join(formatter._expand_help(own).split()))
            for own in self._actions
            if own.help != argparse.SUPPRESS and own.dest != "help"
        ]

    def read(self, words: Sequence[str], options: argparse.Namespace) -> argparse.Namespace:
        """Read the words of a command line; files and options may be mixed. Exits for unknown ones."""
        options, rest = self.parse_known_intermixed_args(words, options)
        if rest:
            known = [name for action in self._actions for name in action.option_strings]
            hints = [did_you_mean(word.partition("=")[0], known) for word in rest if word.startswith("-")]
            self.error(f"unrecognized arguments: {' '.join(rest)}{next(filter(None, hints), '')}")
        return options

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {choices(value, action.choices)}")


class OverviewParser(CommandParser):
    """The argument parser of the whole command line."""

    def __init__(self, commands: Mapping[str, Command], **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)
        self.commands = commands
        self.add_argument("command", choices=commands, metavar="COMMAND")
        self.add_argument("words", nargs=argparse.REMAINDER)

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
