"""Trees and a config for tests: written by hand, drawn at random, or read from a file."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from crossarc.parser.evaluate.comparison import compare
from crossarc.parser.evaluate.metrics import score_comparison
from crossarc.parser.evaluate.scores import Scores
from crossarc.parser.transforms.transform import Transform
from crossarc.parser.treebank import read_sentences
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_tree
from hypothesis import strategies as st

__all__ = [
    "BLEND",
    "any_heads",
    "applied_and_inverted",
    "labelled_trees",
    "one_sentence_scores",
    "read_trees",
    "sentence_texts",
    "tree",
    "words_tree",
]

BLEND = """
weights: deprel
shared: {features: small}
components:
  - arc-eager
  - {name: backwards, config: arc-standard, transforms: [reversal], guide.C: 0.1}
"""
"""A blend of two parsers, without treebank and model."""


def tree(text: str) -> Tree:
    """A tree from text: ``head:label`` for each word, separated by spaces."""
    cells = [cell.split(":") for cell in text.split()]
    return Tree([-1, *(int(head) for head, _ in cells)], ["", *(label for _, label in cells)], {})


def words_tree(heads: list[int], deprels: list[str], forms: Sequence[str], upos: Sequence[str] = ()) -> Tree:
    """A tree with the columns that scoring reads."""
    return Tree(heads, deprels, {"form": forms, "upos": upos})


CROSSING = words_tree(
    [-1, 3, 3, 0, 2, 3], ["", "det", "subj", "root", "rel", "punct"], ["A", "man", "came", "who", "."], [*"DNVRP"]
)
"""A sentence in which the arc from word 2 to word 4 spans the root, word 3."""
MISPARSED = CROSSING._replace(heads=[-1, 2, 3, 0, 3, 3], deprels=["", "det", "subj", "root", "rel", "obj"])
"""The same sentence without crossing arcs; words 1, 4 and 5 are wrong."""


def evaluate(
    gold: Sequence[Tree], predicted: Sequence[Tree], punctuation: str = "unicode", breakdowns: str = "all"
) -> Scores:
    """The scores of trees."""
    return score_comparison(compare(gold, predicted, punctuation), breakdowns=breakdowns)


def applied_and_inverted(transform: Transform, own: Tree) -> tuple[Tree, Tree, Tree]:
    """A tree applied, inverted, and applied and then inverted: all are trees, and the given tree has not changed."""
    before = Tree(list(own.heads), list(own.deprels), dict(own.columns))
    applied = transform.apply(own)
    results = applied, transform.invert(own), transform.invert(applied)
    assert all(is_tree(result.heads) for result in results)
    assert own == before
    return results


def any_heads(n: int, seed: int) -> list[int]:
    """The heads of a random tree of n words, which may have crossing arcs."""
    generator = random.Random(seed)
    heads = [-1] * (n + 1)
    placed = [0]
    for word in generator.sample(range(1, n + 1), n):
        heads[word] = generator.choice(placed)
        placed.append(word)
    return heads


@st.composite
def labelled_trees(draw: Any, labels: st.SearchStrategy[str], words: int = 12) -> Tree:
    """Random trees of up to ``words`` words with random labels; the column ``form`` has the numbers of words."""
    n = draw(st.integers(0, words))
    heads = any_heads(n, draw(st.integers(0, 10**9)))
    return Tree(heads, ["", *(draw(labels) for _ in range(n))], {"form": tuple(str(word) for word in range(1, n + 1))})


@lru_cache(maxsize=1)
def read_trees(path: Path) -> list[Tree]:
    """The trees of a treebank, without columns."""
    return [Tree(sentence.heads(), sentence.deprels(), {}) for sentence in read_sentences(str(path))]


def one_sentence_scores(heads: list[int], wrong: Mapping[int, int], deprels: Mapping[int, str] | None = None) -> Scores:
    """Scores of one sentence with labels "x"; ``wrong`` and ``deprels`` are the predictions that differ, by word."""
    n = len(heads)
    predicted = [wrong.get(word, head) for word, head in enumerate(heads, 1)]
    labels = [(deprels or {}).get(word, "x") for word in range(1, n + 1)]
    forms = ["w"] * n
    gold = words_tree([-1, *heads], ["", *["x"] * n], forms)
    return evaluate([gold], [words_tree([-1, *predicted], ["", *labels], forms)])


odd = st.sampled_from(
    ["_", "#", "# x", "a b", "", " ", "\u2028", "\x85", "\x0b\x0c", "\ufeff", "1-2", "é", "日本", "\x00"]
)
values = odd | st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=8)


@st.composite
def sentence_texts(draw: st.DrawFn, width: int, multiword: bool, field: st.SearchStrategy[str] = values) -> str:
    """One sentence with the blank line after it, built row by row without the code under test.

    width: number of columns.
    multiword: whether there may be multiword tokens and empty nodes.
    field: values of columns other than ID, and comments.
    """
    n = draw(st.integers(1, 12))

    def row(identifier: str) -> str:
        return "\t".join([identifier, *(draw(field) for _ in range(width - 1))])

    rows = [f"# {comment}" for comment in draw(st.lists(field, max_size=3))]
    covered = 0
    for word in range(n + 1):
        if word:
            rows.append(row(str(word)))
        if multiword:
            rows += [row(f"{word}.{number}") for number in range(1, 1 + draw(st.integers(0, 2)))]
            if covered <= word < n and draw(st.booleans()):
                covered = draw(st.integers(word + 1, n))
                rows.append(row(f"{word + 1}-{covered}"))
    return "\n".join(rows) + "\n\n"
