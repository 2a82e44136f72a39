"""Generic transformations: words with a given label swap with a child or the parent, or move up or down; and reversal.

Signs at the end of labels record the changes. Labels that end in such a sign themselves are escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from ...transitions.trees import depths, nonprojective_arcs
from ..base.parameters import LABEL, parameter, whole
from ..base.shapes import MapOf, Record
from ..treebank.tree import FlatTrees, Tree
from .transform import Ints, Transform

ESCAPE = "\\"


def marked(labels: Iterable[str], counts: Iterable[int], sign: str) -> list[str]:
    """The labels followed by the given counts of signs, after a backslash if the label ends in a sign or backslash."""
    return [
        f"{label}{ESCAPE if label.endswith((sign, ESCAPE)) else ''}{sign * count}"
        for label, count in zip(labels, counts, strict=True)
    ]


def unmarked(labels: Iterable[str], sign: str) -> tuple[list[str], list[int]]:
    """(original labels, number of signs of each): the inverse of :func:`marked`."""
    originals, counts = [], []
    for label in labels:
        bare = label.rstrip(sign)
        counts.append((len(label) - len(bare)) // len(sign))
        originals.append(bare.removesuffix(ESCAPE))
    return originals, counts


class _State:
    """A tree that is being changed: heads, plain labels, and number of signs of each label."""

    def __init__(self, heads: Sequence[int], labels: Sequence[str], signs: Sequence[int]) -> None:
        self.heads = list(heads)
        self.labels = list(labels)
        self.signs = list(signs)

    def children(self, word: int) -> list[int]:
        return [child for child in range(1, len(self.heads)) if self.heads[child] == word]

    def beyond(self, word: int) -> list[int]:
        """The siblings of a word that are on the same side of their head and farther from it."""
        head = self.heads[word]
        return [child for child in self.children(head) if (child < word < head) or (head < word < child)]

    def move(self, changes: Mapping[int, int], signed: Sequence[int]) -> None:
        """Change heads and add signs to labels, unless no head changes or more arcs become non-projective.

        changes: new head by word.
        signed: words whose labels get a sign.
        """
        heads = list(self.heads)
        for word, head in changes.items():
            heads[word] = head
        if heads != self.heads and sum(nonprojective_arcs(heads)) <= sum(nonprojective_arcs(self.heads)):
            self.heads = heads
            for word in signed:
                self.signs[word] += 1


@dataclass(kw_only=True, eq=False)
class _Generic(Transform):
    """A transformation of the focus words, the words with the label ``label`` (Nilsson 2009, section 9.1).

    It works bottom up and from left to right, and its inverse in the opposite order. Steps that would add
    non-projective arcs are left out.
    """

    sign: ClassVar[str]

    label: str = parameter("", LABEL, "label of the words that are transformed")

    def apply(self, tree: Tree) -> Tree:
        state = _State(tree.heads, tree.deprels, [0] * len(tree.heads))
        for word in deepest_first(tree.heads):
            if tree.deprels[word] == self.label:
                self._change(state, word)
        return Tree(state.heads, marked(state.labels, state.signs, self.sign), tree.columns)

    def invert(self, tree: Tree) -> Tree:
        state = _State(tree.heads, *unmarked(tree.deprels, self.sign))
        for word in reversed(deepest_first(tree.heads)):
            if state.labels[word] == self.label:
                self._restore(state, word)
        return Tree(state.heads, state.labels, tree.columns)

    def _change(self, state: _State, focus: int) -> None:
        raise NotImplementedError

    def _restore(self, state: _State, focus: int) -> None:
        raise NotImplementedError


@dataclass(kw_only=True, eq=False)
class ChildSwap(_Generic):
    """The focus word and its leftmost left child exchange heads; the focus word is then labelled ``X*`` (9.1.1)."""

    name: ClassVar[str] = "child-swap"
    summary: ClassVar[str] = "exchanges the heads of a word and its leftmost left child (Nilsson 2009, 9.1.1)"
    sign: ClassVar[str] = "*"

    def _change(self, state: _State, focus: int) -> None:
        left = [child for child in state.children(focus) if child < focus]
        if left:
            state.move({left[0]: state.heads[focus], focus: left[0]}, [focus])

    def _restore(self, state: _State, focus: int) -> None:
        child = state.heads[focus]
        if state.signs[focus] and child > 0:
            state.heads[focus], state.heads[child] = state.heads[child], focus


@dataclass(kw_only=True, eq=False)
class ParentSwap(_Generic):
    """The focus word and its head exchange heads (9.1.2).

    Siblings on the far side of the focus word, which would be non-projective, become its children, labelled ``Z^``. The
    inverse treats as head the child whose label was most frequent among the former heads in training; among equally
    frequent labels, the nearest child.
    """

    name: ClassVar[str] = "parent-swap"
    summary: ClassVar[str] = "makes the head of a word its dependent (Nilsson 2009, 9.1.2)"
    sign: ClassVar[str] = "^"
    learned: ClassVar[Record] = Record({"parents": MapOf(whole(0))})

    _parents: Counter[str] = field(default_factory=Counter, init=False, repr=False)

    def fit(self, trees: Sequence[Tree]) -> Self:
        self._parents = Counter(
            tree.deprels[head]
            for tree in trees
            for head, label in zip(tree.heads, tree.deprels, strict=True)
            if label == self.label and head > 0
        )
        return self

    @property
    def restores(self) -> bool:
        return bool(self._parents)

    def state(self) -> dict[str, Any]:
        return {"parents": dict(sorted(self._parents.items()))}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._parents = Counter(state["parents"])

    def _change(self, state: _State, focus: int) -> None:
        if parent := state.heads[focus]:
            beyond = state.beyond(focus)
            state.move({**dict.fromkeys(beyond, focus), focus: state.heads[parent], parent: focus}, beyond)

    def _restore(self, state: _State, focus: int) -> None:
        children = [child for child in state.children(focus) if not state.signs[child]]
        parents = [child for child in children if self._parents[state.labels[child]]]
        if not parents:
            return
        parent = min(parents, key=lambda word: (-self._parents[state.labels[word]], abs(word - focus), word))
        for word in state.children(focus):
            if state.signs[word]:
                state.heads[word] = parent
                state.signs[word] -= 1
        state.heads[parent], state.heads[focus] = state.heads[focus], parent


@dataclass(kw_only=True, eq=False)
class LiftChildren(_Generic):
    """The children of the focus word become its siblings, labelled ``Y'`` (9.1.3), unless node 0 is its own head."""

    name: ClassVar[str] = "lift-children"
    summary: ClassVar[str] = "makes the children of a word its siblings (Nilsson 2009, 9.1.3)"
    sign: ClassVar[str] = "'"

    def _change(self, state: _State, focus: int) -> None:
        head, children = state.heads[focus], state.children(focus)
        if head:
            state.move(dict.fromkeys(children, head), children)

    def _restore(self, state: _State, focus: int) -> None:
        head = state.heads[focus]
        siblings = state.children(head)
        rivals = [word for word in siblings if state.labels[word] == self.label and not state.signs[word]]
        for word in siblings:
            if state.signs[word] and word != focus and head:
                nearest = min(rivals or [focus], key=lambda rival: (abs(rival - word), rival))
                if nearest == focus or focus not in rivals:
                    state.heads[word] = focus
                    state.signs[word] -= 1


