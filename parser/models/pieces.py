"""Parsing files: bytes in, bytes out, without an object a word where the model has no need of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Ints
from ..config.feature_files import treebank_column
from ..search.learned_guide import ValueIds
from ..search.passes import derive_stages
from ..treebank import NO_NODE, ROOT_NODE, Block, Piece, SymbolTable, Table, block_of, conll_text, sentences_in
from ..treebank.batches import batches_by_length
from .model import ParserModel
from .transition_model import TransitionModel

__all__ = ["Parsed", "PieceParser"]

MOST_TOKENS = 2**18
"""So many different tokens are remembered at most."""
NO_TOKEN, ROOT_TOKEN = range(2)


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
        self._tokens: dict[tuple[int, ...], _Tokens] = {}

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
        model = self._model
        return isinstance(model, TransitionModel) and not (model.transforms or self._confidences)

    def parse_block(self, block: Block) -> bytes | None:
        """The bytes of a block with the model's trees, None where it must be parsed as sentences."""
        model = self._model
        if not isinstance(model, TransitionModel) or not self.reads_blocks:
            return None
        tokens = self._tokens_of(model, block)
        if tokens is None:
            return None
        heads, labels = _trees(model, block, tokens)
        return block.with_trees(heads, labels, [*model.labels, ""])

    def warm(self, pieces: Sequence[Piece]) -> None:
        """Have loaded and compiled what parsing the pieces will need, by parsing the first sentence of them."""
        if isinstance(self._model, TransitionModel):
            self._model.expect(sum(piece.data.count(b"\n") for piece in pieces))
        if pieces:
            first, _, _ = pieces[0].data.partition(b"\n\n")
            self(pieces[0]._replace(data=first))

    def _tokens_of(self, model: TransitionModel, block: Block) -> _Tokens | None:
        """What is known of tokens whose columns stand as in the block; None if they are not all between ID and HEAD,
        or there is none of them."""
        index = block.format.index
        names = {name: model.reads.get(name, treebank_column(name)) for name in model.columns}
        if not {*names.values(), "head", "deprel"} <= index.keys():
            return None
        places = {name: index[column] for name, column in names.items()}
        if not all(0 < place < index["head"] < index["deprel"] for place in places.values()):
            return None
        key = tuple(places.values())
        if key not in self._tokens:
            self._tokens[key] = _Tokens(model.tables, places)
        return self._tokens[key]


class _Tokens:
    """Tokens, that is what a row has between ID and HEAD, numbered as they come, and the value ids of each."""

    def __init__(self, tables: Mapping[str, Table], places: Mapping[str, int]) -> None:
        self._tables = tables
        self._places = places
        self._forget()

    def _forget(self) -> None:
        self._numbers = _Numbers()
        self._ids = {}
        for name, table in self._tables.items():
            ids = np.concatenate([table.lookup([]), table.lookup(["_", "_"])]) * 0 + NO_NODE
            if isinstance(table, SymbolTable):
                ids[ROOT_TOKEN] = ROOT_NODE
            self._ids[name] = ids

    def numbers(self, tokens: Sequence[bytes]) -> Ints:
        """int64 (tokens,)."""
        if len(self._numbers) > MOST_TOKENS:
            self._forget()
        known = len(self._numbers)
        found = np.fromiter(map(self._numbers.__getitem__, tokens), np.int64, len(tokens))
        new = [token.decode().split("\t") for token in list(self._numbers)[known:]]
        if new:
            for name, place in self._places.items():
                ids = self._tables[name].lookup([row[place - 1] for row in new])
                self._ids[name] = np.concatenate([self._ids[name], ids])
        return found

    def ids(self, numbers: Ints) -> ValueIds:
        """The value ids of a matrix of tokens, for each column that features look at."""
        return {name: ids[numbers].astype(np.int64) for name, ids in self._ids.items()}


class _Numbers(dict[bytes, int]):
    """The numbers of tokens, in the order in which they are asked for."""

    def __missing__(self, token: bytes) -> int:
        number = self[token] = ROOT_TOKEN + 1 + len(self)
        return number


def _trees(model: TransitionModel, block: Block, tokens: _Tokens) -> tuple[Ints, NDArray[np.int64]]:
    """(heads, labels) of the words of a block, int64 (words,); a label of -1 is none."""
    numbers = tokens.numbers(block.values(1, block.place("head") - 1))
    heads, labels = np.empty_like(numbers), np.empty_like(numbers)
    model.expect(len(numbers))
    begins = np.cumsum(block.lengths) - block.lengths
    for batch in batches_by_length(block.lengths.tolist(), model.batch_size):
        lengths = block.lengths[batch]
        position = np.arange(int(lengths.max()) + 2)
        inside = (position >= 1) & (position <= lengths[:, None])
        places = (begins[batch][:, None] + position - 1)[inside]
        matrix = np.full(inside.shape, NO_TOKEN)
        matrix[:, 0] = ROOT_TOKEN
        matrix[inside] = numbers[places]
        derived = derive_stages(model.stages, lengths, tokens.ids(matrix), (), model.beam)
        heads[places], labels[places] = derived.heads[inside], derived.deprels[inside]
    return heads, labels
