"""Runs of experiments: their scores, their reports, and the sections that the templates of reports declare."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from crossarc.__main__ import main
from crossarc.experiments.harness.registry import report_template

__all__ = ["ExperimentRun", "missing_tables", "refused_experiment", "run_experiment"]


class ExperimentRun(NamedTuple):
    """The output of an experiment: ``scores.json``, ``report.md``, and the folder of all files."""

    scores: dict[str, Any]
    report: str
    out: Path

    @property
    def figures(self) -> dict[str, Any]:
        """The rounded figures in ``results.json``."""
        figures: dict[str, Any] = json.loads((self.out / "results.json").read_text("utf-8"))["figures"]
        return figures


def run_experiment(name: str, folder: Path, *more: str, settings: str = "", out: str = "out") -> ExperimentRun:
    """Run ``crossarc experiment`` with ``mine.yaml`` of a folder.

    more: further words of the command.
    settings: text to write to ``mine.yaml`` before the run ("": the file exists).
    out: folder for the output, in ``folder``.
    """
    assert main(_command(name, folder, more, settings, out)) == 0
    scores = json.loads((folder / out / "scores.json").read_text("utf-8"))
    return ExperimentRun(scores, (folder / out / "report.md").read_text("utf-8"), folder / out)


def refused_experiment(
    capsys: pytest.CaptureFixture[str], name: str, folder: Path, *more: str, settings: str = ""
) -> str:
    """The message of an experiment that is refused, which must have one line. See :func:`run_experiment`."""
    assert main(_command(name, folder, ("-q", *more), settings, "refused")) == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


def missing_tables(experiment: str, report: str) -> list[str]:
    """The titles of declared sections that a report lacks; a table without figures is left out of the report."""
    template = report_template(experiment).read_text("utf-8")
    titles = [json.loads(title) for title in re.findall(r'section\(("(?:[^"\\]|\\.)*")', template)]
    assert titles
    return [title for title in titles if f"\n## {title}\n" not in report]


def _command(name: str, folder: Path, more: tuple[str, ...], settings: str, out: str) -> list[str]:
    file = folder / "mine.yaml"
    if settings:
        file.write_text(settings, "utf-8")
    return ["experiment", name, "--config", str(file), "--out", str(folder / out), *more]
