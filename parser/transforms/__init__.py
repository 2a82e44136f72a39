"""Tree transforms: applied to trees before training, inverted after parsing."""

from ..treebank.tree import Columns, Tree
from .distortion import distortion
from .lifting.projectivize import Lifting, projectivize, projectivized
from .lifting.pseudo_projective import PseudoProjective
from .registry import TRANSFORMS, parse_transform, transform_from_json
from .transform import Transform, apply_all, fit_all, invert_all, invert_all_flat, prepare_all, word_order

__all__ = [
    "TRANSFORMS",
    "Columns",
    "Lifting",
    "PseudoProjective",
    "Transform",
    "Tree",
    "apply_all",
    "distortion",
    "fit_all",
    "invert_all",
    "invert_all_flat",
    "parse_transform",
    "prepare_all",
    "projectivize",
    "projectivized",
    "transform_from_json",
    "word_order",
]
