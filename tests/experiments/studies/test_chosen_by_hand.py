"""The most accurate parsers: a run on a generated treebank, compared with separate training and scoring."""

import pytest
from command_line import write_splits
from crossarc import load_config, read_treebank, score_sentences, train
from crossarc.experiments.harness.settings import load_settings
from reports import refused_experiment, run_experiment

SETTINGS = """rows: {tiny: {ready: small, best: own}}
parsers:
  small: {config: arc-standard-small}
  own: {config: swap, features: own.yaml}
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment")
    write_splits(path, {"train": 60, "dev": 30, "test": 20}, rate=0.5)
    (path / "own.yaml").write_text("extends: swap-small\ntemplates:\n  - lemma(pred(Stack[0]))\n")
    (path / "mine.yaml").write_text(SETTINGS)
    return path


def test_scores_agree_with_separate_training_and_scoring(folder):
    run = run_experiment("chosen-by-hand", folder)
    figures = run.figures["tiny"]
    assert list(figures) == ["dev", "test"]
    assert {row: own["parser"] for row, own in figures["test"].items()} == {"ready": "small", "best": "own"}
    las = {}
    for row, config, features in (("ready", "arc-standard-small", "auto"), ("best", "swap", str(folder / "own.yaml"))):
        settings = [] if features == "auto" else [f"features={features}"]
        model = train(load_config(config, settings, {"treebank.train": str(folder / "train.conllu")}))
        gold = read_treebank(str(folder / "test.conllu")).sentences
        las[row] = score_sentences(gold, model.parse(gold)).las
        assert figures["test"][row]["las"] == pytest.approx(las[row], abs=0.005)
    assert (figures["test"]["ready"]["gain"], figures["test"]["ready"]["p"]) == (None, None)
    assert figures["test"]["best"]["gain"] == pytest.approx(las["best"] - las["ready"], abs=0.01)
    assert 0 <= figures["test"]["best"]["p"] <= 1
    assert "| tiny     | test  | best" in run.report


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("{other: {ready: small}}", "rows: found none for the treebank tiny"),
        ("{tiny: {ready: smal}}", "rows: tiny: found 'smal' (did you mean 'small'?); allowed: small, own"),
    ],
)
def test_invalid_rows_are_refused(folder, capsys, rows, reason):
    assert reason in refused_experiment(capsys, "chosen-by-hand", folder, "--set", f"rows={rows}")


def test_installed_rows_name_all_treebanks_and_all_parsers():
    settings = load_settings("chosen-by-hand")
    assert set(settings.values["rows"]) == {entry.name for entry in settings.treebanks}
    assert {name for names in settings.values["rows"].values() for name in names.values()} == set(settings.parsers)
