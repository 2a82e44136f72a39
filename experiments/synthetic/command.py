"""The command that generates treebanks."""

from __future__ import annotations

import argparse
import sys

from ...parser.base.progress import counted
from ...parser.console.progress import add_quiet, progress_of
from ...parser.treebank import atomic_output
from .coordination import COORDINATIONS
from .generator import KINDS, GeneratorOptions, generate, to_conllu

__all__ = ["describe_generate", "run_generate"]


def describe_generate(parser: argparse.ArgumentParser) -> None:
    """Generate a treebank of an invented language with crossing arcs: how many, how long, how deep."""
    parser.add_argument("--sentences", type=int, required=True, metavar="N", help="how many sentences")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, another sample (default 1)")
    parser.add_argument(
        "--rate", type=float, default=0.2, metavar="R", help="share of sentences with a crossing arc (default 0.2)"
    )
    parser.add_argument("--kind", default="mixed", metavar="K", help=f"one of {', '.join(KINDS)} (default mixed)")
    parser.add_argument(
        "--distance", type=int, metavar="D", help="words between the displaced constituent and its head"
    )
    parser.add_argument("--depth", type=int, metavar="L", help="lifts that its arc needs, at most the distance")
    parser.add_argument(
        "--coordination",
        default="ud",
        metavar="S",
        help=f"coordination: {', '.join(COORDINATIONS)} (default ud)",
    )
    parser.add_argument("--first", type=int, default=1, metavar="I", help="number of the first sentence (default 1)")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="OUT",
        help="file to write, .gz and .xz compressed (standard output)",
    )
    add_quiet(parser)


def run_generate(args: argparse.Namespace) -> int:
    """Generate what the arguments ask for; 0. Raises CrossarcError for bad values and an unwritable file."""
    options = GeneratorOptions(
        sentences=args.sentences,
        seed=args.seed,
        rate=args.rate,
        kind=args.kind,
        distance=args.distance,
        depth=args.depth,
        first=args.first,
        coordination=args.coordination,
    )
    with progress_of(args, output=args.output) as progress:
        sentences = counted(generate(options), progress, "generating", "sentences", args.sentences)
        blocks = (to_conllu(sentence).encode() for sentence in sentences)
        if args.output == "-":
            sys.stdout.buffer.writelines(blocks)
            sys.stdout.buffer.flush()
            return 0
        with atomic_output(args.output) as stream:
            stream.writelines(blocks)
    return 0
