"""Published tables of Nilsson (2009) in their form, beside ours."""

from __future__ import annotations

from crossarc.experiments.papers.nilsson_2009.measures.tables import beside, thesis_rows


def test_columns_from_values() -> None:
    rows = thesis_rows("5.3", ("treebank",), "encoding", {"uas": "", "nonprojective_uas": "np"})
    assert list(rows) == [("SDT",), ("PADT",), ("Alpino",), ("Tiger",), ("PDT",)]
    assert rows["PADT",]["head"] == 99.89
    assert rows["PADT",]["head np"] == 73.3
    assert rows["PDT",]["baseline np"] is None


def test_stacked() -> None:
    rows = thesis_rows("5.6", ("treebank",), "encoding", {"uas": "UAS", "las": "LAS"}, stacked=True)
    assert rows["Alpino", "LAS"]["head+path"] == 83.5
    assert rows["Alpino", "UAS"]["none"] == 82.75


def test_rows_as_they_are() -> None:
    rows = thesis_rows("5.5", ("treebank",), None, {"baseline": "baseline", "head": "head"})
    assert rows["PDT",] == {"baseline": 83, "head": 527}


def test_same_treebank_follows_ours_and_others_are_marked() -> None:
    theirs = {("PDT", "UAS"): {"none": 83.41}, ("SDT", "UAS"): {"none": 77.31}}
    ours = {("mine", "UAS"): {"none": 80.0}, ("other", "UAS"): {"none": None}}
    lines = beside(("treebank", "score"), {"none": "None"}, ours, theirs, {"mine": "PDT"}).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:6]] == ["mine", "*mine, published*", "other", "*SDT †*"]
    assert lines[3].split("|")[2:4] == [" UAS   ", " 83.41 "]
    assert lines[-1] == "† published for this treebank, none of ours"


def test_no_dagger_without_other_treebanks() -> None:
    table = beside(
        ("treebank",), {"none": "None"}, {("mine",): {"none": 80.0}}, {("PDT",): {"none": 1.0}}, {"mine": "PDT"}
    )
    assert "†" not in table
