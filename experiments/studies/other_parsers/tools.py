"""Commands of parsers: of crossarc, and of other installed parsers."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ....parser.base import __version__
from ....parser.base.errors import CrossarcError, choices
from ...harness.costs import Tool, crossarc

PACKAGES = {"udpipe": "ufal.udpipe", "spacy": "spacy", "nltk": "nltk"}
"""Python packages of the parsers that ``programs.py`` runs."""
PROGRAMS = Path(__file__).with_name("programs.py")
JAR = "MALTPARSER"
"""Environment variable with the path of MaltParser's jar."""


def make_tool(spec: Mapping[str, Any], given: str, language: str) -> Tool:
    """The commands of a tool.

    spec: entry of the setting ``tools``.
    given: ``gold`` (with gold tags) or ``words``.
    language: of the treebank, as spaCy names it ("": none).
    """
    options = str(spec["inputs"][given])
    if spec["program"] == "crossarc":
        return crossarc(*shlex.split(options))
    if spec["program"] == "maltparser":
        return maltparser(options, str(spec.get("features", "")))
    if spec["program"] == "spacy":
        options = f"{language or 'xx'} {options}"
    program = [sys.executable, str(PROGRAMS), spec["program"]]
    return Tool(
        lambda treebank, model, dev: [*program, "train", str(model), str(treebank), str(dev), given, options],
        lambda model, source, target: [*program, "parse", str(model), str(source), str(target), given, options],
    )


def found_version(spec: Mapping[str, Any]) -> str:
    """The version of a tool. spec: entry of the setting ``tools``. Raises CrossarcError if it is not installed."""
    program = spec["program"]
    if program == "crossarc":
        return __version__
    if program == "maltparser":
        jar = os.environ.get(JAR, "")
        if not os.path.isfile(jar):
            raise CrossarcError(f"found no file {jar!r}; name MaltParser's jar in the environment variable {JAR}")
        if shutil.which("java") is None:
            raise CrossarcError("found no command java; install Java")
        return os.path.basename(jar)
    if program not in PACKAGES:
        raise CrossarcError(f"program {choices(program, ['crossarc', 'maltparser', *PACKAGES])}")
    try:
        return version(PACKAGES[program])
    except PackageNotFoundError as error:
        raise CrossarcError(f"is not installed; install it with: pip install {PACKAGES[program]}") from error


def maltparser(options: str, features: str) -> Tool:
    """The commands of MaltParser, with options of its command line and features in its notation, one per line."""

    def command(mode: str, model: Path, *words: str) -> list[str]:
        home = ["-w", str(model.absolute().parent), "-c", model.name]
        # Training on Ancient_Greek-AGDT with extended features needs 14.8 GB.
        return ["java", "-Xmx18g", "-jar", os.environ[JAR], *home, "-m", mode, *words]

    def train(treebank: Path, model: Path, _: Path) -> list[str]:
        more = []
        if features:
            file = model.with_name("features.xml")
            lines = "".join(f"<feature>{line}</feature>\n" for line in features.splitlines())
            file.write_text(f"<featuremodels><featuremodel>\n{lines}</featuremodel></featuremodels>\n", "utf-8")
            more = ["-F", str(file)]
        return command("learn", model, "-i", str(treebank), *shlex.split(options), *more)

    return Tool(train, lambda model, source, target: command("parse", model, "-i", str(source), "-o", str(target)))
