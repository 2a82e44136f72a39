"""Nivre & Nilsson (2005): numbers of lifts in two orders, compared with the minimum."""

import json
from pathlib import Path

from crossarc.experiments.papers.nivre_nilsson_2005.minimal_lifts import all_trees, measure
from crossarc.parser.transforms.lifting.projectivize import minimal_lifts
from crossarc.transitions.trees import is_projective
from reports import missing_tables, run_experiment


def test_number_of_trees_agrees_with_cayleys_formula():
    assert [len(list(all_trees(n))) for n in range(1, 6)] == [(n + 1) ** (n - 1) for n in range(1, 6)]


def test_counts_agree_with_all_trees_of_four_words():
    row = next(row for row in measure(4) if row["words"] == 4 and not row["single_root"])
    trees = list(all_trees(4))
    assert row["trees"] == len(trees)
    assert row["nonprojective"] == sum(not is_projective(tree) for tree in trees)
    assert row["minimum"] == sum(minimal_lifts(tuple(tree)) for tree in trees)


def test_order_of_lifts_matters_from_five_words():
    rows = [row for row in measure(5) if not row["single_root"]]
    assert [row["shortest"]["more"] for row in rows] == [0, 0, 0, 0, 49]
    assert [row["deepest"]["more"] for row in rows] == [0, 0, 0, 0, 70]
    assert rows[-1]["shortest"] == {"lifts": rows[-1]["minimum"] + 49, "more": 49, "share": 100 * 49 / 1023}


def test_runs_count_lifts_in_all_trees_and_in_treebanks(tmp_path: Path) -> None:
    # The arc 3 -> 1 spans the root, word 2; one lift makes the tree projective.
    rows = ["1\ta\t_\tX\t_\t_\t3\tdep\t_\t_", "2\tb\t_\tX\t_\t_\t0\troot\t_\t_", "3\tc\t_\tX\t_\t_\t2\tdep\t_\t_"]
    (tmp_path / "train.conllu").write_text("\n".join(rows) + "\n\n")
    settings = "words: 4\ntreebanks: {own: {train: train.conllu}}\n"
    _, report, out = run_experiment("nivre-nilsson-2005-lifts", tmp_path, settings=settings)
    assert missing_tables("nivre-nilsson-2005-lifts", report) == []
    document = json.loads((out / "results.json").read_text("utf-8"))
    assert document["figures"]["treebanks"] == {"own": {"shortest": 1, "deepest": 1}}
    assert [row["words"] for row in document["figures"]["trees"]] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert document["figures"]["trees"][-2]["minimum"] == 94
    assert document["setting"]["words"] == 4
    assert len(document["treebanks"]["own"]["train"]["sha256"]) == 64
