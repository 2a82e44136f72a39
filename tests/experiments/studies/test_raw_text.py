"""The study of raw text: a run on a generated treebank, without classes and with those of its own words."""

import lzma

import pytest
from command_line import write_splits
from crossarc import read_sentences
from crossarc.experiments.studies.raw_text.experiment import _beginning
from reports import run_experiment

SETTINGS = """levels: {arc-standard-small: [without, own]}
raw: {tiny: raw.txt}
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
"""


@pytest.mark.slow
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


@pytest.mark.slow
def test_parts_of_the_text_are_scored_on_development_sets(tmp_path):
    write_splits(tmp_path, {"train": 28, "dev": 20, "test": 2}, rate=0.5)  # too few for calibration
    with lzma.open(tmp_path / "raw.txt.xz", "wt", encoding="utf-8") as file:
        for sentence in list(read_sentences(str(tmp_path / "train.conllu"))) * 10:
            file.write(" ".join(sentence.column("form")) + "\n")
    settings = SETTINGS.replace("raw.txt", str(tmp_path / "raw.txt.xz")) + "amounts: [[0, 1], [60, 1]]\n"
    figures = run_experiment("raw-text", tmp_path, settings=settings).figures["tiny"]
    assert set(figures) == {"0, 1", "60, 1"}
    assert all(0 < scores["LAS"] <= 100 for scores in figures.values())
    with lzma.open(tmp_path / "raw.txt.xz", "rt") as lines:
        whole = list(lines)
    for amount in (1, 13, 10**6):
        some = list(_beginning(str(tmp_path / "raw.txt.xz"), amount))
        assert some == whole[: len(some)]
        assert len("".join(some).split()) >= amount or some == whole
        assert len("".join(some[:-1]).split()) < amount
