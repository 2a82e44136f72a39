"""Report on three-step parsing: counts, words that cannot be paired, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from crossarc.__main__ import main
from crossarc.parser.analysis.three_step_report import three_step_report, three_step_trees
from crossarc.parser.base.errors import CrossarcError

FRENCH = [-1, 3, 4, 0, 3, 4, 1, 6, 9, 7, 3]
FRENCH_LABELS = ["", "pred", "clit", "root", "aux", "punct", "modif", "agent", "det", "prepos", "punct"]
CROSSED = [-1, 4, 5, 0, 3, 3]
"""Words 1 and 2 depend on words 4 and 5; if they have the same label, their valencies cross."""


def test_counts_of_the_example_in_the_paper() -> None:
    report = three_step_report("arc-eager", [FRENCH], [FRENCH_LABELS], ["french"])
    figures = report.to_json()
    assert figures["moved"] == {"three-step-left": 1, "three-step-right": 1}
    assert figures["moves"] == {
        "three-step-left": {"SHIFT": 9, "PUT-VALENCY↙": 1, "DIST-LEFT": 1},
        "three-step-right": {"RSHIFT": 9, "PUT-VALENCY↘": 1, "DIST-RIGHT": 1},
    }
    assert (figures["derived"], figures["unpaired"], figures["uas"]) == (1, 0, 100.0)
    assert report.underivable == []
    _, left, right = report.derivations()[0].split(" | ")
    assert left == "SH PV+clit SH DL+clit SH SH SH SH SH SH SH"
    assert right == "RSH RSH RSH RSH PV+modif RSH RSH RSH RSH DR+modif RSH"
    assert three_step_trees([FRENCH], [FRENCH_LABELS]) == [FRENCH]


def test_crossing_valencies_with_the_same_label_are_reported() -> None:
    labels = ["", "x", "x", "r", "z", "z"]
    report = three_step_report("arc-standard", [[-1, 0], CROSSED], [["", "r"], labels], ["one", "two"])
    assert report.underivable == [("two", "the valency x of word 2 (head 5) crosses that of word 1 (head 4)")]
    assert report.trees[1] == [-1, 4, 3, 0, 3, 3]
    figures = report.to_json()
    assert (figures["derived"], figures["derived_percent"], figures["unpaired"]) == (1, 50.0, 1)
    assert figures["uas"] == pytest.approx(100 * 5 / 6)
    own = f"two: {report.underivable[0][1]}"
    common = "the valency … of word … (head …) crosses that of word … (head …): 1"
    assert report.to_text().splitlines()[-2:] == [common, f"  {own}"]
    labels[2] = "y"
    assert three_step_report("arc-standard", [CROSSED], [labels], ["two"]).underivable == []


def test_trees_underivable_in_the_first_step_are_reported() -> None:
    report = three_step_report("arc-eager", [[-1, 0, 0]], [["", "r", "r"]], ["two"], single_root=True)
    assert report.underivable == [("two", "node 0 has 2 dependents (1, 2), but a single root is required")]


def test_heads_that_do_not_form_a_tree_are_refused() -> None:
    with pytest.raises(CrossarcError, match=r"^odd: the heads are not a tree: words 1 2 form a cycle$"):
        three_step_report("arc-eager", [[-1, 2, 1]], [["", "a", "b"]], ["odd"])


def test_command_prints_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"{word}\tw\t_\tX\t_\t_\t{head}\t{label}\t_\t_"
        for word, (head, label) in enumerate(zip(CROSSED[1:], "xxrzz", strict=True), 1)
    ]
    path = tmp_path / "t.conllu"
    path.write_text("# sent_id = two\n" + "\n".join(rows) + "\n\n", "utf-8")
    assert main(["oracle", "three-step", str(path), "--json", "--transitions"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["underivable"] == [
        {"id": "two", "reason": "the valency x of word 2 (head 5) crosses that of word 1 (head 4)"}
    ]
    assert found["derivations"][0]["three-step-left"] == "PV+x SH SH DL+x SH SH"
    assert main(["oracle", "three-step", str(path), "--transitions"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("|") == 2
    assert captured.err.startswith("system       three-step (first step arc-eager)\n")
