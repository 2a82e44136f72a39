"""A page with results: headings, paragraphs, tables and charts."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

from .page import framed

INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)")


class Heading(NamedTuple):
    """A heading of level 1 (the title of the page) to 6."""

    level: int
    text: str


class Text(NamedTuple):
    """A paragraph, or an entry of a list.

    text: may contain code between backquotes and emphasis between asterisks.
    item: whether it is an entry of a list.
    """

    text: str
    item: bool = False


class Table(NamedTuple):
    """A table of texts.

    left: number of left-aligned columns; the others are right-aligned.
    notes: meanings of column headings.
    title: text for a heading above the table; the page does not add that heading.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    notes: Sequence[tuple[str, str]] = ()
    title: str = ""


class Chart(NamedTuple):
    """An SVG chart.

    caption: text below the chart.
    alternative: text for readers who cannot see the chart (default: the caption).
    """

    svg: str
    caption: str
    alternative: str = ""


Part: TypeAlias = Heading | Text | Table | Chart


def report_page(title: str, parts: Iterable[Part]) -> str:
    """Return the text of the page. Charts are embedded as images, so that scripts in them cannot run."""
    return framed("report", title, "\n".join(["<main>", *_joined(map(_html, parts)), "</main>"]))


def _joined(parts: Iterable[str]) -> Iterator[str]:
    """Join adjacent list entries to lists."""
    inside = False
    for part in parts:
        if part.startswith("<li>") != inside:
            inside = not inside
            yield "<ul>" if inside else "</ul>"
        yield part
    if inside:
        yield "</ul>"


def _html(part: Part) -> str:
    match part:
        case Heading(level, text):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Text(text, item):
            return f"<li>{_inline(text)}</li>" if item else f"<p>{_inline(text)}</p>"
        case Chart(svg, caption, alternative):
            source = f"data:image/svg+xml;base64,{b64encode(svg.encode('utf-8', 'replace')).decode()}"
            image = f'<img src="{source}" alt="{escape(alternative or caption)}">'
            return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
        case Table(header, rows, left, notes):
            head = "".join(f'<th scope="col"{_side(k, left)}>{_inline(cell)}</th>' for k, cell in enumerate(header))
            body = "\n".join(_row(row, left) for row in rows)
            table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
            terms = "".join(f"<dt>{_inline(name)}</dt><dd>{_inline(meaning)}</dd>" for name, meaning in notes)
            below = f'<dl class="notes">{terms}</dl>' if terms else ""
            return f'<div class="wide" tabindex="0">{table}</div>{below}'


def _row(row: Sequence[str], left: int) -> str:
    cells = "".join(f"<td{_side(k, left)}>{_inline(cell)}</td>" for k, cell in enumerate(row))
    return f"<tr>{cells}</tr>"


def _side(column: int, left: int) -> str:
    return ' class="left"' if column < left else ""


def _inline(text: str) -> str:
    """Convert code, emphasis and links of Markdown to HTML. Links lose their targets, which are outside the page."""

    def replaced(found: re.Match[str]) -> str:
        code, strong, emphasis, link = (escape(group) if group else "" for group in found.groups())
        if code:
            return f"<code>{code}</code>"
        return f"<strong>{strong}</strong>" if strong else f"<em>{emphasis}</em>" if emphasis else link

    parts, place = [], 0
    for found in INLINE.finditer(text):
        parts += [escape(text[place : found.start()]), replaced(found)]
        place = found.end()
    return "".join([*parts, escape(text[place:])])
