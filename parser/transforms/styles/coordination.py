"""Coordination transforms: other ways of hanging conjuncts and conjunctions on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...base.errors import CrossarcError, choices
from ...base.parameters import TEXT, one_of, parameter
from ...base.shapes import ANY, MapOf, Record
from ...treebank.tree import Tree
from ..transform import Transform, unknown_state
from .alpino_chains import alpino_to_collins, alpino_to_melcuk, collins_to_alpino, melcuk_to_alpino
from .prague_chains import VARIANTS, chain, unchain
from .profile import Profile, load_profile, profile_from_model
from .universal_chains import prague_to_universal, universal_to_prague

__all__ = ["Coordination"]


STYLES = {"prague": ("melcuk",), "alpino": ("collins", "melcuk"), "ud": ("prague",)}
"""What each style of annotation can be transformed to, the default first."""
TO_STYLE = {
    ("alpino", "collins"): alpino_to_collins,
    ("alpino", "melcuk"): alpino_to_melcuk,
    ("ud", "prague"): universal_to_prague,
}
FROM_STYLE = {
    ("alpino", "collins"): collins_to_alpino,
    ("alpino", "melcuk"): melcuk_to_alpino,
    ("ud", "prague"): prague_to_universal,
}


@dataclass(kw_only=True, eq=False)
class Coordination(Transform):
    """Coordination (Nilsson 2009, section 6.1; Nilsson, Nivre & Hall 2006).

    profile: a ready :class:`~.profile.Profile` or a YAML file. style: what to transform to. A profile of style
    ``prague`` allows ``melcuk``, left-headed chains of conjuncts and conjunctions; one of style ``alpino`` allows
    ``collins``, chains of conjuncts, and ``melcuk``; one of style ``ud`` allows ``prague``, the conjunction as head;
    "" is the first of them. variant, which concerns profiles of style ``prague``: ``c``, ``c*``, ``c+`` or ``c+*``, the
    thesis' τc, τc*, τc+, τc+*. With ``+``, dependents of the conjunction that are neither conjuncts nor separators get
    labels of their own, ``r+``, and so do conjunctions that coordinate nothing; with ``*``, the inverse takes words
    with the profile's ``predefined`` labels for such.
    """

    name: ClassVar[str] = "coordination"

    summary: ClassVar[str] = "other ways of hanging conjuncts and conjunctions on each other (Nilsson 2009, 6.1)"
    learned: ClassVar[Record] = Record({"profile": MapOf(ANY)})

    profile: str = parameter("prague", TEXT, "a ready profile or a YAML file: what the labels of a treebank are")
    variant: str = parameter("c+", one_of(*VARIANTS), "of profiles of style `prague`: the thesis' τc, τc*, τc+, τc+*")
    style: str = parameter("", TEXT, "what to transform to, if the profile's style leaves a choice")
    _loaded: Profile | None = field(default=None, init=False, repr=False)

    def validate(self) -> None:
        super().validate()
        allowed = STYLES[self._profile().style]
        if self.style not in ("", *allowed):
            raise CrossarcError(
                f"transform {self.name}: style for profile {self.profile} is {choices(self.style, allowed)}"
            )

    def apply(self, tree: Tree) -> Tree:
        profile = self._profile()
        if profile.style == "prague":
            return Tree(*chain(tree.heads, tree.deprels, profile, self.variant), tree.columns)
        change = TO_STYLE[profile.style, self._style()]
        return Tree(*change(tree.heads, tree.deprels, profile), tree.columns)

    def invert(self, tree: Tree) -> Tree:
        profile = self._profile()
        if profile.style == "prague":
            return Tree(*unchain(tree.heads, tree.deprels, profile, self.variant), tree.columns)
        change = FROM_STYLE[profile.style, self._style()]
        return Tree(*change(tree.heads, tree.deprels, profile), tree.columns)

    def state(self) -> dict[str, Any]:
        return {"profile": self._profile().to_json()}

    def restore(self, state: Mapping[str, Any]) -> None:
        if state.keys() - {"profile"}:
            raise unknown_state(self, state, ["profile"])
        if state:
            self._loaded = profile_from_model(state["profile"], f"transform {self.name}")

    def _style(self) -> str:
        return self.style or STYLES[self._profile().style][0]

    def _profile(self) -> Profile:
        if self._loaded is None:
            self._loaded = load_profile(str(self.profile))
        return self._loaded
