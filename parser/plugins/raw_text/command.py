"""The command that splits raw text."""

from __future__ import annotations

import argparse

from ...commands.models import FILES, LINES, RANGES, RAW, SEVERAL, STREAM, run_steps
from ...console.options import Options, option
from ...models.steps import Segmenter

LINED = f"{RAW}, or {LINES}: one sentence per line (default: {RAW})"
TOKENIZE: Options = {
    "MODEL": "model file, trained with input=text",
    "[FILE]...": FILES.format("texts in UTF-8"),
    "--format FORMAT": option(LINED, choices=(RAW, LINES), default=RAW),
    **SEVERAL,
    **STREAM,
    **RANGES,
}


def run_tokenize(options: argparse.Namespace) -> int:
    """Run ``crossarc tokenize``; return its exit status."""
    return run_steps(options, "tokenized", lambda model: model.steps_of(Segmenter))
