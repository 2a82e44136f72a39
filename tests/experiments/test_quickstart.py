"""Quickstart: a run on less data."""

from pathlib import Path

from crossarc.experiments import quickstart


def test_quickstart_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(quickstart, "TRAINING", 200)
    monkeypatch.setattr(quickstart, "HELD_OUT", 80)
    assert quickstart.main() == 0
    lines = capsys.readouterr().out.splitlines()
    swap, standard = (line.split() for line in lines if line.startswith("quickstart") and len(line.split()) == 12)
    assert standard[8:10] == ["-", "0.00"]
    assert float(swap[1]) > 60
    assert float(swap[9]) > 20
    assert any(" *  ≠" in line and "═" in line for line in lines)
    kept = [f"{name}.{kind}" for name in ("arc-standard", "swap") for kind in ("conllu", "model")]
    assert sorted(path.name for path in Path("quickstart").iterdir()) == [*kept, "test.conllu", "train.conllu"]
