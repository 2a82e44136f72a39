from crossarc.experiments.papers.nivre_nilsson_2005.minimal_lifts import all_trees, lifts_table, measure
from crossarc.parser.transforms.projectivize import minimal_lifts
from crossarc.transitions.trees import is_projective


def test_all_trees_are_counted_as_cayley_counts_them():
    assert [len(list(all_trees(n))) for n in range(1, 6)] == [(n + 1) ** (n - 1) for n in range(1, 6)]


def test_the_counts_agree_with_the_trees_themselves():
    row = next(row for row in measure(4) if row["words"] == 4 and not row["single_root"])
    trees = list(all_trees(4))
    assert row["trees"] == len(trees)
    assert row["nonprojective"] == sum(not is_projective(tree) for tree in trees)
    assert row["minimum"] == sum(minimal_lifts(tree) for tree in trees)


def test_five_words_are_the_fewest_for_which_the_order_matters():
    rows = [row for row in measure(5) if not row["single_root"]]
    assert [row["shortest"]["more"] for row in rows] == [0, 0, 0, 0, 49]
    assert [row["deepest"]["more"] for row in rows] == [0, 0, 0, 0, 70]
    assert rows[-1]["shortest"] == {"lifts": rows[-1]["minimum"] + 49, "more": 49, "worst": 1}


def test_the_table():
    lines = lifts_table(measure(3)).splitlines()
    cells = [cell.strip() for cell in lines[-2].strip("|").split("|")]
    assert cells[:7] == ["3", "any", "16", "4", "4", "4", "0 (0.00 %, by 0 at most)"]
    assert len(lines) == 2 + 2 * 3
