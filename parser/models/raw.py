"""Raw text as the input of models that have a step which splits it."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator

from ..base.errors import CrossarcError
from ..treebank import Piece
from ..treebank.formats import Layout
from ..treebank.source import Target, joined, opened, source_name
from .steps import Segmenter

BLOCK = 1 << 16
"""Number of bytes of raw text that are read at a time."""
LAYOUT = Layout("conllu", "gold", 10)


def require_segmenter(segmenter: Segmenter | None, name: str = "the model") -> Segmenter:
    """The segmenter of a model. Raises CrossarcError if there is none. name: name of the model, for messages."""
    if segmenter is None:
        raise CrossarcError(
            f"{name} starts from words and cannot split raw text; train a model that can: "
            "crossarc train accurate --set input=text --train train.conllu --dev dev.conllu --model text.model"
        )
    return segmenter


def segmented(
    segmenter: Segmenter, target: Target, at_once: bool = False, lines: bool = False, ranges: bool = False
) -> Iterator[str]:
    """The sentences of a raw text in CoNLL-U, each with its empty line.

    target: a path, "-" (standard input) or an open stream, UTF-8, compressed or not.
    at_once, lines, ranges: see :meth:`.steps.Segmenter.conllu`.

    Raises CrossarcError for files that cannot be read and for invalid UTF-8.
    """
    name = source_name(target)
    with opened(target, name) as stream:
        document = "" if name.startswith("<") else name
        yield from segmenter.conllu(text_of(stream, name), document, at_once=at_once, lines=lines, ranges=ranges)


def text_of(stream: io.BufferedIOBase, name: str) -> Iterator[str]:
    """The text of a stream in UTF-8, as it arrives. Raises CrossarcError with the position of invalid bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    at = 0
    while True:
        data = stream.read1(BLOCK)
        pending = len(decoder.getstate()[0])
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            place = at - pending + error.start
            raise CrossarcError(f"{name}: invalid UTF-8 at byte {place}; convert the text to UTF-8") from None
        at += len(data)
        if text:
            yield text
        if not data:
            return


def raw_pieces(parts: Iterable[str], target: Target, size: int) -> Iterator[Piece]:
    """The result of :func:`segmented` as pieces of about ``size`` bytes; 0 for one sentence each."""
    name = source_name(target)
    for line, data in joined(((1, part.rstrip("\n").encode()) for part in parts), size):
        yield Piece(data, line, LAYOUT, name)
