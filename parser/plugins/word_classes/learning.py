"""Word classes of raw texts and of files with word vectors."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.progress import Advance, Progress, nothing, task
from ...models.raw import text_of
from ...models.steps import Segmenter
from ...treebank import Sentence, read_pieces, sentences_in, size_of
from ...treebank.source import opened, source_name
from .clustering import CLASSES, classes_of, unit, vectors_of
from .counting import count, keys_of
from .step import WordClasses
from .tokens import folded, parts_of, tokens_of

SEED = 1
ROWS = 200_000
"""Number of vectors that are read: files of vectors are sorted by frequency."""
LONGEST = 1 << 16
"""Maximum number of bytes of a word in a binary file of vectors."""
LONGEST_LINE = 1 << 20
"""Maximum number of characters of a line of raw text that are held together."""
MOST_DIMENSIONS = 10_000

KILO = 1000


def learn_classes(
    files: Sequence[str],
    *,
    format: str = "text",
    segmenter: Segmenter | None = None,
    dev: Iterable[Sentence] = (),
    seed: int = SEED,
    classes: int = CLASSES,
    progress: Progress = nothing,
) -> tuple[WordClasses, int]:
    """Learn word classes from raw texts. Equal texts give equal classes.

    files: names of files, "-" for standard input; compressed or not.
    format: ``text``, or a format of :func:`crossarc.read_sentences`.
    segmenter: the tokenizer of a model, which finds the tokens of raw text; None: a simple rule does.
    dev: sentences that are left out of the counts if the text has them.
    seed: of the decomposition and of k-means.
    classes: maximum number of classes, which are also joined to fewer, larger ones, see :data:`~.clustering.CUTS`.

    Returns the classes and the number of sentences of ``dev`` that the text has. Raises CrossarcError for files that
    cannot be read, and for too little text.
    """
    without = keys_of(part for sentence in dev for part in _as_counted(sentence, format == "text" and not segmenter))
    sizes = [size_of(file) for file in files]
    total = None if None in sizes else sum(size or 0 for size in sizes) / KILO
    with task(progress, "counting neighbours", "kB", total) as advance:
        read = (_sentences(file, format, segmenter, advance) for file in files)
        counts = count((sentence for sentences in read for sentence in sentences), without)
    with task(progress, f"learning classes of {len(counts.words)} words"):
        numbers, cuts = classes_of(vectors_of(counts, seed), seed, classes)
    return WordClasses(counts.words, numbers, cuts, "raw text", counts.tokens), counts.left_out


def _as_counted(sentence: Sentence, simply: bool) -> Iterator[Sequence[str]]:
    """A sentence as it is found in texts. simply: whether a simple rule finds tokens and ends of sentences there."""
    yield [folded(form) for form in sentence.column("form")]
    if simply:
        yield from parts_of(tokens_of(sentence.text))


def _sentences(file: str, format: str, segmenter: Segmenter | None, advance: Advance) -> Iterator[Sequence[str]]:
    """The sentences of a file, as folded tokens. advance: receives the number of kB read."""
    if format != "text":
        for piece in read_pieces(file, format):
            for sentence in sentences_in(piece):
                yield [folded(form) for form in sentence.column("form")]
            advance(len(piece.data) / KILO)
        return
    name = source_name(file)
    with opened(file, name) as stream:
        blocks = _told(text_of(stream, name), advance)
        if segmenter is None:
            for line in _lines(blocks):
                yield from parts_of(tokens_of(line))
        else:
            for conllu in segmenter.conllu(blocks, ""):
                rows = (row.split("\t", 2) for row in conllu.split("\n") if row[:1].isdigit())
                yield [folded(cells[1]) for cells in rows if cells[0].isdigit()]


def _told(blocks: Iterable[str], advance: Advance) -> Iterator[str]:
    for block in blocks:
        yield block
        advance(len(block.encode("utf-8", "surrogatepass")) / KILO)


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """The lines of a text; very long ones in parts that end at a space, so that memory does not grow with them."""
    held = ""
    for block in blocks:
        *lines, held = (held + block).split("\n")
        yield from lines
        if len(held) > LONGEST_LINE and (end := held.rfind(" ")) > 0:
            yield held[:end]
            held = held[end:]
    yield held


def classes_from_vectors(
    file: str, *, rows: int = ROWS, seed: int = SEED, classes: int = CLASSES, progress: Progress = nothing
) -> WordClasses:
    """Make word classes from vectors of word2vec (text or binary), fastText (``.vec``) or GloVe, possibly in gzip.

    rows: number of vectors that are read, from the first on.

    Raises CrossarcError for files that are none of these.
    """
    words: dict[str, NDArray[np.float32]] = {}
    with task(progress, "reading vectors", "words", rows) as advance:
        for word, vector in _vectors(file, rows):
            words.setdefault(folded(word), vector)
            advance(1)
    if len(words) < 2:
        raise CrossarcError(f"{file}: found {len(words)} vectors, expected two or more")
    with task(progress, f"learning classes of {len(words)} words"):
        numbers, cuts = classes_of(unit(np.stack(list(words.values()))), seed, classes)
    return WordClasses(list(words), numbers, cuts, "word vectors", 0)


def _vectors(file: str, rows: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    try:
        with open(file, "rb") as start:
            packed = start.read(2) == b"\x1f\x8b"
        with gzip.open(file) if packed else open(file, "rb") as stream:
            yield from _read_vectors(stream, file, rows)
    except (OSError, EOFError) as error:
        raise CrossarcError(f"{file}: cannot read the vectors: {getattr(error, 'strerror', None) or error}") from error


def _read_vectors(stream: Any, file: str, rows: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
    first = stream.readline(LONGEST).rstrip()
    parts = first.split(b" ")
    announced = 0
    if len(parts) == 2 and all(part.isdigit() for part in parts):
        announced, dimensions = map(int, parts)
        if not 0 < dimensions <= MOST_DIMENSIONS:
            raise _fault(file, 1, f"{dimensions} dimensions; allowed: 1 to {MOST_DIMENSIONS}")
        begin = stream.read(1 << 12)
        if b"\0" in begin or (begin.count(b" ") * 16 < len(begin) and dimensions > 16):
            yield from _binary(begin, stream, file, min(rows, announced), dimensions)
            return
        lines: Iterable[bytes] = _rest(begin, stream)
    else:
        dimensions = len(parts) - 1
        lines = _rest(first + b"\n", stream)
    number = 0
    for number, line in enumerate(filter(None, lines), 1):
        cells = line.rstrip().split(b" ")
        vector = _numbers(cells[-dimensions:]) if len(cells) > dimensions > 0 else None
        if vector is None:
            raise _fault(file, number, f"{len(cells)} cells, expected a word and {dimensions} numbers")
        yield b" ".join(cells[:-dimensions]).decode("utf-8", "replace"), vector
        if number == rows:
            return
    if number < announced:
        raise _fault(file, number + 1, f"the end of the file after {number} of {announced} vectors")


def _rest(begin: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream after its first bytes, with their ends, and nothing for a missing one."""
    *lines, last = begin.split(b"\n")
    yield from (line + b"\n" for line in lines)
    yield last + stream.readline(1 << 20)
    yield from iter(lambda: stream.readline(1 << 20), b"")


