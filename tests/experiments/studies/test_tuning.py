"""Gain by tuning: a run on a generated treebank."""

import json

import pytest
import yaml
from command_line import write_splits
from crossarc.experiments.harness.experiment import run_declared


def test_tuned_parser_is_scored_on_the_test_set(tmp_path):
    write_splits(tmp_path, {"train": 40, "dev": 20, "test": 10}, rate=0.5)
    entry = {split: str(tmp_path / f"{split}.conllu") for split in ("train", "dev", "test")}
    config = tmp_path / "own.yaml"
    config.write_text(yaml.safe_dump({"minutes": 0.1, "treebanks": {"Own": {**entry, "sentences": 30}}}), "utf-8")
    out = tmp_path / "out"
    run_declared("tuning", out, config=str(config))
    figures = json.loads((out / "results.json").read_text("utf-8"))["figures"]["Own"]
    assert figures["start"] == "pseudo-projective"
    assert figures["dev_after"] >= figures["dev_before"]
    assert figures["gain"] == pytest.approx(figures["test_after"] - figures["test_before"], abs=0.011)
    assert figures["trials"] >= 1
    assert "| Own" in (out / "report.md").read_text("utf-8")
