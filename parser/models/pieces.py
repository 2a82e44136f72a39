"""Parsing files: bytes in, bytes out, without an object for each word where the model does not need any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..treebank import Piece, Sentence, block_of, conll_text, sentences_in
from .model import ParserModel
from .words import BlockWords, TokenMemory


class Parsed(NamedTuple):
    """What a piece has become: its bytes, and how many sentences and words it has, and how many of the sentences are
    longer than the model likes them (:attr:`~.model.ParserModel.longest`)."""

    data: bytes
    sentences: int
    words: int
    long: int


SentencesToText = Callable[[Sequence[Sentence]], Iterable[str]]


class PieceParser:
    """Parses pieces of files with a model.

    write: gives the text of sentences, for more than their best trees; no blocks are parsed then. retag: as
    of :meth:`~.model.ParserModel.parse`.
    """

    def __init__(self, model: ParserModel, write: SentencesToText | None = None, retag: bool = False) -> None:
        self._model = model
        self._write = write
        self._retag = retag
        self._memory = TokenMemory()

    def __call__(self, piece: Piece) -> Parsed:
        """Raises CrossarcError as reading the file as sentences and parsing them would."""
        block = None if self._write else block_of(piece)
        if block is not None and {"head", "deprel"} <= block.format.index.keys() and block.place("head") > 1:
            words = BlockWords(block, piece, self._memory, self._retag)
            lengths, data = words.lengths, words.with_trees(self._model.trees(words))
        else:
            sentences = list(sentences_in(piece))
            write = self._write or partial(_texts, self._model, self._retag)
            texts = write(sentences)
            lengths, data = np.array(list(map(len, sentences))), "".join(texts).encode()
        longest = self._model.longest
        long = 0 if longest is None else int((lengths > longest).sum())
        return Parsed(data, len(lengths), int(lengths.sum()), long)

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Load and compile what parsing the pieces will need, by parsing the first sentence of them."""
        self._model.hint_workload(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))


def _texts(model: ParserModel, retag: bool, sentences: Sequence[Sentence]) -> Iterable[str]:
    return map(conll_text, model.parse_chunk(sentences, retag=retag))


def scored_texts(model: ParserModel, retag: bool, sentences: Sequence[Sentence]) -> Iterable[str]:
    """The text of the sentences, with confidences."""
    return map(conll_text, model.parse_chunk(sentences, confidences=True, retag=retag))
