"""The commands by name: where each is defined, what it does in a line, what for, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping

from ..console.command import Command

__all__ = ["COMMANDS", "RESEARCH"]

PARSING = "Train and parse"
JUDGING = "Score"
LOOKING = "Look at treebanks"
CHANGING = "Derivations and transforms"
RESEARCH = "Experiments"
HELPING = "Look up"

_HERE = "crossarc.parser.commands"

COMMANDS: Mapping[str, Command] = {
    "init": Command(
        f"{_HERE}.init",
        "Look at a treebank and write a config to begin with.",
        PARSING,
        "train.conllu dev.conllu -o my.yaml",
    ),
    "train": Command(
        f"{_HERE}.train",
        "Train a parser, or a blend of several, from a YAML config.",
        PARSING,
        "swap --train train.conllu --dev dev.conllu --model my.model",
    ),
    "import-malt": Command(
        f"{_HERE}.import_malt",
        "Translate a feature model or an option file of MaltParser.",
        PARSING,
        "NivreEager.xml -o features.yaml",
    ),
    "tune": Command(
        f"{_HERE}.tune",
        "Find technique, parameters and features for a treebank, within so many minutes.",
        PARSING,
        "swap --train train.conllu --dev dev.conllu --minutes 20 --out tuned",
    ),
    "parse": Command(
        f"{_HERE}.models", "Parse a CoNLL file with a model.", PARSING, "my.model test.conllu -o parsed.conllu"
    ),
    "serve": Command(
        f"{_HERE}.serve",
        "Offer models over HTTP, in the interface of UDPipe's service and in JSON.",
        PARSING,
        "my.model --port 8001",
    ),
    "info": Command(
        f"{_HERE}.models",
        "Say what a model is: system, features, labels, where it came from, how it scored.",
        PARSING,
        "my.model",
    ),
    "verify": Command(
        f"{_HERE}.verify",
        "Train a model again from what it says of itself, and compare the two.",
        PARSING,
        "my.model --train train.conllu",
    ),
    "compile": Command(
        f"{_HERE}.compile",
        "Compile the inner loops once, before the first parser needs them.",
        PARSING,
        "",
    ),
    "blend": Command(
        f"{_HERE}.blend",
        "Blend the trees of several parsers, from crossarc or not, into one file.",
        PARSING,
        "one.conllu two.conllu three.conllu -o blended.conllu",
    ),
    "evaluate": Command(
        f"{_HERE}.evaluate",
        "Score a parsed file against the gold file.",
        JUDGING,
        "test.conllu parsed.conllu --html report.html",
    ),
    "compare": Command(
        f"{_HERE}.evaluate",
        "Score several parsed files against the gold file, and test whether they differ (McNemar).",
        JUDGING,
        "test.conllu one.conllu two.conllu",
    ),
    "check": Command(
        f"{_HERE}.treebanks",
        "Say what is in a treebank, how non-projective it is, and what is wrong with it.",
        LOOKING,
        "train.conllu",
    ),
    "show": Command(
        f"{_HERE}.show",
        "Draw trees and derivations: as text, SVG or TikZ, or on a page for a browser.",
        LOOKING,
        "test.conllu parsed.conllu --html trees.html",
    ),
    "oracle": Command(
        f"{_HERE}.treebanks",
        "Derive a treebank's trees with an oracle: derivations, and how many trees it covers.",
        CHANGING,
        "swap train.conllu",
    ),
    "transform": Command(
        f"{_HERE}.treebanks",
        "Transform the trees of a treebank, undo it, or measure what a round trip loses.",
        CHANGING,
        "pseudo-projective:encoding=head train.conllu -o lifted.conllu",
    ),
    "list": Command(
        f"{_HERE}.listing",
        "List what there is: configs, systems, learners, transforms, features, keys.",
        HELPING,
        "learners svm",
    ),
}
