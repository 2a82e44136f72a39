"""Tree transforms: applied to trees before training, inverted after parsing."""

from ..treebank.tree import Columns, Tree
from .registry import TRANSFORMS, parse_transform, transform_from_json
from .transform import Transform, apply_all, fit_all, invert_all, invert_all_flat, prepare_all, word_order

__all__ = [
    "TRANSFORMS",
    "Columns",
    "Transform",
    "Tree",
    "apply_all",
    "fit_all",
    "invert_all",
    "invert_all_flat",
    "parse_transform",
    "prepare_all",
    "transform_from_json",
    "word_order",
]
