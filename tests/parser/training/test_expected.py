"""The expected cost of training, and what is reported of it."""

from functools import cache
from pathlib import Path

import pytest
from command_line import conllu, generated, run
from crossarc import CrossarcError, load_blend_config, load_config
from crossarc.parser.training import expected
from crossarc.parser.training.expected import announce, expected_cost


@cache
def sentences(count):
    return generated(1, count)


def cost(name, settings=(), count=400):
    return expected_cost(load_config(name, settings), sentences(count))


@pytest.mark.parametrize("name", ["arc-standard", "swap", "pseudo-projective", "explored", "graph", "three-step"])
def test_cost_grows_with_the_treebank(name):
    small, large = cost(name), cost(name, count=4000)
    assert 2 < small.seconds < large.seconds < 60
    assert 1e8 < small.memory <= large.memory < 4e9


def test_dearer_settings_cost_more():
    plain = cost("arc-standard")
    for dearer in (["features=full"], ["explore=1"], ["input=text"], ["guide.C=3"]):
        assert cost("arc-standard", dearer).seconds > plain.seconds
    assert cost("arc-standard", ["features=small"]).seconds < plain.seconds


@pytest.fixture
def blend(tmp_path):
    (tmp_path / "own.yaml").write_text("shared: {features: small}\ncomponents: [arc-standard, swap, graph]\n")
    return load_blend_config(str(tmp_path / "own.yaml"))


def test_blend_costs_the_time_of_all_components_and_the_memory_of_the_largest(blend):
    found = expected_cost(blend, sentences(400))
    alone = [cost(name, ["features=small"] if name != "graph" else []) for name in ("arc-standard", "swap", "graph")]
    assert found.seconds - 2 == pytest.approx(sum(own.seconds - 2 for own in alone))
    assert found.memory == max(own.memory for own in alone)


def test_cost_of_other_learners_is_unknown():
    assert cost("knn") is cost("maxent") is None
    assert announce(load_config("knn"), generated(1, 20), print) is None


def test_training_that_needs_too_much_memory_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 20), "utf-8")
    with pytest.raises(CrossarcError, match=r"needs about 0\.4 GB of memory, and 0\.3 GB are allowed; .*"):
        announce(load_config("arc-standard"), generated(1, 20), print, memory=0.3)
    monkeypatch.setattr(expected, "free_memory", lambda: 10**8)
    assert run("train", "arc-standard", "--train", "train.conllu", "--model", "m") == 1
    assert "0.1 GB are free; the level fast" in capsys.readouterr().err
    assert not Path("m").exists()
    assert run("train", "arc-standard", "--train", "train.conllu", "--model", "m", "--memory", 1) == 0


def test_long_training_is_announced(blend, monkeypatch):
    monkeypatch.setattr(expected, "LONG", 2)
    lines = []
    seconds = announce(blend, sentences(400), lines.append, jobs=1, memory=9)
    assert lines == [f"training takes about {seconds:.0f} CPU s and 0.7 GB of memory"]
    assert announce(blend, sentences(400), lines.append, jobs=8, memory=9) == pytest.approx(seconds / 3)
