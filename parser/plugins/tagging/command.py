"""The command that predicts tags."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...base.errors import CrossarcError
from ...commands.models import CONLL, RANGES, RETAG, STREAM, run_steps
from ...console.options import Options
from ...models.model import ParserModel
from ...models.steps import Step

TAG: Options = {**CONLL, "MODEL": "model file, trained with tags=auto or input=text", **STREAM, **RETAG, **RANGES}


def run_tag(options: argparse.Namespace) -> int:
    """Run ``crossarc tag``; return its exit status."""

    def steps_of(model: ParserModel) -> Sequence[Step]:
        if not model.filled:
            raise CrossarcError(f"{options.model} predicts no tags; use crossarc train --set tags=auto")
        return model.steps

    return run_steps(options, "tagged", steps_of)
