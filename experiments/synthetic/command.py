"""The command that generates treebanks."""

from __future__ import annotations

import argparse

from ...parser.base.parameters import parameters_of
from ...parser.base.progress import counted
from ...parser.console.progress import progress_of
from ...parser.treebank import write_sentences
from .generator import GeneratorOptions, generate

METAVARS = {"seed": "S", "rate": "R", "kind": "K", "distance": "D", "depth": "L", "first": "I"}


def describe_generate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sentences", type=int, required=True, metavar="N", help="number of sentences")
    options = parameters_of(GeneratorOptions)
    for name, metavar in METAVARS.items():
        default = options[name].default
        kind = int if default is None else type(default)
        text = options[name].meaning + ("" if default is None else f" (default: {default})")
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, default=default, help=text)
    output = "file to write, .gz and .xz compressed (default: standard output)"
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help=output)


def run_generate(args: argparse.Namespace) -> int:
    """``crossarc generate``. Raises CrossarcError for invalid options and for a file that cannot be written."""
    options = GeneratorOptions(**{name: getattr(args, name) for name in parameters_of(GeneratorOptions)})
    with progress_of(args, output=args.output) as progress:
        sentences = counted(generate(options), progress, "generating", "sentences", args.sentences)
        write_sentences(sentences, args.output)
    return 0