def _numbers(cells: Sequence[bytes]) -> NDArray[np.float32] | None:
    try:
        vector = np.array(cells, dtype=np.float32)
    except ValueError:
        return None
    return vector if np.isfinite(vector).all() else None


def _binary(
    begin: bytes, stream: IO[bytes], file: str, rows: int, dimensions: int
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Vectors of word2vec's binary format: the word, a space, and the numbers as float32."""
    size = 4 * dimensions
    for number in range(rows):
        while b" " not in begin[:LONGEST] or len(begin) < begin.find(b" ") + 1 + size:
            block = stream.read(1 << 16)
            if not block:
                raise _fault(file, number + 1, "the file ends inside a vector")
            begin += block
        word, _, rest = begin.partition(b" ")
        vector = np.frombuffer(rest[:size], dtype="<f4").astype(np.float32)
        if not np.isfinite(vector).all():
            raise _fault(file, number + 1, "a vector with a value that is no number")
        yield word.strip(b"\n").decode("utf-8", "replace"), vector
        begin = rest[size:]


def _fault(file: str, number: int, problem: str) -> CrossarcError:
    expected = "vectors of word2vec, fastText or GloVe"
    return CrossarcError(f"{file}: vector {number}: found {problem}; {expected} are read, as text, binary or in gzip")
