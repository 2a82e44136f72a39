"""How often the lifting orders need more lifts than the minimum, over all trees of a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ....parser.transforms.projectivize import ORDERS, minimal_lifts, projectivize
from ....transitions.trees import is_projective, is_tree, roots
from ...harness.tables import markdown_table

__all__ = ["all_trees", "lifts_table", "measure"]

COUNTS = ("trees", "nonprojective", "minimum")


def all_trees(words: int) -> Iterator[list[int]]:
    """The heads of every tree over that many words; node 0 may have several dependents."""
    for heads in product(range(words + 1), repeat=words):
        tree = [-1, *heads]
        if is_tree(tree):
            yield tree


def measure(words: int) -> list[dict[str, Any]]:
    """One row for all trees over 1..words words and one for those with a single root, per number of words.

    trees, nonprojective: counts; minimum: the sum of the minimal numbers of lifts (of any arcs in any order); per
    order, lifts: the sum of the lifts it makes, more: on how many trees they are more than the minimum, worst: by how
    many at most.
    """
    memory: dict[tuple[int, ...], int] = {}
    rows = []
    for number in range(1, words + 1):
        trees = [tree for tree in all_trees(number) if not is_projective(tree)]
        count = {False: (number + 1) ** (number - 1), True: number ** (number - 1)}
        for single in (False, True):
            chosen = [tree for tree in trees if not single or len(roots(tree)) == 1]
            least = [minimal_lifts(tree, memory) for tree in chosen]
            row: dict[str, Any] = {
                "words": number,
                "single_root": single,
                "trees": count[single],
                "nonprojective": len(chosen),
                "minimum": sum(least),
            }
            for order in ORDERS:
                made = [sum(projectivize(tree, order)[1].lifts.values()) for tree in chosen]
                excess = [lifts - minimum for lifts, minimum in zip(made, least, strict=True)]
                row[order] = {"lifts": sum(made), "more": sum(map(bool, excess)), "worst": max(excess, default=0)}
            rows.append(row)
    return rows


def lifts_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of :func:`measure` as Markdown."""
    header = ["words", "roots", "trees", "non-projective", "minimal lifts"]
    cells = []
    for row in rows:
        counts = [row["words"], "one" if row["single_root"] else "any", *(row[key] for key in COUNTS)]
        for order in ORDERS:
            share = 100 * row[order]["more"] / max(row["nonprojective"], 1)
            counts += [row[order]["lifts"], f"{row[order]['more']} ({share:.2f} %, by {row[order]['worst']} at most)"]
        cells.append([str(count) for count in counts])
    return markdown_table([*header, *(name for order in ORDERS for name in (f"{order}: lifts", "more"))], cells)
