"""Compiled loops over trees: their third nodes, the cells of their features, non-projective approximation, and updates.

Importing this module imports numba.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.compiling import compiled
from .charts import NEVER, first_order_heads, second_order_edges
from .edges import LABEL_COST, Edges, EdgeScores, Ints, sentence_scores
from .features import OUTER, SIBLING, Keys, NodeKeys

UNREACHED = 2**62
"""A threshold that no gain exceeds."""

_sentence_scores = compiled(sentence_scores)
_second_order_edges = compiled(second_order_edges)
_first_order_heads = compiled(first_order_heads)


@compiled
def third_nodes(heads: Ints, word: int, head: int) -> tuple[int, int, int]:
    """(sibling, inner, outer): the third nodes of the factors of an arc in a tree, as distances; 0 for none.

    heads: n + 1 heads; the head of ``word`` is ignored.
    """
    sign = 1 if head < word else -1
    sibling = 0
    inner = 0
    outer = 0
    for node in range(1, len(heads)):
        if node == word:
            continue
        from_head = sign * (node - head)
        from_word = sign * (node - word)
        if heads[node] == head and from_head > 0 and from_word < 0:
            sibling = max(sibling, from_head)
        elif heads[node] == word and from_word > 0:
            outer = max(outer, from_word)
        elif heads[node] == word and from_head > 0:
            inner = max(inner, -from_word)
    return sibling, inner, outer


@compiled
def write_feature_rows(
    keys: NodeKeys, slots: int, bin_of: Keys, shift: np.uint64, head: int, dependent: int, third: int, rows: Ints,
    count: int,
) -> int:  # fmt: skip
    """Write the starts of the rows of a factor's features to ``rows``, from index ``count``; returns the new count.

    keys: of the factor's nodes.
    slots: number of slots to write, from the first.
    bin_of: key of the bin of each distance.
    shift: number of bits of a key that its row does not depend on.
    head, dependent, third: nodes of the batch; third is the last row of the keys if there is none.
    """
    side = 1 if head < dependent else 0
    arc_bin = bin_of[abs(head - dependent)]
    no_third = third == len(keys.head) - 1
    head_bin = np.uint64(0) if no_third else bin_of[abs(head - third)]
    dependent_bin = np.uint64(0) if no_third else bin_of[abs(dependent - third)]
    low = min(head, dependent)
    for slot in range(slots):
        key = keys.head[head, slot] + keys.dependent[dependent, slot]
        key += keys.seeds[side, slot] + keys.distances[0, slot] * arc_bin
        if slot < keys.plain:
            key += keys.third[third, slot]
            key += keys.distances[1, slot] * head_bin + keys.distances[2, slot] * dependent_bin
            rows[count] = np.int64(key >> shift)
            count += 1
            continue
        # of the words between, each value once: at its first word
        for word in range(low + 1, max(head, dependent)):
            if keys.before[word, slot - keys.plain] <= low:
                rows[count] = np.int64((key + keys.third[word, slot]) >> shift)
                count += 1
    return count


@compiled
def word_cells(
    keys: tuple[NodeKeys, ...], bin_of: Keys, shift: np.uint64, base: int, heads: Ints, labels: Ints, word: int,
    cells: Ints,
) -> int:  # fmt: skip
    """Write the cells of the features of all factors of a word in a tree; returns the number of cells.

    keys: the keys of each factor, EDGE first.
    base: number of node 0 in the batch.
    heads, labels: those of the tree ((n + 1,)).
    """
    head, dependent = base + heads[word], base + word
    none = len(keys[0].head) - 1
    count = write_feature_rows(keys[0], keys[0].head.shape[1], bin_of, shift, head, dependent, none, cells, 0)
    if len(keys) > 1:
        sign = 1 if head < dependent else -1
        distances = third_nodes(heads, word, heads[word])
        for factor in range(1, len(keys)):
            start = head if factor == SIBLING else dependent
            third = start + (sign if factor in (SIBLING, OUTER) else -sign) * distances[factor - 1]
            third = none if distances[factor - 1] == 0 else third
            slots = keys[factor].head.shape[1]
            count = write_feature_rows(keys[factor], slots, bin_of, shift, head, dependent, third, cells, count)
    for number in range(count):
        cells[count + number] = cells[number] + labels[word] + 1
    return 2 * count


@compiled
def _intervals(heads: Ints) -> tuple[Ints, Ints]:
    """(enter, leave): numbers of the nodes from node 0 downwards; those of a node's descendants and its own are in
    ``enter[node]`` to ``leave[node]``, exclusive.
    """
    size = len(heads)
    first, following = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    for node in range(size - 1, 0, -1):
        following[node] = first[heads[node]]
        first[heads[node]] = node
    enter, leave = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    node = 0
    count = 1
    while True:
        if first[node] >= 0:
            node = first[node]
        else:
            leave[node] = count
            while node > 0 and following[node] < 0:
                node = heads[node]
                leave[node] = count
            if node == 0:
                return enter, leave
            node = following[node]
        enter[node] = count
        count += 1


@compiled
def approximate(
    edges: Edges, scores: EdgeScores, tree_edges: Ints, threshold: int, single_root: bool, gains: Ints
) -> None:
    """Non-projective approximation: change single edges, the best change first, while the gain exceeds the threshold.

    edges, scores: those of one sentence.
    tree_edges: the edges of a tree, which are changed ((n + 1,)).
    single_root: keep the number of dependents of node 0.
    gains: receives, for each word, the gain of the best change of its edge in the final tree, :data:`NEVER` if there is
        none ((n + 1,)).

    Every candidate edge is tried whose head is neither its dependent nor a descendant of its dependent; the first of
    equal changes wins. Only the factors that a change affects are scored again. Source: McDonald & Pereira 2006, with
    labels as in Björkelund & Kuhn 2012, figure 2.
    """
    edge, sibling, inner, outer = scores
    size = len(tree_edges)
    order_2 = sibling.shape[1] > 0
    heads = np.full(size, -1, dtype=np.int64)
    for word in range(1, size):
        heads[word] = edges.arc_head[edges.arc[tree_edges[word]]]
    old = np.zeros(size, dtype=np.int64)
    touched = np.zeros(4, dtype=np.int64)

    def second_order(heads: Ints, word: int, head: int, e: int) -> int:
        of_head, of_inner, of_outer = third_nodes(heads, word, head)
        return np.int64(sibling[e, of_head]) + inner[e, of_inner] + outer[e, of_outer]

    while True:
        changed = heads.copy()
        if order_2:
            for word in range(1, size):
                old[word] = second_order(heads, word, heads[word], tree_edges[word])
        enter, leave = _intervals(heads)
        chosen = -1
        gain = 0
        gains[:] = NEVER
        for arc in range(len(edges.arc_head)):
            head, word = edges.arc_head[arc], edges.arc_dependent[arc]
            if single_root and (heads[word] == 0) != (head == 0):
                continue
            if enter[word] <= enter[head] < leave[word]:
                continue
            rest = -edge[tree_edges[word]] - old[word]
            if order_2:
                changed[word] = head
                for number in range(4):
                    above = heads[word] if number % 2 == 0 else head
                    node = above
                    if number > 1:
                        # the nearest dependent beyond the word
                        step = 1 if above < word else -1
                        node = word + step
                        while 0 < node < size and heads[node] != above:
                            node += step
                        if node == size:
                            node = 0
                    touched[number] = node
                    new = node > 0
                    for before in range(number):
                        new = new and touched[before] != node
                    if new:
                        rest += second_order(changed, node, heads[node], tree_edges[node]) - old[node]
                changed[word] = heads[word]
            for e in range(edges.arc_edges[arc], edges.arc_edges[arc + 1]):
                value = rest + edge[e]
                if order_2:
                    value += second_order(heads, word, head, e)
                if e != tree_edges[word] and value > gains[word]:
                    gains[word] = value
                if chosen < 0 or value > gain:
                    chosen, gain = e, value
        if chosen < 0 or gain <= threshold:
            return
        word = edges.arc_dependent[edges.arc[chosen]]
        heads[word], tree_edges[word] = edges.arc_head[edges.arc[chosen]], chosen


@compiled
def best_edges(
    edges: Edges, scores: EdgeScores, approximated: bool, threshold: int, single_root: bool, gains: Ints
) -> Ints:
    """The edge of each node of a batch in the best projective trees ((N,)); -1 at node 0.

    approximated: improve these trees by crossing arcs, see :func:`approximate`.
    gains: receives the gains of the best changes, see :func:`approximate` ((N,)); empty if nobody asks for them.
    """
    result = np.full(edges.offsets[-1], -1, dtype=np.int64)
    for sentence in range(len(edges.offsets) - 1):
        base, end = edges.offsets[sentence], edges.offsets[sentence + 1]
        candidates, own_scores = _sentence_scores(edges, scores, sentence)
        if scores.sibling.shape[1] > 0:
            chosen = _second_order_edges(candidates, own_scores, end - base, single_root)
        else:
            chosen = np.full(end - base, -1, dtype=np.int64)
            best = np.full((end - base, end - base), NEVER, dtype=np.int64)
            edge_of = np.zeros((end - base, end - base), dtype=np.int64)
            for e in range(len(candidates.arc)):
                h, m = candidates.arc_head[candidates.arc[e]], candidates.arc_dependent[candidates.arc[e]]
                if own_scores.edge[e] > best[h, m]:
                    best[h, m], edge_of[h, m] = own_scores.edge[e], e
            heads = _first_order_heads(best, single_root)
            for word in range(1, end - base):
                chosen[word] = edge_of[heads[word], word]
        if approximated or len(gains):
            own_gains = gains[base:end] if len(gains) else np.empty(end - base, dtype=np.int64)
            approximate(
                candidates, own_scores, chosen, threshold if approximated else UNREACHED, single_root, own_gains
            )
        result[base + 1 : end] = chosen[1:] + edges.arc_edges[edges.sentence_arcs[sentence]]
    return result


@compiled
def update(
    keys: tuple[NodeKeys, ...], bin_of: Keys, shift: np.uint64, offsets: Ints, gold: tuple[Ints, Ints],
    parsed: tuple[Ints, Ints], weights: NDArray[np.int32], late: Ints, step: int, unit: int, most: float,
) -> None:  # fmt: skip
    """Move the weights of each sentence of a batch towards the gold tree and away from the parsed tree.

    gold, parsed: (heads, labels) of all nodes; heads count from node 0 of each sentence.
    late: the sum of all changes, each multiplied by its step.
    most: maximum step of PA-I.

    Only words whose factors differ matter. PA-I makes the smallest change that makes the gold tree better than the
    parsed tree by the cost of the parsed tree.
    """
    longest = np.max(np.diff(offsets))
    slots = 0
    for factor in keys:
        slots += factor.plain
    cells = np.empty(2 * (slots + keys[0].before.shape[1] * longest), dtype=np.int64)
    size = 1024
    while size < 4 * len(cells) * longest:
        size *= 2
    owner = np.full(size, -1, dtype=np.int64)  # an open-addressing hash table of cells and their counts
    counts = np.zeros(size, dtype=np.int64)
    touched = np.empty(2 * len(cells) * longest, dtype=np.int64)
    for sentence in range(len(offsets) - 1):
        step += 1
        base, end = offsets[sentence], offsets[sentence + 1]
        right, heads = gold[0][base:end], parsed[0][base:end]
        names, own_names = gold[1][base:end], parsed[1][base:end]
        cost = 0.0
        for word in range(1, end - base):
            if right[word] != heads[word]:
                cost += 1
            elif names[word] != own_names[word]:
                cost += LABEL_COST
        if cost == 0:
            continue
        used = 0
        for word in range(1, end - base):
            same = right[word] == heads[word] and names[word] == own_names[word]
            if same and len(keys) > 1:
                same = third_nodes(right, word, right[word]) == third_nodes(heads, word, heads[word])
            if same:
                continue
            for sign in (1, -1):
                if sign > 0:
                    count = word_cells(keys, bin_of, shift, base, right, names, word, cells)
                else:
                    count = word_cells(keys, bin_of, shift, base, heads, own_names, word, cells)
                for number in range(count):
                    place = cells[number] * 0x9E3779B1 & (size - 1)
                    while owner[place] >= 0 and owner[place] != cells[number]:
                        place = (place + 1) & (size - 1)
                    if owner[place] < 0:
                        owner[place] = cells[number]
                        touched[used] = place
                        used += 1
                    counts[place] += sign
        margin = 0
        norm = 0
        for place in touched[:used]:
            margin += weights[owner[place]] * counts[place]
            norm += counts[place] * counts[place]
        length = max(0.0, min((cost * unit - margin) / max(norm, 1), most * unit))
        for place in touched[:used]:
            cell, count = owner[place], counts[place]
            owner[place] = -1
            counts[place] = 0
            if count == 0:
                continue
            change = np.int32(np.rint(count * length))
            weights[cell] += change
            late[cell] += np.int64(change) * step


@compiled
def mark_candidates(
    keys: NodeKeys, bin_of: Keys, shift: np.uint64, weights: NDArray[np.int16], heads: Ints, dependents: Ints,
    most: int, margin: float, kept: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Mark the candidate arcs to each word in ``kept``. Arcs to the same word must be consecutive.

    Candidates are the ``most`` best arcs whose scores are at most ``margin`` below the best one. The arc from the
    previous node is always a candidate, so that there is a tree.
    """
    none = len(keys.head) - 1
    rows = np.empty(keys.plain, dtype=np.int64)
    scores = np.empty(len(heads), dtype=np.int64)
    first = 0
    for arc in range(len(heads)):
        write_feature_rows(keys, keys.plain, bin_of, shift, heads[arc], dependents[arc], none, rows, 0)
        total = np.int64(0)
        for row in rows:
            total += weights[row]
        scores[arc] = total
        if arc + 1 < len(heads) and dependents[arc + 1] == dependents[arc]:
            continue
        ordered = np.sort(scores[first : arc + 1])
        least = max(ordered[-1] - margin, ordered[max(0, len(ordered) - most)])
        for other in range(first, arc + 1):
            kept[other] = scores[other] >= least or heads[other] + 1 == dependents[other]
        first = arc + 1


