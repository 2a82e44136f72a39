"""Raw text as the input of models that have a tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ..base.errors import CrossarcError
from ..tokenizer import Tokenizer
from ..tokenizer.reading import conllu_of, decoded, sentences_of
from ..treebank import Piece
from ..treebank.formats import Layout
from ..treebank.reader import EMPTY
from ..treebank.source import Target, joined, opened, source_name

LAYOUT = Layout("conllu", "gold", 10)


def require_tokenizer(tokenizer: Tokenizer | None, name: str = "the model") -> Tokenizer:
    """The tokenizer of a model. Raises CrossarcError if there is none. name: name of the model, for messages."""
    if tokenizer is None:
        raise CrossarcError(
            f"{name} starts from words and cannot split raw text; train a model that can: "
            "crossarc train accurate --set input=text --train train.conllu --dev dev.conllu --model text.model"
        )
    return tokenizer


def segmented(
    tokenizer: Tokenizer, target: Target, at_once: bool = False, lines: bool = False, ranges: bool = False
) -> Iterator[str]:
    """The sentences of a raw text in CoNLL-U.

    target: a path, "-" (standard input) or an open stream, UTF-8, compressed or not.
    at_once, lines: as for :func:`~..tokenizer.reading.sentences_of`.
    ranges: as for :func:`~..tokenizer.reading.conllu_of`.

    Raises CrossarcError for files that cannot be read and for invalid UTF-8.
    """
    name = source_name(target)
    with opened(target, name) as stream:
        sentences = sentences_of(tokenizer, decoded(stream, name), at_once, lines)
        yield from conllu_of(sentences, "" if name.startswith("<") else name, ranges)


def raw_pieces(parts: Iterable[str], target: Target, size: int) -> Iterator[Piece]:
    """The result of :func:`segmented` as pieces of about ``size`` bytes; 0 for one sentence each."""
    name = source_name(target)
    pieces = joined(((1, part.rstrip("\n").encode()) for part in parts), size)
    first = next(pieces, None)
    if first is None:
        raise EMPTY.error(name)
    for line, data in chain([first], pieces):
        yield Piece(data, line, LAYOUT, name)
