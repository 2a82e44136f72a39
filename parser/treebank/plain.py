"""Words without annotation, one sentence or one word per line, as rows of CoNLL-U."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from .faults import Fault
from .limits import NO_MORE, ReadingLimits, above, within_bytes
from .source import Target, decoded, numbered_lines, source_name

_EMPTY = "\t_" * 8
_CONLL_TABS = 9
_Lines: TypeAlias = Iterator[tuple[int, str]]


def word_paragraphs(target: Target, format: str, limits: ReadingLimits = NO_MORE) -> Iterator[tuple[int, bytes]]:
    """The sentences of a file in one of :data:`WORD_FORMATS` as rows of CoNLL-U, each with its line in the file.

    Lines and sentences above the limits, and lines that are not in the format, raise CrossarcError.
    """
    name = source_name(target)
    for line, words in _READERS[format](_lines(target, name, limits), name, limits):
        if len(words) > limits.sentence:
            found = above(f"a sentence of more than {limits.sentence} words", limits.sentence, "sentence")
            raise Fault(line, "lines", found).error(name)
        rows = "\n".join([f"{number}\t{word}{_EMPTY}" for number, word in enumerate(words, 1)])
        yield line, within_bytes(rows.encode(), line, limits.bytes, name)


def _lines(target: Target, name: str, limits: ReadingLimits) -> _Lines:
    for number, raw in numbered_lines(target, limits):
        if b"\r" in raw:
            found = "a carriage return inside the line, expected lines that end in LF or CRLF"
            raise Fault(number, "line end", found).error(name)
        yield number, decoded(raw, name, number)


def _sentence_per_line(lines: _Lines, name: str, limits: ReadingLimits) -> Iterator[tuple[int, list[str]]]:
    for number, text in lines:
        if text.count("\t") >= _CONLL_TABS and text.partition("\t")[0].isdecimal():
            found = "a row of CoNLL, expected words separated by spaces; read the file with the format auto"
            raise Fault(number, "format", found).error(name)
        words = [word for word in text.replace("\t", " ").split(" ") if word]
        if words:
            yield number, words


def _word_per_line(lines: _Lines, name: str, limits: ReadingLimits) -> Iterator[tuple[int, list[str]]]:
    words: list[str] = []
    first = size = 0
    for number, text in lines:
        word = text.strip(" ")
        if "\t" in word:
            found = "a tab inside the line, expected one word per line; read files with columns with the format auto"
            raise Fault(number, "format", found).error(name)
        if word:
            first = first if words else number
            words.append(word)
            size += len(word)
        if words and (not word or len(words) > limits.sentence or size > limits.bytes):
            yield first, words
            words, size = [], 0
    if words:
        yield first, words


_READERS: Mapping[str, Callable[[_Lines, str, ReadingLimits], Iterator[tuple[int, list[str]]]]] = {
    "words": _sentence_per_line,
    "vertical": _word_per_line,
}
WORD_FORMATS = tuple(_READERS)
"""The formats of plain words: one sentence per line, or one word per line with empty lines between sentences."""
