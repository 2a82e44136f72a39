"""Run the command line in tests, and write input files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from crossarc.__main__ import main
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate
from crossarc.parser.treebank import Sentence, conll_text, read_sentences

CYCLE = "# sent_id = round\n1\ta\ta\tX\tX\t_\t2\tx\t_\t_\n2\tb\tb\tX\tX\t_\t1\tx\t_\t_\n\n"
TEMPLATES = """
templates:
- form(Stack[0])
- xpos(Stack[0])
- xpos(Stack[1])
- xpos(Lookahead[0])
"""


@cache
def conllu(first: int, count: int, **options: Any) -> str:
    """Generated sentences as CoNLL-U, from number ``first``. options: arguments of GeneratorOptions."""
    return "".join(map(conll_text, generate(GeneratorOptions(sentences=count, first=first, **options))))


def generated(first: int, count: int, **options: Any) -> list[Sentence]:
    return list(read_sentences(StringIO(conllu(first, count, **options))))


def conll09(text: str, gold: str = "") -> str:
    """Convert CoNLL-U to CoNLL-2009. gold: lemma and tag of all words in the gold columns ("": predicted values)."""
    rows = []
    for line in text.split("\n"):
        number, *cells = line.split("\t")
        if number.isdigit():
            form, lemma, upos, _, feats, head, deprel, *_ = cells
            own = (gold or lemma, lemma, gold or upos, upos, "_" if gold else feats, feats)
            rows.append("\t".join([number, form, *own, head, head, deprel, deprel, "_", "_"]))
        elif not line:
            rows.append("")
    return "\n".join(rows)


def write_splits(folder: Path, splits: Mapping[str, int], **options: Any) -> None:
    """Write consecutive generated sentences to ``SPLIT.conllu`` for each split. options: see :func:`conllu`."""
    first = 1
    for name, count in splits.items():
        (folder / f"{name}.conllu").write_text(conllu(first, count, **options), "utf-8")
        first += count


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def few(folder: Path | str = ".") -> list[object]:
    return ["--set", f"features={folder}/few.yaml"]


def without_trees(text: str) -> str:
    return re.sub(r"^((?:[^\t\n]*\t){6})\d+\t[^\t]+", r"\1_\t_", text, flags=re.M)


def crossarc(*arguments: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "crossarc", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)  # type: ignore[call-overload]
