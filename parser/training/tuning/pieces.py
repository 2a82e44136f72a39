"""Which pieces of FEATS a treebank has that templates could look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ....features.piece import KEY_SIGN
from ....features.template import TemplateError, parse_template
from ...treebank import EMPTY, Sentence

__all__ = ["pieces_of_feats"]

FEATS = "feats"
RARE = 0.01
"""Attributes that fewer of the words have are left out."""
MOST = 8
PLACES = range(3, 21)
"""The lengths of what can be a positional tag."""


def pieces_of_feats(sentences: Sequence[Sentence]) -> list[str]:
    """The pieces of FEATS, as feature models have them in names of columns: the most frequent attributes whose names
    templates can have; where all values are equally long and without attributes, the places that do not always hold the
    same character."""
    if not all(FEATS in own.format.index for own in sentences):
        return []
    values = Counter(value for own in sentences for value in own.column(FEATS))
    words = values.total()
    filled = {value: count for value, count in values.items() if value not in EMPTY}
    attributes = Counter[str]()
    for value, count in filled.items():
        attributes.update({own.partition("=")[0]: count for own in value.split("|") if "=" in own})
    if attributes:
        keys = [name for name, count in attributes.most_common(MOST) if count >= RARE * words and _can_be_named(name)]
    else:
        lengths = set(map(len, filled))
        long = lengths.pop() if len(lengths) == 1 else 0
        differing = [place for place in range(long) if len({value[place] for value in filled}) > 1]
        keys = [str(place + 1) for place in differing[:MOST]] if long in PLACES else []
    return [f"{FEATS}{KEY_SIGN}{key}" for key in keys]


def _can_be_named(attribute: str) -> bool:
    if attribute.isdecimal():  # it would be the place of a character
        return False
    try:
        return bool(parse_template(f"{FEATS}(Stack[0], {attribute})", ""))
    except TemplateError:
        return False
