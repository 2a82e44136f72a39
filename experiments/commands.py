"""The commands of the experiments by name."""

from __future__ import annotations

from collections.abc import Mapping

from ..parser.commands.table import Command

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, Command] = {
    "experiment": Command(
        "crossarc.experiments.harness.command", "Run an experiment: a published comparison, or one of our own."
    ),
    "generate": Command(
        "crossarc.experiments.synthetic.command",
        "Generate a treebank of an invented language with crossing arcs of a set rate, kind, distance and depth.",
    ),
}
