"""Comparison of techniques on half of the training treebank."""

from pathlib import Path

import crossarc
import pytest
from command_line import CYCLE, conllu, generated, run
from crossarc.parser.training import train as training
from crossarc.parser.training.train import FEW_SENTENCES

TECHNIQUES = "techniques=[arc-standard, pseudo-projective, swap]"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 80, rate=0.6), "utf-8")
    return tmp_path


def trained(*settings):
    config = crossarc.load_config("arc-standard-small", settings, {"treebank.train": "train.conllu"})
    return crossarc.train(config)


def test_the_best_technique_is_trained_and_its_figures_are_kept(here, capsys):
    files = ["--train", "train.conllu", "--model", "own.model"]
    assert run("train", "arc-standard-small", *files, "--set", TECHNIQUES) == 0
    said = capsys.readouterr().err
    model = crossarc.load_model("own.model")
    las = model.provenance["techniques"]
    assert list(las) == ["arc-standard", "pseudo-projective", "swap"]
    best = max(las, key=las.__getitem__)
    assert best != "arc-standard"  # which cannot build the crossing arcs
    assert f"chosen: {best}; " in said
    assert f"{best} {las[best]:.2f}" in said
    assert run("info", "own.model") == 0
    assert f"{best}={las[best]:.4g}" in capsys.readouterr().out
    assert "techniques" not in model.config
    assert trained(f"techniques=[{best}]").config == model.config


def test_a_small_gain_keeps_the_first_technique(here, monkeypatch):
    monkeypatch.setattr(training, "LEAST_GAIN", 100.0)
    model = trained(TECHNIQUES)
    las = model.provenance["techniques"]
    assert las["arc-standard"] < max(las.values())
    assert (model.config["system"], model.config["transforms"]) == ("arc-standard", [])


def test_few_sentences_get_the_first_technique_without_a_comparison():
    config = crossarc.load_config("arc-standard-small", ["techniques=[swap, arc-standard]"])
    model = crossarc.train(config, sentences=generated(1, FEW_SENTENCES - 1))
    assert model.config["system"] == "swap"
    assert "techniques" not in model.provenance


def test_systems_without_a_dynamic_oracle_do_not_explore(here):
    assert "explore" not in trained("techniques=[swap]", "explore=1").config


@pytest.mark.parametrize("setting", ["system=swap", "transforms=[pseudo-projective]", "oracle=static"])
def test_a_chosen_technique_is_not_compared(here, setting):
    config = crossarc.load_config("accurate", [setting], {"treebank.train": "train.conllu"})
    assert config.techniques == ()


def test_invalid_trees_and_predicted_tags_take_part(here):
    """Techniques are compared with predicted tags, and on valid trees only."""
    Path("train.conllu").write_text(conllu(1, 80, rate=0.6) + CYCLE, "utf-8")
    model = trained(TECHNIQUES, "tags=[upos]", "treebank.faulty=skip")
    assert model.filled == ["upos"]
    assert len(model.provenance["techniques"]) == 3
