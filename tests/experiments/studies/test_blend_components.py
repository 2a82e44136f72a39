"""Contribution of blend components: a run on generated treebanks, compared with blends of ``train_blend``."""

import pytest
from command_line import write_splits
from crossarc import load_blend_config, read_treebank, score_sentences, train_blend
from reports import refused_experiment, run_experiment

NAME = "blend-components"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment")
    write_splits(path, {"train": 60, "dev": 30}, rate=0.5)
    (path / "three.yaml").write_text(
        "weights: pos\nshared: {features: small}\n"
        "components: [arc-standard, swap, {name: backwards, config: arc-eager, transforms: [reversal]}]\n"
    )
    (path / "mine.yaml").write_text(
        f"blend: {path / 'three.yaml'}\nsplits: [dev]\ntreebanks:\n  tiny: {{train: train.conllu, dev: dev.conllu}}\n"
    )
    return path


def test_blend_of_all_components_has_the_scores_of_a_trained_blend(folder):
    run = run_experiment(NAME, folder)
    rows = run.figures["tiny"]["dev"]
    names = ["1 arc-standard", "2 swap", "backwards"]
    assert list(rows) == ["all", *(f"without {name}" for name in names), *names]
    config = load_blend_config(str(folder / "three.yaml"), [], {"treebank.train": str(folder / "train.conllu")})
    gold = read_treebank(str(folder / "dev.conllu")).sentences
    blend = train_blend(config)
    scores = score_sentences(gold, blend.parse(gold))
    assert rows["all"]["las"] == pytest.approx(scores.las, abs=0.005)
    assert rows["all"]["p"] is None
    alone = score_sentences(gold, blend.components["backwards"].parse(gold))
    assert rows["backwards"]["las"] == pytest.approx(alone.las, abs=0.005)
    assert 0 <= rows["backwards"]["p"] <= 1
    assert "| without 2 swap" in run.report


def test_with_equal_weights_no_sentences_are_held_out(folder):
    text = (folder / "three.yaml").read_text().replace("weights: pos", "weights: equal")
    (folder / "equal.yaml").write_text(text)
    run = run_experiment(NAME, folder, "--set", f"blend={folder / 'equal.yaml'}", out="equal")
    rows = run.figures["tiny"]["dev"]
    config = load_blend_config(str(folder / "equal.yaml"), [], {"treebank.train": str(folder / "train.conllu")})
    gold = read_treebank(str(folder / "dev.conllu")).sentences
    scores = score_sentences(gold, train_blend(config).parse(gold))
    assert rows["all"]["las"] == pytest.approx(scores.las, abs=0.005)


def test_blend_that_trains_components_twice_is_refused(folder, capsys):
    message = refused_experiment(capsys, NAME, folder, "--set", "blend_settings=[choose=true]")
    assert "blend: choose is not supported here; set it to false" in message