@dataclass(kw_only=True, eq=False)
class DescendSiblings(_Generic):
    """The siblings beyond the focus word, as seen from its head, become its children, labelled ``Z'`` (9.1.4)."""

    name: ClassVar[str] = "descend-siblings"
    summary: ClassVar[str] = "makes the siblings beyond a word its children (Nilsson 2009, 9.1.4)"
    sign: ClassVar[str] = "'"

    def _change(self, state: _State, focus: int) -> None:
        beyond = state.beyond(focus)
        state.move(dict.fromkeys(beyond, focus), beyond)

    def _restore(self, state: _State, focus: int) -> None:
        for word in state.children(focus):
            if state.signs[word]:
                state.heads[word] = state.heads[focus]
                state.signs[word] -= 1


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
        columns = {name: tuple(reversed(values)) for name, values in tree.columns.items()}
        return Tree(heads, ["", *reversed(tree.deprels[1:])], columns)

    def invert(self, tree: Tree) -> Tree:
        return self.apply(tree)

    def word_order(self, lengths: Ints) -> Ints:
        ends = np.cumsum(lengths)
        return np.repeat(2 * ends - lengths - 1, lengths) - np.arange(int(lengths.sum()))

    def invert_flat(self, trees: FlatTrees) -> FlatTrees:
        order = self.word_order(trees.lengths)
        heads = trees.heads[order]
        turned = np.where(heads > 0, np.repeat(trees.lengths, trees.lengths) + 1 - heads, 0)
        return trees._replace(heads=turned, labels=trees.labels[order])


GENERIC: tuple[type[Transform], ...] = (ChildSwap, ParentSwap, LiftChildren, DescendSiblings)


def deepest_first(heads: Sequence[int]) -> list[int]:
    """The words, each before its head; words of the same depth from left to right."""
    depth = depths(heads)
    return sorted(range(1, len(heads)), key=lambda word: (-depth[word], word))
