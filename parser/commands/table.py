"""The commands by name, in the order in which the help lists them."""

from __future__ import annotations

from collections.abc import Mapping

from ..console.help import Command

EVERYDAY = "Commands"
RESEARCH = "Commands for research"


def _command(home: str, summary: str, group: str, example: str, alias: str = "") -> Command:
    return Command(f"crossarc.parser.commands.{home}", summary, group, example, alias)


COMMANDS: Mapping[str, Command] = {
    "init": _command(
        "init", "Inspect a treebank and write a config for it.", EVERYDAY, "train.conllu dev.conllu -o my.yaml"
    ),
    "train": _command(
        "train",
        "Train a parser or a blend of parsers.",
        EVERYDAY,
        "swap --train train.conllu --dev dev.conllu --model my.model",
    ),
    "parse": _command(
        "models", "Parse a CoNLL file or words with a model.", EVERYDAY, "my.model test.conllu -o parsed.conllu"
    ),
    "evaluate": _command(
        "evaluate",
        "Score parsed files against a gold file; test differences between several.",
        EVERYDAY,
        "test.conllu parsed.conllu --html report.html",
        alias="compare",
    ),
    "show": _command(
        "show",
        "Draw trees and derivations as text, SVG, TikZ or HTML.",
        EVERYDAY,
        "test.conllu parsed.conllu --html trees.html",
    ),
    "check": _command("treebanks", "Describe a treebank, its crossing arcs and its errors.", EVERYDAY, "train.conllu"),
    "tune": _command(
        "tune",
        "Search for the best technique, parameters and features for a treebank.",
        EVERYDAY,
        "swap --train train.conllu --dev dev.conllu --minutes 20 --out tuned",
    ),
    "serve": _command(
        "serve",
        "Serve models over HTTP, with the interface of UDPipe's service.",
        EVERYDAY,
        "my.model --port 8001",
    ),
    "info": _command(
        "models", "Describe a model: system, features, labels, training data, scores.", EVERYDAY, "my.model"
    ),
    "list": _command(
        "listing",
        "List configs, systems, learners, transforms, features or config keys.",
        EVERYDAY,
        "learners svm",
    ),
    "oracle": _command(
        "treebanks",
        "Derive the trees of a treebank with an oracle and report its coverage.",
        RESEARCH,
        "swap train.conllu",
    ),
    "transform": _command(
        "treebanks",
        "Transform the trees of a treebank, undo a transform, or measure its loss.",
        RESEARCH,
        "pseudo-projective:encoding=head train.conllu -o lifted.conllu",
    ),
    "blend": _command(
        "blend",
        "Blend the parses of several parsers into one file.",
        RESEARCH,
        "one.conllu two.conllu three.conllu -o blended.conllu",
    ),
    "verify": _command(
        "verify",
        "Train a model again from its metadata and compare the two.",
        RESEARCH,
        "my.model --train train.conllu",
    ),
    "import-malt": _command(
        "import_malt",
        "Translate a feature model or option file of MaltParser.",
        RESEARCH,
        "NivreEager.xml -o features.yaml",
    ),
    "compile": _command("compile", "Compile the inner loops now instead of at the first use.", RESEARCH, ""),
}
