"""The command that writes a config for a treebank."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..analysis.starting_config import starting_config
from ..analysis.tag_cost import TagCost, TextCost, tag_cost, text_cost
from ..base.errors import CrossarcError
from ..config.config import GOLD, INPUTS, RAW
from ..config.own_treebank import profile
from ..config.ready import ACCURATE, LEVELS
from ..console.options import add_output, add_reading, refuse_overwriting
from ..console.outputs import write_text
from ..console.progress import progress_of
from ..treebank import FORMATS


def describe_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("train", metavar="TRAIN", help="CoNLL file to train on")
    parser.add_argument("dev", nargs="?", metavar="DEV", help="CoNLL file to score on")
    meaning = "effort: fast, accurate, most-accurate (default: accurate)"
    parser.add_argument("--level", choices=LEVELS, default=ACCURATE, metavar="LEVEL", help=meaning)
    meaning = f"what the parser starts from: {', '.join(INPUTS)} (default: {GOLD}, words with gold tags)"
    parser.add_argument("--input", choices=INPUTS, default=GOLD, metavar="INPUT", help=meaning)
    add_output(parser)
    add_reading(parser)


def run_init(options: argparse.Namespace) -> int:
    files = [name for name in (options.train, options.dev) if name is not None]
    if "-" in files:
        raise CrossarcError("init: found -, expected a file: configs cannot name standard input")
    refuse_overwriting(options.output, *files)
    train, *dev = (profile(name, options.format, options.columns) for name in files)
    folder = Path() if options.output == "-" else Path(options.output).parent
    if options.input == RAW and train.format != "conllu":
        raise CrossarcError(f"{options.train}: found {FORMATS[train.format]}, expected CoNLL-U to learn from raw text")
    cost: TagCost | TextCost | None = None
    if dev and dev[0].format == train.format:
        with progress_of(options, output=options.output) as progress:
            if options.input == RAW:
                cost = text_cost(options.train, options.dev, progress)
            else:
                cost = tag_cost(options.train, options.dev, train.format, options.columns, progress)
    text = starting_config(options.level, train, dev[0] if dev else None, folder, options.columns, cost, options.input)
    write_text(options.output, text)
    return 0
