"""Number of lifts if the shortest or the deepest arc is lifted first, against the minimum number of lifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ....parser.evaluate.percent import percentage
from ....parser.transforms.lifting.projectivize import ORDERS, minimal_lifts, projectivize
from ....parser.treebank.tree import trees_of
from ....transitions.trees import is_projective, is_tree, roots
from ...harness import Cell, Experiment, Json, Part, Treebank
from ...harness.parsing import make_cell


def cells(treebank: Treebank) -> list[Cell]:
    """Cells that count lifts in the training set, and in all trees of few words."""
    words = treebank.values["words"]
    return [treebank.cell("lifts", lifts_in, treebank.part("train")), make_cell(every(words), measure, words)]


def every(words: int) -> str:
    """The name of the cell of all trees, which all treebanks share."""
    return f"trees of up to {words} words"


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """Numbers of lifts in all trees of few words (``trees``) and by treebank (``treebanks``)."""
    return {
        "trees": treebanks[0].results[every(treebanks[0].values["words"])],
        "treebanks": {treebank.name: treebank["lifts"] for treebank in treebanks},
    }


def lifts_in(part: Part) -> Json:
    """Number of lifts with each order in the trees of a part."""
    trees = trees_of(part.sentences())
    return {order: sum(sum(projectivize(tree.heads, order)[1].lifts.values()) for tree in trees) for order in ORDERS}


def all_trees(words: int) -> Iterator[list[int]]:
    """The heads (words + 1 each) of every tree with this number of words; node 0 may have several dependents."""
    for heads in product(range(words + 1), repeat=words):
        tree = [-1, *heads]
        if is_tree(tree):
            yield tree


def measure(words: int) -> list[Json]:
    """Two rows for each number of words from 1 to ``words``: of all trees, and of trees with a single root.

    - ``trees``, ``nonprojective``: number of trees, and of non-projective trees.
    - ``minimum``: sum over trees of the minimal number of lifts, of any arcs in any order.
    - For each order, ``lifts``: sum of lifts; ``more``: number of trees with more lifts than the minimum; ``share``:
      these trees in per cent of the non-projective trees.
    """
    rows: list[Json] = []
    for number in range(1, words + 1):
        trees = [tree for tree in all_trees(number) if not is_projective(tree)]
        count = {False: (number + 1) ** (number - 1), True: number ** (number - 1)}
        for single in (False, True):
            chosen = [tree for tree in trees if not single or len(roots(tree)) == 1]
            least = [minimal_lifts(tuple(tree)) for tree in chosen]
            row: dict[str, Any] = {
                "words": number,
                "single_root": single,
                "trees": count[single],
                "nonprojective": len(chosen),
                "minimum": sum(least),
            }
            for order in ORDERS:
                made = [sum(projectivize(tree, order)[1].lifts.values()) for tree in chosen]
                more = sum(lifts > minimum for lifts, minimum in zip(made, least, strict=True))
                row[order] = {"lifts": sum(made), "more": more, "share": percentage(more, len(chosen))}
            rows.append(row)
    return rows


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
