"""Projectivization by minimal lifting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from ....transitions.trees import Heads, between, depths, nonprojective_arcs, roots, subtrees
from ...treebank.tree import Tree

ORDERS = ("shortest", "deepest")
MOST_TREES = 1000
"""Number of trees that :func:`lifted_until` tests before it projectivizes."""


@dataclass(frozen=True, slots=True)
class Lifting:
    """The result of projectivization.

    lifts: the number of lifts of each lifted word. path: for each node whose arc belongs to a lifting path, the words
    that were lifted over it, in the order of the lifts.
    """

    lifts: Mapping[int, int] = field(default_factory=dict)
    path: Mapping[int, Sequence[int]] = field(default_factory=dict)


def projectivized(tree: Tree) -> Tree:
    """The tree with non-projective arcs lifted and labels unchanged."""
    return tree._replace(heads=projectivize(tree.heads)[0])


def projectivize(heads: Heads, order: str = "shortest") -> tuple[list[int], Lifting]:
    """The projective tree that results from lifting non-projective arcs one step at a time, and the lifts.

    order: the arc to lift next. ``shortest``: the arc with the smallest distance of head and dependent in the current
        tree; ``deepest``: the arc whose dependent is farthest from node 0. Ties go to the arc whose left end (head or
        dependent) comes first, then to the first dependent.

    As long as arcs are non-projective, one of them, j -> k, is replaced by i -> k, where i is the head of j (Nivre &
    Nilsson 2005, section 2; Nilsson 2009, section 5.1.1). A lift can make only the lifted arc projective. It can make
    non-projective only arcs from its former head over words that this head no longer dominates. A queue therefore
    replaces the search for the next arc.
    """
    crossing = nonprojective_arcs(heads)
    result = list(heads)
    if True not in crossing:
        return result, Lifting()
    dominated = subtrees(heads)
    depth = depths(heads) if order == "deepest" else []
    settled: list[set[int]] = [set() for _ in heads]  # the dependents of each node whose arcs are projective
    queue: list[tuple[int, int, int]] = []

    def wait(word: int) -> None:
        head = result[word]
        heappush(queue, (-depth[word] if depth else abs(head - word), min(head, word), word))

    for word in range(1, len(heads)):
        if crossing[word]:
            wait(word)
        else:
            settled[heads[word]].add(word)
    lifts: dict[int, int] = {}
    path: dict[int, list[int]] = {}
    while queue:
        key, _, word = heappop(queue)
        if depth and key != -depth[word]:  # lifts of its ancestors have changed its depth
            wait(word)
            continue
        below = result[word]
        head = result[word] = result[below]
        moved = dominated[word]
        dominated[below] ^= moved
        for node in _bits(moved) if depth else ():
            depth[node] -= 1
        lifts[word] = lifts.get(word, 0) + 1
        path.setdefault(below, []).append(word)
        if head and between(head, word) & ~dominated[head]:
            wait(word)
        else:
            settled[head].add(word)
        # the nearest moved words on both sides of the former head
        left = (moved & (1 << below) - 1).bit_length() - 1
        right = moved >> below
        right = below + (right & -right).bit_length() - 1 if right else len(heads)
        for sister in [sister for sister in settled[below] if sister < left or sister > right]:
            settled[below].remove(sister)
            wait(sister)
    return result, Lifting(lifts, path)


def lifted_until(heads: Heads, accepts: Callable[[Sequence[Heads]], Sequence[bool]]) -> list[int]:
    """The accepted tree with the fewest lifts of non-projective arcs; the projective tree if none is found soon.

    accepts: returns for each tree whether it is accepted.
    """
    seen = {tuple(heads)}
    level = [tuple(heads)]
    while level and len(seen) < MOST_TREES:
        lifted = {
            (*tree[:word], tree[tree[word]], *tree[word + 1 :])
            for tree in level
            for word, crossing in enumerate(nonprojective_arcs(tree))
            if crossing
        }
        level = sorted(lifted - seen)
        seen.update(level)
        for tree, accepted in zip(level, accepts(level), strict=True):
            if accepted:
                return list(tree)
    return projectivize(heads)[0]


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def crosses(heads: Heads, head: int, word: int) -> bool:
    """Whether an arc from head to word would be non-projective if it replaced the present arc to the word."""
    if head == 0:
        return False
    low, high = (head, word) if head < word else (word, head)
    for inside in range(low + 1, high):
        node = heads[inside]
        # heads inside the span are tested in the loop themselves; from a head outside it the climb continues
        while not low <= node <= high:
            if node <= 0:
                return True
            node = heads[node]
    return False


ATTACHMENTS = ("ignore", "left", "right", "head")


def attach_covered_roots(heads: Heads, attachment: str) -> tuple[list[int], Sequence[int]]:
    """The tree with its covered roots attached under the covering arc, and the moved words.

    attachment: new head of the root: the ``left`` end, the ``right`` end or the ``head`` of the covering arc.
        ``ignore`` moves nothing; projectivization then lifts the covering arcs to node 0.

    The covering arc is the shortest arc between two words that spans the root's whole subtree; of equally short arcs,
    the leftmost. Source: MaltParser's option for covered roots, whose ``none`` is ``ignore`` here.
    """
    result, tops = list(heads), roots(heads)
    if attachment == "ignore" or len(tops) < 2:
        return result, ()
    arcs = sorted(
        (abs(heads[word] - word), min(heads[word], word), word)
        for word in range(1, len(heads))
        if heads[word] > 0 and abs(heads[word] - word) > 1
    )
    dominated = subtrees(heads)
    moved = []
    for top in tops:
        words = dominated[top]
        low, high = (words & -words).bit_length() - 1, words.bit_length() - 1
        for length, left, word in arcs:
            if left < low and high < left + length:
                result[top] = {"left": left, "right": left + length, "head": heads[word]}[attachment]
                moved.append(top)
                break
    return result, moved
