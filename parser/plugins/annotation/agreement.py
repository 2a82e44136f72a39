"""Agreement of annotators: attachment, labels, and a figure that is corrected for chance (Skjærholt 2014)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...base.errors import CrossarcError
from ...base.progress import Advance, nothing
from ...evaluate.percent import Result, percentage
from ...training.partial import decided_by_marks
from ...treebank import Sentence
from ...treebank.pairs import pair_sentences, read_tree
from ...treebank.tree import Tree

PAIRS = 1000
"""Number of pairs of trees from which the agreement by chance is estimated."""
SEED = 1


@dataclass(frozen=True, slots=True)
class LabelAgreement(Result):
    """Agreement on a label.

    first, second: number of words with the label, by annotator.
    both: number of words with the label and the same head by both.
    f1: ``both`` as a percentage of the mean of the two numbers.
    """

    first: int
    second: int
    both: int
    f1: float | None


@dataclass(frozen=True, slots=True)
class Agreement(Result):
    """Agreement of two annotators of the same sentences.

    sentences, words: those that both have annotated completely. left_out: sentences that one of them has not.
    las, uas, la: percentages of words with the same head and label, head, and label.
    same: percentage of sentences with the same tree.
    alpha: Krippendorff's alpha with the tree edit distance: 1 for equal trees, 0 for agreement as by chance, that is,
        as between trees of random sentences; None if these trees are all equal (Skjærholt 2014, alpha_plain).
    labels: by label, the most frequent first.
    """

    sentences: int
    words: int
    left_out: int
    las: float | None
    uas: float | None
    la: float | None
    same: float | None
    alpha: float | None
    labels: dict[str, LabelAgreement]


def agreement(first: Sequence[Sentence], second: Sequence[Sentence], advance: Advance = nothing) -> Agreement:
    """The agreement of two annotators of the same sentences.

    advance: receives the number of trees compared.

    The agreement by chance is that of pairs of all trees, whatever their sentences and annotators; of more than
    :data:`PAIRS` pairs, as many random ones. Raises CrossarcError for different words, for invalid trees, and if no
    sentence is annotated by both.
    """
    pairs = list(pair_sentences(*(decided_by_marks(list(sentences)) for sentences in (first, second))))
    whole = [pair for pair in pairs if all("_" not in sentence.column("head") for sentence in pair)]
    trees = [(read_tree(one), read_tree(other)) for one, other in whole if len(one)]
    if not trees:
        fault = "found no sentence in which both annotators give each word a head"
        raise CrossarcError(f"{fault}; in a file with Keep= in MISC, words without it are undecided")
    arcs = [pair for one, other in trees for pair in zip(_arcs(one), _arcs(other), strict=True)]
    heads = sum(a[0] == b[0] for a, b in arcs)
    labels = sum(a[1] == b[1] for a, b in arcs)
    both = sum(a == b for a, b in arcs)
    equal = sum(_arcs(one) == _arcs(other) for one, other in trees)
    return Agreement(
        sentences=len(trees),
        words=len(arcs),
        left_out=len(pairs) - len(whole),
        las=percentage(both, len(arcs)),
        uas=percentage(heads, len(arcs)),
        la=percentage(labels, len(arcs)),
        same=percentage(equal, len(trees)),
        alpha=_alpha(trees, advance),
        labels=_by_label(arcs),
    )


def _arcs(tree: Tree) -> list[tuple[int, str]]:
    return list(zip(tree.heads[1:], tree.deprels[1:], strict=True))


def _by_label(arcs: Sequence[tuple[tuple[int, str], tuple[int, str]]]) -> dict[str, LabelAgreement]:
    ones, others = (Counter(pair[side][1] for pair in arcs) for side in (0, 1))
    both = Counter(one[1] for one, other in arcs if one == other)
    names = sorted(ones.keys() | others.keys(), key=lambda name: (-ones[name] - others[name], name))
    return {
        name: LabelAgreement(
            ones[name], others[name], both[name], percentage(2 * both[name], ones[name] + others[name])
        )
        for name in names
    }


def _alpha(trees: Sequence[tuple[Tree, Tree]], advance: Advance) -> float | None:
    observed = 0.0
    for one, other in trees:
        observed += 0 if _arcs(one) == _arcs(other) else tree_edit_distance(one, other)
        advance(1)
    every = [tree for pair in trees for tree in pair]
    if len(every) * (len(every) - 1) // 2 <= PAIRS:
        chosen = list(combinations(every, 2))
    else:
        drawn = np.random.default_rng(SEED).integers(0, len(every), (2 * PAIRS, 2)).tolist()
        chosen = [(every[place], every[other]) for place, other in drawn if place != other][:PAIRS]
    expected = 0.0
    for one, other in chosen:
        expected += tree_edit_distance(one, other)
        advance(1)
    if not expected:
        return None
    return 1 - (observed / len(trees)) / (expected / len(chosen))


def tree_edit_distance(first: Tree, second: Tree) -> int:
    """The least number of nodes to remove, insert or relabel that turns one ordered tree into another one.

    Dependents are ordered as the words; a node has the label of the arc to it, node 0 none. The algorithm is that of
    Zhang and Shasha (1989): for each pair of key roots, distances of all beginnings of their subtrees in postorder.
    """
    (labels, starts, roots), (others, beginnings, others_roots) = _postorder(first), _postorder(second)
    distances = np.zeros((len(labels), len(others)), dtype=np.int64).tolist()
    for root in roots:
        for other in others_roots:
            _compare(labels, starts, root, others, beginnings, other, distances)
    return int(distances[-1][-1])


def _postorder(tree: Tree) -> tuple[list[str], list[int], list[int]]:
    """The labels of the nodes in postorder, the first leaf below each, and the key roots, all by number in postorder.

    A key root is the last node with its first leaf.
    """
    children: list[list[int]] = [[] for _ in tree.heads]
    for word, head in enumerate(tree.heads):
        if head >= 0:
            children[head].append(word)
    labels: list[str] = []
    starts: list[int] = []
    waiting: list[tuple[int, int | None]] = [(0, None)]  # a node, and once its children are next, its first leaf
    while waiting:
        node, start = waiting.pop()
        if start is None:
            waiting.append((node, len(labels)))
            waiting += [(child, None) for child in reversed(children[node])]
        else:
            labels.append(tree.deprels[node])
            starts.append(start)
    last = {start: number for number, start in enumerate(starts)}
    return labels, starts, sorted(last.values())


def _compare(
    labels: Sequence[str],
    starts: Sequence[int],
    root: int,
    others: Sequence[str],
    beginnings: Sequence[int],
    other: int,
    distances: list[list[int]],
) -> None:
    """Fill the distances of the subtrees that begin where those of two key roots do."""
    low, below = starts[root], beginnings[other]
    rows, columns = root - low + 2, other - below + 2
    forest = [[0] * columns for _ in range(rows)]
    forest[0] = list(range(columns))
    for row in range(1, rows):
        forest[row][0] = row
        node = low + row - 1
        for column in range(1, columns):
            target = below + column - 1
            least = min(forest[row - 1][column], forest[row][column - 1]) + 1
            if starts[node] == low and beginnings[target] == below:
                forest[row][column] = min(least, forest[row - 1][column - 1] + (labels[node] != others[target]))
                distances[node][target] = forest[row][column]
            else:
                before = forest[starts[node] - low][beginnings[target] - below]
                forest[row][column] = min(least, before + distances[node][target])
