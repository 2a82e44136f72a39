"""The candidate edges of a batch of sentences: labelled arcs that an edge filter admits; and the scores of factors of
trees of them, as Carreras (2007) defines the factors.

The score of a tree is the sum over its words m, with head h and label l, of the scores of four factors: the edge
itself; the edge with its *sibling*, the dependent of h between h and m that is nearest to m; with its *inner
grandchild*, the dependent of m between h and m that is farthest from m; and with its *outer grandchild*, the dependent
of m on the side away from h that is farthest from m. Where there is no such node, the factor has a score for that. All
labels are scored: second-order factors know the label of the edge from h to m, not that of the third node.

Crossing arcs change nothing in these definitions, so that the same table serves charts and non-projective search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..treebank import UNKNOWN

Ints = NDArray[np.int64]

LABEL_COST = 0.5
"""The cost of a wrong label on the right head; a wrong head costs 1 (Bohnet 2010)."""


class Edges(NamedTuple):
    """The candidate edges of a batch of B sentences, all nodes in a row: node 0 of sentence b is ``offsets[b]``.

    offsets: (B + 1,). An arc is a pair of nodes, an edge an arc with a label. arc_head, arc_dependent: (A,) nodes of
    the batch, sorted by sentence, dependent, head. arc_edges: (A + 1,), the edges of arc a are ``arc_edges[a]`` to
    ``arc_edges[a + 1] - 1``. arc, label: (E,), ascending labels within an arc. sentence_arcs: (B + 1,). All int64.
    """

    offsets: Ints
    arc_head: Ints
    arc_dependent: Ints
    arc_edges: Ints
    sentence_arcs: Ints
    arc: Ints
    label: Ints

    @property
    def head(self) -> Ints:
        """(E,): the head of each edge."""
        return self.arc_head[self.arc]

    @property
    def dependent(self) -> Ints:
        """(E,): the dependent of each edge."""
        return self.arc_dependent[self.arc]

    def only(self, kept: Ints) -> Edges:
        """The edges with these ascending numbers, at least one of each arc."""
        arc = self.arc[kept]
        starts = np.searchsorted(arc, np.arange(len(self.arc_head) + 1))
        return self._replace(arc_edges=starts, arc=arc, label=self.label[kept])

    def best(self, scores: Ints) -> Ints:
        """(A,): the edge of each arc with the best score, (E,), the first of equal ones."""
        best = np.maximum.reduceat(scores, self.arc_edges[:-1]) if len(scores) else scores
        hits = np.flatnonzero(scores == best[self.arc])
        return hits[np.unique(self.arc[hits], return_index=True)[1]]

    def dependents_of(self) -> tuple[Ints, Ints]:
        """((A,), (N + 1,)): the dependents of all arcs, by head and ascending, and where those of each node begin."""
        order = np.argsort(self.arc_head, kind="stable")
        starts = np.searchsorted(self.arc_head[order], np.arange(self.offsets[-1] + 1))
        return self.arc_dependent[order], starts

    @property
    def width(self) -> int:
        """The number of nodes of the longest sentence."""
        return int(np.diff(self.offsets).max(initial=1))


class Scores(NamedTuple):
    """The scores of the factors of a batch: whole numbers, so that sums are exact in any order.

    edge: int64 (E,). sibling, inner, outer: int32 (E, W), W at least the number of nodes of the longest sentence: the
    second-order factors, by the distance of the third node from the head (sibling) or from the dependent (inner,
    outer), 0 for none; (E, 0) where the order is 1. What stands at distances that no node has is not looked at.
    """

    edge: Ints
    sibling: NDArray[np.int32]
    inner: NDArray[np.int32]
    outer: NDArray[np.int32]

    @property
    def order(self) -> int:
        """1: only edges have scores; 2: pairs of edges, too."""
        return 2 if self.sibling.shape[1] else 1


def first_order(edge: Ints) -> Scores:
    """The scores of edges alone."""
    nothing = np.zeros((len(edge), 0), dtype=np.int32)
    return Scores(edge, nothing, nothing, nothing)


def sentence_scores(edges: Edges, scores: Scores, sentence: int) -> tuple[Edges, Scores]:
    """The edges and scores of one sentence of the batch, as a batch of its own. Also compiled."""
    start, stop = edges.sentence_arcs[sentence], edges.sentence_arcs[sentence + 1]
    first, last = edges.arc_edges[start], edges.arc_edges[stop]
    base, end = edges.offsets[sentence], edges.offsets[sentence + 1]
    own = Edges(
        np.array([0, end - base]),
        edges.arc_head[start:stop] - base,
        edges.arc_dependent[start:stop] - base,
        edges.arc_edges[start : stop + 1] - first,
        np.array([0, stop - start]),
        edges.arc[first:last] - start,
        edges.label[first:last],
    )
    sibling, inner, outer = scores.sibling[first:last], scores.inner[first:last], scores.outer[first:last]
    return own, Scores(scores.edge[first:last], sibling, inner, outer)


def node_offsets(lengths: Sequence[int] | Ints) -> Ints:
    """(B + 1,): where the nodes of each sentence begin, with as many words as ``lengths`` says."""
    return np.concatenate(([0], np.cumsum(np.asarray(lengths, dtype=np.int64) + 1))).astype(np.int64)


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """The labels that training has seen for the tags of head and dependent and the direction (Bohnet 2010, section 3).

    tags: the number of tag ids. starts: (tags * tags * 2 + 1,), ``allowed[starts[p]:starts[p + 1]]`` are the labels of
    pair p (:meth:`pairs`), ascending. fallback: (tags,), the most frequent label of a dependent's tag, for words whose
    tag or neighbourhood is new: the arc from the word (or node 0) before is a candidate whatever the tags, so that
    every sentence has a projective tree with one root.
    """

    tags: int
    starts: Ints
    allowed: Ints
    fallback: Ints

    @classmethod
    def build(
        cls, tags: int, head_tags: Ints, dependent_tags: Ints, rightward: NDArray[np.bool_], labels: Ints
    ) -> EdgeFilter:
        """From the arcs of the training trees, one entry of each array an arc. Raises ValueError for no arcs."""
        if not len(labels):
            raise ValueError("no arcs to build an edge filter from")
        count = int(labels.max()) + 1
        by_tag = np.zeros((tags, count), dtype=np.int64)
        np.add.at(by_tag, (dependent_tags, labels), 1)
        by_tag[by_tag.sum(axis=1) == 0] = by_tag.sum(axis=0)
        pairs = (head_tags * tags + dependent_tags) * 2 + rightward
        seen = np.unique(pairs * count + labels)
        starts = np.searchsorted(seen, np.arange(tags * tags * 2 + 1) * count)
        return cls(tags, starts.astype(np.int64), seen % count, by_tag.argmax(axis=1).astype(np.int64))

    def arcs(self, offsets: Ints, tags: Ints) -> tuple[Ints, Ints]:
        """The heads and the dependents of the arcs that have a label; tags: (nodes of the batch,), node 0 included."""
        head, dependent = _all_arcs(offsets)
        pair = (tags[head] * self.tags + tags[dependent]) * 2 + (head < dependent)
        unknown = (tags[head] == UNKNOWN) | (tags[dependent] == UNKNOWN)
        kept = np.flatnonzero((self.starts[pair + 1] > self.starts[pair]) | (dependent == head + 1) | unknown)
        return head[kept], dependent[kept]

    def edges(self, lengths: Ints, tags: Ints, arcs: tuple[Ints, Ints] | None = None) -> Edges:
        """The candidate edges of a batch. arcs: those of :meth:`arcs` that are candidates; all by default."""
        offsets = node_offsets(lengths)
        head, dependent = self.arcs(offsets, tags) if arcs is None else arcs
        pair = (tags[head] * self.tags + tags[dependent]) * 2 + (head < dependent)
        count = self.starts[pair + 1] - self.starts[pair]
        lone = count == 0
        count = np.maximum(count, 1)
        arc_edges = np.concatenate(([0], np.cumsum(count)))
        arc = np.repeat(np.arange(len(head)), count)
        place = np.arange(len(arc)) - arc_edges[arc] + self.starts[pair][arc]
        label = np.where(
            lone[arc],
            self.fallback[tags[dependent]][arc],
            self.allowed[np.minimum(place, len(self.allowed) - 1)],
        )
        sentence_arcs = np.searchsorted(dependent, offsets)
        return Edges(offsets, head, dependent, arc_edges, sentence_arcs, arc, label)


def _all_arcs(offsets: Ints) -> tuple[Ints, Ints]:
    """(heads, dependents): all pairs of different nodes of a sentence with a word as second."""
    sizes = np.diff(offsets)
    counts = (sizes - 1) * sizes
    starts = np.concatenate(([0], np.cumsum(counts)))
    sentence = np.repeat(np.arange(len(sizes)), counts)
    number = np.arange(starts[-1]) - starts[sentence]
    size = sizes[sentence]
    dependent, head = number // size + 1, number % size
    different = np.flatnonzero(dependent != head)
    base = offsets[sentence[different]]
    return head[different] + base, dependent[different] + base
