"""Arcs that a person has decided: read from sentences, checked, and fixed in trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...transitions.spanning_tree import maximum_spanning_tree
from ...transitions.trees import cycles, is_tree, roots
from ..base.errors import CrossarcError, check_names
from ..treebank import Sentence
from ..treebank.tree import FlatTrees

GIVEN, MARKED = "given", "marked"
MARK = "Keep=Yes"
EMPTY = "_"
NEAR = 1e-3
"""Score of a new arc per word of its length, among arcs that score 1 if the parser has them."""


class Kept(NamedTuple):
    """The given arcs of the words of sentences.

    names: name of each sentence, for messages.
    lengths: number of words of each sentence (int64, (sentences,)).
    heads: heads, numbered within the sentence, -1 for words without a given arc (int64, (words,)).
    labels: deprels, "_" for any.
    """

    names: list[str]
    lengths: NDArray[np.int64]
    heads: NDArray[np.int64]
    labels: list[str]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], which: str) -> Self:
        """The arcs to keep. which: ``given`` or ``marked``, as in :meth:`~crossarc.ParserModel.parse`.

        Raises CrossarcError for other names, invalid heads, and marked words without a head.
        """
        check_names("keep: found", [which], (GIVEN, MARKED))
        names, heads, labels = [], [], []
        for sentence in sentences:
            own_heads = sentence.heads(partial=True)[1:]
            given = [head >= 0 for head in own_heads]
            chosen = given if which == GIVEN else [MARK in misc.split("|") for misc in sentence.column("misc")]
            name = f"{sentence.source}:{sentence.line}"
            if lost := [word for word, (own, has) in enumerate(zip(chosen, given, strict=True), 1) if own > has]:
                raise CrossarcError(f"{name}: word {lost[0]} has {MARK}, but no head; give it one, or remove the mark")
            names.append(name)
            heads += [head if own else -1 for head, own in zip(own_heads, chosen, strict=True)]
            labels += [label if own else EMPTY for label, own in zip(sentence.column("deprel"), chosen, strict=True)]
        return cls(names, np.array(list(map(len, sentences)), np.int64), np.array(heads, np.int64), labels)

    def check(self, single_root: bool) -> None:
        """Raise CrossarcError, with the words, for arcs that no tree has together."""
        for name, own in zip(self.names, np.split(self.heads, np.cumsum(self.lengths)[:-1]), strict=True):
            heads = [-1, *own.tolist()]
            if found := cycles(heads):
                words = " ".join(map(str, found[0]))
                raise CrossarcError(f"{name}: the arcs to keep of words {words} form a cycle; change one of them")
            if single_root and len(several := roots(heads)) > 1:
                fault = f"the arcs to keep of words {' '.join(map(str, several))} are from node 0"
                raise CrossarcError(f"{name}: {fault}, which has one dependent; change all but one of them")

    def fixed(self, trees: FlatTrees, single_root: bool) -> FlatTrees:
        """The trees with the given arcs, and with as many of their other arcs as possible.

        Arcs that must be added come from the former head of the head, or else from a near word.
        """
        given = self.heads >= 0
        heads = np.where(given, self.heads, trees.heads)
        names = list(dict.fromkeys([*trees.names, *self.labels]))
        number = {name: place for place, name in enumerate(names)}
        own = np.array([number[label] for label in self.labels], dtype=np.int64)
        labels = np.where(given & (own != number.get(EMPTY, -1)), own, trees.labels)
        changed = np.unique(trees.sentences[heads != trees.heads])
        ends = np.cumsum(self.lengths)
        for end, length in zip(ends[changed].tolist(), self.lengths[changed].tolist(), strict=True):
            part = slice(end - length, end)
            tree = [-1, *heads[part].tolist()]
            if not is_tree(tree) or (single_root and len(roots(tree)) != 1):
                heads[part] = _nearest(trees.heads[part], self.heads[part], single_root)
        return FlatTrees(trees.lengths, heads, labels, names)


def _nearest(found: NDArray[np.int64], given: NDArray[np.int64], single_root: bool) -> list[int]:
    """The heads of a tree with the given arcs and as many of the found ones as possible, for the words 1 to n."""
    nodes = np.arange(len(found) + 1)
    old, words = np.concatenate([[0], found]), nodes[1:]
    scores = -NEAR * np.abs(nodes[:, None] - nodes).astype(np.float64)
    scores[0] = -NEAR * len(nodes)
    scores[old[old[words]], words] = 0.5
    scores[old[words], words] = 1
    kept = words[given >= 0]
    scores[:, kept] = -np.inf
    scores[given[given >= 0], kept] = 1
    return maximum_spanning_tree(scores, single_root)[1:]
