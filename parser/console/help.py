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

GIVEN = " is given"
"""Ends the name of an attribute that says that an option was given."""
WIDEST = 100
"""Maximum width of help, in columns."""
STATUS = "Exit status: 0 success, 1 error (one line on standard error), 2 usage error."


FORMATS_OF_UDPIPE = ("conllu", "epe", "horizontal", "matxin", "plaintext", "vertical")
OPTIONS_OF_OTHERS = {
    "--tokenize": "crossarc parse MODEL FILE --format text splits and parses, crossarc tokenize only splits",
    "--tokenizer": "crossarc parse MODEL FILE --format text splits raw text",
    "--tag": "crossarc tag MODEL FILE predicts tags alone, crossarc parse --retag replaces those of the input",
    "--tagger": "crossarc train --set tags=auto trains taggers, crossarc parse --retag uses them",
    "--parse": "crossarc parse MODEL FILE parses",
    "--parser": "crossarc train chooses the parser by a config, and --set changes it",
    "--input": "here --format says what the input is: conllu, words, vertical, text, lines",
    "--outfile": "here -o FILE names the output, for several inputs -o FOLDER",
    "--immediate": "here --stream writes each sentence as soon as it is complete",
    "--accuracy": "crossarc evaluate GOLD FILE scores parsed files",
    "--heldout": "here --dev FILE names the development treebank",
    "-c": "MaltParser's name of a model is an argument here: crossarc parse MODEL FILE, crossarc train --model MODEL",
    "-m": "MaltParser's modes are commands here: crossarc train, crossarc parse",
    "-i": "MaltParser's input is an argument here: crossarc parse MODEL FILE, crossarc train --train FILE",
    "-a": "MaltParser's algorithms are configs here: crossarc train arc-eager, arc-standard, swap, covington, 2-planar",
    "-F": "MaltParser's feature models are read by crossarc import-malt",
    "-l": "MaltParser's learners are chosen here by --set guide.learner=svm (or svm-poly)",
    "-pp": "MaltParser's pseudo-projective marks are a config here: crossarc train pseudo-projective",
    "-nr": "here --set root.single=true or false decides the number of roots",
    "-if": "here --format says what the input is",
    "-of": "the output has the format of the input",
}
"""What replaces options of UDPipe and MaltParser."""


EVERYDAY, RESEARCH = "Commands", "Commands for research"
"""The groups of commands."""


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
        super().__init__(formatter_class=_OneScreen, allow_abbrev=False, **options)
        if example is not None:
            self.epilog = f"example:\n  {self.prog} {example}".rstrip()

    def described(self) -> list[tuple[str, str]]:
        """Return each argument and option as written on the command line, with its help."""
        formatter = self._get_formatter()
        return [
            (formatter._format_action_invocation(action), " ".join(formatter._expand_help(action).split()))
            for action in self._actions
            if action.help != argparse.SUPPRESS and action.dest != "help"
        ]

    def read(self, words: Sequence[str], options: argparse.Namespace) -> argparse.Namespace:
        """Read the words of a command line; files and options may be mixed.

        Exits for unknown options, and for a format of UDPipe as the name of the output.
        """
        options, rest = self.parse_known_intermixed_args(words, options)
        if rest:
            known = [name for action in self._actions for name in action.option_strings]
            names = [word.partition("=")[0] for word in rest if word.startswith("-")]
            hints = [f"; {OPTIONS_OF_OTHERS[name]}" for name in names if name in OPTIONS_OF_OTHERS]
            hints += [did_you_mean(name, known) for name in names]
            self.error(f"unrecognized arguments: {' '.join(rest)}{next(filter(None, hints), '')}")
        if getattr(options, "output", None) in FORMATS_OF_UDPIPE:
            mistake = f"--output names a file, and {options.output!r} is a format of UDPipe"
            self.error(f"{mistake}; leave it out for the format of the input, or write ./{options.output} for a file")
        # without the marks by which actions notice options that are given twice
        return argparse.Namespace(
            **{name: option for name, option in vars(options).items() if not name.endswith(GIVEN)}
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {choices(value, action.choices)}")


class OverviewParser(CommandParser):
    """The argument parser of the whole command line."""

    def __init__(self, commands: Mapping[str, Command], **options: Any) -> None:
        super().__init__(**options)
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
