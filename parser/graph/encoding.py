"""Columns of sentences to the integers that graph-based parsing works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..treebank import Table, encode_columns
from ..treebank.tree import Columns
from .edges import Ints
from .features import Words

__all__ = ["TAGS", "encode_words"]

TAGS = "upos"
"""The column that the edge filter looks at."""


def encode_words(columns: Sequence[Columns], lengths: Sequence[int], tables: Mapping[str, Table]) -> tuple[Words, Ints]:
    """(the words of a batch, the tag of every node): the value ids of the columns that there are tables for."""
    by_name = {name: [own[name] for own in columns] for name in tables}
    encoded = encode_columns(by_name, tables)
    counts = np.asarray(lengths, dtype=np.int64)
    tags = encoded[TAGS]
    return Words(counts, encoded), tags[np.arange(tags.shape[1]) <= counts[:, None]].astype(np.int64)
