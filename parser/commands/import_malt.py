"""The command that translates MaltParser's feature models."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..config.malt_features import ALGORITHMS, read_malt_features
from ..console.options import add_output, refuse_overwriting
from ..errors import CrossarcError
from ..treebank import atomic_output

__all__ = ["describe_import_malt", "run_import_malt"]


def describe_import_malt(parser: argparse.ArgumentParser) -> None:
    """Translate a feature model of MaltParser."""
    parser.add_argument("features", help="MaltParser's XML file")
    add_output(parser)
    parser.add_argument(
        "--algorithm",
        choices=tuple(ALGORITHMS),
        metavar="NAME",
        default="",
        help="MaltParser's -a; without it the name in the file",
    )
    parser.add_argument("--skip", action="store_true", help="leave out what has no counterpart, and say so in the file")


def run_import_malt(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.features)
    name = "<stdin>" if options.features == "-" else options.features
    try:
        content = sys.stdin.buffer.read() if options.features == "-" else Path(options.features).read_bytes()
    except OSError as error:
        raise CrossarcError(f"{name}: cannot be read: {error.strerror or error}") from error
    found = read_malt_features(content, name, options.algorithm, options.skip)
    text = found.to_yaml(Path(name).name)
    if options.output == "-":
        sys.stdout.write(text)
    else:
        with atomic_output(options.output) as out:
            out.write(text.encode())
    return 0
