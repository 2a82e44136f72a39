"""The option ``--format`` of commands that read treebanks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..treebank import AUTO, FORMATS, Sentence, read_sentences
from .options import Options, option

INPUT = "CoNLL file, or - for standard input"
GOLD, PREDICTED = "conll09-gold", "conll09-predicted"
"""Formats of CoNLL-2009 with the columns to read."""
MEANINGS = {"words": "one sentence per line", "vertical": "one word per line", "lines": "raw text by sentences"}
"""Formats whose names do not say what they are."""


def reading(*more: str) -> Options:
    """Return the option ``--format`` of the input. more: further formats."""
    names = (*FORMATS, GOLD, PREDICTED, *more)
    told = [f"{name} ({MEANINGS[name]})" if name in MEANINGS else name for name in names]
    meaning = f"format of the input: {', '.join(told)} (default: detected)"
    return {"--format FORMAT": option(meaning, choices=(AUTO, *names), default=AUTO)}


def format_and_columns(chosen: str, columns: str = "gold") -> tuple[str, str]:
    """Return the format of a choice of ``--format``, and the columns of CoNLL-2009 to read, by default ``columns``."""
    format, _, dialect = chosen.partition("-")
    return format, dialect or columns


def read_input(options: argparse.Namespace, path: str, columns: str = "gold") -> Iterator[Sentence]:
    """Read the sentences of a file with the option of :func:`reading`. columns: see :func:`format_and_columns`."""
    return read_sentences(path, *format_and_columns(options.format, columns))
