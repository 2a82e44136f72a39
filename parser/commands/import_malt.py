"""The command that translates MaltParser's feature models and option files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..base.errors import CrossarcError
from ..config.malt_features import ALGORITHMS, LEFT_OUT, malt_features, read_xml
from ..config.malt_options import malt_options
from ..console.options import OUTPUT, Options, option, refuse_overwriting
from ..console.outputs import write_text
from ..console.streams import warn

ALGORITHM = "parsing algorithm, as in MaltParser's option -a (default: the name in the files)"
IMPORT_MALT: Options = {
    "FILE...": "feature model or option file (XML) of MaltParser, or one of each",
    **OUTPUT,
    "--algorithm NAME": option(ALGORITHM, choices=tuple(ALGORITHMS), default=""),
}


def run_import_malt(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, *options.file)
    contents = [sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes() for name in options.file]
    read = [(name, read_xml(content, name)) for name, content in zip(options.file, contents, strict=True)]
    settings = [own for own in read if own[1][0].name == "experiment"]
    models = [own for own in read if own not in settings]
    if len(settings) > 1 or len(models) > 1:
        raise CrossarcError("import-malt: found several files of one kind; give one of each kind")
    if len(read) == 2 and options.output == "-":
        raise CrossarcError("import-malt: two files need an output file; give one with -o")
    output = Path(options.output)
    features = output.with_name(f"{output.stem}-features.yaml") if len(read) == 2 else options.output
    algorithm = options.algorithm
    if settings:
        ((name, elements),) = settings
        folder = Path() if options.output == "-" else output.parent
        found = malt_options(elements, name, folder, str(features) if models else "", algorithm)
        algorithm = found.algorithm
        for note in found.notes:
            warn(f"{name}: {note}")
        write_text(options.output, found.to_yaml(Path(name).name))
    for name, elements in models:
        refuse_overwriting(features, *options.file)
        model = malt_features(elements, name, algorithm)
        if left_out := sum(note.startswith(LEFT_OUT) for note in model.notes):
            warn(f"{name}: features without a counterpart are left out: {left_out}; the new file lists them")
        write_text(features, model.to_yaml(Path(name).name))
    return 0
