"""Candidate edges of a batch of sentences, which are labelled arcs that an edge filter admits, and scores of factors.

The score of a tree is the sum over its words m, with head h and label l, of the scores of four factors (Carreras
2007): the edge itself; the edge with its *sibling*, the dependent of h between h and m that is nearest to m; the edge
with its *inner grandchild*, the dependent of m between h and m that is farthest from m; and the edge with its *outer
grandchild*, the dependent of m on the side away from h that is farthest from m. A factor without such a node has a
score for "none". All labels are scored. Second-order factors use the label of the edge from h to m, not the label of
the third node.

Crossing arcs do not change these definitions. The same table serves charts and non-projective search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...treebank import UNKNOWN

Ints = NDArray[np.int64]

LABEL_COST = 0.5
"""The cost of a wrong label on the right head; a wrong head costs 1 (Bohnet 2010)."""


class Edges(NamedTuple):
    """The candidate edges of a batch of B sentences; the nodes of all sentences are numbered consecutively.

    offsets: number of node 0 of each sentence ((B + 1,)).
    arc_head, arc_dependent: nodes of each arc, sorted by sentence, dependent, head ((A,)).
    arc_edges: the edges of arc a are ``arc_edges[a]`` to ``arc_edges[a + 1] - 1`` ((A + 1,)).
    arc, label: arc and label of each edge, with ascending labels within an arc ((E,)).
    sentence_arcs: number of the first arc of each sentence ((B + 1,)).

    An arc is a pair of nodes; an edge is an arc with a label. All arrays are int64.
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
        """The head of each edge ((E,))."""
        return self.arc_head[self.arc]

    @property
    def dependent(self) -> Ints:
        """The dependent of each edge ((E,))."""
        return self.arc_dependent[self.arc]

    def only(self, kept: Ints) -> Edges:
        """The edges with these numbers. kept: ascending numbers, at least one of each arc."""
        arc = self.arc[kept]
        starts = np.searchsorted(arc, np.arange(len(self.arc_head) + 1))
        return self._replace(arc_edges=starts, arc=arc, label=self.label[kept])

    def best(self, scores: Ints) -> Ints:
        """The edge of each arc with the best score, the first of equal edges ((A,)). scores: of all edges ((E,))."""
        best = np.maximum.reduceat(scores, self.arc_edges[:-1]) if len(scores) else scores
        hits = np.flatnonzero(scores == best[self.arc])
        return hits[np.unique(self.arc[hits], return_index=True)[1]]

    def dependents_of(self) -> tuple[Ints, Ints]:
        """The dependents of all arcs, sorted by head and dependent ((A,)), and each node's first index ((N + 1,))."""
        order = np.argsort(self.arc_head, kind="stable")
        starts = np.searchsorted(self.arc_head[order], np.arange(self.offsets[-1] + 1))
        return self.arc_dependent[order], starts

    @property
    def width(self) -> int:
        """The number of nodes of the longest sentence."""
        return int(np.diff(self.offsets).max(initial=1))


class EdgeScores(NamedTuple):
    """The scores of the factors of a batch, as integers, so that sums are exact in any order.

    edge: scores of edges (int64, (E,)).
    sibling, inner, outer: scores of second-order factors (int32, (E, W)), by the distance of the third node from the
        head (sibling) or from the dependent (inner, outer); 0 for none. W is at least the number of nodes of the
        longest sentence. Shape (E, 0) for order 1.

    Values at distances that no node has are not used.
    """

    edge: Ints
    sibling: NDArray[np.int32]
    inner: NDArray[np.int32]
    outer: NDArray[np.int32]


def first_order(edge: Ints) -> EdgeScores:
    """The scores of edges alone."""
    nothing = np.zeros((len(edge), 0), dtype=np.int32)
    return EdgeScores(edge, nothing, nothing, nothing)


