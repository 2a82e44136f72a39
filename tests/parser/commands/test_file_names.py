"""File names outside ASCII or UTF-8: as arguments, inside files, and as folders of results."""

import json
import os
import subprocess
import sys

import pytest
from command_line import TEMPLATES, conllu, crossarc
from installed import needs

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8 there")

NUMPY = {**os.environ, "CROSSARC_KERNEL": "numpy"}
ASCII = {**NUMPY, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
CONFIG = "system: swap\nfeatures: prägung.yaml\ntreebank: {train: wörter.conllu}\nmodel: modèle\n"
EXPERIMENT = """
experiment: kuhlmann-nivre-2010
parsers: {P0: {config: arc-standard, features: prägung.yaml}}
treebanks: {one: {train: wörter.conllu, dev: wörter.conllu}}
"""


@pytest.fixture
def folder(tmp_path):
    """A folder whose name is not UTF-8, with files that refer to each other."""
    folder = tmp_path / "d\udce9"
    folder.mkdir()
    (folder / "wörter.conllu").write_text(conllu(1, 20), "utf-8")
    (folder / "prägung.yaml").write_text(TEMPLATES, "utf-8")
    (folder / "c.yaml").write_text(CONFIG, "utf-8")
    (folder / "e.yaml").write_text(EXPERIMENT, "utf-8")
    (folder / "b.yaml").write_text("components: [c.yaml, swap-small]\ntreebank: {train: wörter.conllu}\nmodel: b\n")
    return folder


def statuses(*lines):
    """The exit statuses of commands in a separate process, because pytest cannot report the names that they print."""
    code = "import json, sys; from crossarc.__main__ import main; print([main(own) for own in json.loads(sys.argv[1])])"
    words = json.dumps([["-q", *map(str, line)] for line in lines])
    command = [sys.executable, "-c", code, words]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False, env=NUMPY)
    return json.loads(done.stdout.splitlines()[-1])


def test_names_from_files_are_utf8_in_any_locale(folder):
    done = crossarc("-q", "train", "c.yaml", cwd=folder, env=ASCII)
    assert (done.returncode, done.stderr) == (0, b"")
    parsed = [crossarc("-q", "parse", "modèle", "wörter.conllu", cwd=folder, env=own) for own in (ASCII, NUMPY)]
    assert parsed[0].stdout == parsed[1].stdout != b""


def test_names_outside_the_locale_are_reported_in_one_line(folder):
    (folder / "prägung.yaml").write_text("extends: größer.yaml\n", "utf-8")
    done = crossarc("-q", "train", "c.yaml", cwd=folder, env=ASCII)
    assert done.returncode == 1
    assert done.stderr.startswith(b"crossarc: ")
    assert done.stderr.count(b"\n") == 1


@needs("blending")
def test_folders_of_any_name_can_contain_models(folder):
    models = folder / "modèle", folder / "b"
    lines = [
        ["train", folder / "c.yaml"],
        ["train", folder / "c.yaml", "--model", folder / "again", "--set", "beam=1"],
        ["train", folder / "b.yaml"],
        *(["info", model] for model in models),
        *(["parse", model, folder / "wörter.conllu", "-o", folder / "parsed"] for model in models),
    ]
    assert statuses(*lines) == [0] * len(lines)


@needs("blending", "levels")
def test_folders_of_any_name_can_contain_experiments_and_configs(folder):
    treebank = folder / "w\udce9.conllu"
    treebank.write_bytes((folder / "wörter.conllu").read_bytes())
    lines = [
        ["experiment", folder / "e.yaml", "--out", folder / "out"],
        ["init", treebank, "-o", folder / "i.yaml"],
        ["train", folder / "i.yaml", "--set", "features=small", "--model", folder / "m"],
    ]
    assert statuses(*lines) == [0] * len(lines)
    assert (folder / "out" / "report.md").is_file()
