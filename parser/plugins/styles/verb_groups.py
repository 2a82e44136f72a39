"""Verb groups: the auxiliary verb as the head of the main verb, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from ....transitions.trees import dependents
from ...base.errors import CrossarcError
from ...base.parameters import whole
from ...base.shapes import MapOf, Record
from ...treebank.tree import Tree
from .profile import Profile, Profiled


@dataclass(kw_only=True, eq=False)
class VerbGroups(Profiled):
    """Verb groups from Prague style, with the main verb as head, to Mel'čuk style and back (Nilsson 2009, section 6.2).

    The profile's ``auxiliaries`` are the labels of auxiliary verbs. The inverse searches their dependents for a main
    verb with one of the labels ``main_verbs``. If an auxiliary verb has none, the inverse uses the dependent whose
    label was most frequent among main verbs in training, or none without training.
    """

    name: ClassVar[str] = "verb-groups"

    summary: ClassVar[str] = "makes auxiliaries the heads of main verbs (Nilsson 2009, 6.2)"
    learned: ClassVar[Record] = Record({**Profiled.learned.needed, "main_verbs": MapOf(whole(0))})

    _main: Counter[str] = field(default_factory=Counter, init=False, repr=False)

    def validate(self) -> None:
        super().validate()
        if not self._profile().auxiliaries:
            raise CrossarcError(f"transform {self.name}: the profile {self.profile} names no auxiliaries")

    def fit(self, trees: Sequence[Tree]) -> Self:
        self._main = Counter(
            tree.deprels[tree.heads[word]] for tree in trees for word in _auxiliaries(tree, self._profile())
        )
        return self

    def apply(self, tree: Tree) -> Tree:
        heads = list(tree.heads)
        for auxiliary in _auxiliaries(tree, self._profile()):
            main = heads[auxiliary]
            left, right = sorted((auxiliary, main))
            for word in range(1, len(heads)):
                if heads[word] == main and not left <= word <= right:
                    heads[word] = left if word < left else right
            heads[auxiliary], heads[main] = heads[main], auxiliary
        return Tree(heads, list(tree.deprels), tree.columns)

    def invert(self, tree: Tree) -> Tree:
        profile = self._profile()
        heads = list(tree.heads)
        for auxiliary in range(len(heads) - 1, 0, -1):
            if tree.deprels[auxiliary] not in profile.auxiliaries:
                continue
            below = dependents(heads)[auxiliary]
            main = self._main_verb(below, tree.deprels, auxiliary)
            if main:
                for word in below:
                    heads[word] = main
                heads[main], heads[auxiliary] = heads[auxiliary], main
        return Tree(heads, list(tree.deprels), tree.columns)

    @property
    def restores(self) -> bool:
        return bool(self._main or self._profile().main_verbs)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "main_verbs": dict(sorted(self._main.items()))}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._main = Counter(state["main_verbs"])

    def _main_verb(self, below: Sequence[int], deprels: Sequence[str], auxiliary: int) -> int:
        """The main verb among the dependents of an auxiliary verb, the nearest if there are several; 0 if none."""
        named = [word for word in below if deprels[word] in self._profile().main_verbs]
        candidates = named or [word for word in below if self._main[deprels[word]]]
        frequency = Counter[str]() if named else self._main
        return min(candidates, key=lambda w: (-frequency[deprels[w]], abs(w - auxiliary), w), default=0)


def _auxiliaries(tree: Tree, profile: Profile) -> list[int]:
    """The leftmost auxiliary verb of each main verb, in ascending order."""
    first_below: dict[int, int] = {}
    for word in range(1, len(tree.heads)):
        if tree.deprels[word] in profile.auxiliaries and tree.heads[word] > 0:
            first_below.setdefault(tree.heads[word], word)
    return sorted(first_below.values())
