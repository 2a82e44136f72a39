"""The study of several treebanks: a run on generated ones."""

import pytest
from command_line import write_splits
from reports import run_experiment

SETTINGS = """level: arc-standard-small
also: {tiny: ALSO/train.conllu}
sizes: {tiny: [10]}
treebanks:
  tiny: {train: train.conllu, test: test.conllu}
"""


@pytest.mark.slow
def test_gains_are_differences_of_scores(tmp_path):
    write_splits(tmp_path, {"train": 28, "test": 20}, rate=0.5)  # too few for calibration
    (tmp_path / "other").mkdir()
    write_splits(tmp_path / "other", {"train": 40}, rate=0)
    settings = SETTINGS.replace("ALSO", str(tmp_path / "other"))
    figures = run_experiment("several-treebanks", tmp_path, settings=settings).scores
    row = figures["tiny"]
    for way in ("joined", "several"):
        assert row[way]["gain"] == pytest.approx(row[way]["LAS"] - row["alone"]["LAS"])
        low, high = map(float, row[way]["interval"].split(" to "))
        assert low <= row[way]["gain"] <= high
    assert row["several"]["size"] > row["alone"]["size"]  # it has learned from both
    assert figures["all"]["several"]["LAS"] == pytest.approx(row["several"]["LAS"])
    assert figures["all"]["several"]["p"] == pytest.approx(row["several"]["p"])
    assert set(figures["sizes"]["tiny"]["10"]) == {"alone", "several"}
