"""Progress on standard error, and the option that leaves it out."""

from __future__ import annotations

import argparse
import sys
from typing import Any

__all__ = ["add_quiet", "no_progress", "show_progress"]


def show_progress(line: str) -> None:
    """A line of progress on standard error."""
    print(line, file=sys.stderr, flush=True)


def no_progress(line: str) -> None:
    """Say nothing."""


def add_quiet(parser: argparse.ArgumentParser, **default: object) -> None:
    """``--quiet``, which may stand before the command as well: a command's own leaves that as it is."""
    options: dict[str, Any] = {"default": argparse.SUPPRESS, **default}
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress on standard error", **options)
