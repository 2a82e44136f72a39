"""Columns of sentences to the integers that graph-based parsing works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..treebank import Table, encode_columns
from ..treebank.tree import Columns
from .edges import Ints
from .features import Words

__all__ = ["TAGS", "encode_words", "node_words"]

TAGS = "upos"
"""The column that the edge filter looks at."""


def encode_words(columns: Sequence[Columns], lengths: Sequence[int], tables: Mapping[str, Table]) -> tuple[Words, Ints]:
    """As :func:`node_words`, from the columns that there are tables for."""
    by_name = {name: [own[name] for own in columns] for name in tables}
    return node_words(np.asarray(lengths, dtype=np.int64), encode_columns(by_name, tables))


def node_words(lengths: Ints, ids: Mapping[str, NDArray[np.integer]]) -> tuple[Words, Ints]:
    """(the words of a batch, the tag of every node), from the value ids of its columns."""
    tags = ids[TAGS]
    return Words(lengths, ids), tags[np.arange(tags.shape[1]) <= lengths[:, None]].astype(np.int64)
