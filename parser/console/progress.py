"""What commands tell of progress, on standard error, and ``--quiet``, which leaves it out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .streams import tell

if TYPE_CHECKING:
    from ..base.progress import Progress

__all__ = ["add_quiet", "no_progress", "progress_of"]


def no_progress(line: str) -> None:
    """Say nothing."""


@contextmanager
def progress_of(options: argparse.Namespace, *, output: str = "") -> Iterator[Progress]:
    """What a command tells its progress while the block lasts: nothing with ``--quiet``.

    output: where its results go. On the terminal that shows results ("-") too, no line is rewritten between them.
    """
    from .progress_line import ProgressLine  # takes long to import, and commands that are over at once do without

    terminal = sys.stderr.isatty()
    if options.quiet:
        yield no_progress
    elif terminal and output == "-" and sys.stdout.isatty():
        yield tell
    else:
        line = ProgressLine(sys.stderr, terminal=terminal, width=_terminal_width)
        try:
            yield line
        finally:
            line.close()


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def add_quiet(parser: argparse.ArgumentParser, **default: object) -> None:
    """``--quiet``, which may stand before the command as well: a command's own leaves that as it is."""
    options: dict[str, Any] = {"default": argparse.SUPPRESS, **default}
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress on standard error", **options)
