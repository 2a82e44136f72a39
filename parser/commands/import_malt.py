"""The command that translates MaltParser's feature models and option files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..base.errors import CrossarcError
from ..config.malt_features import ALGORITHMS, MaltFeatures, malt_features
from ..config.malt_options import MaltOptions, malt_options
from ..config.malt_xml import read_xml
from ..console.options import add_output, refuse_overwriting
from ..console.outputs import write_text


def describe_import_malt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="XML file of MaltParser")
    add_output(parser)
    parser.add_argument(
        "--algorithm",
        choices=tuple(ALGORITHMS),
        metavar="NAME",
        default="",
        help="parsing algorithm, as in MaltParser's option -a (default: the name in the file)",
    )
    parser.add_argument(
        "--skip", action="store_true", help="leave out features without a counterpart; the file lists them"
    )


def run_import_malt(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.file)
    name = "<stdin>" if options.file == "-" else options.file
    try:
        content = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        raise CrossarcError(f"{name}: cannot be read: {error.strerror or error}") from error
    elements = read_xml(content, name)
    found: MaltFeatures | MaltOptions
    if elements[0].name == "experiment":
        found = malt_options(elements, name)
    else:
        found = malt_features(elements, name, options.algorithm, options.skip)
    write_text(options.output, found.to_yaml(Path(name).name))
    return 0
