"""The commands by name: where each is defined, what it does in a line, what for, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping

from ..console.help import Command

PARSING = "Train and parse"
JUDGING = "Score"
LOOKING = "Look at treebanks"
CHANGING = "Derivations and transforms"
RESEARCH = "Experiments"
HELPING = "Look up"


def _here(home: str, summary: str, task: str, example: str) -> Command:
    return Command(f"crossarc.parser.commands.{home}", summary, task, example)


COMMANDS: Mapping[str, Command] = {
    "init": _here(
        "init", "Look at a treebank and write a config to begin with.", PARSING, "train.conllu dev.conllu -o my.yaml"
    ),
    "train": _here(
        "train",
        "Train a parser, or a blend of several, from a YAML config.",
        PARSING,
        "swap --train train.conllu --dev dev.conllu --model my.model",
    ),
    "import-malt": _here(
        "import_malt",
        "Translate a feature model or an option file of MaltParser.",
        PARSING,
        "NivreEager.xml -o features.yaml",
    ),
    "tune": _here(
        "tune",
        "Find technique, parameters and features for a treebank, within so many minutes.",
        PARSING,
        "swap --train train.conllu --dev dev.conllu --minutes 20 --out tuned",
    ),
    "parse": _here("models", "Parse a CoNLL file with a model.", PARSING, "my.model test.conllu -o parsed.conllu"),
    "serve": _here(
        "serve",
        "Offer models over HTTP, in the interface of UDPipe's service and in JSON.",
        PARSING,
        "my.model --port 8001",
    ),
    "info": _here(
        "models",
        "Say what a model is: system, features, labels, where it came from, how it scored.",
        PARSING,
        "my.model",
    ),
    "verify": _here(
        "verify",
        "Train a model again from what it says of itself, and compare the two.",
        PARSING,
        "my.model --train train.conllu",
    ),
    "compile": _here("compile", "Compile the inner loops once, before the first parser needs them.", PARSING, ""),
    "blend": _here(
        "blend",
        "Blend the trees of several parsers, from crossarc or not, into one file.",
        PARSING,
        "one.conllu two.conllu three.conllu -o blended.conllu",
    ),
    "evaluate": _here(
        "evaluate",
        "Score a parsed file against the gold file.",
        JUDGING,
        "test.conllu parsed.conllu --html report.html",
    ),
    "compare": _here(
        "evaluate",
        "Score several parsed files against the gold file, and test whether they differ (McNemar).",
        JUDGING,
        "test.conllu one.conllu two.conllu",
    ),
    "check": _here(
        "treebanks",
        "Say what is in a treebank, how non-projective it is, and what is wrong with it.",
        LOOKING,
        "train.conllu",
    ),
    "show": _here(
        "show",
        "Draw trees and derivations: as text, SVG or TikZ, or on a page for a browser.",
        LOOKING,
        "test.conllu parsed.conllu --html trees.html",
    ),
    "oracle": _here(
        "treebanks",
        "Derive a treebank's trees with an oracle: derivations, and how many trees it covers.",
        CHANGING,
        "swap train.conllu",
    ),
    "transform": _here(
        "treebanks",
        "Transform the trees of a treebank, undo it, or measure what a round trip loses.",
        CHANGING,
        "pseudo-projective:encoding=head train.conllu -o lifted.conllu",
    ),
    "list": _here(
        "listing",
        "List what there is: configs, systems, learners, transforms, features, keys.",
        HELPING,
        "learners svm",
    ),
}
