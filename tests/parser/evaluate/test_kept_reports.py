"""Reports and JSON of scores as they were: whoever changes one looks at the new one and keeps it.

PYTHONPATH=tests/support .venv/bin/python tests/parser/evaluate/test_kept_reports.py    # writes them
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from crossarc.parser.evaluate.comparison import compare
from crossarc.parser.evaluate.error_figures import error_figures
from crossarc.parser.evaluate.mcnemar import pairwise, significance_json
from crossarc.parser.evaluate.metrics import evaluate
from crossarc.parser.evaluate.report import comparison_table, format_scores, format_table, significance_table
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_tree
from handmade import any_heads

FOLDER = Path(__file__).parents[2] / "data" / "scores"


def treebank() -> list[Tree]:
    generator = random.Random(5)
    trees = []
    for n in (3, 5, 8, 12, 6, 9):
        upos = [generator.choice("NVP") for _ in range(n)]
        forms = ["." if tag == "P" else f"w{word}" for word, tag in enumerate(upos)]
        deprels = ["", *(generator.choice("abc") for _ in range(n))]
        trees.append(Tree(any_heads(n, generator.randrange(10**9)), deprels, {"form": forms, "upos": upos}))
    return trees


def parsed(trees: list[Tree], seed: int, errors: int) -> list[Tree]:
    """The trees with so many words attached elsewhere or labelled otherwise."""
    generator = random.Random(seed)
    found = [Tree(list(tree.heads), list(tree.deprels), tree.columns) for tree in trees]
    for _ in range(errors):
        tree = generator.choice(found)
        word = generator.randrange(1, len(tree.heads))
        tree.deprels[word] = generator.choice("abc")
        old, tree.heads[word] = tree.heads[word], generator.randrange(len(tree.heads))
        if not is_tree(tree.heads):
            tree.heads[word] = old
    return found


def reports() -> dict[str, str]:
    gold = treebank()
    systems = {"one": parsed(gold, 1, 12), "other": parsed(gold, 2, 30)}
    scores = {name: evaluate(gold, trees) for name, trees in systems.items()}
    tests = pairwise({name: compare(gold, trees) for name, trees in systems.items()})
    return {
        "scores.txt": format_scores(scores["one"]),
        "short.txt": format_scores(scores["one"], full=False),
        "comparison.txt": format_table(comparison_table(scores)),
        "significance.txt": format_table(significance_table(tests["las"])),
        "scores.json": json.dumps(scores["one"].to_json(), ensure_ascii=False, indent=1),
        "significance.json": json.dumps(significance_json(tests), indent=1),
        **{f"{name}.svg": svg for name, svg in error_figures(scores).items()},
    }


@pytest.mark.parametrize("name", reports())
def test_it_is_as_it_was(name: str) -> None:
    assert reports()[name].rstrip("\n") + "\n" == (FOLDER / name).read_text("utf-8")


if __name__ == "__main__":
    for name, text in reports().items():
        (FOLDER / name).write_text(text.rstrip("\n") + "\n", "utf-8")
