"""The study of raw text: a run on a generated treebank, without classes and with those of its own words."""

import pytest
from command_line import write_splits
from reports import run_experiment

SETTINGS = """levels: {arc-standard-small: [without, own]}
raw: {tiny: raw.txt}
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
"""


def test_gains_are_differences_of_scores(tmp_path):
    write_splits(tmp_path, {"train": 40, "dev": 20, "test": 20}, rate=0.5)
    figures = run_experiment("raw-text", tmp_path, settings=SETTINGS).figures
    for condition in ("text", "words"):
        row = figures[f"{condition} arc-standard-small"]["tiny"]
        assert row["own"]["gain"] == pytest.approx(row["own"]["LAS"] - row["without"]["LAS"], abs=0.01)
        low, high = map(float, row["own"]["interval"].split(" to "))
        assert low <= row["own"]["gain"] <= high
        assert 0 < row["own"]["p"] <= 1
        together = figures[f"{condition} arc-standard-small"]["all"]
        assert together["own"]["LAS"] == pytest.approx(row["own"]["LAS"])
        assert together["own"]["p"] == pytest.approx(row["own"]["p"])
