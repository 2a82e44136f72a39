"""The command that generates treebanks."""

from __future__ import annotations

import argparse
from dataclasses import fields

from ...parser.base.progress import counted
from ...parser.console.progress import progress_of
from ...parser.treebank import write_sentences
from .coordination import COORDINATIONS
from .generator import KINDS, GeneratorOptions, generate

OPTIONS = (
    ("seed", int, "S", "seed of the random choices"),
    ("rate", float, "R", "share of sentences with a crossing arc"),
    ("kind", str, "K", f"kind of crossing arcs: {', '.join(KINDS)}"),
    ("distance", int, "D", "words between the displaced constituent and its head"),
    ("depth", int, "L", "number of lifts that the crossing arc needs, at most the distance"),
    ("coordination", str, "S", f"style of coordination: {', '.join(COORDINATIONS)}"),
    ("first", int, "I", "number of the first sentence"),
)


def describe_generate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sentences", type=int, required=True, metavar="N", help="number of sentences")
    defaults = {own.name: own.default for own in fields(GeneratorOptions)}
    for name, kind, metavar, text in OPTIONS:
        shown = "" if defaults[name] is None else f" (default: {defaults[name]})"
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, default=defaults[name], help=text + shown)
    output = "file to write, .gz and .xz compressed (default: standard output)"
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help=output)


def run_generate(args: argparse.Namespace) -> int:
    """``crossarc generate``. Raises CrossarcError for invalid options and for a file that cannot be written."""
    options = GeneratorOptions(**{own.name: getattr(args, own.name) for own in fields(GeneratorOptions)})
    with progress_of(args, output=args.output) as progress:
        sentences = counted(generate(options), progress, "generating", "sentences", args.sentences)
        write_sentences(sentences, args.output)
    return 0
