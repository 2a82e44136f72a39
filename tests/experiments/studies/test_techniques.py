"""Comparison of techniques: a run on a generated treebank, Holm's correction, and bootstrap intervals."""

import json
from pathlib import Path
from xml.etree import ElementTree

import crossarc
import pytest
from command_line import write_splits
from crossarc import load_config, read_treebank, score_sentences, train
from crossarc.experiments.harness.settings import load_settings
from crossarc.parser.evaluate.mcnemar import holm
from reports import run_experiment

FOLDER = Path(crossarc.__file__).parent / "experiments" / "studies" / "techniques"
SETTINGS = """sentences: 60
last: [swap]
controls: {swap: projective}
parsers:
  swap: {config: swap-small}
  projective: {config: arc-standard-small}
treebanks:
  tiny: {train: train.conllu, test: test.conllu}
"""


@pytest.mark.slow
def test_rows_agree_with_separate_training_and_scoring(tmp_path):
    write_splits(tmp_path, {"train": 90, "test": 30}, rate=0.5)
    found, _, out = run_experiment("techniques", tmp_path, settings=SETTINGS)
    tiny = found["tiny"]
    assert tiny["statistics"]["sentences"] == 60
    model = train(load_config("swap-small"), sentences=read_treebank(str(tmp_path / "train.conllu")).sentences[:60])
    gold = read_treebank(str(tmp_path / "test.conllu")).sentences
    scores = score_sentences(gold, model.parse(gold))
    projective, swap = tiny["rows"]["projective"], tiny["rows"]["swap"]
    assert swap["las"] == scores.las
    assert swap["recall"] == scores.nonprojective.all.unlabelled.recall
    assert swap["gain"] == pytest.approx(swap["las"] - projective["las"])
    assert swap["gain_low"] < swap["gain"] < swap["gain_high"]
    assert [row["swap low"] for row in found["by_treebank"].values()] == [swap["gain_low"]]
    assert swap["low"] < swap["las"] < swap["high"]
    assert (swap["sentences"], swap["arcs"]) == (100.0, 100.0)
    assert projective["sentences"] < projective["arcs"] < 100.0
    (test,) = tiny["significance"]["las"]
    assert (test["first"], test["second"], test["p"]) == ("control", "swap", swap["p"])
    assert "gain" not in projective
    assert swap["megabytes"] > 50
    ElementTree.parse(out / "techniques-gains.svg")


def test_transition_based_parsers_have_the_same_features_and_learner():
    parsers = load_settings("techniques").parsers
    guided = [config for config in parsers.values() if config.system != "graph"]
    assert len(guided) == len(parsers) - 2
    assert {config.features for config in guided} == {"rich"}
    assert {json.dumps(dict(config.guide)) for config in guided} == {json.dumps(dict(guided[0].guide))}
    assert parsers["2-planar explored"].explore == 1


def test_holms_correction_agrees_with_a_calculation_by_hand():
    assert holm({"a": 0.03, "b": 0.01, "c": 0.02, "d": 0.5}) == {"b": 0.04, "c": 0.06, "a": 0.06, "d": 0.5}
    assert holm({"a": 0.9, "b": 0.8}) == {"b": 1.0, "a": 1.0}


@pytest.mark.parametrize("results", ["results", "results-full"])
def test_committed_gains_are_over_a_parser_with_the_same_features_and_learner(results):
    found = json.loads((FOLDER / f"{results}.json").read_text("utf-8"))
    parsers = found["setting"]["parsers"]
    controls = found["setting"].get("controls") or dict.fromkeys(["pseudo-projective", "Attardi", "swap"], "projective")
    for technique, control in controls.items():
        assert all(parsers[technique].get(key) == parsers[control].get(key) for key in ("features", "guide"))
        for name in found["treebanks"]:
            rows = found["figures"][name]["rows"]
            assert rows[technique]["gain"] == pytest.approx(rows[technique]["las"] - rows[control]["las"], abs=0.011)
