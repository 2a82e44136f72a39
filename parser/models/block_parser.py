"""Parsing blocks: the trees of many sentences as arrays, without an object a word or a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Ints
from ..search.passes import derive_stages
from ..transforms import invert_all_flat, word_order
from ..treebank import NO_NODE, ROOT_NODE, Block, Table
from ..treebank.batches import batches_by_length
from ..treebank.symbols import treebank_column
from ..treebank.tree import FlatTrees
from .model import ParserModel
from .transition_model import TransitionModel

__all__ = ["BlockParser"]

MOST_TOKENS, MOST_BYTES = 2**18, 2**24
"""So many different tokens, and bytes of them, are remembered between blocks at most."""
MOST_LAYOUTS = 4
"""Tokens are remembered for so many ways in which columns stand."""
NO_TOKEN, ROOT_TOKEN, FIRST_TOKEN = range(3)
TAG = "upos"
"""The column that the weights of votes go by."""


class BlockParser:
    """Parses blocks with transition-based parsers, and with blends of them."""

    def __init__(self, model: ParserModel) -> None:
        """Where the model has need of sentences it can parse no block, see :attr:`able`."""
        self._model = model
        self._parts = [part for part in model.parts if isinstance(part, TransitionModel)]
        flat = all(transform.flat for part in self._parts for transform in part.transforms)
        self.able = flat and len(self._parts) == len(model.parts)
        self._tokens: dict[tuple[tuple[str, int], ...], _Tokens] = {}

    def expect(self, words: int) -> None:
        """So many words are about to be parsed: what is worth loading for them may be loaded."""
        for part in self._parts:
            part.expect(words)

    def __call__(self, block: Block) -> FlatTrees | None:
        """The trees of a block; None where the model looks at something that is not between ID and HEAD there."""
        tokens = self._tokens_of(block)
        if tokens is None:
            return None
        numbers = tokens.numbers(block.values(1, block.place("head") - 1))
        self.expect(len(numbers))
        trees = [_trees(part, block.lengths, numbers, own) for part, own in zip(self._parts, tokens.parts, strict=True)]
        return self._model.joined(trees, *tokens.tags(numbers))

    def _tokens_of(self, block: Block) -> _Tokens | None:
        """What is known of tokens whose columns stand as in the block."""
        index = block.format.index
        columns = [{name: treebank_column(name, part.reads) for name in part.columns} for part in self._parts]
        needed = {name for own in columns for name in own.values()} | ({TAG} if self._model.weighs_tags else set())
        if not {*needed, "head", "deprel"} <= index.keys():
            return None
        places = {name: index[name] for name in sorted(needed)}
        if not all(0 < place < index["head"] < index["deprel"] for place in places.values()):
            return None
        key = tuple(places.items())
        if key not in self._tokens:
            if len(self._tokens) == MOST_LAYOUTS:
                del self._tokens[next(iter(self._tokens))]
            wanted = [
                {name: (part.tables[name], places[column]) for name, column in own.items()}
                for part, own in zip(self._parts, columns, strict=True)
            ]
            self._tokens[key] = _Tokens(wanted, places.get(TAG))
        return self._tokens[key]


def _trees(model: TransitionModel, lengths: Ints, numbers: Ints, columns: Mapping[str, _Column]) -> FlatTrees:
    """The trees of sentences of these lengths. numbers: of their tokens, one sentence after the other."""
    order = word_order(model.transforms, lengths)
    tokens = numbers[order]
    heads, labels = np.empty_like(numbers), np.empty_like(numbers)
    begins = np.cumsum(lengths) - lengths
    for batch in batches_by_length(lengths.tolist(), model.batch_size):
        own = lengths[batch]
        position = np.arange(int(own.max()) + 2)
        inside = (position >= 1) & (position <= own[:, None])
        places = (begins[batch][:, None] + position - 1)[inside]
        matrix = np.full(inside.shape, NO_TOKEN)
        matrix[:, 0] = ROOT_TOKEN
        matrix[inside] = tokens[places]
        ids = {name: column.ids[matrix].astype(np.int64) for name, column in columns.items()}
        derived = derive_stages(model.stages, own, ids, (), model.beam)
        heads[places], labels[places] = derived.heads[inside], derived.deprels[inside]
    return invert_all_flat(model.transforms, FlatTrees(lengths, heads, labels, model.labels))


class _Tokens:
    """Tokens, that is what a row has between ID and HEAD, numbered as they come, and the value ids of each.

    parts: for each parser its columns by name. Equal tables are looked up once for all parsers.
    """

    def __init__(self, wanted: Sequence[Mapping[str, tuple[Table, int]]], tag: int | None) -> None:
        """wanted: for each parser the table of each column, and its place in the rows. tag: the place of
        :data:`TAG`."""
        columns: dict[tuple[Table, int], _Column] = {}
        self.parts = [
            {name: columns.setdefault(own, _Column(own[0].lookup, own[1])) for name, own in part.items()}
            for part in wanted
        ]
        self._numbers = _Numbers()
        self._bytes = 0
        self._tags = _Numbers()
        self._tag = None if tag is None else _Column(self._tags.lookup, tag)
        self._columns = [*columns.values(), *([self._tag] if self._tag else [])]

    def numbers(self, tokens: Sequence[bytes]) -> Ints:
        """int64 (tokens,)."""
        if len(self._numbers) > MOST_TOKENS or self._bytes > MOST_BYTES:
            self._numbers.clear()
            self._tags.clear()
            self._bytes = 0
            for column in self._columns:
                column.forget()
        known = len(self._numbers)
        found = self._numbers.lookup(tokens)
        if fresh := list(self._numbers)[known:]:
            self._bytes += sum(map(len, fresh))
            new = [token.decode().split("\t") for token in fresh]
            for column in self._columns:
                column.add(new)
        return found + FIRST_TOKEN

    def tags(self, numbers: Ints) -> tuple[Ints, list[str]]:
        """The parts of speech of tokens: int64 (tokens,), and the names that these are the numbers of."""
        return (self._tag.ids[numbers] if self._tag else numbers), list(self._tags)


class _Column:
    """What a column says of each token. ids: (tokens,), or (tokens, K) of sets."""

    def __init__(self, lookup: Callable[[Sequence[str]], NDArray[np.integer]], place: int) -> None:
        self._lookup = lookup
        self._place = place
        self.forget()

    def forget(self) -> None:
        """Of no token but those that stand for no word."""
        none = self._lookup([])
        self.ids = np.full((FIRST_TOKEN, *none.shape[1:]), NO_NODE, dtype=none.dtype)
        if self.ids.ndim == 1:
            self.ids[ROOT_TOKEN] = ROOT_NODE

    def add(self, rows: Sequence[Sequence[str]]) -> None:
        """Of new tokens, as the columns of their rows from the second on."""
        self.ids = np.concatenate([self.ids, self._lookup([row[self._place - 1] for row in rows])])


class _Numbers(dict[Any, int]):
    """The numbers of values, in the order in which they are asked for."""

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number

    def lookup(self, values: Sequence[Any]) -> Ints:
        """int64 (values,)."""
        return np.fromiter(map(self.__getitem__, values), np.int64, len(values))
