"""Comparison of techniques on half of the training treebank."""

from functools import partial
from pathlib import Path

import crossarc
import pytest
from command_line import conllu, run
from crossarc.parser.training import technique
from crossarc.parser.training.technique import FEW_SENTENCES
from refusals import refusal

TECHNIQUES = "techniques=[arc-standard, pseudo-projective, swap]"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 80, rate=0.6), "utf-8")
    return tmp_path


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
    alone = crossarc.load_config("arc-standard-small", [f"techniques=[{best}]"], {"treebank.train": "train.conllu"})
    assert "techniques" not in model.config
    assert crossarc.train(alone).config == model.config


def test_a_small_gain_keeps_the_first_technique(here, monkeypatch):
    monkeypatch.setattr(technique, "LEAST_GAIN", 100.0)
    config = crossarc.load_config("arc-standard-small", [TECHNIQUES], {"treebank.train": "train.conllu"})
    model = crossarc.train(config)
    las = model.provenance["techniques"]
    assert las["arc-standard"] < max(las.values())
    assert (model.config["system"], model.config["transforms"]) == ("arc-standard", [])


def test_few_sentences_get_the_first_technique_without_a_comparison(here):
    sentences = list(crossarc.read_sentences("train.conllu"))[: FEW_SENTENCES - 1]
    config = crossarc.load_config("arc-standard-small", ["techniques=[swap, arc-standard]"])
    model = crossarc.train(config, sentences=sentences)
    assert model.config["system"] == "swap"
    assert "techniques" not in model.provenance


def test_systems_without_a_dynamic_oracle_do_not_explore(here):
    settings = ["techniques=[swap]", "explore=1"]
    model = crossarc.train(crossarc.load_config("arc-standard-small", settings, {"treebank.train": "train.conllu"}))
    assert "explore" not in model.config


@pytest.mark.parametrize("setting", ["system=swap", "transforms=[pseudo-projective]", "oracle=static"])
def test_a_chosen_technique_is_not_compared(here, setting):
    config = crossarc.load_config("accurate", [setting], {"treebank.train": "train.conllu"})
    assert config.techniques == ()


def test_invalid_trees_and_predicted_tags_take_part(here):
    """Techniques are compared with predicted tags, and on valid trees only."""
    circle = "1\ta\ta\tX\tX\t_\t2\tx\t_\t_\n2\tb\tb\tX\tX\t_\t1\tx\t_\t_\n\n"
    Path("own.conllu").write_text(Path("train.conllu").read_text("utf-8") + circle, "utf-8")
    settings = [TECHNIQUES, "tags=[upos]", "treebank.faulty=skip"]
    model = crossarc.train(crossarc.load_config("arc-standard-small", settings, {"treebank.train": "own.conllu"}))
    assert [own.column for own in model.taggers] == ["upos"]
    assert len(model.provenance["techniques"]) == 3


def test_techniques_are_ready_configs_of_transition_systems():
    for name in ("graph", "three-step", "quick"):
        said = refusal(partial(crossarc.load_config, "swap", [f"techniques=[{name}]"]))
        assert "allowed: a list of pseudo-projective and transition systems with ready configs" in said
