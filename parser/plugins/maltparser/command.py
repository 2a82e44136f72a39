"""The command that translates MaltParser's feature models."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...console.options import OUTPUT, Options, option, refuse_overwriting
from ...console.outputs import write_text
from ...console.streams import warn
from .features import ALGORITHMS, LEFT_OUT, malt_features, read_xml

ALGORITHM = "parsing algorithm, as in MaltParser's option -a (default: the name in the file)"
IMPORT_MALT: Options = {
    "FILE": "feature model (XML) of MaltParser",
    **OUTPUT,
    "--algorithm NAME": option(ALGORITHM, choices=tuple(ALGORITHMS), default=""),
}


def run_import_malt(options: argparse.Namespace) -> int:
    """Run ``crossarc import-malt``; return its exit status."""
    name = options.file
    refuse_overwriting(options.output, name)
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    model = malt_features(read_xml(content, name), name, options.algorithm)
    if left_out := sum(note.startswith(LEFT_OUT) for note in model.notes):
        warn(f"{name}: features without a counterpart are left out: {left_out}; the new file lists them")
    write_text(options.output, model.to_yaml(Path(name).name))
    return 0
