"""Runner of experiments: stored results, keys of cells, failed cells, worker processes and interrupted runs."""

import json
import operator
import os
import re
import shlex
import subprocess
import sys

import pytest
from command_line import CYCLE, conllu, contents, crossarc, run, write_splits
from crossarc.experiments.harness import code_keys
from crossarc.experiments.harness.runner import Cell, cell_path, run_cells
from crossarc.parser.base.errors import CrossarcError
from installed import needs
from refusals import refusal


def computed(log, name, value):
    with log.open("a") as stream:
        stream.write(f"{name}\n")
    if value < 0:
        raise CrossarcError("a value below 0")
    return value


class Bench:
    """A folder in which cells run; ``ran`` returns the names of the cells computed since its last call."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "log"
        self.lines = []

    def cell(self, name, value=1, *files):
        return Cell(name, computed, (self.log, name, value), {"value": value}, tuple(map(str, files)))

    def run(self, *cells, jobs=1):
        return dict(run_cells(cells, self.folder / "out", jobs=jobs, progress=self.lines.append))

    def ran(self):
        names = sorted(self.log.read_text().split()) if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return names


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_finished_cells_are_kept_until_their_keys_change(bench):
    cells = bench.cell("a", 1), bench.cell("b", 2)
    assert bench.run(*cells) == {"a": 1, "b": 2}
    assert bench.ran() == ["a", "b"]
    assert bench.run(*cells) == {"a": 1, "b": 2}
    assert bench.ran() == []
    assert "2 cells, 2 of them finished before" in bench.lines
    assert bench.run(cells[0], bench.cell("b", 3)) == {"a": 1, "b": 3}
    assert bench.ran() == ["b"]


def test_only_files_with_changed_contents_invalidate_cells(bench, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("1")
    second.write_text("2")
    cells = bench.cell("a", 1, first), bench.cell("b", 1, second), bench.cell("c", 1, first, second)
    bench.run(*cells)
    assert bench.ran() == ["a", "b", "c"]
    second.write_text("other")
    bench.run(*cells)
    assert bench.ran() == ["b", "c"]
    moved = first.rename(tmp_path / "moved")
    bench.run(bench.cell("a", 1, moved))
    assert bench.ran() == []


def test_keys_include_function_and_version(bench, monkeypatch):
    def other(value):
        return value

    path = cell_path(bench.cell("a"), bench.folder, {})
    assert cell_path(Cell("a", other, (1,), {"value": 1}), bench.folder, {}) != path
    monkeypatch.setattr("crossarc.experiments.harness.runner.__version__", "99")
    assert cell_path(bench.cell("a"), bench.folder, {}) != path


def test_code_digest_ignores_comments_and_drawing_modules(tmp_path, monkeypatch):
    """A changed module of a parser changes the digest; a changed comment or a module that only draws does not."""
    parsing, drawing = (tmp_path / "parser" / name for name in ("search/greedy.py", "plugins/drawing/svg.py"))
    for file in (parsing, drawing, tmp_path / "experiments" / "harness" / "parsing.py"):
        file.parent.mkdir(parents=True)
        file.write_text("old")
    monkeypatch.setattr(code_keys, "ROOT", tmp_path)
    monkeypatch.setattr(code_keys, "MEASURING", [tmp_path / "experiments" / "harness" / "parsing.py"])
    monkeypatch.setattr(code_keys, "_digest", code_keys._digest.__wrapped__)

    def digest(file, text):
        file.write_text(text)
        return code_keys.code_digest.__wrapped__()

    first = digest(parsing, 'def f(x):\n    """A."""\n    return "#a"  # one\n')
    assert digest(drawing, "new") == first
    assert digest(parsing, '"""Module."""\n\ndef f(x):\n    return "#a"\n') == first
    assert digest(parsing, 'def f(x):\n    return "#b"\n') != first


@pytest.mark.parametrize("damage", ["", "{", '{"name": "a"}', "[1]"])
def test_damaged_results_are_computed_again(bench, damage):
    bench.run(bench.cell("a"))
    bench.ran()
    (path,) = (bench.folder / "out" / "cells").iterdir()
    path.write_text(damage)
    assert bench.run(bench.cell("a")) == {"a": 1}
    assert bench.ran() == ["a"]


def test_failed_cells_do_not_discard_other_results(bench):
    cells = bench.cell("bad", -1), bench.cell("good", 2), bench.cell("worse", -2)
    message = "bad: a value below 0 (and 1 more); the results of the other cells are stored"
    assert refusal(lambda: bench.run(*cells)) == message
    assert bench.ran() == ["bad", "good", "worse"]
    assert bench.run(cells[1]) == {"good": 2}
    assert bench.ran() == []


def test_worker_processes_give_the_same_results(bench):
    cells = [Cell(f"c{value}", operator.add, (value, 1), {"value": value}) for value in range(5)]
    expected = {f"c{value}": value + 1 for value in range(5)}
    assert bench.run(*cells, jobs=2) == expected
    assert bench.lines[0] == "5 cells, 0 of them finished before"
    assert list(bench.run(*cells)) == list(expected)


def test_cells_of_the_same_name_are_refused(bench):
    assert "cells of the same name" in refusal(lambda: bench.run(bench.cell("a", 1), bench.cell("a", 2)), ValueError)


INTERRUPTED = """
import os, sys
from pathlib import Path
from crossarc.experiments.harness.runner import Cell, run_cells

