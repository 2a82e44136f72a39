"""Commands ended by signals: one line, the exit status that shells expect, and no files or processes left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command_line import conllu

SIGNALS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}


def start(*words: object, ignored: Sequence[int] = (), quiet: bool = True) -> subprocess.Popen[bytes]:
    """Start a command in a separate process group, without compiled code."""

    def prepare() -> None:
        # background processes of a shell ignore SIGINT, and so do the processes that they start
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    pipe = subprocess.PIPE
    line = [sys.executable, "-m", "crossarc", *(["-q"] if quiet else []), *map(str, words)]
    numpy = {**os.environ, "CROSSARC_KERNEL": "numpy"}
    return subprocess.Popen(
        line, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=prepare, start_new_session=True, env=numpy
    )


def wait_for(there: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until
        time.sleep(0.02)


def end(process: subprocess.Popen[bytes], number: int, kill: Callable[[int, int], None] = os.kill) -> tuple[int, bytes]:
    """(status, standard error). The latter ends when the last process that has it open ends."""
    kill(process.pid, number)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_unfinished_files_are_removed(here: Path, number: int) -> None:
    before = sorted(here.iterdir())
    with start("parse", "m", "-", "-o", "x") as process:
        assert process.stdin is not None
        process.stdin.write(Path("test.conllu").read_bytes())
        process.stdin.flush()
        wait_for(lambda: list(here.glob(".x.*.part")))
        assert end(process, number) == (128 + number, f"crossarc: {SIGNALS[signal.Signals(number)]}\n".encode())
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("jobs", "number", "kill"),
    [(1, signal.SIGTERM, os.killpg), (2, signal.SIGINT, os.killpg), (2, signal.SIGTERM, os.kill)],
)
def test_no_process_is_left(here: Path, jobs: int, number: int, kill: Callable[[int, int], None]) -> None:
    """The command waits because nothing reads its output and the pipe is full. Terminals send signals to all processes,
    batch systems often to the first one only.
    """
    Path("many.conllu").write_text(conllu(1, 100) * 30)
    with start("parse", "m", "many.conllu", "--jobs", jobs) as process:
        assert process.stdout is not None
        assert process.stdout.read(1)
        assert end(process, number, kill) == (128 + number, f"crossarc: {SIGNALS[signal.Signals(number)]}\n".encode())


def test_streaming_can_be_terminated(here: Path) -> None:
    sentence = conllu(1, 1).encode()
    with start("parse", "m", "-", "--stream") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(sentence)
        process.stdin.flush()
        assert process.stdout.readline()
        assert end(process, signal.SIGTERM) == (143, b"crossarc: terminated\n")


def test_ignored_signals_stay_ignored(here: Path) -> None:
    """The command ``nohup`` starts processes that ignore SIGHUP."""
    with start("parse", "m", "-", "-o", "x", ignored=[signal.SIGHUP]) as process:
        assert process.stdin is not None
        process.stdin.write(Path("test.conllu").read_bytes())
        process.stdin.flush()
        wait_for(lambda: list(here.glob(".x.*.part")))
        process.send_signal(signal.SIGHUP)
        assert process.communicate(timeout=60) == (b"", b"")
        assert process.returncode == 0
    assert Path("x").is_file()


@pytest.mark.parametrize(("command", "number"), [("train", signal.SIGINT), ("tune", signal.SIGTERM)])
def test_ended_training_leaves_no_unfinished_files(here: Path, command: str, number: int) -> None:
    Path("more.conllu").write_text(conllu(1, 100) * 6)
    data = ["--train", "more.conllu", "--set", "features=rich"]
    words, told = {
        "train": (["train", "swap", *data, "--model", "x"], b"training svm"),
        "tune": (["tune", "swap", *data, "--dev", "test.conllu", "--minutes", "1", "--out", "x"], b"sentences: "),
    }[command]
    before = sorted(here.iterdir())
    with start(*words, quiet=False) as process:
        assert process.stderr is not None
        while told not in process.stderr.readline():
            assert process.poll() is None
        status, rest = end(process, number)
    assert status in (128 + number, -number)  # Python may end itself with SIGINT; shells show the same for both
    assert rest.splitlines()[-1] == f"crossarc: {SIGNALS[signal.Signals(number)]}".encode()
    assert b"Error" not in rest
    assert [path for path in here.rglob("*") if path.name.endswith((".part", ".lock"))] == []
    assert command == "tune" or sorted(here.iterdir()) == before
