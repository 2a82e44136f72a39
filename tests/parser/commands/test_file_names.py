"""File names that are no ASCII, or no UTF-8: what names them, and what is written where they are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from command_line import TEMPLATES, conllu, crossarc

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")

ASCII = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
CONFIG = "system: swap\nfeatures: prägung.yaml\ntreebank: {train: wörter.conllu}\nmodel: modèle\n"
EXPERIMENT = """
experiment: kuhlmann-nivre-2010
parsers: {P0: {config: arc-standard, features: prägung.yaml}}
treebanks: {one: {train: wörter.conllu, dev: wörter.conllu}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose name is no UTF-8, with files that name one another."""
    folder = tmp_path / "d\udce9"
    folder.mkdir()
    (folder / "wörter.conllu").write_text(conllu(1, 20), "utf-8")
    (folder / "prägung.yaml").write_text(TEMPLATES, "utf-8")
    (folder / "c.yaml").write_text(CONFIG, "utf-8")
    (folder / "e.yaml").write_text(EXPERIMENT, "utf-8")
    (folder / "b.yaml").write_text("components: [c.yaml, swap-small]\ntreebank: {train: wörter.conllu}\nmodel: b\n")
    return folder


def status(*arguments: object) -> int:
    """The exit status of a process of its own: what it prints is no text that a report of tests could hold."""
    return crossarc("-q", *arguments).returncode


def test_names_from_files_are_utf8_in_any_locale(folder: Path) -> None:
    done = crossarc("-q", "train", "c.yaml", cwd=folder, env=ASCII)
    assert (done.returncode, done.stderr) == (0, b"")
    parsed = [crossarc("-q", "parse", "modèle", "wörter.conllu", cwd=folder, env=own) for own in (ASCII, None)]
    assert parsed[0].stdout == parsed[1].stdout != b""


def test_a_name_that_the_locale_has_not_is_one_line(folder: Path) -> None:
    (folder / "prägung.yaml").write_text("extends: größer.yaml\n", "utf-8")
    done = crossarc("-q", "train", "c.yaml", cwd=folder, env=ASCII)
    assert done.returncode == 1
    assert done.stderr.startswith(b"crossarc: ")
    assert done.stderr.count(b"\n") == 1


def test_folders_of_any_name_hold_what_is_trained(folder: Path) -> None:
    assert status("train", folder / "c.yaml") == 0
    assert status("train", folder / "c.yaml", "--model", folder / "again", "--set", "batch_size=8") == 0
    assert status("verify", folder / "modèle", "--train", folder / "wörter.conllu") == 0
    assert status("train", folder / "b.yaml") == 0
    for model in ("modèle", "b"):
        assert status("info", folder / model) == 0
        assert status("parse", folder / model, folder / "wörter.conllu", "-o", folder / "parsed") == 0


def test_folders_of_any_name_hold_experiments_and_configs(folder: Path) -> None:
    assert status("experiment", folder / "e.yaml", "--out", folder / "out") == 0
    assert (folder / "out" / "report.md").is_file()
    treebank = folder / "w\udce9.conllu"
    (folder / "wörter.conllu").rename(treebank)
    assert status("init", treebank, "-o", folder / "i.yaml") == 0
    assert status("train", folder / "i.yaml", "--set", "features=small", "--model", folder / "m") == 0


def test_tuning_writes_a_config_that_names_any_file(folder: Path) -> None:
    data = ["--train", folder / "wörter.conllu", "--folds", 2, "--minutes", 0.5]
    assert status("tune", folder / "c.yaml", *data, "--out", folder / "tuned") == 0
    assert status("train", folder / "tuned" / "tuned.yaml") == 0
