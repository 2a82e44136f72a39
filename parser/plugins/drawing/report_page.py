"""A page with results: headings, paragraphs, tables and charts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

from ...evaluate.report import ReportTable
from .page import framed


class Heading(NamedTuple):
    """A heading of level 1 (the title of the page) to 6."""

    level: int
    text: str


class Text(NamedTuple):
    """A paragraph."""

    text: str


class Chart(NamedTuple):
    """An SVG chart.

    caption: text below the chart.
    alternative: text for readers who cannot see the chart (default: the caption).
    """

    svg: str
    caption: str
    alternative: str = ""


Part: TypeAlias = Heading | Text | ReportTable | Chart


def report_page(title: str, parts: Iterable[Part]) -> str:
    """Return the text of the page. Charts are embedded as images, so that scripts in them cannot run."""
    return framed("report", title, "\n".join(["<main>", *map(_html, parts), "</main>"]))


def _html(part: Part) -> str:
    match part:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Chart(svg, caption, alternative):
            source = f"data:image/svg+xml;base64,{b64encode(svg.encode('utf-8', 'replace')).decode()}"
            image = f'<img src="{source}" alt="{escape(alternative or caption)}">'
            return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
        case ReportTable(header, rows, left, notes):
            head = "".join(f'<th scope="col"{_side(k, left)}>{escape(cell)}</th>' for k, cell in enumerate(header))
            body = "\n".join(_row(row, left) for row in rows)
            table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
            terms = "".join(f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in notes)
            below = f'<dl class="notes">{terms}</dl>' if terms else ""
            return f'<div class="wide" tabindex="0">{table}</div>{below}'


def _row(row: Sequence[str], left: int) -> str:
    cells = "".join(f"<td{_side(k, left)}>{escape(cell)}</td>" for k, cell in enumerate(row))
    return f"<tr>{cells}</tr>"


def _side(column: int, left: int) -> str:
    return ' class="left"' if column < left else ""
