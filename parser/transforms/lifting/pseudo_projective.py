"""Pseudo-projective transforms: projectivization that encodes lifts in the labels, and its inverse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from ...base.errors import CrossarcError
from ...base.parameters import TEXT, one_of, optional, parameter, whole
from ...base.shapes import ListOf, Record
from ...treebank.tree import Tree
from ..transform import Transform
from .deprojectivize import ENCODINGS, SEARCHES, Lifted, deprojectivize
from .labels import Mark, decorated, escape, plain, taken_apart
from .projectivize import ATTACHMENTS, ORDERS, attach_covered_roots, projectivize


@dataclass(kw_only=True, eq=False)
class PseudoProjective(Transform):
    """Pseudo-projective transformation (Nivre & Nilsson 2005; Nilsson 2009, chapter 5).

    The encodings (table 5.1 of the thesis) differ in the labels of the projectivized tree: ``baseline`` changes none;
    ``head`` writes ``d↑h`` on lifted words; ``path`` writes ``d↑`` on lifted words and ``p↓`` on the arcs over which
    they were lifted; ``head+path`` writes ``d↑h`` and ``p↓``. Moved covered roots are labelled ``d↑↑``.

    ``label_cap`` keeps the most frequent decorated labels of the training trees (Johansson & Nugues 2008; Björkelund &
    Kuhn 2012, section 2), in alphabetical order among equally frequent ones. Other decorated labels become plain.
    """

    name: ClassVar[str] = "pseudo-projective"
    summary: ClassVar[str] = "lifts crossing arcs; labels say where to lower them (Nivre and Nilsson 2005)"
    learned: ClassVar[Record] = Record({}, {"kept_labels": ListOf(TEXT)})

    encoding: str = parameter("head", one_of(*ENCODINGS), "information that the labels of projectivized trees contain")
    order: str = parameter("shortest", one_of(*ORDERS), "order in which arcs are lifted")
    covered_roots: str = parameter(
        "ignore", one_of(*ATTACHMENTS), "attachment of roots covered by an arc, before arcs are lifted"
    )
    label_cap: int | None = parameter(None, optional(whole(0)), "maximum number of decorated labels that are kept")
    search: str = parameter("verified", one_of(*SEARCHES), "search for syntactic heads after parsing")
    _kept: frozenset[str] | None = field(default=None, init=False, repr=False)

    def fit(self, trees: Sequence[Tree]) -> Self:
        if self.label_cap is not None:
            seen = Counter(label for tree in trees for label in self._decorated(tree.heads, tree.deprels)[1].values())
            ranked = sorted(seen, key=lambda label: (-seen[label], label))
            self._kept = frozenset(ranked[: self.label_cap])
        return self

    def apply(self, tree: Tree) -> Tree:
        """The projectivized tree with decorated labels.

        Raises CrossarcError if a cap is set and :meth:`fit` was not called.
        """
        if self.label_cap is not None and self._kept is None:
            raise CrossarcError(f"transform {self.name}: label_cap is learned from training trees; call fit first")
        heads, marked = self._decorated(tree.heads, tree.deprels)
        deprels = list(tree.deprels) if plain(tree.deprels) else [escape(label) for label in tree.deprels]
        for word, label in marked.items():
            if self._kept is None or label in self._kept:
                deprels[word] = label
        return Tree(heads, deprels, tree.columns)

    def invert(self, tree: Tree) -> Tree:
        """The deprojectivized tree. Its labels contain no decoration, whatever the labels of the input are."""
        if plain(tree.deprels):
            return Tree(list(tree.heads), list(tree.deprels), tree.columns)
        marks = [taken_apart(label) for label in tree.deprels]
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

    def changes(self, label: str) -> bool:
        return not plain([label])

    def writes(self, label: str) -> bool:
        """Whether the encoding may have written a label. Only then can the inverse use its marks."""
        mark = taken_apart(label)
        if mark.path and "path" not in self.encoding:
            return False
        lifted = mark.head_label is not None
        return not lifted or (self.encoding != "baseline" and bool(mark.head_label) == ("head" in self.encoding))

    def state(self) -> dict[str, Any]:
        return {} if self._kept is None else {"kept_labels": sorted(self._kept)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._kept = frozenset(state["kept_labels"]) if state else None

    def _decorated(self, heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], dict[int, str]]:
        """The projectivized heads, and the decorated labels by word."""
        attached, moved = attach_covered_roots(heads, self.covered_roots)
        result, lifting = projectivize(attached, self.order)
        labels = {word: decorated(Mark(deprels[word], None, False, True)) for word in moved}
        if self.encoding == "baseline" or not lifting.lifts:
            return result, labels
        path = set()
        if self.encoding != "head":
            path = {node for node, words in lifting.path.items() if not set(words) <= labels.keys()}
        lifted = lifting.lifts.keys() - labels.keys()
        for word in (lifted | path) - labels.keys():
            above = None
            if word in lifted:
                above = "" if self.encoding == "path" else deprels[attached[word]]
            labels[word] = decorated(Mark(deprels[word], above, word in path, False))
        return result, labels
