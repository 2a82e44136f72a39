"""Reading treebanks as streams of sentences, strictly: the first fault in a row ends it with one line."""

from __future__ import annotations

from collections.abc import Iterator

from .faults import Fault, no_words, row_faults
from .formats import AUTO, Layout, detect, require, too_wide
from .limits import NO_MORE, ReadingLimits, too_many_lines
from .plain import WORD_FORMATS, word_paragraphs
from .sentence import Sentence, Treebank, word_ids
from .source import Target, paragraphs, require_target, source_name

EMPTY = Fault(1, "empty file", "empty file, expected at least one sentence")


def read_sentences(
    target: Target, format: str = AUTO, columns: str = "gold", limits: ReadingLimits = NO_MORE
) -> Iterator[Sentence]:
    """Read the sentences of a file one by one; memory does not grow with the file.

    target: a path, "-" (standard input), or an open stream, binary or text.
    format: "conllx", "conll09", "conllu", or "auto" to detect one of them. "words" has one sentence per line, with
        spaces between words. "vertical" has one word per line, and an empty line after each sentence.
    columns: "gold" or "predicted", which CoNLL-2009 columns ``lemma upos xpos feats`` stand for.
    limits: maximal sizes of lines, sentences and columns.

    Files may be compressed (gzip or xz, detected by content), have CRLF line ends, a byte order mark, several empty
    lines between sentences, or none at the end. HEAD and DEPREL are not checked. Raises CrossarcError, with file and
    line, for unreadable files, invalid UTF-8, invalid CoNLL, and input above the limits. Raises TypeError for other
    targets.

    >>> import crossarc
    >>> [sentence, *others] = crossarc.read_sentences("test.conllu")
    >>> len(others), len(sentence) == len(sentence.column("form"))
    (39, True)
    """
    require_target(target, "read")
    require(format, columns, WORD_FORMATS)
    return _read(target, format, columns, limits)


def read_treebank(
    target: Target, format: str = AUTO, columns: str = "gold", limits: ReadingLimits = NO_MORE
) -> Treebank:
    """Read all sentences of a file into memory. Equal values share one string. Otherwise as :func:`read_sentences`.

    >>> import crossarc
    >>> treebank = crossarc.read_treebank("test.conllu")
    >>> len(treebank), treebank.format.name
    (40, 'conllu')
    """
    shared: dict[str, str] = {}
    sentences = []
    for read in read_sentences(target, format, columns, limits):
        values = tuple([tuple(map(shared.setdefault, column, column)) for column in read.columns])
        sentences.append(
            Sentence(read.format, (read.columns[0], *values[1:]), read.comments, read.extras, read.source, read.line)
        )
    return Treebank(sentences, sentences[0].format, source_name(target))


def sentence_of(text: str, line: int, layout: Layout, source: str) -> Sentence | list[Fault]:
    """The sentence that a paragraph holds, or the faults in the shape of its rows.

    line: the number of the paragraph's first line.
    """
    rows = text.split("\n")
    if len(rows) > layout.limits.sentence:
        return [Fault(line, "lines", too_many_lines(layout.limits.sentence))]
    first = 0
    if text.startswith("#"):
        first = next((number for number, row in enumerate(rows) if not row.startswith("#")), len(rows))
    cells = [row.split("\t") for row in rows[first:]]
    extras: tuple[tuple[int, str], ...] = ()
    widths = {len(row) for row in cells}
    if max(widths, default=0) > layout.limits.columns:
        widest = max(range(len(cells)), key=lambda number: len(cells[number]))
        return [too_wide(cells[widest], line + first + widest, layout.limits)]
    format = layout.format(widths.pop()) if len(widths) == 1 else None
    if format is None or tuple([row[0] for row in cells]) != word_ids(len(cells)):
        if not cells:
            return [no_words(line)]
        faults = list(row_faults(cells, line + first, layout.width(cells), layout.name == "conllu"))
        if faults or format is None:
            return faults
        cells, extras = _apart(cells, rows[first:])
    columns: tuple[tuple[str, ...], ...] = tuple(zip(*cells, strict=True))
    missing = len(format.names) - len(columns)
    if missing:
        columns += (("_",) * len(cells),) * missing
        extras = tuple([(before, row + "\t_" * missing) for before, row in extras])
    return Sentence(format, columns, tuple(rows[:first]), extras, source, line + first)


def _read(target: Target, format: str, columns: str, limits: ReadingLimits) -> Iterator[Sentence]:
    source = source_name(target)
    layout: Layout | Fault | None = None
    texts = paragraphs(target, limits=limits)
    if format in WORD_FORMATS:
        texts = ((line, rows.decode()) for line, rows in word_paragraphs(target, format, limits))
        format = "conllu"
    for line, text in texts:
        if layout is None:
            layout = detect(text.split("\n"), source, line, format, columns, limits)
        if isinstance(layout, Fault):
            raise layout.error(source)
        sentence = sentence_of(text, line, layout, source)
        if isinstance(sentence, list):
            raise sentence[0].error(source)
        yield sentence
    if layout is None:
        raise EMPTY.error(source)


def _apart(cells: list[list[str]], rows: list[str]) -> tuple[list[list[str]], tuple[tuple[int, str], ...]]:
    """Words, and the other rows with the number of words before each."""
    words: list[list[str]] = []
    extras = []
    for row, raw in zip(cells, rows, strict=True):
        if "-" in row[0] or "." in row[0]:
            extras.append((len(words), raw))
        else:
            words.append(row)
    return words, tuple(extras)
