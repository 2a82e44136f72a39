"""The command that compiles all inner loops in advance."""

from __future__ import annotations

import argparse
import sys

from ..base.compiling import enabled, kept_in
from ..base.errors import CrossarcError
from ..config.loading import load_config
from ..console.options import Options
from ..training.train import train
from ..treebank import Sentence

SMALL = "graph.epochs=1", "graph.table_bits=8"
CONFIGS = {
    "arc-standard-small": (),
    "beam": ("features=small", "guide.epochs=1"),
    "graph-first-order": (*SMALL, "graph.nonprojective=none"),
    "graph": SMALL,
}
"""Parsers that use all compiled code between them."""


COMPILE: Options = {}


def run_compile(options: argparse.Namespace) -> int:
    """Run ``crossarc compile``; return its exit status."""
    if not enabled():
        raise CrossarcError(
            'compile: numba is not installed or is disabled; pip install "crossarc[fast]", or unset CROSSARC_KERNEL'
        )
    warm_up()
    sys.stdout.write(f"compiled code: {kept_in() or 'not stored'}\n")
    return 0


def warm_up() -> None:
    """Compile all inner loops or load their compiled code, so that times measured afterwards do not include this.

    Does nothing without numba.
    """
    if not enabled():
        return
    sentence = Sentence.from_tokens(["a", "short", "text", "to", "train", "on"], upos=[*"DJNPVP"])
    sentences = [sentence.with_tree([-1, 3, 3, 0, 5, 3, 5], ["", *"abrcbd"])] * 3
    for name, settings in CONFIGS.items():
        train(load_config(name, settings), sentences=sentences).warm()
