"""The experiment on three-step parsing, end to end on small generated treebanks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from crossarc.__main__ import main
from crossarc.experiments.harness.settings import load_settings
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate, to_conllu

NAME = "lacroix-bechet-2014"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("experiment")
    for split, first, sentences in (("train", 1, 60), ("dev", 61, 30)):
        options = GeneratorOptions(sentences=sentences, first=first, rate=0.5)
        (path / f"{split}.conllu").write_text("".join(map(to_conllu, generate(options))), "utf-8")
    (path / "mine.yaml").write_text(
        "treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu}\n"
        "parsers:\n"
        "  pseudoproj: {config: arc-eager, features: small, transforms: ['pseudo-projective:encoding=path']}\n"
        "  three-step: {config: three-step, features: small}\n"
        "published: {pseudoproj: pseudoproj}\n"
    )
    return path


def run(folder: Path, out: str, *more: str) -> dict[str, Any]:
    where = folder / out
    assert main(["experiment", NAME, "--config", str(folder / "mine.yaml"), "--out", str(where), *more]) == 0
    result: dict[str, Any] = json.loads((where / "scores.json").read_text("utf-8"))
    return result


def test_a_fixed_split(folder: Path) -> None:
    result = run(folder, "split")["tiny"]
    assert list(result["performance"]) == ["pseudoproj", "three-step"]
    assert list(result["significance"]) == ["uas", "las", "las, projective", "las, nonprojective"]
    rows = result["anchors"]["three-step"]
    assert list(rows) == ["left", "right"]
    arcs = result["performance"]["three-step"]["gold_arcs"]
    for side, row in rows.items():
        assert 0 < row["arcs"] <= arcs[f"nonprojective_{side}"]["tokens"]
        assert row["wanted"] <= row["refused"]
        right = row["anchor"] / 100 * row["arcs"]
        found = (row["found_right"] or 0) / 100 * right + (row["found_wrong"] or 0) / 100 * (row["arcs"] - right)
        assert found == pytest.approx(round(found))
    report = (folder / "split" / "report.md").read_text("utf-8")
    assert "| *pseudoproj, published for French* | 83.60 | 85.90 | 78.70 |" in report


def test_folds_parse_every_sentence_of_the_train_file(folder: Path) -> None:
    result = run(folder, "folds", "--set", "folds=2")["tiny"]
    words = sum(len(line.split("\t")) == 10 for line in (folder / "train.conllu").read_text("utf-8").splitlines())
    assert result["performance"]["three-step"]["tokens"] == words


def test_the_parsers_are_those_of_the_paper() -> None:
    parsers = load_settings(NAME).parsers
    assert parsers["covnonproj"].system == "covington"
    assert (parsers["pseudoproj"].system, parsers["pseudoproj"].transforms) == (
        "arc-eager",
        ("pseudo-projective:encoding=path",),
    )
    assert (parsers["three-step"].system, parsers["three-step"].first) == ("three-step", "arc-eager")
    assert parsers["three-step, table 6"].left.features == "plain"
