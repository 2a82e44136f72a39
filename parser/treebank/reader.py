"""Reading of treebanks as streams of sentences. Reading stops with a one-line message at the first invalid row."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from . import limits
from .faults import Fault, no_words, row_faults
from .formats import (
    AUTO,
    GLOBAL_COLUMNS,
    Format,
    Layout,
    contradiction,
    detect,
    format_of,
    named_columns,
    require,
    too_wide,
)
from .sentence import Sentence, drawn
from .source import HashedFile, Target, decoded, joined, paragraphs_in, parts_of, report, require_target, source_name

_EMPTY = "\t_" * 8
_CONLL_TABS = 9
_Lines: TypeAlias = Iterator[tuple[int, str]]
EMPTY = Fault(1, "empty file", "empty file, expected at least one sentence")
COMMENTS = 2
"""Number of comments that sentences of plain words get."""
SIZE = 1 << 22
"""Approximate size of a piece in bytes: a few thousand sentences, enough for batches of similar length."""
SAMPLE = 100
"""Number of sentences from which the format and the width of a file are decided."""


class Piece(NamedTuple):
    """Some whole sentences of a file.

    data: bytes with LF line ends, without line ends at the beginning and end.
    line: line number of the first line.
    layout: layout of the rows.
    source: file name for messages.
    """

    data: bytes
    line: int
    layout: Layout
    source: str


def read_sentences(target: Target, format: str = AUTO, columns: str = "gold") -> Iterator[Sentence]:
    """Read the sentences of a file one by one; memory does not grow with the file.

    target: a path, "-" (standard input), or an open stream, binary or text.
    format: "conllx", "conll09", "conllu", or "auto" to detect one of them. "words" has one sentence per line, with
        spaces between words. "vertical" has one word per line, and an empty line after each sentence.
    columns: "gold" or "predicted", which CoNLL-2009 columns ``lemma upos xpos feats`` stand for.

    Files may be compressed (gzip, bzip2 or xz, detected by content), have CRLF line ends, a byte order mark, several
    empty lines between sentences, or none at the end. HEAD and DEPREL are not checked. Raises CrossarcError, with file
    and line, for unreadable files, invalid UTF-8, invalid CoNLL, and input above the limits of :mod:`.limits`. Raises
    TypeError for other targets.

    >>> import crossarc
    >>> [sentence, *others] = crossarc.read_sentences("test.conllu")
    >>> len(others), len(sentence) == len(sentence.column("form"))
    (39, True)
    """
    pieces = read_pieces(target, format, columns, 0)
    return (_without_header(sentence) for piece in pieces for sentence in sentences_in(piece))


def _without_header(sentence: Sentence) -> Sentence:
    """The sentence without the comment that names the columns of its file, which is a fact of the format."""
    header = sentence.format.header
    if header not in sentence.comments:
        return sentence
    return replace(sentence, comments=tuple([comment for comment in sentence.comments if comment != header]))


def read_treebank(target: Target, format: str = AUTO, columns: str = "gold") -> Treebank:
    """Read all sentences of a file into memory. Equal values share one string. Otherwise as :func:`read_sentences`.

    >>> import crossarc
    >>> treebank = crossarc.read_treebank("test.conllu")
    >>> len(treebank), treebank.format.name
    (40, 'conllu')
    """
    shared: dict[str, str] = {}
    sentences = []
    with ExitStack() as stack:
        file = None
        if isinstance(target, str | Path) and str(target) != "-":
            file = HashedFile(str(target))
            target = stack.enter_context(io.BufferedReader(file, SIZE))
        for read in read_sentences(target, format, columns):
            values = tuple([tuple(map(shared.setdefault, column, column)) for column in read.columns])
            sentences.append(replace(read, columns=(read.columns[0], *values[1:])))
        return Treebank(sentences, sentences[0].format, source_name(target), file.sha256() if file else "")


def read_pieces(
    target: Target,
    format: str = AUTO,
    columns: str = "gold",
    size: int = SIZE,
    bad: list[Fault] | None = None,
    sample: int = SAMPLE,
) -> Iterator[Piece]:
    """Read a file in pieces of about ``size`` bytes.

    target: a path, "-" (standard input) or an open stream.
    format, columns: as in :func:`read_sentences`.
    size: approximate number of bytes of a piece; 0 yields each sentence as soon as it is complete.
    bad: receives the faults of files that are not treebanks.
    sample: number of sentences that are read before the format and the width are decided.

    Raises CrossarcError for files that are not treebanks, as :func:`read_sentences` does, if ``bad`` is None.
    :func:`sentences_in` finds faults in rows.
    """
    require_target(target, "read")
    require(format, columns, WORD_FORMATS)
    return _read(target, format, columns, size, bad, sample)


def _read(
    target: Target, format: str, columns: str, size: int, bad: list[Fault] | None, sample: int
) -> Iterator[Piece]:
    source = source_name(target)
    words = format in WORD_FORMATS
    parts = joined(word_paragraphs(target, format) if words else parts_of(target), size)
    format = "conllu" if words else format
    layout: Layout | Fault = EMPTY
    while held := list(islice(parts, 1)):
        line, data = held[0]
        decoded(data.partition(b"\n\n")[0], source, line, bad)  # another encoding is told before the columns
        layout = _layout(held, source, format, columns)
        if format == AUTO or not isinstance(layout, Layout) or not layout.usual:
            held += _more(parts, sample - 1)
            layout = _layout(held, source, format, columns)
        if isinstance(layout, Layout):
            for line, data in chain(held, parts):
                yield Piece(data, line, layout, source)
            return
        report(layout, source, bad)
        if layout.kind == "format":
            return
    if layout is EMPTY:
        report(EMPTY, source, bad)


def _more(parts: Iterator[tuple[int, bytes]], count: int) -> Iterator[tuple[int, bytes]]:
    """The next parts of a file, with about this number of sentences, or of :data:`SIZE` bytes."""
    size = 0
    while count > 0 and size < SIZE and (part := next(parts, None)):
        yield part
        count -= part[1].count(b"\n\n") + 1
        size += len(part[1])


def _layout(parts: Sequence[tuple[int, bytes]], source: str, format: str, columns: str) -> Layout | Fault:
    """The layout that :func:`detect` finds in parts of a file."""
    texts = ((line, data.decode("utf-8", "replace")) for line, data in parts)
    paragraphs = [paragraph for line, text in texts for paragraph in paragraphs_in(text, line)]
    return detect(paragraphs[:SAMPLE], source, format, columns)


def sentences_in(piece: Piece) -> Iterator[Sentence]:
    """The sentences of a piece. Raises CrossarcError as :func:`read_sentences` does."""
    for line, text in paragraphs_in(decoded(piece.data, piece.source, piece.line), piece.line):
        sentence = sentence_of(text, line, piece.layout, piece.source)
        if isinstance(sentence, list):
            raise sentence[0].error(piece.source)
        yield sentence


def sentence_of(text: str, line: int, layout: Layout, source: str) -> Sentence | list[Fault]:
    """The sentence in a paragraph, or the faults of its rows.

    line: line number of the paragraph's first line.
    """
    rows = text.split("\n")
    first = next((number for number, row in enumerate(rows) if not row.startswith("#")), len(rows))
    cells = [row.split("\t") for row in rows[first:]]
    if GLOBAL_COLUMNS in text and (declared := named_columns(rows[:first], line)):
        number, _, named = declared
        if named != (layout.named or format_of(layout.name).names):
            fault = "columns named differently from those at the beginning; split the file here"
            return [Fault(number, "format", fault)]
    extras: tuple[tuple[int, str], ...] = ()
    widths = {len(row) for row in cells}
    if max(widths, default=0) > limits.COLUMNS:
        return [too_wide(cells, range(line + first, line + len(rows)), "columns")]
    format = layout.format(widths.pop()) if len(widths) == 1 else None
    if format is None or tuple([row[0] for row in cells]) != _word_ids(len(cells)):
        if not cells:
            return [no_words(line)]
        faults = list(row_faults(cells, line + first, layout.width(cells), layout.name == "conllu"))
        if faults or format is None:
            return faults
        cells, extras = _apart(cells, rows[first:])
    if layout.guessed and (contrary := contradiction(cells, line + first)):
        return [contrary]
    columns: tuple[tuple[str, ...], ...] = tuple(zip(*cells, strict=True))
    missing = len(format.names) - len(columns)
    if missing:
        columns += (("_",) * len(cells),) * missing
        extras = tuple([(before, row + "\t_" * missing) for before, row in extras])
    return Sentence(format, columns, tuple(rows[:first]), extras, source, line + first)


@lru_cache(maxsize=512)
def _word_ids(n: int) -> tuple[str, ...]:
    """The IDs "1" to "n"."""
    return tuple(map(str, range(1, n + 1)))


def _apart(cells: list[list[str]], rows: list[str]) -> tuple[list[list[str]], tuple[tuple[int, str], ...]]:
    """The rows of words, and each other row with the number of words before it."""
    words: list[list[str]] = []
    extras = []
    for row, raw in zip(cells, rows, strict=True):
        if "-" in row[0] or "." in row[0]:
            extras.append((len(words), raw))
        else:
            words.append(row)
    return words, tuple(extras)


def word_paragraphs(target: Target, format: str) -> Iterator[tuple[int, bytes]]:
    """The sentences of a file in one of :data:`WORD_FORMATS` as CoNLL-U, each with its line number in the file.

    ``# sent_id`` numbers them, and ``# text`` has the words, separated by spaces. The line number is that of the words
    less the two comments. Raises CrossarcError for lines and sentences above the limits, and for lines that are invalid
    in the format.
    """
    name, most = source_name(target), limits.SENTENCE
    for count, (line, words) in enumerate(_READERS[format](_lines(target, name), name), 1):
        if len(words) > most:
            raise Fault(line, "lines", limits.above(f"a sentence of more than {most} words", most)).error(name)
        rows = "\n".join([f"{number}\t{word}{_EMPTY}" for number, word in enumerate(words, 1)])
        limits.check(rows.encode(), line, name)
        yield line - COMMENTS, f"# sent_id = {count}\n# text = {' '.join(words)}\n{rows}".encode()


def _lines(target: Target, name: str) -> _Lines:
    for number, raw in parts_of(target, lines=True):
        if b"\r" in raw:
            fault = "a carriage return inside the line, expected lines that end in LF or CRLF"
            raise Fault(number, "line end", fault).error(name)
        yield number, decoded(raw, name, number)


def _sentence_per_line(lines: _Lines, name: str) -> Iterator[tuple[int, list[str]]]:
    for number, text in lines:
        if text.count("\t") >= _CONLL_TABS and text.partition("\t")[0].isdecimal():
            fault = "a row of CoNLL, expected words separated by spaces; read the file with the format auto"
            raise Fault(number, "format", fault).error(name)
        words = [word for word in text.replace("\t", " ").split(" ") if word]
        if words:
            yield number, words


def _word_per_line(lines: _Lines, name: str) -> Iterator[tuple[int, list[str]]]:
    words: list[str] = []
    first = size = 0
    for number, text in lines:
        word = text.strip(" ")
        if "\t" in word:
            fault = "a tab inside the line, expected one word per line; read files with columns with the format auto"
            raise Fault(number, "format", fault).error(name)
        if word:
            first = first if words else number
            words.append(word)
            size += len(word)
        if words and (not word or len(words) > limits.SENTENCE or size > limits.BYTES):
            yield first, words
            words, size = [], 0
    if words:
        yield first, words


_READERS: Mapping[str, Callable[[_Lines, str], Iterator[tuple[int, list[str]]]]] = {
    "words": _sentence_per_line,
    "vertical": _word_per_line,
}
WORD_FORMATS = tuple(_READERS)
"""The formats of plain words: one sentence per line, or one word per line with empty lines between sentences."""


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of one file.

    format: format of the first sentence.
    path: file name for messages.
    sha256: SHA-256 of the bytes of the file, in hexadecimal; "" for a stream.

    >>> import crossarc
    >>> treebank = crossarc.read_treebank("test.conllu")
    >>> isinstance(treebank, crossarc.Treebank), sum(map(len, treebank)) == treebank.words
    (True, True)
    """

    sentences: list[Sentence]
    format: Format
    path: str
    sha256: str = ""

    @property
    def words(self) -> int:
        """The number of words of all sentences."""
        return sum(map(len, self.sentences))

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def _repr_html_(self) -> str | None:
        """Drawings of the first trees, for notebooks."""
        return drawn("treebank_html", self)


ReadTreebank: TypeAlias = Callable[[str, str, str], Treebank]
"""A function from path, format and columns to a treebank: :func:`read_treebank`, or :func:`reading_once`."""


def reading_once() -> ReadTreebank:
    """A function that reads as :func:`read_treebank` and keeps what it has read, also under the format it detected."""
    known: dict[tuple[str, str, str], Treebank] = {}

    def read(path: str, format: str, columns: str) -> Treebank:
        if (path, format, columns) not in known:
            treebank = read_treebank(path, format, columns)
            known[path, format, columns] = treebank
            if format == AUTO:
                known[path, treebank.format.name, columns] = treebank
        return known[path, format, columns]

    return read
