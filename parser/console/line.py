"""Running of a command line. Results go to standard output, progress and errors to standard error.

Commands that end by a signal clean up first, as after Ctrl-C. Their exit status names the signal.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from types import FrameType
from typing import Any

from ...transitions.plugins import VARIABLE, load_file
from ..base import __version__
from ..base.errors import CrossarcError
from .help import Command, CommandParser, OverviewParser
from .options import declare, option
from .streams import PlainText, fill_closed_streams, flush_or_give_up, give_up, tell, warnings_written

OUT_OF_MEMORY = "out of memory; try a smaller file at a time"
OF_OUTPUT = (errno.EBADF, errno.EFBIG, errno.EINVAL, errno.EIO, errno.ENOSPC)
"""Errors without a file name that standard output raises."""
NO_MEMORY = re.compile("failed to map segment|cannot allocate memory", re.IGNORECASE)
"""Messages of the operating system if a library does not fit into memory."""
PLUGIN = {"--plugin FILE.py...": option(argparse.SUPPRESS)}
"""Described in the overview of all commands. Commands get an empty list, since the files are loaded before."""
GENERAL = {"-q, --quiet": option("do not print progress", default=argparse.SUPPRESS), **PLUGIN}
"""Options that may precede or follow the name of the command."""
WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
"""Messages after signals. SIGINT is Ctrl-C; batch systems send SIGTERM, closed terminals SIGHUP."""


def run_line(commands: Mapping[str, Command], arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands and return its exit status.

    arguments: the words of the command line (default: those of the process).

    0: success. 1: an error in a file, a config or a value, reported in one line on standard error; also the status of
    ``check`` for a treebank with faults. 2: a usage error (argparse exits). 130, 143, 129: ended by SIGINT (Ctrl-C),
    SIGTERM or SIGHUP.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in ([], ["help"]):
        words = [*words[1:], "--help"]
    fill_closed_streams()
    with warnings_written(), interrupted_by_signals() as received:
        try:
            with errors_told() as failed:
                _load_plugins(words)
                options = parse_line(commands, words)
                run = _part(commands[options.command], f"run_{options.command}")
                if isinstance(sys.stdout, io.TextIOWrapper):
                    # treebanks are UTF-8 in every locale, and file names may contain invalid UTF-8
                    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
                with redirect_stdout(PlainText(sys.stdout)):
                    status: int = run(options)
                sys.stdout.flush()
            return 1 if failed else status
        except KeyboardInterrupt:
            number = received[-1] if received else signal.SIGINT
            _tell_failure(WORDS[number.name])
            return 128 + number  # the status that shells give to such processes


@contextmanager
def errors_told() -> Iterator[list[BaseException]]:
    """Tell errors inside the block that are not faults of the program. They end the block and are in the list."""
    failed: list[BaseException] = []
    try:
        yield failed
    except SystemExit:
        flush_or_give_up(sys.stdout)
        raise
    except BrokenPipeError as error:
        give_up(sys.stdout)
        failed.append(error)
    except (CrossarcError, OSError, ImportError, UnicodeEncodeError, MemoryError) as error:
        if (reason := _reason(error)) is None:
            raise
        _tell_failure(reason)
        failed.append(error)


def _reason(error: Exception) -> str | None:
    """What is told of an error; None for a fault of the program."""
    match error:
        case OSError():
            name = error.filename or ("<stdout>" if error.errno in OF_OUTPUT else "")
            return f"{name}{': ' if name else ''}{' '.join(str(error.strerror or error).split())}"
        case ImportError():
            return OUT_OF_MEMORY if NO_MEMORY.search(str(error)) else None
        case UnicodeEncodeError():
            fault = f"invalid file name in the encoding {error.encoding}; try PYTHONUTF8=1"
            return None if error.encoding == "utf-8" else f"{error.object[:100]!a}: {fault}"
        case MemoryError():
            return OUT_OF_MEMORY
    return str(error)


def _load_plugins(words: Sequence[str]) -> None:
    """Load the files of ``--plugin`` and of the environment; their parts must be known before options are described."""
    parser = argparse.ArgumentParser(prog="crossarc", add_help=False, allow_abbrev=False)
    declare(parser, PLUGIN)
    plugin_files = parser.parse_known_args(words)[0].plugin
    for source, files in (("--plugin", plugin_files), (VARIABLE, os.environ.get(VARIABLE, "").split(os.pathsep))):
        for file in filter(None, files):
            try:
                load_file(file)
            except ValueError as error:
                raise CrossarcError(f"{source}: {error}") from error


def parse_line(commands: Mapping[str, Command], words: Sequence[str]) -> argparse.Namespace:
    """Read the options of a command line. Only the module of its command is imported."""
    overview = OverviewParser(
        commands, prog="crossarc", description="Transition-based dependency parsing with non-projective arcs."
    )
    overview.add_argument("--version", action="version", version=f"crossarc {__version__}")
    declare(overview, GENERAL | {"-q, --quiet": option("do not print progress", default=False)})
    options = overview.parse_args(words)
    return command_parser(commands, options.command).read(options.words, options)


def command_parser(commands: Mapping[str, Command], name: str) -> CommandParser:
    """Return the argument parser of one command."""
    command = commands[name]
    parser = CommandParser(prog=f"crossarc {name}", description=command.summary, example=command.example)
    declare(parser, {**_part(command, name.upper()), **GENERAL})
    return parser


def _part(command: Command, name: str) -> Any:
    """Return the function of a command's module that runs it, or its options."""
    return getattr(import_module(command.home), name.replace("-", "_"))


def _tell_failure(reason: str) -> None:
    flush_or_give_up(sys.stdout)
    tell(f"crossarc: {reason}")


class SignalInterrupt(KeyboardInterrupt):
    """A KeyboardInterrupt that stands for another signal than SIGINT.

    A plain KeyboardInterrupt, even if caught, can make Python end itself with SIGINT. This happens if it was raised by
    code that Python executed from a string, as for dataclasses.
    """


@contextmanager
def interrupted_by_signals() -> Iterator[list[signal.Signals]]:
    """Raise KeyboardInterrupt for SIGTERM and SIGHUP inside the block, unless they are ignored or have a handler.

    Provides a list to which these signals are added.

    Processes that are forked inside the block end at once on these signals. Outside the main thread this has no effect.
    """
    received: list[signal.Signals] = []
    parent = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() != parent:
            os._exit(128 + number)
        received.append(signal.Signals(number))
        raise SignalInterrupt

    ours = [getattr(signal, name) for name in WORDS if name != "SIGINT" and hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    taken = [number for number in ours if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield received
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
