"""Candidate edges and scores of graph-based parsing, computed from their definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from crossarc.features.extractor import ColumnSize
from crossarc.parser.plugins.graph.decode import Decoding, decode
from crossarc.parser.plugins.graph.edges import EdgeFilter, Edges, EdgeScores, Ints
from crossarc.parser.plugins.graph.features import WordColumns
from numpy.random import Generator
from numpy.typing import NDArray

__all__ = ["all_edges", "decoded", "inside", "random_words", "split", "third", "tree_score"]


def inside(lengths: Sequence[int]) -> NDArray[np.bool_]:
    """Mask of the places of encoded columns that are node 0 or a word (bool (sentences, longest + 2))."""
    return np.arange(max(lengths) + 2) <= np.array(lengths)[:, None]


def random_words(
    sizes: Mapping[str, ColumnSize], lengths: Sequence[int], dice: Generator, least: int = 3
) -> WordColumns:
    """Random encoded columns. The value of node 0 is 1; places after the last word are 0.

    sizes: size of each column.
    lengths: number of words of each sentence.
    least: smallest value of words.
    """
    columns = {}
    for name, size in sizes.items():
        places = inside(lengths)
        shape = places.shape if size.most is None else (*places.shape, size.most)
        columns[name] = dice.integers(least, size.values, shape)
        columns[name][:, 0] = 1
        columns[name][~places] = 0
    return WordColumns(np.array(lengths), columns)


def all_edges(lengths: Sequence[int], labels: int = 1) -> Edges:
    """Edges with all arcs and all labels."""
    every = EdgeFilter(np.ones((1, 1, 2, labels), dtype=np.bool_), np.zeros(1, dtype=np.int64))
    return every.edges(np.array(lengths, dtype=np.int64), np.zeros(sum(lengths) + len(lengths), dtype=np.int64))


def split(flat: tuple[Ints, Ints], offsets: Sequence[int] | Ints) -> list[tuple[Ints, Ints]]:
    """(heads, labels) of each sentence. flat: heads and labels of all nodes of a batch."""
    return list(zip(*(np.split(own, offsets[1:-1]) for own in flat), strict=True))


def decoded(edges: Edges, scores: EdgeScores, decoding: Decoding) -> list[tuple[Ints, Ints]]:
    """(heads, labels) of the best tree of each sentence."""
    return split(decode(edges, scores, decoding), edges.offsets)


def third(heads: Sequence[int], m: int) -> tuple[int, int, int]:
    """The distances of sibling, inner and outer grandchild of the arc to word ``m``; 0 if there is none."""
    h = heads[m]
    inside = range(min(h, m) + 1, max(h, m))
    siblings = [abs(k - h) for k in inside if heads[k] == h]
    inner = [abs(k - m) for k in inside if heads[k] == m]
    outer = [abs(k - m) for k in range(1, len(heads)) if heads[k] == m and k not in inside and (k > m) == (m > h)]
    return max(siblings, default=0), max(inner, default=0), max(outer, default=0)


def tree_score(edges: Edges, scores: EdgeScores, sentence: int, heads: Sequence[int], labels: Sequence[int]) -> int:
    """The score of a tree, which may be non-projective. Raises KeyError if an edge is not a candidate."""
    base = edges.offsets[sentence]
    columns = (edges.head - base, edges.dependent - base, edges.label)
    numbers = {key: e for e, key in enumerate(zip(*(column.tolist() for column in columns), strict=True))}
    total = 0
    for m in range(1, len(heads)):
        e = numbers[int(heads[m]), m, int(labels[m])]
        total += int(scores.edge[e])
        if scores.sibling.size:
            total += sum(int(table[e, node]) for table, node in zip(scores[1:], third(heads, m), strict=True))
    return total
