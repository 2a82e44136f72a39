"""A sentence drawn as text: one word per line, arcs beside the words, non-projective arcs with double lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.parameters import check_value, given_list, whole
from ...treebank import Sentence, only_sentences
from ...treebank.tree import Tree
from .arcs import Arc, arcs_of, levels
from .word_line import isolated, text_columns

MEETING = {("│", "─"): "┼", ("│", "═"): "╪", ("║", "─"): "╫", ("║", "═"): "╬"}
"""Characters where a vertical line meets a horizontal one."""
NARROWEST = 12
"""Minimum width of the words in columns; if lines are too long, arcs are left out instead of narrower words."""
PLAIN = ("│", "┌", "└", "─")
CROSSING = ("║", "╔", "╚", "═")
"""The vertical line of an arc, its upper and lower end, and its horizontal lines."""


def draw_tree(sentence: Sentence, *, notes: Sequence[str] = (), width: int = 0) -> str:
    """Draw the tree of a sentence as text, one line per word: its arcs, its number, the word, its head, the label.

    notes: a text for each word to write behind its label.
    width: maximal columns of a line (default: unlimited). Long words are shortened first. Then the outermost arcs are
        left out, and at last the ends of lines.

    An arc runs from the line of its head to the line of its dependent, where an arrow points at the word. Short arcs
    are nearest to the words. Non-projective arcs have double lines, and their labels a star. The word whose head is
    node 0 has no arc, nor have words without a head. Raises CrossarcError for heads out of range, lists of different
    lengths, and an invalid width.

    >>> import crossarc
    >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> print(crossarc.draw_tree(dogs))
    ┌─> 1 Dogs  2 nsubj
    └── 2 bark  0 root
    """
    (sentence,) = only_sentences([sentence])
    check_value(whole(0), width, "width")
    forms = sentence.column("form")
    notes = given_list(notes, "notes", len(forms)) if notes else ()
    arcs = arcs_of(Tree(sentence.heads(partial=True), sentence.deprels()))
    tracks = _tracks([arc for arc in arcs if arc.head], len(forms))
    digits = len(str(len(forms)))
    ends = [f"  {'_':>{digits}}"] * len(forms)
    for head, word, deprel, crossing, _ in arcs:
        label = f"{deprel} *" if crossing else deprel
        ends[word - 1] = f"  {head:>{digits}} {label}{f'  {notes[word - 1]}' if notes else ''}".rstrip()
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
    """Pad or cut a text to this number of columns."""
    form = _cut(form, columns)
    return isolated(form) + " " * (columns - text_columns(form))


def _cut(line: str, columns: int) -> str:
    """Cut a text to at most this number of columns; an ellipsis replaces the end of a longer text."""
    if text_columns(line) <= columns:
        return line
    while line and text_columns(line) > columns - 1:
        line = line[:-1]
    return f"{line}…"


def _tracks(arcs: Sequence[Arc], n: int) -> list[list[Arc]]:
    """Return the arcs of each vertical line; the line next to the words is first."""
    ranked = list(zip(levels(arcs, n, apart=True), arcs, strict=True))
    return [
        [arc for rank, arc in ranked if rank == level]
        for level in range(1, max((rank for rank, _ in ranked), default=0) + 1)
    ]


def _arcs_of_line(word: int, tracks: Sequence[Sequence[Arc]]) -> str:
    cells = [" "] * (2 * len(tracks) + 1)
    for level, track in enumerate(tracks):
        place = 2 * (len(tracks) - 1 - level)
        for arc in track:
            line, down, up, across = CROSSING if arc.crossing else PLAIN
            first, last = sorted((arc.head, arc.dependent))
            if word in (first, last):
                cells[place] = down if word == first else up
                for column in range(place + 1, len(cells)):
                    cells[column] = MEETING.get((cells[column], across), cells[column].replace(" ", across))
                if word == arc.dependent:
                    cells[-1] = ">"
            elif first < word < last:
                cells[place] = MEETING.get((line, cells[place]), line)
    return "".join(cells)
