"""Covered roots: words attached to node 0 that lie, with all they dominate, inside an arc between two words."""

from __future__ import annotations

from collections.abc import Sequence

from ....transitions.trees import Heads, roots, subtree_intervals

ATTACHMENTS = ("ignore", "left", "right", "head")


def attach_covered_roots(heads: Heads, attachment: str) -> tuple[list[int], Sequence[int]]:
    """The tree with its covered roots moved under the covering arc, and the moved words.

    The covering arc is the shortest one between two words that spans the root's whole subtree, of two equally short
    ones that farther left; the root moves to its ``left`` end, its ``right`` end or its ``head``. With ``ignore``
    nothing moves, and projectivization lifts the covering arcs to node 0 like all others. (MaltParser's option for
    covered roots; its ``none`` is ``ignore`` here.)
    """
    result = list(heads)
    if attachment == "ignore":
        return result, ()
    tops = roots(heads)
    if len(tops) < 2:
        return result, ()
    arcs = sorted(
        (abs(heads[word] - word), min(heads[word], word), word)
        for word in range(1, len(heads))
        if heads[word] > 0 and abs(heads[word] - word) > 1
    )
    ends = _subtree_ends(heads, tops)
    moved = []
    for top in tops:
        low, high = ends[top]
        for length, left, word in arcs:
            if left < low and high < left + length:
                result[top] = {"left": left, "right": left + length, "head": heads[word]}[attachment]
                moved.append(top)
                break
    return result, moved


def _subtree_ends(heads: Heads, tops: Sequence[int]) -> dict[int, tuple[int, int]]:
    """For each of the words the first and the last word of its subtree."""
    first, last = subtree_intervals(heads)
    at = sorted(range(len(heads)), key=first.__getitem__)
    subtrees = {top: at[first[top] : last[top]] for top in tops}
    return {top: (min(words), max(words)) for top, words in subtrees.items()}
