"""The commands by name, in the order in which the help lists them."""

from __future__ import annotations

from collections.abc import Mapping

from ..console.help import Command

EVERYDAY = "Commands"
RESEARCH = "Commands for research"
Row = tuple[str, str, str]
"""Module, summary and example of a command."""
GROUPS: Mapping[str, Mapping[str, Row]] = {
    EVERYDAY: {
        "init": ("init", "Inspect a treebank and write a config for it.", "train.conllu dev.conllu -o my.yaml"),
        "train": (
            "train",
            "Train a parser or a blend of parsers.",
            "swap --train train.conllu --dev dev.conllu --model my.model",
        ),
        "parse": ("models", "Parse a CoNLL file or words with a model.", "my.model test.conllu -o parsed.conllu"),
        "evaluate": (
            "evaluate",
            "Score parsed files against a gold file; test differences between several.",
            "test.conllu parsed.conllu --html report.html",
        ),
        "show": (
            "show",
            "Draw trees and derivations as text, SVG, TikZ or HTML.",
            "test.conllu parsed.conllu --html trees.html",
        ),
        "check": ("treebanks", "Describe a treebank, its crossing arcs and its errors.", "train.conllu"),
        "tune": (
            "tune",
            "Search for the best technique, parameters and features for a treebank.",
            "swap --train train.conllu --dev dev.conllu --minutes 20 --out tuned",
        ),
        "serve": ("serve", "Serve models over HTTP, with the interface of UDPipe's service.", "my.model --port 8001"),
        "info": ("models", "Describe a model: system, features, labels, training data, scores.", "my.model"),
        "list": ("listing", "List configs, systems, learners, transforms, features or config keys.", "learners svm"),
    },
    RESEARCH: {
        "oracle": (
            "treebanks",
            "Derive the trees of a treebank with an oracle and report its coverage.",
            "swap train.conllu",
        ),
        "transform": (
            "treebanks",
            "Transform the trees of a treebank, undo a transform, or measure its loss.",
            "pseudo-projective:encoding=head train.conllu -o lifted.conllu",
        ),
        "arcs": (
            "arcs",
            "Search for arcs by label, direction, length, head and dependent; count them.",
            "train.conllu --crossing --where label=nsubj --count-by head.upos",
        ),
        "blend": (
            "blend",
            "Blend the parses of several parsers into one file.",
            "one.conllu two.conllu three.conllu -o blended.conllu",
        ),
        "calibrate": (
            "annotation.calibrate",
            "Calibrate the scores of a model's arcs on a development treebank.",
            "my.model dev.conllu",
        ),
        "suspects": (
            "annotation.suspects",
            "Rank the words of a treebank whose annotation may be wrong.",
            "train.conllu --html suspects.html",
        ),
        "import-malt": (
            "import_malt",
            "Translate a feature model or option file of MaltParser.",
            "options.xml NivreEager.xml -o own.yaml",
        ),
        "check-system": (
            "check_system",
            "Check that a transition system and its oracles obey all rules.",
            "my-system --plugin my_system.py",
        ),
        "tokenize": (
            "models",
            "Split raw text into sentences, tokens and words, without tags and trees.",
            "my.model novel.txt -o novel.conllu",
        ),
        "tag": ("models", "Predict tags and lemmas, without trees.", "my.model words.conllu -o tagged.conllu"),
        "compile": ("compile", "Compile the inner loops now instead of at the first use.", ""),
    },
}
COMMANDS: Mapping[str, Command] = {
    name: Command(f"crossarc.parser.commands.{module}", summary, group, example)
    for group, rows in GROUPS.items()
    for name, (module, summary, example) in rows.items()
}
