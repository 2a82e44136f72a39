"""The line of progress: on a fake terminal with a fake clock, in a log, and once on a real terminal."""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import conllu, run
from crossarc.parser.base.progress import Task, Watcher, counted, task
from crossarc.parser.console.progress import no_progress, progress_of
from crossarc.parser.console.progress_line import LOG_INTERVAL, PATIENCE, REDRAW, ProgressLine, duration, status
from hypothesis import given
from hypothesis import strategies as st


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that knows what a terminal shows: lines that stay, and the one that the cursor is in."""

    def screen(self) -> list[str]:
        lines = [[""]]
        row: list[str] = []
        column = 0
        lines = []
        for character in self.getvalue():
            if character == "\r":
                column = 0
            elif character == "\n":
                lines.append("".join(row).rstrip())
                row, column = [], 0
            else:
                row[column : column + 1] = [character]
                column += 1
        return [*lines, "".join(row).rstrip()]


def line_of(*, terminal: bool = True, width: int = 80) -> tuple[ProgressLine, Terminal, Clock]:
    stream, clock = Terminal(), Clock()
    return ProgressLine(stream, terminal=terminal, width=lambda: width, clock=clock, ticking=False), stream, clock


def test_what_is_done_soon_is_not_shown() -> None:
    line, stream, clock = line_of()
    for _ in counted(range(4), line, "reading", "files", 4):
        clock.now += PATIENCE / 5
    assert stream.getvalue() == ""


def test_one_line_is_rewritten_with_share_rate_and_time_left() -> None:
    line, stream, clock = line_of()
    with task(line, "parsing", "words", 10000) as advance:
        clock.now += 2
        advance(1000)
        assert stream.screen() == ["parsing: 10 %, 1000 of 10000 words, 500/s, 0:18 left"]
        clock.now += REDRAW / 2
        advance(1)
        assert stream.screen() == ["parsing: 10 %, 1000 of 10000 words, 500/s, 0:18 left"]
        clock.now += 18 - REDRAW / 2
        advance(8999)
        assert stream.screen() == ["parsing: 100 %, 10000 of 10000 words, 500/s, 0:00 left"]
    assert stream.screen() == [""]


def test_time_passes_while_a_solver_tells_nothing() -> None:
    line, stream, clock = line_of()
    with task(line, "training svm", expected=62.0):
        clock.now += 3
        line.tick()
        assert stream.screen() == ["training svm: 0:03 of about 1:02, by what was measured before"]
        clock.now += 70
        line.tick()
        assert stream.screen() == ["training svm: 1:13 of about 1:02, by what was measured before"]


def test_lines_stay_above_the_one_that_is_rewritten() -> None:
    line, stream, clock = line_of()
    with task(line, "training", "sentences", 100) as advance:
        clock.now += 5
        advance(50)
        line("epoch 1 of 2")
        assert stream.screen() == ["epoch 1 of 2", ""]
        clock.now += 5
        advance(25)
        assert stream.screen() == ["epoch 1 of 2", "training: 75 %, 75 of 100 sentences, 7.5/s, 0:03 left"]
    line("done")
    assert stream.screen() == ["epoch 1 of 2", "done", ""]


def test_the_innermost_task_is_shown() -> None:
    line, stream, clock = line_of()
    with task(line, "exploring", "folds", 2) as advance:
        with task(line, "training svm"):
            clock.now += 10
            line.tick()
            assert stream.screen() == ["training svm: 0:10"]
        clock.now += 10
        advance(1)
        assert stream.screen() == ["exploring: 50 %, 1 of 2 folds, 3.0/min, 0:20 left"]


def test_a_line_fits_the_terminal() -> None:
    line, stream, clock = line_of(width=20)
    with task(line, "training components", "components", 7):
        clock.now += 10
        line.tick()
        assert stream.screen() == ["training components"]


def test_logs_get_plain_lines_now_and_then() -> None:
    line, stream, clock = line_of(terminal=False)
    with task(line, "parsing", "words", 100) as advance:
        for _ in range(100):
            clock.now += LOG_INTERVAL / 20
            advance(1)
    assert "\r" not in stream.getvalue()
    assert stream.getvalue().splitlines() == [
        f"parsing: {n} %, {n} of 100 words, 1.3/s, {left} left"
        for n, left in ((20, "1:00"), (40, "0:45"), (60, "0:30"), (80, "0:15"), (100, "0:00"))
    ]


def test_what_an_error_leaves_behind_is_taken_away() -> None:
    """A generator that nobody finished ends its task late, when others may have begun."""
    line, stream, clock = line_of()
    abandoned = counted(range(9), line, "reading", "files")
    next(abandoned)
    clock.now += 2
    line.tick()
    line.close()
    assert stream.screen() == [""]
    with task(line, "next"):
        abandoned.close()
        clock.now += 2
        line.tick()
        assert stream.screen() == ["next: 0:02"]


def test_a_thread_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossarc.parser.console.progress_line.TICK", 0.01)
    stream, clock = Terminal(), Clock()
    line = ProgressLine(stream, terminal=True, clock=clock)
    with task(line, "training"):
        clock.now += 5
        end = time.monotonic() + 20
        while not stream.getvalue() and time.monotonic() < end:
            time.sleep(0.005)
        assert stream.screen() == ["training: 0:05"]


@given(
    total=st.none() | st.floats(0, 1e9),
    done=st.floats(0, 2e9),
    seconds=st.floats(0, 1e6),
    unit=st.sampled_from(["", "words"]),
)
def test_a_status_is_one_line_whatever_the_numbers(total: float, done: float, seconds: float, unit: str) -> None:
    line = status(Task("parsing", unit, total), done, seconds)
    assert line.startswith("parsing: ")
    assert line == line.strip()
    assert "\n" not in line
    assert " 101 %" not in line


@given(st.integers(0, 10**6))
def test_durations_are_read_back(seconds: int) -> None:
    total = 0
    for part in duration(seconds).split(":"):
        total = 60 * total + int(part)
    assert total == seconds


def test_quiet_commands_tell_nobody() -> None:
    with progress_of(argparse.Namespace(quiet=True)) as progress:
        assert progress is no_progress
    with progress_of(argparse.Namespace(quiet=False)) as progress:
        assert isinstance(progress, Watcher)


def test_every_long_command_says_nothing_with_quiet(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ("train", "arc-standard", "--train", "train.conllu", "--model", "n", "--set", "features=few.yaml", "-q"),
        ("parse", "m", "test.conllu", "-o", "parsed.conllu", "--quiet"),
        ("evaluate", "test.conllu", "parsed.conllu", "-q"),
        ("blend", "parsed.conllu", "test.conllu", "-o", "blended.conllu", "-q"),
        ("compare", "test.conllu", "parsed.conllu", "blended.conllu", "-q"),
        ("blend", "parsed.conllu", "test.conllu", "--learn", "test.conllu", "-o", "w.json", "-q"),
        ("oracle", "swap", "test.conllu", "-q"),
        ("generate", "--sentences", "3", "-o", "generated.conllu", "-q"),
    ):
        status = run(*arguments)
        assert (status, capfd.readouterr().err) == (0, "")


PATIENT = """
import sys, time
import crossarc.parser.console.progress_line as progress
progress.PATIENCE = progress.REDRAW = 0.0
from crossarc.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_on_a_real_terminal(tmp_path: Path) -> None:
    own, theirs = os.openpty()
    words = ["generate", "--sentences", "50", "-o", str(tmp_path / "generated.conllu")]
    done = subprocess.run([sys.executable, "-c", PATIENT, *words], stderr=theirs, stdout=subprocess.PIPE, timeout=120)
    os.close(theirs)
    shown = os.read(own, 65536).decode()
    os.close(own)
    assert done.returncode == 0
    assert (tmp_path / "generated.conllu").read_text("utf-8") == conllu(1, 50)
    versions = [part.rstrip() for part in shown.split("\r") if part.strip()]
    assert versions[0].startswith("generating: 2 %, 1 of 50 sentences, ")
    assert versions[-1].startswith("generating: 100 %, 50 of 50 sentences, ")
    assert "\n" not in shown
    assert shown.endswith("\r")
