"""The command that runs experiments."""

from __future__ import annotations

import argparse

from ...parser.commands.options import add_quiet, no_progress, positive, show_progress
from ...parser.errors import CrossarcError, choices
from .registry import EXPERIMENTS, load_experiment

__all__ = ["describe_experiment", "run_experiment"]


def describe_experiment(parser: argparse.ArgumentParser) -> None:
    """Run an experiment: a published comparison, or one of our own."""
    parser.add_argument("name", help="e.g. kuhlmann-nivre-2010; an unknown one lists all")
    parser.add_argument("--config", help="YAML whose keys win over those of the experiment's own")
    parser.add_argument("--out", help="folder for the results, kept and not computed again (NAME.out)")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (1)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="e.g. learner=poly")
    parser.add_argument("--only", action="append", default=[], metavar="TREEBANK", help="run on this treebank only")
    add_quiet(parser)


def run_experiment(options: argparse.Namespace) -> int:
    if options.name not in EXPERIMENTS:
        raise CrossarcError(f"experiment {choices(options.name, EXPERIMENTS)}")
    options.out = options.out or f"{options.name}.out"
    options.progress = no_progress if options.quiet else show_progress
    return load_experiment(options.name)(options)
