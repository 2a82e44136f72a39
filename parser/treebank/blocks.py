"""Sentences as bytes with the offsets of their fields, without an object for each word.

numpy checks regular input, which is almost all input: rows of one width, IDs that count from 1. New trees are
written between the old bytes. :mod:`.reader` reads irregular input and reports its errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from . import limits
from .faults import row_faults
from .formats import Format
from .reader import Piece

Places = NDArray[np.int64]

TAB, LINE_END, HASH, ZERO = b"\t\n#0"
FIRST_OTHER = 0x80
"""The first byte value that is not ASCII."""
DEPS = rb"(?m)^(\d+-\d+(?:\t[^\t\n]*){%d}\t)[^\t\n]*"
"""A row of a multiword token, up to the end of DEPS."""
EMPTY_NODE = re.compile(rb"\A(?:\d+\.\d+\t[^\n]*\n)+|\n\d+\.\d+\t[^\n]*")
"""The row of an empty node, with one of the line ends beside it; at the beginning, several rows."""


@dataclass(frozen=True, slots=True)
class Block:
    """The sentences of a regular piece.

    data: the bytes of the piece.
    format: format of all sentences.
    lengths: number of words of each sentence (int64, (sentences,)).
    """

    data: bytes
    format: Format
    lengths: Places
    _tabs: Places  # (words, columns - 1)
    _ends: Places  # (words,), the offset of the end of each row
    _others: Places  # (other rows,), the word that follows each row of a multiword token or empty node

    def place(self, name: str) -> int:
        """The position in the rows of a column that the format has."""
        return self.format.index[name]

    def values(self, first: int, last: int) -> list[bytes]:
        """The bytes of the columns ``first`` to ``last`` of each word, with the TABs between them. first: 1 or more."""
        return self._slices(*self._fields(first, last))

    def with_trees(
        self,
        heads: Places,
        labels: Places,
        names: Sequence[str],
        others: Mapping[str, tuple[Places, Sequence[str]]] = MappingProxyType({}),
        keep_deps: bool = False,
    ) -> bytes:
        """The text of the piece as in a file, with other HEADs and DEPRELs and a blank line at the end.

        heads: HEAD of each word (int64, (words,)).
        labels: number of each word's DEPREL in ``names`` (int64, (words,)).
        names: the DEPRELs.
        others: further columns to replace, each as numbers (int64, (words,)) and the values that the numbers index.
        keep_deps: as in :meth:`~.sentence.Sentence.with_tree`.

        In CoNLL-2009 with predicted columns PHEAD and PDEPREL are replaced as well.
        """
        written = list(map(str, range(int(heads.max()) + 1)))
        new = {"head": (heads, written), "deprel": (labels, names), "_": (np.zeros_like(heads), ["_"])}
        changed = self.format.tree_columns(keep_deps)
        columns = {**{name: new[column] for name, column in changed.items()}, **others}
        return self.with_columns(columns, "deps" in changed)

    def with_columns(self, others: Mapping[str, tuple[Places, Sequence[str]]], clear: bool = False) -> bytes:
        """The text of the piece as in a file, with some columns replaced as in :meth:`with_trees`.

        clear: whether DEPS of multiword tokens becomes "_", and empty nodes, which only DEPS uses, are left out.
        """
        if not others:
            return self.data + b"\n\n"
        ordered = sorted((self.place(name), column) for name, column in others.items())
        before, last = np.concatenate([[0], self._fields(ordered[-1][0])[1][:-1]]), -1
        columns: list[list[bytes]] = []
        for place, (numbers, texts) in ordered:
            start, end = self._fields(place)
            gap = b"\t" if place == last + 1 else b""
            if not gap:
                columns.append(self._slices(before, start))
            values = np.array([*(gap + text.encode() for text in texts), None], dtype=object)
            columns.append(values[numbers].tolist())
            before, last = end, place
        parts: list[bytes] = [b""] * (len(columns) * len(self._ends))
        for number, column in enumerate(columns):
            parts[number :: len(columns)] = column
        parts.append(self.data[int(before[-1]) :])
        for word in np.unique(self._others).tolist() if clear else ():
            at = word * len(columns)
            parts[at] = re.sub(DEPS % (self.place("deps") - 1), rb"\1_", EMPTY_NODE.sub(b"", parts[at]))
        return b"".join([*parts, b"\n\n"])

    def _fields(self, first: int, last: int | None = None) -> tuple[Places, Places]:
        last = first if last is None else last
        return self._tabs[:, first - 1] + 1, self._tabs[:, last] if last < self._tabs.shape[1] else self._ends

    def _slices(self, starts: Places, ends: Places) -> list[bytes]:
        data = self.data
        return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def block_of(piece: Piece) -> Block | None:
    """The piece as a block, or None if it is irregular. An irregular piece may contain valid sentences or errors.

    A regular piece is valid UTF-8. Its rows all have one width that the format allows. Its comments contain no TABs,
    and one blank line separates sentences. IDs count from 1; in CoNLL-U multiword tokens and empty nodes are in place.
    """
    data = piece.data
    header = piece.layout.header.encode()
    if data.count(b"global.columns") > bool(header and data.startswith(header)):
        return None  # perhaps another comment that names columns
    buffer = np.frombuffer(data, dtype=np.uint8)
    special = np.flatnonzero(buffer <= LINE_END)
    kinds = buffer[special]
    if kinds.min(initial=LINE_END) < TAB:
        return None
    breaks = np.flatnonzero(kinds == LINE_END)
    ends = np.append(special[breaks], len(data))
    starts = np.concatenate([[0], ends[:-1] + 1])
    if not _is_utf8(data, buffer, starts, ends):
        return None
    counts = np.diff(np.concatenate([[-1], breaks, [len(special)]])) - 1
    blank = starts == ends
    comment = buffer[starts] == HASH
    row = ~(blank | comment)
    if not row.any() or not row[-1] or counts[~row].any():
        return None
    width = int(counts[np.argmax(row)]) + 1
    format = piece.layout.format(width)
    if format is None or len(format.names) != width or not 3 <= width <= limits.COLUMNS:
        return None
    if (counts[row] != width - 1).any():
        return None
    if (blank[1:] & ~row[:-1]).any() or (comment[1:] & row[:-1]).any():
        return None
    first = np.flatnonzero(np.concatenate([[True], ~row[:-1]])[row])  # number of the first row of each sentence
    tabs = special[kinds == TAB].reshape(-1, width - 1)
    words = _words(buffer, data, starts[row], tabs[:, 0], first, piece.layout.name == "conllu")
    if words is None:
        return None
    lengths = np.add.reduceat(words.astype(np.int64), first)
    if words.all():
        return Block(data, format, lengths, tabs, ends[row], first[:0])
    return Block(data, format, lengths, tabs[words], ends[row][words], np.cumsum(words, dtype=np.int64)[~words])


def _is_utf8(data: bytes, buffer: NDArray[np.uint8], starts: Places, ends: Places) -> bool:
    """Whether the lines from ``starts`` to ``ends`` are UTF-8. Only lines with bytes above ASCII are decoded."""
    if data.isascii():
        return True
    lines = np.unique(np.searchsorted(ends, np.flatnonzero(buffer >= FIRST_OTHER)))
    try:
        b"\n".join([data[a:b] for a, b in zip(starts[lines].tolist(), ends[lines].tolist(), strict=True)]).decode()
    except UnicodeDecodeError:
        return False
    return True


def _words(
    buffer: NDArray[np.uint8], data: bytes, starts: Places, ends: Places, first: Places, multiword: bool
) -> NDArray[np.bool_] | None:
    """bool (rows,): whether each row is a word; None if the IDs are irregular.

    starts, ends: offsets of the IDs.
    first: the first row of each sentence.
    multiword: whether ranges and decimals are valid IDs.
    """
    sizes = np.diff(np.append(first, len(starts)))
    words = _numbered(buffer, starts, ends, np.arange(1, len(starts) + 1) - np.repeat(first, sizes))
    # sentences with a row whose ID is not its place among the rows, as after multiword tokens and empty nodes
    irregular = np.unique(np.searchsorted(first, np.flatnonzero(~words), side="right") - 1)
    if len(irregular) and not multiword:
        return None
    for start, size in zip(first[irregular].tolist(), sizes[irregular].tolist(), strict=True):
        span = slice(start, start + size)
        bounds = zip(starts[span].tolist(), ends[span].tolist(), strict=True)
        ids = b"\n".join([data[begin:end] for begin, end in bounds]).decode().split("\n")
        if any(row_faults(list(zip(ids)), line=1, width=1, multiword=True)):
            return None
        words[span] = ["-" not in name and "." not in name for name in ids]
    return words


def _numbered(buffer: NDArray[np.uint8], starts: Places, ends: Places, number: Places) -> NDArray[np.bool_]:
    """Whether the bytes from ``starts`` to ``ends`` are the decimal digits of these numbers, without leading zeros.

    number: the expected numbers, all above 0.
    """
    every = np.arange(int(number.max()) + 1)
    digits = np.searchsorted(10 ** np.arange(1, 19), every, side="right") + 1
    right: NDArray[np.bool_] = ends - starts == digits[number]
    for place in range(int(digits[-1])):
        sign = (every // 10**place % 10 + ZERO).astype(np.uint8)
        longer = np.flatnonzero(right & (number >= 10**place)) if place else slice(None)
        right[longer] &= buffer[ends[longer] - 1 - place] == sign[number[longer]]
    return right