@compiled
def learn_heads(
    keys: NodeKeys, bin_of: Keys, shift: np.uint64, weights: NDArray[np.float32], squares: NDArray[np.float32],
    rate: float, heads: Ints, dependents: Ints, gold: Ints,
) -> None:  # fmt: skip
    """Make the gold head of each word more likely among the candidate heads: one AdaGrad step along the log-likelihood.

    gold: the head of every node, as node of the batch.
    """
    none = len(keys.head) - 1
    rows = np.empty((len(heads), keys.plain), dtype=np.int64)
    scores = np.empty(len(heads), dtype=np.float64)
    first = 0
    for arc in range(len(heads)):
        write_feature_rows(keys, keys.plain, bin_of, shift, heads[arc], dependents[arc], none, rows[arc], 0)
        total = 0.0
        for row in rows[arc]:
            total += np.float64(weights[row])
        scores[arc] = total
        word = dependents[arc]
        if arc + 1 < len(heads) and dependents[arc + 1] == word:
            continue
        shares = np.exp(scores[first : arc + 1] - np.max(scores[first : arc + 1]))
        total = 0.0
        for share in shares:
            total += share
        shares /= total
        for other in range(first, arc + 1):
            slope = shares[other - first] - (1.0 if heads[other] == gold[word] else 0.0)
            if abs(slope) > 0.001:
                for row in rows[other]:
                    squares[row] += np.float32(slope * slope)
                    weights[row] -= np.float32(rate * slope / np.sqrt(squares[row]))
        first = arc + 1
