"""Errors of a sentence, found row by row: the strict reader raises the first, ``check`` lists all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...transitions.trees import cycles, roots
from ..base.errors import CrossarcError
from ..base.parameters import shown

# at most nine digits: int() rejects numbers of several thousand digits
_WORD = re.compile("[1-9][0-9]{0,8}")
_RANGE = re.compile("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_NUMBER = re.compile("0|[1-9][0-9]*")
PLAIN_TEXT = (
    "; crossarc parse reads text with --format text (raw text), words (one sentence per line) or vertical (one word "
    "per line)"
)
"""Hint in messages about files that may be plain text."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault of a file.

    line: line number, from 1.
    kind: a few words that scripts can match.
    message: what was found and what was expected.
    warning: whether the sentence is usable in spite of the fault.
    """

    line: int
    kind: str
    message: str
    warning: bool = False

    def error(self, source: str) -> CrossarcError:
        """The fault as the error that the strict reader raises."""
        return CrossarcError(f"{source}:{self.line}: {self.message}")


def row_faults(cells: Sequence[Sequence[str]], line: int, width: int, multiword: bool) -> Iterator[Fault]:
    """Faults in the rows of a sentence: number of columns, IDs, comments between rows.

    cells: the rows after the leading comments, split at TAB.
    line: line number of the first row.
    width: required number of columns.
    multiword: whether ranges and decimals are valid IDs.
    """
    word = 1  # the ID of the next word
    empty = 0  # empty nodes since the last word
    covered = 0  # the last word of the previous multiword token
    opened = line
    comments = False  # whether comments may follow: a line of spaces was meant as an empty line
    for number, row in enumerate(cells, line):
        name = row[0]
        if not "".join(row).strip():
            yield Fault(number, "blank line", "a line of spaces or TABs, expected an empty line between sentences")
            word, empty, covered, comments = 1, 0, 0, True
            continue
        if comments and name.startswith("#"):
            continue
        comments = False
        right = name == str(word)
        if not right and name.startswith("#"):
            yield Fault(number, "comment", "comment inside a sentence, expected only before its first row")
            continue
        if len(row) != width:
            yield Fault(number, "columns", _columns(row, width))
        if right:
            word += 1
            empty = 0
            continue
        span = _RANGE.fullmatch(name) if multiword else None
        decimal = _EMPTY.fullmatch(name) if multiword else None
        if span and covered < int(span[1]) == word <= int(span[2]):
            covered, opened = int(span[2]), number
        elif decimal and int(decimal[1]) == word - 1 and int(decimal[2]) == empty + 1:
            empty += 1
        else:
            yield Fault(number, "id", _identifier(name, word, multiword))
            if _WORD.fullmatch(name):
                word, empty = int(name) + 1, 0
    if word == 1:
        yield no_words(line)
    elif covered >= word:
        yield Fault(opened, "id", f"multiword token up to {covered}, expected an end up to {word - 1}")


def no_words(line: int) -> Fault:
    """The fault of a sentence without words that begins at the line."""
    return Fault(line, "no words", "no word in the sentence, expected at least one row with ID 1")


def head_faults(heads: Sequence[str], lines: Sequence[int]) -> Iterator[Fault]:
    """Faults of HEAD values that are neither a word's number nor 0. heads, lines: one value for each word."""
    for value, number in zip(heads, lines, strict=True):
        if not _NUMBER.fullmatch(value):
            yield Fault(number, "head", f"HEAD {shown(value)}, expected a number from 0 to {len(heads)}")
        elif len(value) > len(str(len(heads))) or int(value) > len(heads):
            yield Fault(number, "head", f"HEAD {shown(value)} out of range, expected a number from 0 to {len(heads)}")


def tree_faults(heads: Sequence[int], forms: Sequence[str], lines: Sequence[int]) -> Iterator[Fault]:
    """Faults of a tree: no root, cycles, and, as a warning, several roots.

    heads: n + 1 heads, all in range.
    forms, lines: one value for each of the n words.
    """
    top = roots(heads)
    if not top:
        yield Fault(lines[0], "no root", "no word with HEAD 0, expected one")
    elif len(top) > 1:
        words = ", ".join(map(str, top))
        yield Fault(lines[top[1] - 1], "several roots", f"{len(top)} words with HEAD 0 ({words}), expected one", True)
    for cycle in cycles(heads):
        words = ", ".join(f"{word} {shown(forms[word - 1])}" for word in cycle)
        yield Fault(lines[cycle[0] - 1], "cycle", f"cycle through {words}, expected a tree")


def _columns(row: Sequence[str], expected: int) -> str:
    width = f"{len(row)} column{'s' if len(row) > 1 else ''}"
    return f"{width}, expected {expected}{', separated by TAB' if len(row) == 1 else ''}"


def _identifier(name: str, word: int, multiword: bool) -> str:
    if not multiword and (_RANGE.fullmatch(name) or _EMPTY.fullmatch(name)):
        return f"ID {shown(name)}, expected {word} (multiword tokens and empty nodes are in CoNLL-U only)"
    return f"ID {shown(name)}, expected {word}"
