"""Pure functions on head arrays.

A tree over the words 1..n is a sequence ``heads`` of length n + 1 with ``heads[0] == -1``: node 0 is the artificial
root, ``heads[i]`` is the head of word i. All functions except :func:`cycles`, :func:`is_tree` and :func:`roots` expect
a tree. The dependent d identifies an arc (h, d).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Heads: TypeAlias = Sequence[int]


def dependents(heads: Heads) -> list[list[int]]:
    """For each node 0..n, the list of its dependents in ascending order."""
    children: list[list[int]] = [[] for _ in heads]
    for dependent in range(1, len(heads)):
        children[heads[dependent]].append(dependent)
    return children


def roots(heads: Heads) -> list[int]:
    """The dependents of node 0, in ascending order."""
    return [word for word in range(1, len(heads)) if heads[word] == 0]


def cycles(heads: Heads) -> list[list[int]]:
    """All cycles of the graph, each as the list of its words in ascending order; empty for a forest."""
    state = [0] * len(heads)  # 0: not visited; 1: on the current path; 2: done
    state[0] = 2
    loops = []
    for start in range(1, len(heads)):
        path = []
        node = start
        while node >= 0 and state[node] == 0:
            state[node] = 1
            path.append(node)
            node = heads[node]
        if node >= 0 and state[node] == 1:
            loops.append(sorted(path[path.index(node) :]))
        for seen in path:
            state[seen] = 2
    return loops


def is_tree(heads: Heads) -> bool:
    """Whether every word has a head in range and node 0 dominates all words."""
    n = len(heads) - 1
    if n < 0 or heads[0] != -1:
        return False
    return all(0 <= heads[word] <= n for word in range(1, n + 1)) and not cycles(heads)


def completed(heads: Heads) -> list[int]:
    """A tree with all arcs of a forest, in which words without a head (-1) get heads.

    A word depends on the head of the shortest arc over it, if any, unless that closes a cycle; otherwise on node 0. The
    tree is projective if any tree with these arcs is.
    """
    tree = list(heads)
    for word in range(1, len(tree)):
        if tree[word] >= 0:
            continue
        over = [arc for arc in range(1, len(tree)) if min(arc, tree[arc]) < word < max(arc, tree[arc])]
        over = [arc for arc in over if tree[arc] >= 0 and word not in _ancestors(tree, arc)]
        tree[word] = tree[min(over, key=lambda arc: abs(tree[arc] - arc))] if over else 0
    return tree


def _ancestors(heads: Heads, node: int) -> list[int]:
    path = []
    while (node := heads[node]) > 0:
        path.append(node)
    return path


def subtree_intervals(heads: Heads) -> tuple[list[int], list[int]]:
    """Return (first, last): j is i or a descendant of i iff ``first[i] <= first[j] < last[i]`` (preorder numbers)."""
    children = dependents(heads)
    first = [0] * len(heads)
    last = [0] * len(heads)
    clock = 0
    stack = [0]
    while stack:
        node = stack.pop()
        if node < 0:
            last[~node] = clock
            continue
        first[node] = clock
        clock += 1
        stack.append(~node)
        stack.extend(children[node])
    return first, last


def top_down(children: Sequence[Sequence[int]]) -> list[int]:
    """The words in an order in which every head precedes its dependents.

    children: the dependents of each node, see :func:`dependents`
    """
    order = list(children[0])
    for node in order:
        order.extend(children[node])
    return order


def depths(heads: Heads) -> list[int]:
    """Number of arcs from node 0 to each node; 0 for node 0."""
    result = [0] * len(heads)
    for node in top_down(dependents(heads)):
        result[node] = result[heads[node]] + 1
    return result


def nonprojective_arcs(heads: Heads) -> list[bool]:
    """For each node, whether its incoming arc is non-projective; False for node 0.

    An arc is projective iff every word between its head and its dependent descends from the head (Kuhlmann & Nivre
    2010, section 2.1). Arcs from node 0 are projective.
    """
    result = [False] * len(heads)
    long_arcs = [word for word in range(1, len(heads)) if heads[word] > 0 and abs(heads[word] - word) > 1]
    if not long_arcs:
        return result
    first, last = subtree_intervals(heads)
    for word in long_arcs:
        head = heads[word]
        between = first[word + 1 : head] if word < head else first[head + 1 : word]
        result[word] = min(between) < first[head] or max(between) >= last[head]
    return result


def is_projective(heads: Heads) -> bool:
    """Whether every arc of the tree is projective."""
    return not any(nonprojective_arcs(heads))


def projective_order(heads: Heads) -> list[int]:
    """The position of each node in the in-order traversal of the tree: left dependents, head, right dependents.

    This is the canonical order <_G of Nivre (2009). A tree is projective iff this order equals the order of the words.
    Node 0 has position 0.
    """
    children = dependents(heads)
    position = [0] * len(heads)
    clock = 0
    stack = [0]
    while stack:
        node = stack.pop()
        if node < 0:
            position[~node] = clock
            clock += 1
            continue
        right = [child for child in children[node] if child > node]
        left = [child for child in children[node] if child < node]
        stack.extend(reversed(right))
        stack.append(~node)
        stack.extend(reversed(left))
    return position


def inversions(heads: Heads) -> int:
    """The number of pairs of nodes that are not in the projective order; the swaps of an oracle are as many at most."""
    order = np.array(projective_order(heads), dtype=np.int64)
    return sum(int(np.count_nonzero(order[:node] > order[node])) for node in range(1, len(order)))


def projective_components(heads: Heads) -> list[int]:
    """For each node, the root of its maximal projective component (Nivre, Kuhlmann & Hall 2009).

    The components are the subtrees that exhaustive projective arc-standard parsing of the tree builds: it adds an arc
    between the two topmost stack nodes whenever the dependent has all its own dependents. Each node that remains
    unattached is the root of a component.
    """
    n = len(heads) - 1
    missing = [0] * (n + 1)
    for word in range(1, n + 1):
        missing[heads[word]] += 1
    attached = [False] * (n + 1)
    stack = [0]
    for word in range(1, n + 1):
        stack.append(word)
        while len(stack) > 1:
            left, right = stack[-2], stack[-1]
            if heads[left] == right and not missing[left]:
                attached[left] = True
                missing[right] -= 1
                del stack[-2]
            elif heads[right] == left and not missing[right]:
                attached[right] = True
                missing[left] -= 1
                stack.pop()
            else:
                break
    component = list(range(n + 1))
    for node in top_down(dependents(heads)):
        if attached[node]:
            component[node] = component[heads[node]]
    return component


def subtrees(heads: Heads) -> list[int]:
    """For each node, the bit set (an int) of the nodes that it dominates, including itself."""
    result = [1 << node for node in range(len(heads))]
    for node in reversed(top_down(dependents(heads))):
        result[heads[node]] |= result[node]
    return result


def between(node: int, other: int) -> int:
    """The bit set (an int) of the nodes strictly between two nodes."""
    return (1 << node) - (2 << other) if other < node else (1 << other) - (2 << node)


def lifts(heads: Heads) -> list[int]:
    """For each node, the number of steps that its arc alone must climb to become projective (0 for projective arcs).

    Treebank statistics report this count per arc. It is the number of steps from the head to its first ancestor that
    dominates every word between head and dependent, counted for each arc in the unchanged tree.
    """
    result = [0] * len(heads)
    crossing = nonprojective_arcs(heads)
    if not any(crossing):
        return result
    dominated = subtrees(heads)
    for word, crosses in enumerate(crossing):
        head = heads[word]
        while crosses and head and between(head, word) & ~dominated[head]:
            head = heads[head]
            result[word] += 1
    return result
