"""Blending: the trees of several parsers vote for arcs; the result is the best tree for these votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from ....transitions.spanning_tree import maximum_spanning_tree
from ...base.errors import CrossarcError
from ...treebank import Sentence
from ...treebank.pairs import same_sentences
from ...treebank.tree import FlatTrees, Tree, flat_trees, numbered, trees_in, trees_of
from .vote_weights import Weights

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
CHUNK = 1024


def blend_votes(
    votes: Sequence[Sequence[Tree]], weights: Weights, upos: Sequence[Sequence[str]], single_root: bool = False
) -> list[Tree]:
    """One blended tree for each sentence.

    votes: the trees of the parsers, ``votes[parser][sentence]``.
    weights: weights of the votes.
    upos: parts of speech of the words of each sentence, for weights that depend on them.
    single_root: exactly one dependent of node 0, even if no parser gave one.

    The score of a labelled arc is the sum of the weights of the parsers that have it. Only the best label of an arc
    counts; scores of different labels are not added (Nilsson 2009, section 7.1, figure 7.1). The result is the maximum
    spanning tree (Sagae & Lavie 2006). Among equally good labels or arcs, those of the first parser win.
    """
    tags, names = numbered(list(chain.from_iterable(upos)))
    return trees_in(blend_flat(list(map(flat_trees, votes)), weights, tags, names, single_root))


def blend_flat(
    votes: Sequence[FlatTrees],
    weights: Weights,
    upos: Ints,
    tags: Sequence[str],
    single_root: bool = False,
    shares: Floats | None = None,
) -> FlatTrees:
    """The blended trees as arrays, see :func:`blend_votes`.

    upos: indices into ``tags`` (int64, (words,)).
    shares: receives the share of the weights that voted for each labelled arc (float64, (words,)).
    """
    names = {
        name: number for number, name in enumerate(dict.fromkeys(chain.from_iterable(vote.names for vote in votes)))
    }
    labels = np.stack([np.array([names[name] for name in vote.names] or [0])[vote.labels] for vote in votes])
    heads = np.stack([vote.heads for vote in votes])
    weighted = np.stack([_weighted(weights, number, upos, tags, vote) for number, vote in enumerate(votes)])
    scores = _arc_scores(heads, labels, weighted)
    chosen = scores.argmax(axis=0)
    words = np.arange(heads.shape[1])
    best = heads[chosen, words]
    lengths = votes[0].lengths
    ends = np.cumsum([0, *lengths])
    accepted = _trees(best, lengths)
    if single_root:
        accepted &= np.bincount(votes[0].sentences[best == 0], minlength=len(lengths)) == 1
    for number in np.flatnonzero(~accepted & (lengths > 0)):
        span = slice(ends[number], ends[number + 1])
        tree = np.array(_reparse(heads[:, span], scores[:, span], single_root)[1:])
        best[span] = tree
        supported = np.where(heads[:, span] == tree, scores[:, span], -1.0)
        anyone = supported.max(axis=0) >= 0
        chosen[span] = np.where(anyone, supported.argmax(axis=0), chosen[span])
    if shares is not None:
        agree = (heads == best) & (labels == labels[chosen, words])
        shares[:] = np.where(agree, weighted, 0).sum(axis=0) / np.maximum(weighted.sum(axis=0), 1e-9)
    return FlatTrees(lengths, best, labels[chosen, words], tuple(names))


def _weighted(weights: Weights, parser: int, upos: Ints, tags: Sequence[str], vote: FlatTrees) -> Floats:
    """The weight of the parser's arc to each word, computed once for each pair of part of speech and label."""
    pairs = upos * len(vote.names) + vote.labels
    seen = np.flatnonzero(np.bincount(pairs))
    tag, label = np.divmod(seen, max(1, len(vote.names)))
    weight_of = np.zeros(int(seen.max(initial=-1)) + 1)
    weight_of[seen] = weights.of(
        parser,
        [tags[number_of_tag] for number_of_tag in tag],
        [vote.names[number_of_label] for number_of_label in label],
    )
    return weight_of[pairs]


def blend_sentences(
    files: Sequence[Iterable[Sentence]], weights: Weights, single_root: bool = False
) -> Iterator[Sentence]:
    """The sentences of the first file with blended trees; all files are read in parallel. See :func:`blend_votes`.

    Raises CrossarcError, with file and line, if the files differ in words or number of sentences, or a tree has a
    cycle.
    """
    rows = same_sentences(*files)
    while chunk := list(islice(rows, CHUNK)):
        votes = list(map(trees_of, zip(*chunk, strict=True)))
        for trees, column in zip(votes, zip(*chunk, strict=True), strict=True):
            _check_trees(trees, column)
        upos = [row[0].column("upos") for row in chunk]
        for row, vote in zip(chunk, blend_votes(votes, weights, upos, single_root), strict=True):
            yield row[0].with_tree(vote.heads, vote.deprels)


