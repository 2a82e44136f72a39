"""Coordination transforms: other ways of hanging conjuncts and conjunctions on each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from ..errors import CrossarcError, choices
from .collins_chains import alpino_to_collins, collins_to_alpino, prague_to_universal, universal_to_prague
from .prague_chains import VARIANTS, chain, unchain
from .profile import Profile, load_profile, profile_from_json
from .transform import Transform, Tree, check_choice

__all__ = ["Coordination"]


class Coordination(Transform):
    """Coordination (Nilsson 2009, section 6.1; Nilsson, Nivre & Hall 2006).

    profile: a ready :class:`~.profile.Profile` or a YAML file. One of style ``prague`` gives left-headed chains in
    Mel'čuk style, one of style ``alpino`` chains in Collins style, and one of style ``ud`` gives Prague style.
    variant, which concerns the first: ``c``, ``c*``, ``c+`` or ``c+*``, the thesis' τc, τc*, τc+, τc+*. With ``+``,
    dependents of the conjunction that are neither conjuncts nor separators get labels of their own, ``r+``, and so do
    conjunctions that coordinate nothing; with ``*``, the inverse takes words with the profile's ``predefined`` labels
    for such.
    """

    name: ClassVar[str] = "coordination"

    def __init__(self, profile: str = "prague", variant: str = "c+") -> None:
        self.profile = profile
        self.variant = variant
        self._loaded: Profile | None = None

    def validate(self) -> None:
        check_choice(self, "variant", self.variant, VARIANTS)
        self._profile()

    def apply(self, tree: Tree) -> Tree:
        profile = self._profile()
        if profile.style == "prague":
            return Tree(*chain(tree.heads, tree.deprels, profile, self.variant), tree.columns)
        change = alpino_to_collins if profile.style == "alpino" else universal_to_prague
        return Tree(*change(tree.heads, tree.deprels, profile), tree.columns)

    def invert(self, tree: Tree) -> Tree:
        profile = self._profile()
        if profile.style == "prague":
            return Tree(*unchain(tree.heads, tree.deprels, profile, self.variant), tree.columns)
        change = collins_to_alpino if profile.style == "alpino" else prague_to_universal
        return Tree(*change(tree.heads, tree.deprels, profile), tree.columns)

    def state(self) -> dict[str, Any]:
        return {"profile": self._profile().to_json()}

    def restore(self, state: Mapping[str, Any]) -> None:
        for key in state:
            if key != "profile":
                raise CrossarcError(f"transform {self.name}: unknown state {choices(key, ['profile'])}")
        if state:
            self._loaded = profile_from_json(state["profile"], f"transform {self.name}")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The transform that ``to_json`` described; the profile is in its state, so no file is looked for."""
        params = dict(data.get("params", {}))
        transform = cls(**params)
        transform.restore(data.get("state", {}))
        transform.validate()
        return transform

    def _profile(self) -> Profile:
        if self._loaded is None:
            self._loaded = load_profile(str(self.profile))
        return self._loaded
