"""UD 2.5: a run on a generated treebank, compared with separate training and scoring."""

import os

import pytest
from command_line import write_splits
from crossarc import evaluate_conll18, load_config, read_treebank, train
from crossarc.experiments.studies.ud25.experiment import _summary
from reports import run_experiment

SETTINGS = """levels: {small: arc-standard-small}
published:
  tiny:
    gold: {LAS: 50.0, MLAS: 30.0, BLEX: 30.0}
    words: {LAS: 40.0, MLAS: 30.0, BLEX: 30.0, UPOS: 90.0}
    text: {LAS: 40.0, MLAS: 30.0, BLEX: 30.0, Words: 99.0}
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
"""


@pytest.mark.slow
def test_scores_agree_with_separate_training_and_scoring(tmp_path):
    write_splits(tmp_path, {"train": 60, "dev": 30, "test": 20}, rate=0.5)
    found = run_experiment("ud25", tmp_path, settings=SETTINGS).figures
    files = {f"treebank.{name}": str(tmp_path / f"{name}.conllu") for name in ("train", "dev")}
    gold = read_treebank(str(tmp_path / "test.conllu")).sentences
    model = train(load_config("arc-standard-small", [], files))
    expected = evaluate_conll18(gold, model.parse(gold)).f1
    row = found["gold"]["treebanks"]["tiny"]
    assert row["small"] == pytest.approx(expected, abs=0.005)
    assert row["small gain"]["LAS"] == pytest.approx(expected["LAS"] - 50, abs=0.01)
    text, words = (found[condition]["treebanks"]["tiny"]["small"] for condition in ("text", "words"))
    assert words["Words"] == words["Sentences"] == 100
    assert 0 < text["Words"] <= 100
    assert found["cost"]["tiny"]["small"]["text"]["cpu"] > 0
    assert found["words"]["means"]["UDPipe 1"]["LAS"] == 40
    assert found["words"]["means"]["small"] == words
    assert found["medians"]["small"]["cpu"] == found["cost"]["tiny"]["small"]["text"]["cpu"]
    only_text = run_experiment("ud25", tmp_path, "--set", "inputs=[text]").figures
    assert only_text["medians"]["small"]["size"] == found["medians"]["small"]["size"]
    assert "gold" not in only_text
    interval = found["gold"]["intervals"]["tiny"]["small"]
    assert 0 <= interval["low"] < row["small"]["LAS"] < interval["high"] <= 100
    assert interval["gain low"] == pytest.approx(interval["low"] - 50, abs=0.01)


JAVA = """#!/usr/bin/env python3
import pathlib, sys
words = sys.argv
if "learn" in words:
    pathlib.Path(words[words.index("-w") + 1], "model.mco").write_bytes(bytes(1000))
else:
    rows = pathlib.Path(words[words.index("-i") + 1]).read_text().splitlines()
    cells = [row.split("\\t") for row in rows]
    chained = ["\\t".join([*own[:6], str(int(own[0]) - 1), "x", *own[8:]]) if own[0] else "" for own in cells]
    pathlib.Path(words[words.index("-o") + 1]).write_text("\\n".join(chained) + "\\n")
"""
"""A parser that attaches each word to the one before it."""


UNTRAINED = SETTINGS.replace("small: arc-standard-small", "")


def run_with_java(folder, monkeypatch, settings):
    """The figures with gold tags of a run of MaltParser."""
    (folder / "java").write_text(JAVA)
    (folder / "java").chmod(0o755)
    (folder / "malt.jar").touch()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("MALTPARSER", str(folder / "malt.jar"))
    write_splits(folder, {"train": 20, "dev": 10, "test": 20}, rate=0.5)
    return run_experiment("ud25", folder, "--set", "inputs=[gold]", settings=settings).figures["gold"]


def test_maltparser_has_a_row_with_gold_tags_where_its_jar_is_named(tmp_path, monkeypatch):
    found = run_with_java(tmp_path, monkeypatch, UNTRAINED)["treebanks"]["tiny"]
    gold = read_treebank(str(tmp_path / "test.conllu")).sentences
    right = [head == word - 1 for sentence in gold for word, head in enumerate(sentence.heads()) if word]
    assert found["MaltParser"]["UAS"] == pytest.approx(100 * sum(right) / len(right), abs=0.005)
    assert found["MaltParser"]["LAS"] == 0
    assert found["MaltParser gain"]["LAS"] == -50


def test_a_tool_of_one_treebank_is_in_no_summary(tmp_path, monkeypatch):
    second = "  second: {train: train.conllu, dev: dev.conllu, test: test.conllu}"
    settings = UNTRAINED.replace("treebanks:", f"  second: {{gold: {{LAS: 50.0}}}}\ntreebanks:\n{second}")
    settings += "tools: {MaltParser: {program: maltparser, inputs: {gold: ''}, treebanks: [tiny]}}\n"
    found = run_with_java(tmp_path, monkeypatch, settings)
    assert "MaltParser" in found["treebanks"]["tiny"]
    assert "MaltParser" not in found["treebanks"]["second"]
    assert found["summary"] == {}
    assert "MaltParser" not in found["means"]


def test_a_summary_leaves_out_treebanks_without_a_published_figure():
    rows = {
        name: {"own": {"LAS": las}, "own gain": {"LAS": gain} if gain is not None else {}}
        for name, las, gain in (("a", 80.0, 1.0), ("b", 70.0, -2.0), ("c", 60.0, None))
    }
    assert _summary(rows, "own", "LAS") == {"treebanks": 2, "above": 1, "median": -0.5, "mean": -0.5}
    assert _summary(rows, "own", "UPOS") is None