def sentence_scores(edges: Edges, scores: EdgeScores, sentence: int) -> tuple[Edges, EdgeScores]:
    """The edges and scores of one sentence of the batch, as a separate batch. Also compiled."""
    start, stop = edges.sentence_arcs[sentence], edges.sentence_arcs[sentence + 1]
    first, last = edges.arc_edges[start], edges.arc_edges[stop]
    base, end = edges.offsets[sentence], edges.offsets[sentence + 1]
    edges_of_sentence = Edges(
        np.array([0, end - base]),
        edges.arc_head[start:stop] - base,
        edges.arc_dependent[start:stop] - base,
        edges.arc_edges[start : stop + 1] - first,
        np.array([0, stop - start]),
        edges.arc[first:last] - start,
        edges.label[first:last],
    )
    sibling, inner, outer = scores.sibling[first:last], scores.inner[first:last], scores.outer[first:last]
    return edges_of_sentence, EdgeScores(scores.edge[first:last], sibling, inner, outer)


def node_offsets(lengths: Sequence[int] | Ints) -> Ints:
    """The number of node 0 of each sentence in the batch ((B + 1,)). lengths: number of words of each sentence."""
    return np.concatenate(([0], np.cumsum(np.asarray(lengths, dtype=np.int64) + 1))).astype(np.int64)


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """The labels seen in training, by tags of head and dependent and by direction (Bohnet 2010, section 3).

    allowed: whether a label may occur (bool, (tags of heads, tags of dependents, directions, labels)); direction 1 is
        rightwards.
    fallback: the most frequent label by the tag of a dependent ((tags,)).

    The arc from the previous node is always a candidate, with the fallback label if the pair of tags is unknown. Every
    sentence therefore has a projective tree with one root.
    """

    allowed: NDArray[np.bool_]
    fallback: Ints

    @classmethod
    def build(
        cls, sizes: tuple[int, int], head_tags: Ints, dependent_tags: Ints, rightward: NDArray[np.bool_], labels: Ints
    ) -> EdgeFilter:
        """The filter of the arcs of the training trees. Arrays have one entry per arc; sizes: numbers of tags, labels.

        Raises ValueError without arcs.
        """
        if not len(labels):
            raise ValueError("no arcs to build an edge filter from")
        tags, count = sizes
        by_tag = np.zeros((tags, count), dtype=np.int64)
        np.add.at(by_tag, (dependent_tags, labels), 1)
        by_tag[by_tag.sum(axis=1) == 0] = by_tag.sum(axis=0)
        allowed = np.zeros((tags, tags, 2, count), dtype=np.bool_)
        allowed[head_tags, dependent_tags, rightward.astype(np.int64), labels] = True
        return cls(allowed, by_tag.argmax(axis=1).astype(np.int64))

    def arcs(self, offsets: Ints, tags: Ints) -> tuple[Ints, Ints]:
        """The heads and the dependents of the arcs that have a label.

        tags: tags of all nodes, including node 0 ((nodes,)).
        """
        head, dependent = _all_arcs(offsets)
        pairs: NDArray[np.bool_] = np.any(self.allowed, axis=3)
        labelled = pairs[tags[head], tags[dependent], (head < dependent).astype(np.int64)]
        unknown = (tags[head] == UNKNOWN) | (tags[dependent] == UNKNOWN)
        kept = np.flatnonzero(labelled | (dependent == head + 1) | unknown)
        return head[kept], dependent[kept]

    def edges(self, lengths: Ints, tags: Ints, arcs: tuple[Ints, Ints] | None = None) -> Edges:
        """The candidate edges of a batch. arcs: the candidate arcs (default: all those of :meth:`arcs`)."""
        offsets = node_offsets(lengths)
        head, dependent = self.arcs(offsets, tags) if arcs is None else arcs
        labels = self.allowed[tags[head], tags[dependent], (head < dependent).astype(np.int64)]
        lone = np.flatnonzero(~labels.any(axis=1))
        labels[lone, self.fallback[tags[dependent[lone]]]] = True
        arc, label = np.nonzero(labels)
        arc_edges = np.searchsorted(arc, np.arange(len(head) + 1))
        return Edges(offsets, head, dependent, arc_edges, np.searchsorted(dependent, offsets), arc, label)


def _all_arcs(offsets: Ints) -> tuple[Ints, Ints]:
    """(heads, dependents) of all pairs of different nodes of a sentence whose second node is a word."""
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
