"""MaltParser as a command, for ``--peer``, where its jar and Java are.

``python -m crossarc.experiments.benchmark_page.malt_peer train JAR TREEBANK MODEL [OPTION ...]`` trains a parser with
LIBLINEAR; options are MaltParser's own, in place of those here (``-l liblinear -a stacklazy -F features.xml``). ``...
parse JAR MODEL FILE OUT`` parses a file in CoNLL-X, which the benchmark makes of its own and calls ``{conllx}``. MODEL
is a path without ``.mco``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...parser.errors import CrossarcError
from ...parser.treebank import read_sentences
from .material import write_conllx

__all__ = ["main"]

MEMORY = "-Xmx8g"
OPTIONS = ("-l", "liblinear", "-a", "stackproj")
"""Arc-standard over MaltParser's default features for it; LIBLINEAR's options are MaltParser's defaults."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status; where MaltParser parses it takes the place of this process."""
    try:
        match arguments:
            case ["train", jar, treebank, model, *options]:
                _train(jar, treebank, Path(model), options)
            case ["parse", jar, model, source, target]:
                _parse(jar, Path(model), source, target)
            case _:
                raise CrossarcError("expected: train JAR TREEBANK MODEL [OPTION ...], or parse JAR MODEL FILE OUT")
    except CrossarcError as error:
        print(f"malt_peer: {error}", file=sys.stderr)
        return 1
    return 0


def _train(jar: str, treebank: str, model: Path, options: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "train.conll"
        write_conllx(read_sentences(treebank), file)
        command = _command(jar, model, "learn", "-i", str(file), *(options or OPTIONS))
        try:
            done = subprocess.run(command, capture_output=True, check=False, text=True)
        except OSError as error:
            raise _no_java(error) from error
    if done.returncode or not model.with_name(f"{model.name}.mco").is_file():
        said = (done.stderr or done.stdout).strip().splitlines()
        raise CrossarcError(f"MaltParser has trained no model: {said[-1] if said else 'no message'}")


def _parse(jar: str, model: Path, source: str, target: str) -> None:
    command = _command(jar, model, "parse", "-i", source, "-o", target)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise _no_java(error) from error


def _command(jar: str, model: Path, mode: str, *words: str) -> list[str]:
    return ["java", MEMORY, "-jar", jar, "-w", str(model.absolute().parent), "-c", model.name, "-m", mode, *words]


def _no_java(error: OSError) -> CrossarcError:
    return CrossarcError(f"needs java on the path: {error.strerror}")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
