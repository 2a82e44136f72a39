"""The command line: ``crossarc COMMAND``. Results on standard output, progress and errors on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from ..version import __version__
from .commands import COMMANDS
from .errors import CrossarcError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 a mistake that one line on standard error tells, 2 usage."""
    parser = argparse.ArgumentParser(
        prog="crossarc", description="Transition-based dependency parsing with non-projective arcs."
    )
    parser.add_argument("--version", action="version", version=f"crossarc {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (describe, _) in COMMANDS.items():
        describe(subparsers.add_parser(name, help=describe.__doc__, description=describe.__doc__))
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = COMMANDS[options.command][1]
    try:
        status = run(options)
        sys.stdout.flush()
        return status
    except CrossarcError as error:
        print(f"crossarc: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # the reader has closed the pipe: nothing is left to tell it, and Python must not try again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"crossarc: {error.filename or 'output'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("crossarc: interrupted", file=sys.stderr)
        return 130
