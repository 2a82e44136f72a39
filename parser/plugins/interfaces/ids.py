"""Words by their ids, as treebanks and other libraries number them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ...base.errors import CrossarcError
from ...base.parameters import shown

_OTHER = re.compile(r"[0-9]+[-.][0-9]+")
"""The id of a multiword token or an empty node."""


class WordIds(NamedTuple):
    """The words among the rows of a sentence.

    rows: position of each word among the rows; those of multiword tokens and empty nodes are left out.
    ids: id of each word.
    """

    rows: list[int]
    ids: list[int]

    def heads(self, heads: Sequence[Any]) -> list[int | None]:
        """The heads of the words as numbers of words, 0 for node 0 and None for unknown ones.

        heads: one value for each row.

        Raises CrossarcError for a head that is not the id of a word.
        """
        numbers: Mapping[int | None, int] = {0: 0, **{name: number for number, name in enumerate(self.ids, 1)}}
        places: list[int | None] = []
        for row, name in zip(self.rows, self.ids, strict=True):
            head = heads[row]
            if _is_missing(head) or head == "_":
                places.append(None)
            elif (number := numbers.get(_whole(head))) is not None:
                places.append(number)
            else:
                message = f"head of the word with id {name}: found {shown(head)}, expected 0 or the id of a word"
                raise CrossarcError(message)
        return places

    def of_heads(self, heads: Sequence[int]) -> list[int]:
        """The ids of heads that are numbers of words; 0 stays 0."""
        return [self.ids[head - 1] if head else 0 for head in heads]


def word_ids(ids: Sequence[Any]) -> WordIds:
    """The words among rows with these ids, which are whole numbers or text of them.

    Rows with other ids of treebanks, such as "1-2", 8.1 or tuples, are left out. Ids count upwards; gaps are allowed.
    Raises CrossarcError for an id that is missing, occurs twice, is out of order or is no whole number.
    """
    rows, numbers = [], [0]  # node 0 comes before the first word
    for row, value in enumerate(ids):
        if isinstance(value, tuple) or (isinstance(value, str) and _OTHER.fullmatch(value)):
            continue
        if isinstance(value, float) and isfinite(value) and not value.is_integer():
            continue  # the empty node 8.1 in a column of numbers
        number = None if _is_missing(value) else _whole(value)
        if number is None or number < 1:
            raise CrossarcError(f"id of row {row + 1}: found {shown(value)}, expected a whole number, 1 or more")
        if number <= numbers[-1]:
            fault = "occurs twice" if number in numbers else f"is out of order, after {numbers[-1]}"
            raise CrossarcError(f"id {number} {fault}; expected ids that count upwards in each sentence")
        rows.append(row)
        numbers.append(number)
    return WordIds(rows, numbers[1:])


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or pandas' NA, of which none equals itself."""
    return value is None or value is not value or bool(not isinstance(value, str) and str(value) in ("nan", "<NA>"))


def _whole(value: Any) -> int | None:
    """A whole number, also as float or text; None for other values."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return int(value.__index__())
    except AttributeError:
        return None
