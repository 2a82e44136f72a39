"""Texts in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping

SPECIAL: Mapping[str, str] = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""Characters that are commands in LaTeX, as they are written to be printed."""


def latex_cell(text: str) -> str:
    """A text as the cell of a table. A star or bracket at its beginning does not belong to the end of the row before.

    >>> latex_cell("a_b"), latex_cell("*")
    ('a\\\\_b', '{}*')
    """
    return ("{}" if text.startswith(("*", "[")) else "") + "".join(SPECIAL.get(sign, sign) for sign in text)
