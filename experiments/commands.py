"""The commands of the experiments by name."""

from __future__ import annotations

from collections.abc import Mapping

from ..parser.console.help import RESEARCH, Command

COMMANDS: Mapping[str, Command] = {
    "experiment": Command(
        "crossarc.experiments.harness.command",
        "Run an experiment: a published comparison or a study.",
        RESEARCH,
        "kuhlmann-nivre-2010 --only Danish-CDT",
    ),
    "generate": Command(
        "crossarc.experiments.synthetic.command",
        "Generate a treebank of an invented language with crossing arcs.",
        RESEARCH,
        "--sentences 100 --set rate=0.5 -o generated.conllu",
    ),
}
