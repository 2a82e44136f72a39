"""Reports of interrupted experiments, and how the command finds the experiment to run."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import write_splits
from crossarc.__main__ import main
from crossarc.experiments.harness import runner
from crossarc.experiments.harness.registry import experiments
from crossarc.experiments.harness.settings import experiment_of
from crossarc.parser.base.errors import CrossarcError

YAML = """
experiment: kuhlmann-nivre-2010
parsers: {P0: {config: arc-standard, features: small}, P3: {config: swap, features: small}}
treebanks:
  one: {train: train.conllu, dev: dev.conllu}
  two: {train: train.conllu, dev: dev.conllu}
"""
Out = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_splits(tmp_path, {"train": 60, "dev": 20}, rate=0.4)
    Path("mine.yaml").write_text(YAML)
    return tmp_path


def interrupt_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise KeyboardInterrupt, as Ctrl-C does, in place of the result of the cell with this number."""
    compute = runner._timed
    done = []

    def computed(*arguments: Any) -> Any:
        done.append(1)
        if len(done) == number:
            raise KeyboardInterrupt
        return compute(*arguments)

    monkeypatch.setattr(runner, "_timed", computed)


def test_interrupted_runs_report_complete_treebanks(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    interrupt_at(8, monkeypatch)
    assert main(["experiment", "mine.yaml"]) == 130
    err = capsys.readouterr().err
    assert err.splitlines()[-2:] == ["wrote what is finished to mine.out/report.md", "crossarc: interrupted"]
    report = Path("mine.out/report.md").read_text("utf-8")
    assert report.startswith("# Kuhlmann & Nivre (2010)")
    assert (
        "**Interrupted**: 7 of 12 cells are finished. The tables are of one, whose cells are all finished; missing: "
        "two. The rest is computed by `crossarc experiment kuhlmann-nivre-2010 --config mine.yaml --out mine.out`."
    ) in report
    assert re.search(r"^\| one +\|", report, re.M)
    assert not re.search(r"^\| two +\|", report, re.M)
    assert "<strong>Interrupted</strong>" in Path("mine.out/report.html").read_text("utf-8")
    monkeypatch.undo()
    monkeypatch.chdir(here)
    (command,) = re.findall(r"The rest is computed by `crossarc (.*)`", report)
    assert main(shlex.split(command)) == 0
    assert "12 cells, 7 of them finished before" in capsys.readouterr().err
    report = Path("mine.out/report.md").read_text("utf-8")
    assert "Interrupted" not in report
    assert re.search(r"^\| two +\|", report, re.M)


def test_without_complete_treebanks_reports_list_finished_cells(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    interrupt_at(6, monkeypatch)
    assert main(["experiment", "mine.yaml", "--out", "out", "-q"]) == 130
    assert capsys.readouterr().err == "crossarc: interrupted\n"
    report = Path("out/report.md").read_text("utf-8")
    assert report.startswith("# kuhlmann-nivre-2010\n\n**Interrupted**: 5 of 12 cells are finished. No treebank is")
    assert re.search(r"^\| one .* \| sentences \d+", report, re.M)
    assert not re.search("True|False|None|{", report)


def test_terminated_runs_write_a_report(here: Path) -> None:
    """Batch systems send SIGTERM."""
    words = [sys.executable, "-m", "crossarc", "experiment", "mine.yaml"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=here) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("[2/"):
                run.send_signal(signal.SIGTERM)
                break
        rest = run.stderr.read()
        assert run.wait(timeout=60) == 143
    assert rest.endswith("wrote what is finished to mine.out/report.md\ncrossarc: terminated\n")
    assert "**Interrupted**" in (here / "mine.out/report.md").read_text("utf-8")


def test_experiment_without_a_name_lists_all_experiments(capsys: Out) -> None:
    assert main(["experiment"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(experiments())
    assert [line for line in lines if not line.endswith(".")] == []
    assert main(["experiment", "--set", "folds=3"]) == 1
    assert capsys.readouterr().err.startswith("crossarc: experiment: no name given; allowed: bjorkelund-kuhn-2012, ")


@pytest.mark.parametrize("name", experiments())
def test_yaml_files_of_experiments_name_an_experiment(name: str) -> None:
    own = experiments()[name]
    assert experiment_of(str(own)) == name
    yamls = [*own.parent.glob("*.yaml"), *own.parent.glob("settings/*.yaml")]
    texts = [path.read_text("utf-8") for path in yamls if not path.name.endswith("tables.yaml")]
    named = [re.search(r"^experiment: (.*)$", text, re.M) for text in texts]
    assert all(found and found[1] in experiments() for found in named)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("folds: 3\n", "own.yaml: the key 'experiment' is missing; set it to the name of the experiment"),
        ("experiment: cros-validation\n", "own.yaml: experiment 'cros-validation' (did you mean 'cross-validation'?)"),
        ("- a\n", "own.yaml: expected a mapping of keys"),
    ],
)
def test_yaml_without_a_known_experiment_is_refused(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text(text)
    assert main(["experiment", "own.yaml"]) == 1
    assert capsys.readouterr().err.startswith(f"crossarc: {message}")


def test_yaml_of_another_experiment_and_two_yamls_are_refused(here: Path, capsys: Out) -> None:
    assert main(["experiment", "learners", "--config", "mine.yaml"]) == 1
    assert (
        "mine.yaml: experiment: found 'kuhlmann-nivre-2010', expected the experiment that is run"
        in capsys.readouterr().err
    )
    assert main(["experiment", "mine.yaml", "--config", "other.yaml"]) == 1
    assert "found two YAML files, mine.yaml and other.yaml; allowed: one" in capsys.readouterr().err


def test_zero_jobs_compute_nothing(tmp_path: Path) -> None:
    cell = runner.Cell("a", time.sleep, (100,))
    with pytest.raises(runner.UnfinishedError) as caught:
        runner.run_cells([cell], tmp_path, progress=lambda line: None, jobs=0)
    assert (caught.value.finished, caught.value.waiting) == ({}, ["a"])


def test_missing_yaml_of_an_experiment(tmp_path: Path) -> None:
    with pytest.raises(CrossarcError, match=r"none\.yaml"):
        experiment_of(str(tmp_path / "none.yaml"))