def work(value):
    if value == 3 and not os.environ.get("GO_ON"):
        os._exit(9)
    print(value)
    return value

import types
sys.modules["cells_of_the_test"] = module = types.ModuleType("cells_of_the_test")
work.__module__ = "cells_of_the_test"
module.work = work
cells = [Cell(f"c{value}", work, (value,), {"value": value}, code="work") for value in range(1, 5)]
print(run_cells(cells, Path(sys.argv[1]), progress=lambda line: None))
"""


def test_interrupted_runs_resume_after_the_stored_cells(tmp_path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "out")]
    killed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert killed.returncode == 9
    kept = sorted(json.loads(path.read_text())["result"] for path in (tmp_path / "out" / "cells").glob("*.json"))
    assert kept == [1, 2]
    again = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "GO_ON": "1"})
    assert again.stdout.splitlines() == ["3", "4", "{'c1': 1, 'c2': 2, 'c3': 3, 'c4': 4}"]


OWN = """
experiment: cross-validation
folds: 0
split: dev
treebanks: {g: {train: train.conllu, dev: dev.conllu}}
parsers: {a: {config: arc-standard-small, features: f.yaml}}
"""
PLUGIN = """import crossarc
from helper import SIZE

@crossarc.register_feature
def mine(value):
    return value[-SIZE:]
