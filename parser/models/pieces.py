"""Parsing files: bytes in, bytes out, without an object for each word where the model does not need any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..treebank import Piece, block_of, conll_text, sentences_in
from .model import ParserModel
from .words import BlockWords, TokenMemory

__all__ = ["Parsed", "PieceParser"]


class Parsed(NamedTuple):
    """What a piece has become: its bytes, and how many sentences and words it has, and how many of the sentences are
    longer than the model likes them (:attr:`~.model.ParserModel.longest`)."""

    data: bytes
    sentences: int
    words: int
    long: int


class PieceParser:
    """Parses pieces of files with a model. confidences: as in :meth:`.model.ParserModel.parse`."""

    def __init__(self, model: ParserModel, confidences: bool = False) -> None:
        self._model = model
        self._confidences = confidences
        self._memory = TokenMemory()

    def __call__(self, piece: Piece) -> Parsed:
        """Raises CrossarcError as reading the file as sentences and parsing them would."""
        block = None if self._confidences else block_of(piece)
        if block is not None and {"head", "deprel"} <= block.format.index.keys() and block.place("head") > 1:
            words = BlockWords(block, piece, self._memory)
            lengths, data = words.lengths, words.with_trees(self._model.trees(words))
        else:
            sentences = list(sentences_in(piece))
            parsed = self._model.parse_chunk(sentences, self._confidences)
            lengths, data = np.array(list(map(len, sentences))), "".join(map(conll_text, parsed)).encode()
        longest = self._model.longest
        long = 0 if longest is None else int((lengths > longest).sum())
        return Parsed(data, len(lengths), int(lengths.sum()), long)

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Load and compile what parsing the pieces will need, by parsing the first sentence of them."""
        self._model.hint_workload(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))
