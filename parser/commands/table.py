"""The commands by name: where each is defined, and what it does in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """home: the module that has ``describe_NAME`` and ``run_NAME``, imported when the command is called. summary: the
    first line of its description."""

    home: str
    summary: str


_HERE = "crossarc.parser.commands"

COMMANDS: Mapping[str, Command] = {
    "train": Command(f"{_HERE}.train", "Train a parser, or a blend of several, from a YAML config."),
    "tune": Command(f"{_HERE}.tune", "Find technique, parameters and features for a treebank, within so many minutes."),
    "parse": Command(f"{_HERE}.models", "Parse a CoNLL file with a model."),
    "serve": Command(f"{_HERE}.serve", "Offer models over HTTP, in the interface of UDPipe's service and in JSON."),
    "blend": Command(f"{_HERE}.blend", "Blend the trees of several parsers, from crossarc or not, into one file."),
    "info": Command(
        f"{_HERE}.models", "Say what a model is: system, features, labels, where it came from, how it scored."
    ),
    "verify": Command(f"{_HERE}.verify", "Train a model again from what it says of itself, and compare the two."),
    "evaluate": Command(f"{_HERE}.evaluate", "Score a parsed file against the gold file."),
    "compare": Command(
        f"{_HERE}.evaluate",
        "Score several parsed files against the gold file, and test whether they differ (McNemar).",
    ),
    "oracle": Command(
        f"{_HERE}.treebanks", "Derive a treebank's trees with an oracle: derivations, and how many trees it covers."
    ),
    "transform": Command(
        f"{_HERE}.treebanks",
        "Transform the trees of a treebank, undo a transformation, or measure what a round trip loses.",
    ),
    "check": Command(
        f"{_HERE}.treebanks", "Say what is in a treebank, how non-projective it is, and what is wrong with it."
    ),
    "show": Command(f"{_HERE}.show", "Draw the trees of a treebank: as text, SVG or TikZ, or on a page for a browser."),
}
