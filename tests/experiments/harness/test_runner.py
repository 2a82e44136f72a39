"""Runner of experiments: stored results, keys of cells, failed cells, worker processes and interrupted runs."""

import json
import operator
import os
import subprocess
import sys

import pytest
from crossarc.experiments.harness import runner
from crossarc.experiments.harness.runner import Cell, cell_path, run_cells
from crossarc.parser.base.errors import CrossarcError
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
    parsing, drawing = (tmp_path / "parser" / name for name in ("search/greedy.py", "drawing/svg.py"))
    for file in (parsing, drawing, tmp_path / "experiments" / "harness" / "parsing.py"):
        file.parent.mkdir(parents=True)
        file.write_text("old")
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setattr(runner, "_digest", runner._digest.__wrapped__)

    def digest(file, text):
        file.write_text(text)
        return runner.code_digest.__wrapped__()

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
