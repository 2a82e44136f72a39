"""Pieces of values: one attribute of FEATS, one character of a positional tag."""

from __future__ import annotations

KEY_SIGN = "/"
"""Between the name of a column and the key of a piece of its values; no name of a column holds it."""


def column_and_key(name: str) -> tuple[str, str]:
    """(the column, the key of a piece of its values) of a name such as "feats/Case"; the key is "" for whole values."""
    column, _, key = name.partition(KEY_SIGN)
    return column, key


def piece_of(value: str, key: str) -> str:
    """The piece of a value that a key names, "_" if it has none.

    A whole number is the place of a character, from 1, as in positional tags. Another key is the name of an attribute
    in values of the form ``Case=Nom|Number=Sing``.

    >>> piece_of("Case=Nom|Number=Sing", "Case"), piece_of("n-s---mn-", "8"), piece_of("_", "Case")
    ('Nom', 'n', '_')
    """
    if key.isdecimal():
        place = int(key) - 1
        return value[place] if value != "_" and place < len(value) else "_"
    for attribute in value.split("|"):
        name, sign, found = attribute.partition("=")
        if sign and name == key:
            return found or "_"
    return "_"
