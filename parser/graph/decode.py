"""The best trees of a batch of sentences, given the scores of their factors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.compiling import compiled
from .charts import NEVER, first_order_heads, second_order_edges
from .edges import Edges, Ints
from .factors import Scores, sentence_scores
from .spanning_tree import maximum_spanning_tree

FORBIDDEN = -(2**30)


class Decoding(NamedTuple):
    """nonprojective: how crossing arcs come about, ``none``: not at all; ``npa``: by non-projective approximation of
    the best projective tree (McDonald & Pereira 2006); ``mst``: by the maximum spanning tree, for first-order scores
    (McDonald et al. 2005). threshold: what a change must gain more than to be made by the approximation, in units of
    the scores. single_root: whether node 0 gets exactly one dependent."""

    nonprojective: str = "none"
    threshold: int = 0
    single_root: bool = True


def decode(edges: Edges, scores: Scores, decoding: Decoding) -> list[tuple[Ints, Ints]]:
    """For each sentence (heads, labels), (n + 1,) each, -1 at node 0: the tree with the best score.

    The first of equal choices is taken, so that equal scores always give equal trees. Raises ValueError for a spanning
    tree with second-order scores, and where the candidates have no tree.
    """
    if decoding.nonprojective == "mst" and scores.order == 2:
        raise ValueError("maximum spanning trees are for first-order scores")
    trees = []
    for number, nodes in enumerate(np.diff(edges.offsets).tolist()):
        own, own_scores = sentence_scores(edges, scores, number)
        if scores.order == 1:
            chosen = _first_order(own, own_scores.edge, nodes, decoding)
        else:
            one_root = _one_root(own, own_scores) if decoding.single_root else own_scores
            chosen = compiled(second_order_edges)(own, one_root, nodes)
        if decoding.nonprojective == "npa":
            compiled(_approximate)(own, own_scores, chosen, decoding.threshold, decoding.single_root)
        words = chosen[1:]
        trees.append((np.append(-1, own.head[words]), np.append(-1, own.label[words])))
    return trees


def _first_order(edges: Edges, scores: Ints, nodes: int, decoding: Decoding) -> Ints:
    """(nodes,): the edge of each word in the best tree by the scores of edges alone."""
    best = edges.best(scores)
    table = np.full((nodes, nodes), NEVER, dtype=np.int64)
    table[edges.arc_head, edges.arc_dependent] = scores[best]
    if decoding.nonprojective == "mst":
        weights = np.where(table == NEVER, -np.inf, table.astype(np.float64))
        heads = np.array(maximum_spanning_tree(weights, decoding.single_root), dtype=np.int64)
    else:
        heads = compiled(first_order_heads)(table, decoding.single_root)
    table[edges.arc_head, edges.arc_dependent] = best
    chosen: Ints = table[heads, np.arange(nodes)]
    return chosen


def _one_root(edges: Edges, scores: Scores) -> Scores:
    """The scores without any for a dependent of node 0 that has a sibling."""
    sibling = scores.sibling.copy()
    sibling[edges.head == 0, 1:] = FORBIDDEN
    return scores._replace(sibling=sibling)


def _approximate(edges: Edges, scores: Scores, own: Ints, threshold: int, single_root: bool) -> None:
    """Non-projective approximation: the best change of one edge is made as long as it gains more than the threshold
    (McDonald & Pereira 2006, with labels as in Björkelund & Kuhn 2012, figure 2). Compiled.

    edges, scores: of one sentence. own: (n + 1,), the edges of a tree, which are changed. single_root: the number of
    dependents of node 0 does not change. Every candidate edge whose head is neither its dependent nor a descendant of
    it is tried, the first of equal ones is taken; only the factors that a change touches are scored again.
    """
    edge, sibling, inner, outer = scores
    size = len(own)
    order_2 = sibling.shape[1] > 0
    heads = np.full(size, -1, dtype=np.int64)
    for word in range(1, size):
        heads[word] = edges.arc_head[edges.arc[own[word]]]
    old = np.zeros(size, dtype=np.int64)
    touched = np.zeros(4, dtype=np.int64)

    def second_order(heads: Ints, word: int, head: int, e: int) -> int:
        sign = 1 if head < word else -1
        of_head = 0
        of_inner = 0
        of_outer = 0
        for node in range(1, size):
            if node == word:
                continue
            from_head = sign * (node - head)
            from_word = sign * (node - word)
            if heads[node] == head and from_head > 0 and from_word < 0:
                of_head = max(of_head, from_head)
            elif heads[node] == word and from_word > 0:
                of_outer = max(of_outer, from_word)
            elif heads[node] == word and from_head > 0:
                of_inner = max(of_inner, -from_word)
        return np.int64(sibling[e, of_head]) + inner[e, of_inner] + outer[e, of_outer]

    while True:
        changed = heads.copy()
        if order_2:
            for word in range(1, size):
                old[word] = second_order(heads, word, heads[word], own[word])
        chosen = -1
        gain = 0
        for arc in range(len(edges.arc_head)):
            head, word = edges.arc_head[arc], edges.arc_dependent[arc]
            if single_root and (heads[word] == 0) != (head == 0):
                continue
            node = head
            while node > 0 and node != word:
                node = heads[node]
            if node == word:
                continue
            rest = -edge[own[word]] - old[word]
            if order_2:
                changed[word] = head
                for number in range(4):
                    above = heads[word] if number % 2 == 0 else head
                    found = above
                    if number > 1:
                        # the dependent beyond the word that is next to it
                        step = 1 if above < word else -1
                        found = word + step
                        while 0 < found < size and heads[found] != above:
                            found += step
                        if found == size:
                            found = 0
                    touched[number] = found
                    new = found > 0
                    for before in range(number):
                        new = new and touched[before] != found
                    if new:
                        rest += second_order(changed, found, heads[found], own[found]) - old[found]
                changed[word] = heads[word]
            for e in range(edges.arc_edges[arc], edges.arc_edges[arc + 1]):
                value = rest + edge[e]
                if order_2:
                    value += second_order(heads, word, head, e)
                if chosen < 0 or value > gain:
                    chosen, gain = e, value
        if chosen < 0 or gain <= threshold:
            return
        word = edges.arc_dependent[edges.arc[chosen]]
        heads[word], own[word] = edges.arc_head[edges.arc[chosen]], chosen