"""


def test_changed_plugins_and_what_they_import_are_computed_again(tmp_path):
    """Also where a module that a plugin imports changes; comments and versions of libraries change nothing."""
    files = {
        "own.yaml": OWN,
        "f.py": PLUGIN,
        "helper.py": "from deeper import SIZE\n",
        "deeper.py": "SIZE = 1\n",
        "f.yaml": "extends: arc-standard-small\ntemplates:\n- mine(form(Stack[0]))\n",
        "train.conllu": conllu(1, 30),
        "dev.conllu": conllu(60, 10),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    command = ["experiment", "own.yaml", "--plugin", "f.py", "--out", "out"]

    def finished():
        done = crossarc(*command, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return b"1 of them finished before" in done.stderr, done.stderr.decode()

    assert not finished()[0]
    (tmp_path / "f.py").write_text(f"# a comment\n{PLUGIN}", "utf-8")
    assert finished()[0]
    for name, text in (
        ("deeper.py", "SIZE = 2\n"),
        ("helper.py", "SIZE = 2\n"),
        ("f.py", PLUGIN.replace("-SIZE:", ":SIZE")),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        assert not finished()[0]
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    printed = shlex.split(re.search(r"Reproduced by `(.*?)`", report)[1])
    assert printed[printed.index("--plugin") :][:2] == ["--plugin", "f.py"]
    assert b"1 of them finished before" in crossarc(*printed[1:], cwd=tmp_path).stderr
    for cell in (tmp_path / "out" / "cells").iterdir():
        document = json.loads(cell.read_text("utf-8"))
        cell.write_text(json.dumps({**document, "versions": {**document["versions"], "numpy": "0.1"}}), "utf-8")
    again, told = finished()
    assert again
    assert "1 cells were computed with other versions of libraries: numpy 0.1 (now " in told


def test_packages_of_imported_modules_are_part_of_the_code(tmp_path):
    (tmp_path / "lib").mkdir()
    for name, text in (("mine.py", "import lib.core\n"), ("lib/__init__.py", "K = 1\n"), ("lib/core.py", "")):
        (tmp_path / name).write_text(text)
    found = code_keys.imported([tmp_path / "mine.py"])
    assert {path.relative_to(tmp_path.resolve()).as_posix() for path in found} == {
        "mine.py", "lib/__init__.py", "lib/core.py",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("treebanks", "parsers", "more", "message"),
    [
        (
            "A: SPLITS, A small: {SPLIT, sentences: 5}",
            "swap: {config: swap}, small swap: {config: swap}",
            [],
            "two cells are called 'A small swap 0'",
        ),
        ("A: SPLITS", "graph: {config: graph}", ["--set", "seeds=[1, 2]"], "seeds: the system graph has no seed"),
    ],
)
@needs("graph")
def test_names_and_seeds_that_say_too_little_are_refused(
    tmp_path, monkeypatch, capsys, treebanks, parsers, more, message
):
    monkeypatch.chdir(tmp_path)
    write_splits(tmp_path, {"train": 12, "test": 4}, rate=0.2)
    treebanks = treebanks.replace("SPLITS", "{SPLIT}").replace("SPLIT", "train: train.conllu, test: test.conllu")
    text = f"experiment: cross-validation\nfolds: 0\ntreebanks: {{{treebanks}}}\nparsers: {{{parsers}}}\n"
    (tmp_path / "own.yaml").write_text(text)
    assert run("-q", "experiment", "own.yaml", "--out", "out", *more) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "cells").exists()


def test_trees_of_similar_names_are_written_to_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_splits(tmp_path, {"train": 12, "test": 4}, rate=0.2)
    names = ["s t", "s-t", "other one"]
    parsers = ", ".join(f"{name}: {{config: arc-standard-small}}" for name in names)
    text = "experiment: cross-validation\nfolds: 0\ntreebanks: {A: {train: train.conllu, test: test.conllu}}\n"
    (tmp_path / "own.yaml").write_text(f"{text}parsers: {{{parsers}}}\n")
    assert run("-q", "experiment", "own.yaml", "--out", "out", "--parsed", "p") == 0
    files = {"A%20s%20t%200-test.conllu", "A%20s-t%200-test.conllu", "A-other-one-0-test.conllu"}
    assert {path.name for path in (tmp_path / "p").iterdir()} == files


def test_a_failing_run_keeps_the_reports_of_the_run_before(tmp_path):
    (tmp_path / "own.yaml").write_text(OWN.replace(", features: f.yaml", ""), "utf-8")
    for name, first in (("train", 1), ("dev", 60)):
        (tmp_path / f"{name}.conllu").write_text(conllu(first, 12), "utf-8")
    assert crossarc("experiment", "own.yaml", "--out", "out", cwd=tmp_path).returncode == 0
    before = contents(tmp_path / "out")
    assert {"report.md", "results.json", "scores.json"} <= before.keys()
    (tmp_path / "train.conllu").write_text(CYCLE, "utf-8")
    assert crossarc("experiment", "own.yaml", "--out", "out", cwd=tmp_path).returncode == 1
    assert contents(tmp_path / "out") == before


def test_modules_that_a_module_imports_are_found(tmp_path):
    """Beside it, above it and in packages, directly or not; neither libraries nor crossarc."""
    files = {
        "a.py": "import b\nfrom pack import c\nimport numpy, crossarc, json\n",
        "b.py": "from pack.d import x\n",
        "pack/__init__.py": "",
        "pack/c.py": "from . import e\nfrom .sub.f import y\n",
        "pack/d.py": "x = 1\n",
        "pack/e.py": "",
        "pack/sub/f.py": "from ..e import z\nimport b\n",
        "other.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = {str(path.relative_to(tmp_path.resolve())) for path in code_keys.imported([tmp_path / "a.py"])}
    assert found == files.keys() - {"other.py"}
