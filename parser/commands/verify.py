"""The command that trains a model again and reports whether the result is the same."""

from __future__ import annotations

import argparse

from ..analysis.verification import verify
from ..console.progress import progress_of

SHOWN = 10


def describe_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file written by crossarc train")
    parser.add_argument("--train", required=True, metavar="FILE", help="treebank that the model was trained on")
    parser.add_argument("--dev", default="", metavar="FILE", help="treebank that the model was scored on, if any")
    parser.add_argument(
        "--config", default="", metavar="CONFIG", help="config that the model was trained from; blends need it"
    )


def run_verify(options: argparse.Namespace) -> int:
    with progress_of(options) as progress:
        found = verify(options.model, options.train, options.dev, options.config, progress)
    for name, (then, now) in found.versions.items():
        print(f"{name}: {then} then, {now} now")
    for difference in found.differences[:SHOWN]:
        print(difference)
    if len(found.differences) > SHOWN:
        print(f"... and {len(found.differences) - SHOWN} more differences")
    if found.same_bytes:
        print("the same model, byte for byte")
    elif not found.differences:
        print("the same parser, trained with other versions or stored in an older format")
    else:
        print("a different parser")
    return int(bool(found.differences))
