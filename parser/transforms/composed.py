"""Several transforms as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from ..treebank.tree import Columns, Tree
from .registry import parse_transform
from .transform import Transform, apply_all, fit_all, invert_all, prepare_all

__all__ = ["Composed", "parse_composed"]


class Composed(Transform):
    """Transforms applied in order and inverted in reverse order, each fitted on what the ones before it give."""

    name: ClassVar[str] = "composed"
    summary: ClassVar[str] = "several transforms, one after the other"

    def __init__(self, transforms: Sequence[Transform] = ()) -> None:
        self.transforms = tuple(transforms)

    def validate(self) -> None:
        for transform in self.transforms:
            transform.validate()

    def fit(self, trees: Sequence[Tree]) -> Self:
        fit_all(self.transforms, trees)
        return self

    def apply(self, tree: Tree) -> Tree:
        return apply_all(self.transforms, tree)

    def invert(self, tree: Tree) -> Tree:
        return invert_all(self.transforms, tree)

    def prepare(self, columns: Columns) -> Columns:
        return prepare_all(self.transforms, columns)


def parse_composed(spec: str) -> Transform:
    """The transform of a spec as :func:`~.registry.parse_transform` reads it, or several with `` / `` between them."""
    parts = [parse_transform(part) for part in spec.split(" / ")]
    return parts[0] if len(parts) == 1 else Composed(parts)
