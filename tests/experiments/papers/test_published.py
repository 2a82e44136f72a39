"""Published figures of papers: sources, and consistency of reconstructed cells."""

import json

import pytest
from crossarc.experiments.harness.registry import published_file

PAPERS = ("bjorkelund-kuhn-2012", "kuhlmann-nivre-2010", "lacroix-bechet-2014", "nilsson-2009", "nivre-nilsson-2005")


def tables(name):
    return json.loads(published_file(name).read_text("utf-8"))


def rows(name, table):
    return tables(name)["tables"][table]["rows"]


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_names_its_source(name):
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


def test_weights_of_sentence_kinds_are_equal_for_all_parsers():
    weights = {}
    for row in rows("kuhlmann-nivre-2010", "5"):
        inside, outside = row["projective_projective_r"], row["nonprojective_projective_r"]
        weights.setdefault(row["language"], []).append((row["all_projective_r"] - outside) / (inside - outside))
    assert {language: len(found) for language, found in weights.items()} == {"Czech": 4, "English": 4, "German": 4}
    for found in weights.values():
        assert max(found) - min(found) < 0.01
