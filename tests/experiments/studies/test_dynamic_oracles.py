"""Cost of dynamic oracles: a run on a generated treebank, and numbers of configurations. Times are not tested."""

from __future__ import annotations

import json
from pathlib import Path

from crossarc.__main__ import main
from crossarc.experiments.harness.parsing import Part
from crossarc.experiments.studies.dynamic_oracles.experiment import microseconds
from crossarc.oracles.registry import DYNAMIC_ORACLES


def test_every_system_with_a_dynamic_oracle_is_measured(tmp_path: Path) -> None:
    settings = ["generated={tiny: {test: 5, rate: 0.4}}", "batch=2", "rounds=1"]
    out = tmp_path / "out"
    words = [word for own in settings for word in ("--set", own)]
    assert main(["experiment", "dynamic-oracles", "-q", "--out", str(out), *words]) == 0
    document = json.loads((out / "results.json").read_text("utf-8"))
    figures = document["figures"]["tiny"]
    assert list(figures) == list(DYNAMIC_ORACLES)
    assert len(document["treebanks"]["tiny"]["test"]["sha256"]) == 64
    assert all(own["microseconds"] > 0 for own in figures.values())
    assert "| arc-hybrid-swap |" in (out / "report.md").read_text("utf-8")


def test_number_of_configurations_is_that_of_complete_derivations(tmp_path: Path) -> None:
    lines = ["1\ta\t_\tX\t_\t_\t2\tdep\t_\t_", "2\tb\t_\tX\t_\t_\t0\troot\t_\t_", "", ""]
    (tmp_path / "two.conllu").write_text("\n".join(lines))
    part = Part(str(tmp_path / "two.conllu"))
    # Arc-standard takes two transitions per word, with any size of batches: SHIFT and an arc.
    for batch in (1, 5):
        assert microseconds("arc-standard", part, batch, 0.0, 1, 1)["configurations"] == 4
    assert microseconds("arc-standard", part, 1, 1.0, 1, 1)["configurations"] == 4
    assert microseconds("covington", part, 1, 0.0, 1, 1)["words"] == 2.0
