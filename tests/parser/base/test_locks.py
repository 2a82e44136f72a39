"""Locks on folders: only one run at a time works in a folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import conllu, contents, run
from crossarc.parser.base import locks
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.locks import only_run

pytestmark = pytest.mark.skipif(locks.fcntl is None, reason="no file locks on this system")

REFUSED = "another run uses this folder; wait until it ends, or choose another folder"


def test_a_second_run_is_refused_until_the_first_ends(tmp_path):
    folder = tmp_path / "a" / "b"
    with only_run(folder):
        (folder / "result").touch()
        with pytest.raises(CrossarcError, match=f"^{folder}: {REFUSED}$"), only_run(folder):
            pass
    with only_run(folder):
        pass
    assert os.listdir(folder) == ["result"]


def test_a_killed_run_releases_its_folder(tmp_path):
    code = "import os, pathlib; from crossarc.parser.base.locks import only_run; folder = only_run(pathlib.Path('out'))"
    code += "; folder.__enter__(); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == -9
    with only_run(tmp_path / "out"):
        pass
    assert os.listdir(tmp_path / "out") == []


def test_a_file_in_place_of_the_folder_is_reported(tmp_path):
    (tmp_path / "file").touch()
    for name, reason in (("file", "File exists"), ("file/out", "Not a directory")):
        with pytest.raises(CrossarcError, match=rf"{name}: cannot be written: {reason}$"), only_run(tmp_path / name):
            pass


def test_without_locks_runs_are_not_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "fcntl", None)
    with only_run(tmp_path), only_run(tmp_path):
        pass


def test_experiments_refuse_folders_in_use(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 20))
    Path("e.yaml").write_text("experiment: kuhlmann-nivre-2010\ntreebanks: {a: {train: train.conllu}}\n")
    with only_run(Path("out")):
        before = contents(Path("out"))
        assert run("experiment", "e.yaml", "--out", "out") == 1
        assert contents(Path("out")) == before
    assert capsys.readouterr().err.endswith(f"crossarc: out: {REFUSED}\n")
