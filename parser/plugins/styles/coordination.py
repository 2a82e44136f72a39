"""Coordination transforms: other attachments of conjuncts and conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...base.errors import check_names
from ...base.parameters import TEXT, one_of, parameter
from ...treebank.tree import Tree
from .alpino_chains import alpino_to_collins, alpino_to_melcuk, collins_to_alpino, melcuk_to_alpino
from .prague_chains import VARIANTS, chain, unchain
from .profile import Labelled, Profiled
from .universal_chains import prague_to_universal, universal_to_prague

Change = Callable[..., Labelled]
CHANGES: Mapping[str, Mapping[str, tuple[Change, Change]]] = {
    "prague": {"melcuk": (chain, unchain)},
    "alpino": {"collins": (alpino_to_collins, collins_to_alpino), "melcuk": (alpino_to_melcuk, melcuk_to_alpino)},
    "ud": {"prague": (universal_to_prague, prague_to_universal)},
}
"""For each annotation style the target styles, the default first, with the functions that transform and invert."""


@dataclass(kw_only=True, eq=False)
class Coordination(Profiled):
    """Coordination (Nilsson 2009, section 6.1; Nilsson, Nivre & Hall 2006).

    profile: a ready :class:`~.profile.Profile` or a YAML file.
    style: target style. A profile of style ``prague`` allows ``melcuk``, left-headed chains of conjuncts and
        conjunctions; ``alpino`` allows ``collins``, chains of conjuncts, and ``melcuk``; ``ud`` allows ``prague``, the
        conjunction as head. "" is the first of these.
    variant: for profiles of style ``prague``: ``c``, ``c*``, ``c+`` or ``c+*``, which are τc, τc*, τc+, τc+* in the
        thesis.

    With ``+``, dependents of the conjunction that are neither conjuncts nor separators get separate labels, ``r+``, as
    do conjunctions without conjuncts. With ``*``, the inverse treats words with the profile's ``predefined`` labels as
    such dependents.
    """

    name: ClassVar[str] = "coordination"

    summary: ClassVar[str] = "attaches conjuncts and conjunctions in another style (Nilsson 2009, 6.1)"

    variant: str = parameter(
        "c+", one_of(*VARIANTS), "variant for profiles of style `prague`: τc, τc*, τc+, τc+* of Nilsson 2009"
    )
    style: str = parameter("", TEXT, "style after the transform, if the profile's style leaves a choice")

    def validate(self) -> None:
        super().validate()
        allowed = CHANGES[self._profile().style]
        if self.style:
            check_names(f"transform {self.name}: style for profile {self.profile} is", [self.style], allowed)

    def apply(self, tree: Tree) -> Tree:
        return self._changed(tree, 0)

    def invert(self, tree: Tree) -> Tree:
        return self._changed(tree, 1)

    def _changed(self, tree: Tree, inverse: int) -> Tree:
        profile = self._profile()
        functions = CHANGES[profile.style]
        change = functions[self.style or next(iter(functions))][inverse]
        options = {"variant": self.variant} if profile.style == "prague" else {}
        return Tree(*change(tree.heads, tree.deprels, profile, **options), tree.columns)
