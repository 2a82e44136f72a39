"""Coordination transforms: other attachments of conjuncts and conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ....transitions.trees import Heads
from ...base.errors import CrossarcError, choices
from ...base.parameters import TEXT, one_of, parameter
from ...treebank.tree import Tree
from .alpino_chains import alpino_to_collins, alpino_to_melcuk, collins_to_alpino, melcuk_to_alpino
from .prague_chains import VARIANTS, chain, unchain
from .profile import Labelled, Profile, Profiled
from .universal_chains import prague_to_universal, universal_to_prague

STYLES = {"prague": ("melcuk",), "alpino": ("collins", "melcuk"), "ud": ("prague",)}
"""Target styles of each annotation style, the default first."""
Change = Callable[[Heads, Sequence[str], Profile], Labelled]
CHANGES: Mapping[tuple[str, str], tuple[Change, Change]] = {
    ("alpino", "collins"): (alpino_to_collins, collins_to_alpino),
    ("alpino", "melcuk"): (alpino_to_melcuk, melcuk_to_alpino),
    ("ud", "prague"): (universal_to_prague, prague_to_universal),
}
"""The functions that transform and invert."""


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
        allowed = STYLES[self._profile().style]
        if self.style not in ("", *allowed):
            raise CrossarcError(
                f"transform {self.name}: style for profile {self.profile} is {choices(self.style, allowed)}"
            )

    def apply(self, tree: Tree) -> Tree:
        return Tree(*self._changes()[0](tree.heads, tree.deprels, self._profile()), tree.columns)

    def invert(self, tree: Tree) -> Tree:
        return Tree(*self._changes()[1](tree.heads, tree.deprels, self._profile()), tree.columns)

    def _changes(self) -> tuple[Change, Change]:
        style = self._profile().style
        if style == "prague":
            return partial(chain, variant=self.variant), partial(unchain, variant=self.variant)
        return CHANGES[style, self.style or STYLES[style][0]]
