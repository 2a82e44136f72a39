"""Interfaces for Python programs: an estimator, sentences of other libraries, drawings in notebooks."""

from functools import partial
from typing import Any

from ...base.lazy import DRAWINGS


def _draw(name: str, value: Any) -> str:
    from . import notebook  # slow to import, and only notebooks need it

    drawn: str = getattr(notebook, name)(value)
    return drawn


DRAWINGS.update({name: partial(_draw, name) for name in ("sentence_html", "sentence_svg", "treebank_html")})
