"""The quickstart, on less data."""

from __future__ import annotations

from pathlib import Path

import pytest
from crossarc.experiments import quickstart
from crossarc.parser.treebank import read_sentences


def test_quickstart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(quickstart, "TRAINING", 300)
    monkeypatch.setattr(quickstart, "HELD_OUT", 80)
    assert quickstart.main() == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {
        line.split()[0]: line.split()[1:]
        for line in lines
        if line.startswith(quickstart.SYSTEMS) and len(line.split()) == 6
    }
    assert rows["arc-standard"][2:4] == ["-", "0.0"]
    assert float(rows["swap"][0]) > 60
    assert float(rows["swap"][3]) > 20
    assert any(line.endswith(" *") and "═" in line for line in lines)
    assert [path.name for path in sorted(Path("quickstart").iterdir())] == [
        "arc-standard.conllu",
        "arc-standard.model",
        "swap.conllu",
        "swap.model",
        "test.conllu",
        "train.conllu",
    ]


def test_the_sentence_shown_is_right_in_one_and_wrong_in_the_other(tmp_path: Path) -> None:
    path = tmp_path / "three.conllu"
    crossing, flat = (3, 0, 2, 2), (2, 0, 2, 2)
    trees = [flat, crossing, crossing]
    rows = ["".join(f"{i}\tw\t_\t_\t_\t_\t{h}\tx\t_\t_\n" for i, h in enumerate(tree, 1)) for tree in trees]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    gold = list(read_sentences(path))
    labels = gold[0].deprels()
    lifted = [sentence.with_tree([-1, *flat], labels) for sentence in gold]
    assert quickstart.telling_sentence(gold, gold, lifted) == 1
    assert quickstart.telling_sentence(gold, [gold[0], lifted[1], gold[2]], lifted) == 2
    assert quickstart.telling_sentence(gold, lifted, gold) is None
    assert quickstart.telling_sentence(gold, gold, gold) is None
