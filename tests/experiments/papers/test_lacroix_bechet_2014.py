"""Lacroix & Béchet (2014): the experiment on small generated treebanks."""

import json
import unicodedata

import pytest
from command_line import write_splits
from crossarc.parser.transforms.lifting.projectivize import projectivize
from crossarc.parser.treebank import read_sentences
from reports import missing_tables, run_experiment

NAME = "lacroix-bechet-2014"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment")
    write_splits(path, {"train": 60, "dev": 30}, rate=0.5)
    (path / "mine.yaml").write_text(
        "treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu}\n"
        "parsers:\n"
        "  pseudoproj: {config: arc-eager, features: small, transforms: ['pseudo-projective:encoding=path']}\n"
        "  three-step: {config: three-step, features: small}\n"
    )
    return path


def share(words, key):
    """The percentage of words with a property."""
    return 100 * sum(word[key] for word in words) / len(words)


def anchors_by_hand(gold, cell):
    """The properties of each word whose gold arc is lifted, without punctuation, by its side of the head."""
    words = {"left": [], "right": []}
    first, row = cell["first"], cell["test"]
    labels, first_labels = row["labels"], first["labels"]
    for k, sentence in enumerate(read_sentences(gold)):
        heads, deprels = sentence.heads(), sentence.deprels()
        anchors = projectivize(heads)[0]
        for word in range(1, len(heads)):
            form = sentence.column("form")[word - 1]
            if heads[word] == anchors[word] or all(unicodedata.category(c).startswith("P") for c in form):
                continue
            label = first_labels[first["deprels"][k][word - 1]] == deprels[word]
            words["left" if word < heads[word] else "right"].append(
                {
                    "label": label,
                    "anchor": label and first["heads"][k][word - 1] == anchors[word],
                    "found": row["heads"][k][word - 1] == heads[word]
                    and labels[row["deprels"][k][word - 1]] == deprels[word],
                }
            )
    return words


def test_anchors_agree_with_counts_and_the_report_is_complete(folder):
    scores, report, out = run_experiment(NAME, folder)
    result = scores["tiny"]
    assert list(result["full"]["performance"]) == ["pseudoproj", "three-step"]
    assert list(result["significance"]) == ["uas", "las", "las, projective", "las, nonprojective"]
    (cell,) = (out / "cells").glob("tiny-three-step-0-*.json")
    counted = anchors_by_hand(folder / "dev.conllu", json.loads(cell.read_text("utf-8"))["result"]["parts"])
    rows = result["anchors"]["three-step"]
    assert list(rows) == ["left", "right"]
    for side, row in rows.items():
        own = counted[side]
        assert row["arcs"] == len(own) > 0
        assert row["label"] == pytest.approx(share(own, "label"))
        assert row["anchor"] == pytest.approx(share(own, "anchor"))
        for name, wanted in (("found_right", True), ("found_wrong", False)):
            some = [word for word in own if word["anchor"] is wanted]
            assert row[name] == (pytest.approx(share(some, "found")) if some else None)
    refused = json.loads(cell.read_text("utf-8"))["result"]["refused"]
    assert [row["refused"] for row in rows.values()] == [row["steps"] for row in refused.values()]
    assert [row["wanted"] for row in rows.values()] == [row["wanted"] for row in refused.values()]
    assert missing_tables(NAME, report) == []
    assert "| pseudoproj           | 83.60 | 85.90 | 78.70 |" in report
