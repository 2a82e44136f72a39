"""Tree transforms: applied to trees before training, inverted after parsing."""

from ..treebank.tree import Columns as Columns, Tree as Tree
from .registry import (
    TRANSFORMS as TRANSFORMS,
    parse_transform as parse_transform,
    transform_from_json as transform_from_json,
)
from .transform import (
    Transform as Transform,
    apply_all as apply_all,
    fit_all as fit_all,
    invert_all as invert_all,
    invert_all_flat as invert_all_flat,
    word_order as word_order,
)
