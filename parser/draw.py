"""A sentence drawn as text, a word a line, its arcs beside it; arcs that cross words they do not dominate stand out."""

from __future__ import annotations

from collections.abc import Sequence

from ..transitions.trees import Heads, nonprojective_arcs

__all__ = ["draw_tree"]

PLAIN = {"line": "│", "down": "┌", "up": "└", "across": "─"}
CROSSING = {"line": "║", "down": "╔", "up": "╚", "across": "═"}


def draw_tree(heads: Heads, deprels: Sequence[str], forms: Sequence[str]) -> str:
    """The tree as lines of text, one for each word.

    heads, deprels: length n + 1; forms: n strings. An arc runs from its head's line to its dependent's, where it ends
    in an arrow with the label behind the word; short arcs are nearest to the words. Non-projective arcs have double
    lines. The word whose head is node 0 has no arc.
    """
    crossing = nonprojective_arcs(heads)
    arcs = [(min(word, heads[word]), max(word, heads[word]), word) for word in range(1, len(heads)) if heads[word] > 0]
    tracks: list[list[tuple[int, int, int]]] = []
    for arc in sorted(arcs, key=lambda arc: (arc[1] - arc[0], arc)):
        inner = [number for number, track in enumerate(tracks) if any(_overlap(arc, other) for other in track)]
        level = max(inner, default=-1) + 1
        if level == len(tracks):
            tracks.append([])
        tracks[level].append(arc)
    lines = []
    width = max(map(len, forms), default=0)
    for word in range(1, len(heads)):
        cells = [" "] * (2 * len(tracks) + 1)
        for level, track in enumerate(tracks):
            place = 2 * (len(tracks) - 1 - level)
            for low, high, dependent in track:
                style = CROSSING if crossing[dependent] else PLAIN
                if low < word < high:
                    cells[place] = style["line"] if cells[place] == " " else "┼"
                elif word in (low, high):
                    _end(cells, place, style, style["down"] if word == low else style["up"], word == dependent)
        label = f"{deprels[word]} *" if crossing[word] else deprels[word]
        lines.append(f"{''.join(cells)} {word:>3} {forms[word - 1]:<{width}}  {label}".rstrip())
    return "\n".join(lines)


def _overlap(arc: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return arc[0] <= other[1] and other[0] <= arc[1]


def _end(cells: list[str], place: int, style: dict[str, str], corner: str, arrow: bool) -> None:
    """Draw an arc's end from its track to the word."""
    cells[place] = corner
    for column in range(place + 1, len(cells) - 1):
        if cells[column] == " ":
            cells[column] = style["across"]
        elif cells[column] in "│║":
            cells[column] = "┼"
    if arrow:
        cells[-1] = ">"
    elif cells[-1] == " ":
        cells[-1] = style["across"]
