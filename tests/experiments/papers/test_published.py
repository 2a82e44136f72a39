import json

import pytest
from crossarc.experiments.harness.registry import published_file

PAPERS = ("bjorkelund-kuhn-2012", "kuhlmann-nivre-2010", "lacroix-bechet-2014", "nilsson-2009", "nivre-nilsson-2005")


def tables(name):
    return json.loads(published_file(name).read_text("utf-8"))


def rows(name, table):
    return tables(name)["tables"][table]["rows"]


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_says_where_it_comes_from(name):
    data = tables(name)
    assert {"author", "year", "title", "published"} <= data["source"].keys()
    for number, table in data["tables"].items():
        assert table["source"].endswith(f"table {number}")
        assert table["notes"]
        keys = {tuple(row) for row in table["rows"]}
        assert len(keys) == 1
        for row in table["rows"]:
            for cell in row.get("reconstructed", ()):
                assert cell in row


def test_reconstructed_coverage_agrees_with_the_attachment_scores():
    table = rows("kuhlmann-nivre-2010", "3")
    uas = {(row["language"], row["parser"]): row["uas"] for row in rows("kuhlmann-nivre-2010", "2")}
    for row in table:
        share = 1 - uas[row["language"], "P0"] / 100
        mean = (1 - share) * row["all_projective_r"] + share * row["all_nonprojective_r"]
        assert mean == pytest.approx(uas[row["language"], row["parser"]], abs=0.02)


def test_the_recall_of_german_p1_could_not_be_the_one_printed_in_its_place():
    (row,) = (r for r in rows("kuhlmann-nivre-2010", "3") if (r["language"], r["parser"]) == ("German", "P1"))
    uas = {r["parser"]: r["uas"] for r in rows("kuhlmann-nivre-2010", "2") if r["language"] == "German"}
    share = 1 - uas["P0"] / 100
    assert row["all_nonprojective_r"] == 93.35
    assert (1 - share) * 100 + share * 93.35 == pytest.approx(uas["P1"], abs=0.01)
    assert (1 - share) * 100 + share * 84.84 == pytest.approx(99.64, abs=0.01)
    assert "overrides the printed place" in tables("kuhlmann-nivre-2010")["tables"]["3"]["notes"]


def test_reconstructed_performance_weighs_the_two_kinds_of_sentences_alike():
    weights = {}
    for row in rows("kuhlmann-nivre-2010", "5"):
        inside, outside = row["projective_projective_r"], row["nonprojective_projective_r"]
        weights.setdefault(row["language"], []).append((row["all_projective_r"] - outside) / (inside - outside))
    assert {language: len(found) for language, found in weights.items()} == {"Czech": 4, "English": 4, "German": 4}
    for found in weights.values():
        assert max(found) - min(found) < 0.01


def test_projective_parsing_has_its_unlabelled_score_as_precision():
    for table, scores in (("3", "2"), ("5", "4")):
        uas = {row["language"]: row["uas"] for row in rows("kuhlmann-nivre-2010", scores) if row["parser"] == "P0"}
        for row in rows("kuhlmann-nivre-2010", table):
            if row["parser"] == "P0":
                assert row["all_projective_p"] == pytest.approx(uas[row["language"]], abs=0.011)


def test_the_thesis_averages_are_those_of_its_treebanks():
    table = rows("nilsson-2009", "5.6")
    for row in table:
        if row["treebank"] == "average":
            same = [r for r in table if r["encoding"] == row["encoding"] and r["treebank"] != "average"]
            assert len(same) == 5
            for score in ("uas", "las"):
                assert sum(r[score] for r in same) / 5 == pytest.approx(row[score], abs=0.011)


def test_the_thesis_distortion_baseline_is_the_share_of_nonprojective_arcs():
    share = {row["treebank"]: row["nonprojective_arcs_percent"] for row in rows("nilsson-2009", "5.2")}
    for row in rows("nilsson-2009", "5.3"):
        if row["encoding"] == "baseline":
            assert 100 - row["uas"] == pytest.approx(share[row["treebank"]], abs=0.1)
        else:
            lost = share[row["treebank"]] * (100 - row["nonprojective_uas"]) / 100
            assert 100 - row["uas"] == pytest.approx(lost, abs=0.1)
