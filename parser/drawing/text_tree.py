"""A sentence drawn as text, a word a line, its arcs beside it; arcs that cross words they do not dominate stand out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ...transitions.trees import Heads, nonprojective_arcs

__all__ = ["draw_tree"]

MEETING = {
    ("│", "─"): "┼",
    ("│", "═"): "╪",
    ("║", "─"): "╫",
    ("║", "═"): "╬",
}
"""What stands where a vertical line meets a horizontal one."""


class _Style(NamedTuple):
    line: str
    down: str
    up: str
    across: str


PLAIN = _Style("│", "┌", "└", "─")
CROSSING = _Style("║", "╔", "╚", "═")


class _Arc(NamedTuple):
    low: int
    high: int
    dependent: int
    style: _Style


def draw_tree(heads: Heads, deprels: Sequence[str], forms: Sequence[str]) -> str:
    """The tree as lines of text, one for each word: its arcs, its number, the word, the number of its head, the label.

    heads, deprels: length n + 1; forms: n strings. An arc runs from its head's line to its dependent's, where an arrow
    points at the word; short arcs are nearest to the words. Non-projective arcs have double lines and their labels a
    star. The word whose head is node 0 has no arc.
    """
    crossing = nonprojective_arcs(heads)
    tracks = _tracks(heads, crossing)
    width = max(map(_columns, forms), default=0)
    digits = len(str(len(forms)))
    lines = []
    for word in range(1, len(heads)):
        label = f"{deprels[word]} *" if crossing[word] else deprels[word]
        form = forms[word - 1] + " " * (width - _columns(forms[word - 1]))
        line = f"{_arcs_of_line(word, tracks)} {word:>{digits}} {form}  {heads[word]:>{digits}} {label}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def _tracks(heads: Heads, crossing: Sequence[bool]) -> list[list[_Arc]]:
    """The arcs of each vertical line, the one next to the words first; arcs on one line have no word in common."""
    arcs = [
        _Arc(min(word, heads[word]), max(word, heads[word]), word, CROSSING if crossing[word] else PLAIN)
        for word in range(1, len(heads))
        if heads[word] > 0
    ]
    tracks: list[list[_Arc]] = []
    for arc in sorted(arcs, key=lambda arc: (arc.high - arc.low, arc.low)):
        inner = [number for number, track in enumerate(tracks) if any(_overlap(arc, other) for other in track)]
        level = max(inner, default=-1) + 1
        if level == len(tracks):
            tracks.append([])
        tracks[level].append(arc)
    return tracks


def _overlap(arc: _Arc, other: _Arc) -> bool:
    return arc.low <= other.high and other.low <= arc.high


def _arcs_of_line(word: int, tracks: Sequence[Sequence[_Arc]]) -> str:
    cells = [" "] * (2 * len(tracks) + 1)
    for level, track in enumerate(tracks):
        place = 2 * (len(tracks) - 1 - level)
        for arc in track:
            if arc.low < word < arc.high:
                cells[place] = MEETING.get((arc.style.line, cells[place]), arc.style.line)
            elif word in (arc.low, arc.high):
                _end(cells, place, arc, word)
    return "".join(cells)


def _end(cells: list[str], place: int, arc: _Arc, word: int) -> None:
    """Draw an arc's end from its track to the word."""
    cells[place] = arc.style.down if word == arc.low else arc.style.up
    for column in range(place + 1, len(cells)):
        cells[column] = MEETING.get((cells[column], arc.style.across), cells[column])
        if cells[column] == " ":
            cells[column] = arc.style.across
    if word == arc.dependent:
        cells[-1] = ">"


def _columns(text: str) -> int:
    """How many columns a terminal gives to a text: two for a wide character, none for a combining one."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)
