"""Parsing files: bytes in, bytes out, without an object a word where the model has no need of any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..treebank import Block, Piece, block_of, conll_text, sentences_in
from .block_parser import BlockParser
from .model import ParserModel

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
        self._blocks = BlockParser(model)

    def __call__(self, piece: Piece) -> Parsed:
        """Raises CrossarcError as reading the file as sentences and parsing them would."""
        model = self._model
        block = block_of(piece) if self.reads_blocks else None
        data = None if block is None else self.parse_block(block)
        if block is not None and data is not None:
            return Parsed(data, len(block.lengths), int(block.lengths.sum()), 0)
        sentences = list(sentences_in(piece))
        parsed = model.parse_chunk(sentences, self._confidences)
        lengths = list(map(len, sentences))
        long = 0 if model.longest is None else sum(length > model.longest for length in lengths)
        return Parsed("".join(map(conll_text, parsed)).encode(), len(lengths), sum(lengths), long)

    @property
    def reads_blocks(self) -> bool:
        """Whether the model has no need of sentences where a block has all that it looks at."""
        return self._blocks.able and not self._confidences

    def parse_block(self, block: Block) -> bytes | None:
        """The bytes of a block with the model's trees, None where it must be parsed as sentences."""
        trees = self._blocks(block) if self.reads_blocks else None
        return None if trees is None else block.with_trees(trees.heads, trees.labels, trees.names)

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Have loaded and compiled what parsing the pieces will need, by parsing the first sentence of them."""
        self._blocks.expect(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))
