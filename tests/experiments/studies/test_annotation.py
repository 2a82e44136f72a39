"""Help for annotators: the figures of a run on a generated treebank, and changed arcs."""

import numpy as np
import pytest
from command_line import write_splits
from crossarc import load_config, read_treebank, train
from crossarc.experiments.studies.annotation.experiment import with_kept
from crossarc.experiments.studies.annotation.partial import WAYS, chosen
from crossarc.experiments.studies.annotation.validity import errors
from reports import run_experiment

SETTINGS = """kept: 20
levels: {fast: arc-standard-small}
drawn: [tiny]
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
"""


def test_kept_arcs_remove_their_errors(tmp_path):
    write_splits(tmp_path, {"train": 60, "dev": 30, "test": 20}, rate=0.5)
    found = run_experiment("annotation", tmp_path, settings=SETTINGS).figures["fast"]["tiny"]
    model = train(load_config("arc-standard-small", [], {"treebank.train": str(tmp_path / "train.conllu")}))
    gold = read_treebank(str(tmp_path / "test.conllu")).sentences
    right = [
        (a, b) == (c, d)
        for sentence, parsed in zip(gold, model.parse(gold), strict=True)
        for a, b, c, d in zip(sentence.heads(), sentence.deprels(), parsed.heads(), parsed.deprels(), strict=True)
        if a >= 0
    ]
    assert found["las"] == pytest.approx(100 * sum(right) / len(right), abs=0.01)
    assert found["least"]["0"]["removed"] == found["random"]["0"]["removed"] == 0
    assert found["least"]["50"]["removed"] > found["random"]["50"]["removed"] > 0
    kept = np.arange(1, len(right))
    assert with_kept(model, gold, kept)["removed"] >= 100 - 100 / right.count(False)


def test_rules_of_choice_are_compared_after_each_round(tmp_path):
    write_splits(tmp_path, {"train": 80, "dev": 20, "test": 10}, rate=0.5)
    settings = (
        "rules: [random, words]\ndraws: 2\npool: 60\nstart: 20\nbatch: 60\nrounds: 2\ncalibration: 10\n"
        "treebanks: {tiny: {train: train.conllu, dev: dev.conllu}}\n"
    )
    found = run_experiment("choosing", tmp_path, settings=settings).figures
    for rule in ("random", "words"):
        rounds = [found["tiny"][rule]["rounds"][str(number)] for number in range(3)]
        assert rounds[0]["corrections"] == 0 < rounds[1]["corrections"] <= rounds[2]["corrections"]
        assert 60 <= rounds[1]["words"] - rounds[0]["words"] < 60 + 40
        assert found["mean"][rule]["las"] == found["tiny"][rule]["las"] == rounds[2]["las"]
    words = found["tiny"]["words"]
    assert words["gain"] == pytest.approx(words["las"] - found["tiny"]["random"]["las"], abs=0.02)
    assert words["low"] - 0.02 <= words["gain"] <= words["high"] + 0.02


def test_errors_of_trees_are_those_of_the_validator(tmp_path):
    rows = ["1 He he PRON 3 nsubj", "2 she she PRON 3 nsubj", "3 came come VERB 0 root", "4 . . PUNCT 3 punct"]
    text = "# sent_id = 1\n# text = He she came .\n"
    for number, form, lemma, tag, head, label in map(str.split, rows):
        text += "\t".join([number, form, lemma, tag, "_", "_", head, label, "_", "_"]) + "\n"
    (tmp_path / "two.conllu").write_text(text + "\n")
    assert errors(read_treebank(str(tmp_path / "two.conllu")).sentences, "ud") == {"errors": 1, "several": 1}


def test_both_ways_to_choose_arcs_give_as_many(small_treebank_of_study):
    gold = read_treebank(small_treebank_of_study).sentences
    words = sum(map(len, gold))
    some, whole = (chosen(gold, way, 25, 1) for way in WAYS)
    assert len(some) == len(gold)
    empty = sum(sentence.column(name).count("_") for sentence in some for name in ("head", "deprel"))
    assert empty == 2 * (words - round(words / 4))
    assert {own.id for own in whole} < {own.id for own in gold}
    assert 0 <= sum(map(len, whole)) - words / 4 < max(map(len, gold))
    assert chosen(gold, "whole", 25, 2) != whole


@pytest.fixture
def small_treebank_of_study(tmp_path):
    write_splits(tmp_path, {"train": 60, "dev": 10, "test": 10}, rate=0.5)
    return tmp_path / "train.conllu"
