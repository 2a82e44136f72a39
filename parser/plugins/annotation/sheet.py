"""Sentences as a spreadsheet, and back: CoNLL-U with a line of headings, for programs that read tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from ...base.errors import CrossarcError
from ...treebank import Sentence, conll_text, read_sentences

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
COMMENT = "#"
"""ID of rows with a comment, which stands in FORM."""
QUOTE = "'"
FORMULA = ("=", "+", "-", "@")
"""First characters of cells that spreadsheets take for formulas; such cells are quoted with an apostrophe before."""


def to_sheet(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a table with tabs: headings, then a row for each comment and row of CoNLL-U, and an empty one.

    A spreadsheet must read all columns as text: it would make dates and numbers of 1-2 and 007.
    """
    yield _row(COLUMNS)
    for sentence in sentences:
        for line in conll_text(sentence).rstrip("\n").split("\n"):
            cells = [COMMENT, line] if line.startswith(COMMENT) else line.split("\t")
            yield _row([cells[0], *map(_guarded, cells[1:])])
        yield "\n"


def from_sheet(text: str, name: str) -> list[Sentence]:
    """The sentences of a table that a spreadsheet has saved with tabs. Columns may have any order.

    name: name of the file for messages. Cells may be quoted, rows may end in empty cells, and empty cells mean "_".
    Rows without an ID divide sentences. Raises CrossarcError, with the line, for other tables.
    """
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), dialect="excel-tab")
    try:
        headings = [cell.strip().upper() for cell in next(rows, [])]
        if missing := [column for column in COLUMNS if column not in headings]:
            raise CrossarcError(f"{name}:1: found no column {missing[0]}; allowed: a table of crossarc sheet")
        places = [headings.index(column) for column in COLUMNS]
        lines = []
        for row in rows:
            if any(row[len(headings) :]):
                raise CrossarcError(f"{name}:{rows.line_num}: found more cells than headings, expected {len(headings)}")
            cells = [row[place] if place < len(row) else "" for place in places]
            is_row = bool(cells[0].strip(" "))
            cells = [_trimmed(column, cell, is_row) for column, cell in zip(COLUMNS, cells, strict=True)]
            cells = [cells[0], *map(_unguarded, cells[1:])]
            if not cells[0]:
                if any(cells):
                    raise CrossarcError(f"{name}:{rows.line_num}: found no ID; every row of a sentence needs one")
                lines.append("")
            elif cells[0] == COMMENT:
                lines.append(cells[1] if cells[1].startswith(COMMENT) else f"{COMMENT} {cells[1]}")
            else:
                lines.append("\t".join(cell or "_" for cell in cells))
    except csv.Error as error:
        raise CrossarcError(f"{name}:{rows.line_num}: {error}") from None
    stream = io.StringIO("\n".join(lines).strip("\n") + "\n\n")
    stream.name = name
    return list(read_sentences(stream, "conllu"))


def _trimmed(column: str, cell: str, is_row: bool) -> str:
    """The cell without spaces at its ends, unless they belong to a form, or to a lemma of more than spaces."""
    trimmed = cell.strip(" ")
    return cell if is_row and (column == "FORM" or (column == "LEMMA" and trimmed)) else trimmed


def _row(cells: Sequence[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, dialect="excel-tab", lineterminator="\n").writerow(cells)
    return stream.getvalue()


def _needs_guard(cell: str) -> bool:
    """Whether a cell could be taken for a formula, or for one with an apostrophe before."""
    return len(cell) > 1 and (cell[0] in FORMULA or (cell[0] == QUOTE and cell[1] in (*FORMULA, QUOTE)))


def _guarded(cell: str) -> str:
    return f"{QUOTE}{cell}" if _needs_guard(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell[:1] == QUOTE and _needs_guard(cell[1:]) else cell
