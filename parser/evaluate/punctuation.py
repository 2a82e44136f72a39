"""Definitions of punctuation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.errors import CrossarcError, choices
from ..treebank.tokens import is_punctuation


def punctuation_mask(definition: str, forms: Sequence[str], upos: Sequence[str], deprels: Sequence[str]) -> list[bool]:
    """For each of the tokens whether it is punctuation.

    ``definition`` is ``unicode`` (see :func:`is_punctuation`), ``upos:TAG,TAG…`` or ``deprel:LABEL,LABEL…``; the
    three sequences run parallel, tags and labels are the gold ones. Raises CrossarcError on any other definition.
    """
    kind, colon, listed = definition.partition(":")
    values = frozenset(value for value in listed.split(",") if value)
    if kind == "unicode" and not colon:
        return _by_value(forms, is_punctuation)
    if kind == "upos" and values:
        return _by_value(upos, values.__contains__)
    if kind == "deprel" and values:
        return _by_value(deprels, values.__contains__)
    raise CrossarcError(f"punctuation: {choices(definition, ['unicode', 'upos:TAG,...', 'deprel:LABEL,...'])}")


def _by_value(values: Sequence[str], test: Callable[[str], bool]) -> list[bool]:
    verdicts = {value: test(value) for value in set(values)}
    return [verdicts[value] for value in values]
