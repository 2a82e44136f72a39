"""Reversal: a parser trained on reversed sentences parses from right to left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..treebank.tree import Columns, FlatTrees, Tree
from .transform import Ints, Transform


class Reversal(Transform):
    """The words in reverse order, node 0 still the first node (Nilsson 2009, section 8.2, figure 8.1).

    Heads, labels and columns are reversed, before training and before parsing; the transform is its own inverse. It
    keeps the projectivity of every arc, so any transition system can be used with it.
    """

    name: ClassVar[str] = "reversal"
    summary: ClassVar[str] = "reverses sentences, so that they are parsed from right to left (Nilsson 2009, 8.2)"

    def apply(self, tree: Tree) -> Tree:
        n = len(tree.heads) - 1
        heads = [-1, *(n + 1 - head if head else 0 for head in reversed(tree.heads[1:]))]
        return Tree(heads, ["", *reversed(tree.deprels[1:])], self.prepare(tree.columns))

    def invert(self, tree: Tree) -> Tree:
        return self.apply(tree)

    def prepare(self, columns: Columns) -> Columns:
        return {name: _reversed(values) for name, values in columns.items()}

    def word_order(self, lengths: Ints) -> Ints:
        ends = np.cumsum(lengths)
        return np.repeat(2 * ends - lengths - 1, lengths) - np.arange(int(lengths.sum()))

    def invert_flat(self, trees: FlatTrees) -> FlatTrees:
        order = self.word_order(trees.lengths)
        heads = trees.heads[order]
        turned = np.where(heads > 0, np.repeat(trees.lengths, trees.lengths) + 1 - heads, 0)
        return trees._replace(heads=turned, labels=trees.labels[order])


def _reversed(values: Sequence[str]) -> Sequence[str]:
    return tuple(reversed(values))
