"""How often the lifting orders need more lifts than the minimum, over all trees of a few words; and on treebanks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from ....parser.evaluate.percent import Json, percentage
from ....parser.transforms.lifting.projectivize import ORDERS, minimal_lifts, projectivize
from ....parser.treebank.tree import trees_of
from ....transitions.trees import is_projective, is_tree, roots
from ...harness.parsing import Part
from ...harness.results import write_results
from ...harness.rows import score_table, write_text
from ...harness.runner import Cell, run_cells
from ...harness.settings import available, load_settings
from ...harness.tables import markdown_table

__all__ = ["NAME", "all_trees", "lifts_in", "lifts_of_all", "lifts_table", "measure", "run"]

NAME = "nivre-nilsson-2005-lifts"
COUNTS = ("trees", "nonprojective", "minimum")


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    words = settings.values["words"]
    entries = available(settings.treebanks, ("train",), options.progress)
    folder = Path(options.out)
    every = f"trees of up to {words} words"
    parts = {entry.name: entry.part("train") for entry in entries}
    cells = [Cell(every, lifts_of_all, (words,), {"words": words})]
    cells += [Cell(name, lifts_in, (part,), {"part": part.key()}, (part.path,)) for name, part in parts.items()]
    results: dict[str, Any] = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    rows = results.pop(every)
    report = [
        "# Lifts of the two orders and the fewest there are",
        "",
        f"{settings.origin}.",
        "",
        lifts_table(rows),
        score_table({order: f"{order} first" for order in ORDERS}, results, first="lifts in the training set"),
    ]
    write_text(folder, "report.md", "\n".join(report))
    figures: dict[str, Json] = {"trees": rows, "treebanks": results}
    write_results(folder, NAME, settings, entries, figures, ("train",))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def lifts_of_all(words: int) -> Json:
    """The rows of :func:`measure`."""
    return [dict(row) for row in measure(words)]


def lifts_in(part: Part) -> Json:
    """How many lifts each order makes in the trees of a part."""
    trees = trees_of(part.sentences())
    return {order: sum(sum(projectivize(tree.heads, order)[1].lifts.values()) for tree in trees) for order in ORDERS}


def all_trees(words: int) -> Iterator[list[int]]:
    """The heads of every tree over that many words; node 0 may have several dependents."""
    for heads in product(range(words + 1), repeat=words):
        tree = [-1, *heads]
        if is_tree(tree):
            yield tree


def measure(words: int) -> list[dict[str, Any]]:
    """One row for all trees over 1..words words and one for those with a single root, per number of words.

    trees, nonprojective: counts; minimum: the sum of the minimal numbers of lifts (of any arcs in any order); per
    order, lifts: the sum of the lifts it makes, more: on how many trees they are more than the minimum, share: of the
    non-projective ones in per cent, worst: by how many at most.
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
                more = sum(map(bool, excess))
                row[order] = {
                    "lifts": sum(made),
                    "more": more,
                    "share": percentage(more, len(chosen)),
                    "worst": max(excess, default=0),
                }
            rows.append(row)
    return rows


def lifts_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of :func:`measure` as Markdown."""
    header = ["words", "roots", "trees", "non-projective", "minimal lifts"]
    cells = []
    for row in rows:
        counts = [row["words"], "one" if row["single_root"] else "any", *(row[key] for key in COUNTS)]
        for order in ORDERS:
            share = row[order]["share"] or 0.0
            counts += [row[order]["lifts"], f"{row[order]['more']} ({share:.2f} %, by {row[order]['worst']} at most)"]
        cells.append([str(count) for count in counts])
    return markdown_table([*header, *(name for order in ORDERS for name in (f"{order}: lifts", "more"))], cells)
