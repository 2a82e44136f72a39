"""The command that writes a config for a treebank."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...base.errors import CrossarcError
from ...config.config import GOLD, INPUTS, RAW
from ...config.ready import LEVELS, usual_config
from ...console.options import OUTPUT, Options, option, refuse_overwriting
from ...console.outputs import write_text
from ...console.progress import progress_of
from ...console.reading import format_and_columns, reading
from ...treebank import FORMATS
from .profile import profile
from .starting_config import starting_config, tag_cost, text_cost

LEVEL = f"effort: {', '.join(LEVELS)} (default: {usual_config()})"
GIVEN = f"what the parser starts from: {', '.join(INPUTS)} (default: {GOLD}, that is, words with gold tags)"
INIT: Options = {
    "TRAIN": "CoNLL file to train on",
    "[DEV]": "CoNLL file to score on",
    "--level LEVEL": option(LEVEL, choices=LEVELS, default=usual_config()),
    "--input INPUT": option(GIVEN, choices=INPUTS, default=GOLD),
    **OUTPUT,
    **reading(),
}


def run_init(options: argparse.Namespace) -> int:
    """Run ``crossarc init``; return its exit status."""
    files = [name for name in (options.train, options.dev) if name is not None]
    if "-" in files:
        raise CrossarcError("init: found -, expected a file: configs cannot name standard input")
    refuse_overwriting(options.output, *files)
    format, columns = format_and_columns(options.format)
    train, *dev = (profile(name, format, columns) for name in files)
    folder = Path() if options.output == "-" else Path(options.output).parent
    if options.input == RAW and train.format != "conllu":
        raise CrossarcError(f"{options.train}: found {FORMATS[train.format]}, expected CoNLL-U to learn from raw text")
    cost = ""
    if dev and dev[0].format == train.format:
        with progress_of(options, output=options.output) as progress:
            if options.input == RAW:
                cost = text_cost(options.train, options.dev, progress)
            else:
                cost = tag_cost(options.train, options.dev, train.format, columns, progress)
    text = starting_config(options.level, train, dev[0] if dev else None, folder, columns, cost, options.input)
    write_text(options.output, text)
    return 0
