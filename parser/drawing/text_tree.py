"""A sentence drawn as text: one word per line, arcs beside the words, non-projective arcs with double lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...transitions.trees import Heads, nonprojective_arcs
from ..base.given import given_heads, given_texts
from ..base.parameters import check_value, whole
from .word_line import text_columns

MEETING = {
    ("│", "─"): "┼",
    ("│", "═"): "╪",
    ("║", "─"): "╫",
    ("║", "═"): "╬",
}
"""Characters where a vertical line meets a horizontal one."""


NARROWEST = 12
"""The least width of the words; arcs are left out before it becomes less."""


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


def draw_tree(
    heads: Heads, deprels: Sequence[str], forms: Sequence[str], *, notes: Sequence[str] = (), width: int = 0
) -> str:
    """The tree as lines of text, one for each word: its arcs, its number, the word, the number of its head, the label.

    heads, deprels: length n + 1; forms: n strings. An arc runs from its head's line to its dependent's, where an arrow
    points at the word; short arcs are nearest to the words. Non-projective arcs have double lines and their labels a
    star. The word whose head is node 0 has no arc. notes: n texts to stand behind the labels.

    width: the columns that a line may take, 0 for any number. Where that is too few, long words are cut, then the
    outermost arcs left out, whose heads can still be read, and at last the ends of lines cut.

    Raises CrossarcError for heads out of range, lists that do not fit one another, and a width that is not a number.

    >>> import crossarc
    >>> print(crossarc.draw_tree([-1, 2, 0], ["", "nsubj", "root"], ["Dogs", "bark"]))
    ┌─> 1 Dogs  2 nsubj
    └── 2 bark  0 root
    """
    heads = given_heads(heads, "heads")
    deprels = given_texts(deprels, "deprels", len(heads))
    forms = given_texts(forms, "forms", len(heads) - 1)
    notes = given_texts(notes, "notes", len(forms)) if notes else ()
    check_value(whole(0), width, "width")
    crossing = nonprojective_arcs(heads)
    tracks = _tracks(heads, crossing)
    digits = len(str(len(forms)))
    ends = []
    for word in range(1, len(heads)):
        label = f"{deprels[word]} *" if crossing[word] else deprels[word]
        ends.append(f"  {heads[word]:>{digits}} {label}{f'  {notes[word - 1]}' if notes else ''}".rstrip())
    columns = max(map(text_columns, forms), default=0)
    if width:
        rest = width - 3 - digits - max(map(text_columns, ends), default=0)
        columns = min(columns, max(rest - 2 * len(tracks), NARROWEST))
        tracks = tracks[: max((rest - columns) // 2, 0)]
    lines = []
    for word, (form, end) in enumerate(zip(forms, ends, strict=True), 1):
        line = f"{_arcs_of_line(word, tracks)} {word:>{digits}} {_padded(form, columns)}{end}"
        lines.append(_cut(line, width) if width else line)
    return "\n".join(lines)


def _padded(form: str, columns: int) -> str:
    """A text padded or cut to this number of columns."""
    form = _cut(form, columns)
    return form + " " * (columns - text_columns(form))


def _cut(line: str, columns: int) -> str:
    """A text of at most this number of columns; an ellipsis replaces the end of longer ones."""
    if text_columns(line) <= columns:
        return line
    while line and text_columns(line) > columns - 1:
        line = line[:-1]
    return f"{line}…"


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
