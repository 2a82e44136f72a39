"""How often the lifting orders need more lifts than the minimum, over all trees of a few words.

Run with ``python -m crossarc.experiments.papers.nivre_nilsson_2005.minimal_lifts [--words N] [--json]``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ....parser.transforms.projectivize import ORDERS, minimal_lifts, projectivize
from ....transitions.trees import is_projective, is_tree, roots

__all__ = ["all_trees", "main", "measure"]


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m crossarc.experiments.papers.nivre_nilsson_2005.minimal_lifts", description=measure.__doc__
    )
    parser.add_argument("--words", type=int, default=6, help="length of the longest trees (default 6)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    rows = measure(options.words)
    if options.json:
        print(json.dumps(rows, indent=1))
        return 0
    print(
        "| words | roots | trees | non-projective | minimal lifts |" + "".join(f" {o}: lifts | more |" for o in ORDERS)
    )
    print("|---" * (5 + 2 * len(ORDERS)) + "|")
    for row in rows:
        cells = [
            row["words"],
            "one" if row["single_root"] else "any",
            row["trees"],
            row["nonprojective"],
            row["minimum"],
        ]
        for order in ORDERS:
            share = 100 * row[order]["more"] / max(row["nonprojective"], 1)
            cells += [row[order]["lifts"], f"{row[order]['more']} ({share:.2f} %, by {row[order]['worst']} at most)"]
        print("| " + " | ".join(map(str, cells)) + " |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
