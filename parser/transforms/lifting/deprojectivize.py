"""Deprojectivization: search for the syntactic heads of lifted words."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ....transitions.trees import Heads, dependents, subtree_intervals
from .projectivize import crosses, projectivize

ENCODINGS = ("baseline", "head", "path", "head+path")
REPAIRS = 48  # maximum number of re-projectivizations to repair one sentence

# rules for candidates, the strictest first; the later rules are used if the earlier ones find nothing
RULES = {"baseline": (), "head": ("label",), "path": ("leaf",), "head+path": ("label+leaf", "label+deepest", "label")}
PUBLISHED = {
    "papers": RULES,
    "nivre-nilsson-2005": {**RULES, "head+path": ("label+first", "label")},
    "nilsson-2009": {**RULES, "head+path": ("label+leaf", "label")},
    "bjorkelund-kuhn-2012": {**RULES, "path": ("deepest",), "head+path": ("label+deepest", "label")},
}
SEARCHES = ("verified", *PUBLISHED)


@dataclass(frozen=True, slots=True)
class Lifted:
    """A projective tree with the information of its decorated labels.

    heads: the heads.
    labels: the original label of each word.
    wanted: the lifted words with the label of their syntactic head.
    path: the words whose arcs lie on a lifting path.
    roots: the covered roots, whose lifts leave no marks.
    """

    heads: Heads
    labels: Sequence[str]
    wanted: Mapping[int, str]
    path: frozenset[int]
    roots: frozenset[int] = frozenset()


def deprojectivize(tree: Lifted, encoding: str, search: str = "verified", order: str = "shortest") -> list[int]:
    """The heads of the tree after lifted words are attached to their syntactic heads, as far as these are found.

    tree: the projective tree.
    encoding: the encoding of the labels.
    search: "verified", or a search of the papers, see below.
    order: the order in which arcs were lifted.

    In the papers, each lifted word, from left to right, searches the nodes below its linear head, without its own
    subtree, top-down, breadth-first, from left to right. The first matching node wins: a node with the required label
    (head); a node that is reached by path arcs only and has no path arc below it (path); or both (head+path). Rounds
    are repeated while any search succeeds (Nilsson 2009, sections 5.1.3 and 5.1.4). For head+path the papers differ:

    - ``nivre-nilsson-2005``: the first node on the path that has the label, then the search of head.
    - ``nilsson-2009``: the first node at the end of the path that has the label, then the search of head.
    - ``bjorkelund-kuhn-2012``: the deepest node on the path that has the label, then the search of head; for path
      alone the deepest node (their section 2).
    - ``papers``: the search of ``nilsson-2009``, then that of ``bjorkelund-kuhn-2012``, then the search of head. One
      word moves at a time, and the rounds begin again after each move.

    Words without a match stay in place.

    ``verified`` adds conditions to this search. A node counts only if its arc to the word would be non-projective, at
    present or at least in the projectivized tree; otherwise the word would not have been lifted from it. Lifted words
    do not continue a path. If path arcs lead to several nodes, the nearest node wins. A search without result is
    repeated without these conditions. Finally the result is projectivized again. If this does not give the same tree
    and marks, the result cannot be the original. Single words then move to other candidates as long as that reduces the
    differences.
    """
    rules = PUBLISHED.get(search, RULES)[encoding]
    if not rules or not tree.wanted:
        return list(tree.heads)
    if search in PUBLISHED:
        forest = _Forest(tree, tree.path)
        forest.unlift([(rule, forest.first) for rule in rules])
        return forest.heads
    forest = _Forest(tree, tree.path - tree.wanted.keys())
    forest.unlift([(rule, choice) for rule in rules for choice in (forest.crossing, forest.liftable)])
    forest.unlift([(rule, forest.first) for rule in rules])
    return _repaired(tree, forest.heads, encoding, order)


class _Forest:
    """The tree while its lifted words move down."""

    def __init__(self, tree: Lifted, ends: frozenset[int]) -> None:
        """Start with the projective tree.

        ends: words that, as dependents of a node, show that the path continues below the node.
        """
        self.tree = tree
        self.ends = ends
        self.heads = list(tree.heads)
        self.children = dependents(tree.heads)
        self.pending = sorted(tree.wanted)

    def unlift(self, steps: Sequence[tuple[str, Callable[[int, str], int]]]) -> None:
        """Move the pending words: rounds of the first step while one succeeds, then one success of a later step."""
        stage = 0
        while self.pending and stage < len(steps):
            rule, choice = steps[stage]
            moved = False
            for word in list(self.pending):
                target = choice(word, rule)
                if target:
                    self.move(word, target)
                    self.pending.remove(word)
                    moved = True
                    if stage:
                        break
            stage = 0 if moved else stage + 1

    def move(self, word: int, head: int) -> None:
        self.children[self.heads[word]].remove(word)
        insort(self.children[head], word)
        self.heads[word] = head

    def candidates(self, word: int, rule: str) -> Iterator[tuple[int, int]]:
        """(depth below the linear head, node) of the nodes that satisfy the rule, breadth-first, from left to right."""
        tree = self.tree
        wanted = tree.wanted[word] if rule.startswith("label") else None
        level = self._below(self.heads[word], word, rule)
        depth = 1
        while level:
            following: list[int] = []
            for node in level:
                below = self._below(node, word, rule)
                labelled = wanted is None or tree.labels[node] == wanted
                if labelled and not (rule.endswith("leaf") and self.ends.intersection(below)):
                    yield depth, node
                following.extend(below)
            level = following
            depth += 1

    def _below(self, node: int, word: int, rule: str) -> list[int]:
        path = self.tree.path
        return [child for child in self.children[node] if child != word and (rule == "label" or child in path)]

    def first(self, word: int, rule: str) -> int:
        """The candidate that the papers choose, or 0."""
        if rule.endswith("deepest"):
            return _deepest(self.candidates(word, rule))
        return next((node for _, node in self.candidates(word, rule)), 0)

    def crossing(self, word: int, rule: str) -> int:
        """The best candidate whose arc to the word would currently be non-projective, or 0."""
        return self._best(word, rule, self.heads)

    def liftable(self, word: int, rule: str) -> int:
        """The best candidate whose arc to the word would be non-projective in the projectivized tree, or 0.

        Lifting only removes words from a node's subtree, so an arc that is projective in that tree was never lifted.
        """
        return self._best(word, rule, self.tree.heads)

    def _best(self, word: int, rule: str, heads: Heads) -> int:
        crossed = ((depth, node) for depth, node in self.candidates(word, rule) if crosses(heads, node, word))
        if rule == "label+deepest":
            return _deepest(crossed)
        if rule == "label":
            return next((node for _, node in crossed), 0)
        return min(crossed, key=lambda item: (abs(item[1] - word), item[1]), default=(0, 0))[1]


def _deepest(candidates: Iterator[tuple[int, int]]) -> int:
    return max(candidates, key=lambda item: item[0], default=(0, 0))[1]


def _mismatches(tree: Lifted, heads: Heads, encoding: str, order: str) -> int:
    """The number of differences between the tree and the projectivized heads."""
    again, lifting = projectivize(heads, order)
    wrong = sum(map(int.__ne__, again, tree.heads))
    wrong += len((lifting.lifts.keys() - tree.roots) ^ tree.wanted.keys())
    if encoding != "path":
        wrong += sum(label != tree.labels[heads[word]] for word, label in tree.wanted.items())
    if encoding != "head":
        path = {node for node, words in lifting.path.items() if not tree.roots.issuperset(words)}
        wrong += len(path ^ tree.path)
    return wrong


def _repaired(tree: Lifted, heads: list[int], encoding: str, order: str) -> list[int]:
    """The heads after moves of single lifted words, each of which leaves the fewest mismatches."""
    wrong = _mismatches(tree, heads, encoding, order)
    budget = REPAIRS
    while wrong and budget > 0:
        best: tuple[int, int, int, int] | None = None
        for word, target in islice(_alternatives(tree, heads, encoding), budget):
            budget -= 1
            old, heads[word] = heads[word], target
            rest = _mismatches(tree, heads, encoding, order)
            heads[word] = old
            if rest < wrong and (best is None or (rest, abs(word - target)) < best[:2]):
                best = rest, abs(word - target), word, target
        if best is None:
            break
        wrong = best[0]
        heads[best[2]] = best[3]
    return heads


def _alternatives(tree: Lifted, heads: Heads, encoding: str) -> Iterator[tuple[int, int]]:
    """(word, other possible head) for the lifted words; their marks allow these heads."""
    first, last = subtree_intervals(heads)
    nodes = sorted(tree.path) if encoding != "head" else range(1, len(heads))
    for word, label in tree.wanted.items():
        top = tree.heads[word]
        for node in nodes:
            if (
                node != heads[word]
                and first[top] < first[node] < last[top]
                and not first[word] <= first[node] < last[word]
                and (encoding == "path" or tree.labels[node] == label)
                and crosses(tree.heads, node, word)
            ):
                yield word, node
