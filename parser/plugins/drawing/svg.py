"""SVG elements as strings, with escaped text and rounded numbers; the same input gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
FONT = "DejaVu Sans, Verdana, sans-serif"


def number(value: float) -> str:
    """Format a number with at most two decimals, without trailing zeros and negative zero."""
    rounded = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def element(name: str, content: str | None = None, /, **attributes: str | float) -> str:
    """Return one element. Underscores in attribute names become hyphens; ``content`` is not escaped."""
    values = (
        (key.replace("_", "-"), value if isinstance(value, str) else number(value)) for key, value in attributes.items()
    )
    opened = name + "".join(f' {key}="{escape(value)}"' for key, value in values)
    return f"<{opened}/>" if content is None else f"<{opened}>{content}</{name}>"


def text(content: str, x: float, y: float, **attributes: str | float) -> str:
    """Return a line of text. Characters that are invalid in XML become U+FFFD."""
    return element("text", _escaped(content), x=x, y=y, **attributes)


def text_width(content: str, size: float) -> float:
    """Return an upper estimate of the width of a text, in the unit of its font size."""
    return 0.64 * size * len(content)


def document(width: float, height: float, title: str, elements: Iterable[str], size: float = 12.0) -> str:
    """Return a complete SVG file with white background, one element per line. size: size of the font."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" font-family="{FONT}" font-size="{number(size)}">'
    )
    ground = element("rect", width=width, height=height, fill="white")
    return "\n".join([head, element("title", _escaped(title)), ground, *elements, "</svg>"]) + "\n"


def _escaped(content: str) -> str:
    return escape(UNPRINTABLE.sub("\ufffd", content), quote=False)
