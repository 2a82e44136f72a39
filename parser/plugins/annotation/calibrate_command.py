"""The command that calibrates the scores of a model."""

from __future__ import annotations

import argparse

from ...config.config import TreebankOptions
from ...console.options import Options, refuse_overwriting
from ...console.progress import progress_of
from ...models.files import check_writable, load_model, save_model
from ...training.scoring import score_on

CALIBRATE: Options = {
    "MODEL": "model file written by crossarc train",
    "DEV": "development treebank, not the training treebank, in CoNLL format",
    "-o, --output FILE": "model file to write (default: replace MODEL)",
}


def run_calibrate(options: argparse.Namespace) -> int:
    """Run ``crossarc calibrate``; return its exit status."""
    output = options.output or options.model
    check_writable(output)
    refuse_overwriting(output, options.dev)
    model = load_model(options.model)
    with progress_of(options) as progress:
        model, scores = score_on(model, TreebankOptions(dev=options.dev, columns=model.annotation), progress)
        progress(f"dev: LAS {scores.las:.2f} UAS {scores.uas:.2f}")
        save_model(model, output)
        progress(f"wrote {output}")
    return 0
