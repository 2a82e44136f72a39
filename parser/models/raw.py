"""Raw text as the input of models that have a tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..tokenizer import Tokenizer
from ..tokenizer.reading import conllu_of, decoded, sentences_of
from ..treebank import Piece, SymbolTable
from ..treebank.formats import Layout
from ..treebank.reader import EMPTY
from ..treebank.source import Target, joined, opened, source_name
from .inputs import unseen_characters

LAYOUT = Layout("conllu", "gold", 10)
FIRST = 1000
"""Number of characters that are compared with those of training."""


def require_tokenizer(tokenizer: Tokenizer | None, name: str = "the model") -> Tokenizer:
    """The tokenizer of a model. Raises CrossarcError if there is none. name: name of the model, for messages."""
    if tokenizer is None:
        raise CrossarcError(
            f"{name} starts from words and cannot split raw text; train a model that can: "
            "crossarc train accurate --set input=text --train train.conllu --dev dev.conllu --model text.model"
        )
    return tokenizer


def segmented(
    tokenizer: Tokenizer,
    target: Target,
    at_once: bool = False,
    lines: bool = False,
    ranges: bool = False,
    table: SymbolTable | None = None,
    warn: Progress = nothing,
) -> Iterator[str]:
    """The sentences of a raw text in CoNLL-U.

    target: a path, "-" (standard input) or an open stream, UTF-8, compressed or not.
    at_once, lines: as for :func:`~..tokenizer.reading.sentences_of`.
    ranges: as for :func:`~..tokenizer.reading.conllu_of`.
    table: the words of training; receives the first characters, and ``warn`` a warning if most are not known.

    Raises CrossarcError for files that cannot be read and for invalid UTF-8.
    """
    name = source_name(target)
    with opened(target, name) as stream:
        blocks = decoded(stream, name)
        if table is not None:
            blocks = _looked_at(blocks, table, warn)
        sentences = sentences_of(tokenizer, blocks, at_once, lines)
        yield from conllu_of(sentences, "" if name.startswith("<") else name, ranges)


def _looked_at(blocks: Iterator[str], table: SymbolTable, warn: Progress) -> Iterator[str]:
    first = ""
    for block in blocks:
        first += block[: FIRST - len(first)]
        yield block
        if len(first) == FIRST:
            break
    if found := unseen_characters(table, {first: 1}):
        warn(found)
    yield from blocks


def raw_pieces(parts: Iterable[str], target: Target, size: int) -> Iterator[Piece]:
    """The result of :func:`segmented` as pieces of about ``size`` bytes; 0 for one sentence each."""
    name = source_name(target)
    pieces = joined(((1, part.rstrip("\n").encode()) for part in parts), size)
    first = next(pieces, None)
    if first is None:
        raise EMPTY.error(name)
    for line, data in chain([first], pieces):
        yield Piece(data, line, LAYOUT, name)
