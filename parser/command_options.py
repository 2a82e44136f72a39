"""What the commands of the command line share: options for the files that they read, and JSON for those that ask."""

from __future__ import annotations

import argparse
import json

from .treebank import FORMATS

__all__ = ["add_format", "add_reading", "print_json"]


def add_format(parser: argparse.ArgumentParser) -> None:
    """``--format`` of the input."""
    parser.add_argument("--format", choices=FORMATS, help="of the input; detected without it")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """``--format`` of the input, and ``--columns`` of CoNLL-2009 files."""
    add_format(parser)
    parser.add_argument("--columns", choices=("gold", "predicted"), default="gold", help="of CoNLL-2009 files")


def print_json(value: object) -> None:
    """A value on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=1))
