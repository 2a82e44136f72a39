"""Pseudo-projective transforms: projectivization that leaves its traces in the labels, and its inverse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from ..errors import CrossarcError, choices
from ..treebank.tree import Tree
from .covered_roots import ATTACHMENTS, attach_covered_roots
from .deprojectivize import ENCODINGS, SEARCHES, Lifted, deprojectivize
from .labels import Mark, decode, encode, escape, plain
from .projectivize import ORDERS, projectivize
from .transform import Transform, check_choice

__all__ = ["PseudoProjective"]


class PseudoProjective(Transform):
    """Pseudo-projective transformation (Nivre & Nilsson 2005; Nilsson 2009, chapter 5).

    encoding: what the labels of the projectivized tree say (table 5.1 of the thesis): ``baseline`` nothing, ``head``
    ``d↑h`` on lifted words, ``path`` ``d↑`` on lifted words and ``p↓`` on the arcs they were lifted over,
    ``head+path`` ``d↑h`` and ``p↓``. order: which arc is lifted first, see :func:`projectivize`. covered_roots: what
    happens to roots inside an arc first, see :func:`attach_covered_roots`; a moved one is labelled ``d↑↑``.
    label_cap: only that many decorated labels are kept, the most frequent ones of the training trees (Johansson &
    Nugues 2008; Björkelund & Kuhn 2012, section 2); of equally frequent ones those that sort first; the others become
    their plain label. search: how syntactic heads are found, see :func:`deprojectivize`.
    """

    name: ClassVar[str] = "pseudo-projective"

    def __init__(
        self,
        encoding: str = "head",
        order: str = "shortest",
        covered_roots: str = "ignore",
        label_cap: int | None = None,
        search: str = "verified",
    ) -> None:
        self.encoding = encoding
        self.order = order
        self.covered_roots = covered_roots
        self.label_cap = label_cap
        self.search = search
        self._kept: frozenset[str] | None = None

    def validate(self) -> None:
        check_choice(self, "encoding", self.encoding, ENCODINGS)
        check_choice(self, "order", self.order, ORDERS)
        check_choice(self, "covered-roots", self.covered_roots, ATTACHMENTS)
        check_choice(self, "search", self.search, SEARCHES)
        cap = self.label_cap
        if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 0):
            raise CrossarcError(f"transform {self.name}: label-cap is {cap!r}; allowed: none or a number from 0 up")

    def fit(self, trees: Sequence[Tree]) -> Self:
        self.validate()
        if self.label_cap is not None:
            seen: Counter[str] = Counter()
            for tree in trees:
                seen.update(self._decorated(tree.heads, tree.deprels)[1].values())
            ranked = sorted(seen, key=lambda label: (-seen[label], label))
            self._kept = frozenset(ranked[: self.label_cap])
        return self

    def apply(self, tree: Tree) -> Tree:
        """The projectivized tree with decorated labels; raises CrossarcError if a cap is set and nothing was fitted."""
        self.validate()
        if self.label_cap is not None and self._kept is None:
            raise CrossarcError(f"transform {self.name}: label-cap needs training trees to be fitted on first")
        heads, decorated = self._decorated(tree.heads, tree.deprels)
        deprels = list(tree.deprels) if plain(tree.deprels) else [escape(label) for label in tree.deprels]
        for word, label in decorated.items():
            if self._kept is None or label in self._kept:
                deprels[word] = label
        return Tree(heads, deprels, tree.columns)

    def invert(self, tree: Tree) -> Tree:
        """The deprojectivized tree; no decoration is left, whatever the labels are."""
        self.validate()
        if plain(tree.deprels):
            return Tree(list(tree.heads), list(tree.deprels), tree.columns)
        marks = [decode(label) for label in tree.deprels]
        labels = [mark.label for mark in marks]
        roots = frozenset(word for word, mark in enumerate(marks) if mark.root)
        lifted = Lifted(
            tree.heads,
            labels,
            {word: mark.head_label for word, mark in enumerate(marks) if mark.head_label is not None},
            frozenset(word for word, mark in enumerate(marks) if mark.path),
            roots,
        )
        heads = deprojectivize(lifted, self.encoding, self.search, self.order)
        for word in roots:
            heads[word] = 0
        return Tree(heads, labels, tree.columns)

    def state(self) -> dict[str, Any]:
        return {} if self._kept is None else {"kept-labels": sorted(self._kept)}

    def restore(self, state: Mapping[str, Any]) -> None:
        for key in state:
            if key != "kept-labels":
                raise CrossarcError(f"transform {self.name}: unknown state {choices(key, ['kept-labels'])}")
        self._kept = frozenset(state["kept-labels"]) if state else None

    def _decorated(self, heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], dict[int, str]]:
        """The projectivized heads and the labels of the words whose label says something about it."""
        attached, moved = attach_covered_roots(heads, self.covered_roots)
        result, lifting = projectivize(attached, self.order)
        decorated = {word: encode(Mark(deprels[word], None, False, True)) for word in moved}
        if self.encoding == "baseline" or not lifting.lifts:
            return result, decorated
        path = set()
        if self.encoding != "head":
            path = {node for node, words in lifting.path.items() if not set(words) <= decorated.keys()}
        lifted = lifting.lifts.keys() - decorated.keys()
        for word in (lifted | path) - decorated.keys():
            above = None
            if word in lifted:
                above = "" if self.encoding == "path" else deprels[attached[word]]
            decorated[word] = encode(Mark(deprels[word], above, word in path, False))
        return result, decorated