def select_parsers(base: int, scores: Sequence[float], descending: bool) -> list[int]:
    """The order in which parsers join a blend (Nilsson 2009, section 9.3.3); blends use the first parsers of the order.

    base: the parser that comes first.
    scores: scores of all parsers on development data, by which the others are ordered; equal ones keep their order.
    descending: best first. Worst first gave better blends of few parsers in the thesis.
    """
    others = [number for number in range(len(scores)) if number != base]
    return [base, *sorted(others, key=lambda number: -scores[number] if descending else scores[number])]


def _check_trees(votes: Sequence[Tree], sentences: Sequence[Sentence]) -> None:
    heads = np.array([head for vote in votes for head in vote.heads[1:]], dtype=np.int64)
    for number in np.flatnonzero(~_trees(heads, np.array([len(vote.heads) - 1 for vote in votes]))):
        sentence = sentences[int(number)]
        raise CrossarcError(f"{sentence.source}:{sentence.line}: not a tree, the heads form a cycle")


def _arc_scores(heads: Ints, labels: Ints, weights: Floats) -> Floats:
    """For each parser and word, the sum of the weights of the parsers with the same labelled arc."""
    scores = np.zeros(heads.shape)
    for head, label, weight in zip(heads, labels, weights, strict=True):
        scores += np.where((heads == head) & (labels == label), weight, 0.0)
    return scores


def _trees(heads: Ints, sizes: Ints) -> NDArray[np.bool_]:
    """Whether the heads of each sentence form a tree, computed for all sentences together by pointer doubling."""
    offsets = np.cumsum(sizes + 1) - (sizes + 1)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    above = np.arange(int(sizes.sum()) + len(sizes))
    is_word = np.ones(len(above), dtype=np.bool_)
    is_word[offsets] = False
    above[is_word] = offsets[sentence] + heads
    for _ in range(int(sizes.max(initial=0)).bit_length()):
        above = above[above]
    lost = above[is_word] != offsets[sentence]
    return np.bincount(sentence[lost], minlength=len(sizes)) == 0


def _reparse(heads: Ints, scores: Floats, single_root: bool) -> list[int]:
    """The maximum spanning tree of one sentence over the arcs of the votes; over all arcs if no single root exists."""
    try:
        return _over_votes(heads, scores, single_root)
    except ValueError:
        n = heads.shape[1]
        dense = np.zeros((n + 1, n + 1))
        for heads_of_vote, score in zip(heads, scores, strict=True):
            np.maximum.at(dense, (heads_of_vote, np.arange(1, n + 1)), score)
        return maximum_spanning_tree(dense, single_root)


def _over_votes(heads: Ints, scores: Floats, single_root: bool) -> list[int]:
    """The maximum spanning tree over the arcs of the votes.

    Only words with several candidate heads are decided. Each other word is merged with its only head, which leaves a
    smaller graph. Raises ValueError if there is no such tree.
    """
    n = heads.shape[1]
    contested = [int(word) + 1 for word in np.flatnonzero((heads != heads[0]).any(axis=0))]
    result = [-1, *heads[0].tolist()]
    agreed_roots = sum(result[word] == 0 for word in range(1, n + 1) if word not in set(contested))
    if single_root and agreed_roots > 1:
        raise ValueError("the votes have no tree with a single root")
    node = {0: 0, **{word: number for number, word in enumerate(contested, 1)}}

    def stands_for(word: int) -> int:
        while word not in node:
            word = result[word]
        return node[word]

    size = len(contested) + 1
    graph = np.full((size, size), -np.inf)
    real = np.zeros((size, size), dtype=np.int64)
    for number, word in enumerate(contested, 1):
        for head, score in zip(heads[:, word - 1].tolist(), scores[:, word - 1].tolist(), strict=True):
            if head == 0 and single_root and agreed_roots:
                continue
            above = stands_for(head)
            if score > graph[above, number]:
                graph[above, number], real[above, number] = score, head
    tree = maximum_spanning_tree(graph, single_root and not agreed_roots)
    for number, word in enumerate(contested, 1):
        result[word] = int(real[tree[number], number])
    return result
