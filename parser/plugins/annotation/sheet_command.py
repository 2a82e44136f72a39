"""The command that makes a spreadsheet of sentences, and sentences of a spreadsheet."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...base.errors import CrossarcError
from ...console.options import OUTPUT, Options, refuse_overwriting
from ...console.outputs import write_text
from ...treebank import read_sentences, write_sentences
from .sheet import from_sheet, to_sheet

SHEET: Options = {
    "FILE": "CoNLL-U file; or a table (FILE.tsv) that a spreadsheet has saved, which must read all columns as text",
    **OUTPUT,
}


def run_sheet(options: argparse.Namespace) -> int:
    """``crossarc sheet``: a table of a CoNLL-U file, CoNLL-U of a table."""
    refuse_overwriting(options.output, options.file)
    if options.file.lower().endswith(".tsv"):
        try:
            text = Path(options.file).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CrossarcError(f"{options.file}: cannot be read: {error}") from None
        write_sentences(from_sheet(text, options.file), options.output)
        return 0
    text = "".join(to_sheet(read_sentences(options.file, "conllu")))
    if options.output == "-":
        print(text, end="")
    else:
        write_text(options.output, text)
    return 0
