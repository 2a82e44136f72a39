"""The experiments of Nilsson (2009) end to end on small generated treebanks, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from crossarc.experiments.synthetic import GeneratorOptions, generate, to_conllu
from crossarc.parser.cli import main

PARSERS = {
    "ch9": "labels: 3\nparsers_blended: 3\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, first, sentences in (("train", 1, 50), ("dev", 51, 20), ("test", 71, 20)):
        wanted = GeneratorOptions(sentences=sentences, first=first, rate=0.4, depth=1)
        (tmp_path / f"{name}.conllu").write_text("".join(map(to_conllu, generate(wanted))), encoding="utf-8")
    return tmp_path


def experiment(folder: Path, chapter: str) -> tuple[dict[str, Any], str]:
    (folder / "mine.yaml").write_text(
        "treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}\n" + PARSERS[chapter]
    )
    arguments = ["experiment", f"nilsson-2009-{chapter}", "--config", str(folder / "mine.yaml")]
    assert main([*arguments, "--out", str(folder / "out")]) == 0
    result: dict[str, Any] = json.loads((folder / "out" / "results.json").read_text("utf-8"))["tiny"]
    return result, (folder / "out" / "report.md").read_text("utf-8")


def test_chapter_9(folder: Path) -> None:
    result, report = experiment(folder, "ch9")
    assert len(result["dev"]) > 3
    assert {name: len(curve) for name, curve in result["curves"].items()} == {
        "inverted, descending": 3,
        "inverted, ascending": 3,
        "uninverted, descending": 3,
        "uninverted, ascending": 3,
    }
    assert result["curves"]["inverted, ascending"][0] == pytest.approx(result["row"]["base"])
    assert result["row"]["transform"] == max(result["dev"], key=lambda name: result["dev"][name])
    assert "figure9.3-tiny.svg" in [path.name for path in (folder / "out").iterdir()]
    assert "Table 9.1" in report
