"""Commands ended by signals: one line, the exit status that shells expect, and no files or processes left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import conllu

SIGNALS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}


def start(*words, ignored=(), quiet=True):
    """Start a command in a separate process group, without compiled code."""

    def prepare():
        # background processes of a shell ignore SIGINT, and so do the processes that they start
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    pipe = subprocess.PIPE
    line = [sys.executable, "-m", "crossarc", *(["-q"] if quiet else []), *map(str, words)]
    numpy = {**os.environ, "CROSSARC_KERNEL": "numpy"}
    return subprocess.Popen(
        line, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=prepare, start_new_session=True, env=numpy
    )


def wait_for(there):
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until
        time.sleep(0.02)


def end(process, number, kill=os.kill):
    """(status, standard error). The latter ends when the last process that has it open ends."""
    kill(process.pid, number)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_unfinished_files_are_removed(here, number):
    before = sorted(here.iterdir())
    with start("parse", "m", "-", "-o", "x") as process:
        process.stdin.write(Path("test.conllu").read_bytes())
        process.stdin.flush()
        wait_for(lambda: list(here.glob(".x.*.part")))
        assert end(process, number) == (128 + number, f"crossarc: {SIGNALS[signal.Signals(number)]}\n".encode())
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("jobs", "number", "kill"),
    [(1, signal.SIGTERM, os.killpg), (2, signal.SIGINT, os.killpg), (2, signal.SIGTERM, os.kill)],
)
def test_no_process_is_left(here, jobs, number, kill):
    """The command waits because nothing reads its output and the pipe is full. Terminals send signals to all processes,
    batch systems often to the first one only.
    """
    Path("many.conllu").write_text(conllu(1, 100) * 30)
    with start("parse", "m", "many.conllu", "--jobs", jobs) as process:
        assert process.stdout.read(1)
        assert end(process, number, kill) == (128 + number, f"crossarc: {SIGNALS[signal.Signals(number)]}\n".encode())


def test_streaming_answers_each_sentence_and_can_be_terminated(here):
    """The next sentence is sent after the answer, of which the last line is blank."""
    with start("parse", "m", "-", "--stream") as process:
        for number in (1, 2):
            process.stdin.write(conllu(number, 1).encode())
            process.stdin.flush()
            assert all(iter(process.stdout.readline, b"\n"))
        assert end(process, signal.SIGTERM) == (143, b"crossarc: terminated\n")


def test_ignored_signals_stay_ignored(here):
    """The command ``nohup`` starts processes that ignore SIGHUP."""
    with start("parse", "m", "-", "-o", "x", ignored=[signal.SIGHUP]) as process:
        process.stdin.write(Path("test.conllu").read_bytes())
        process.stdin.flush()
        wait_for(lambda: list(here.glob(".x.*.part")))
        process.send_signal(signal.SIGHUP)
        assert process.communicate(timeout=60) == (b"", b"")
        assert process.returncode == 0
    assert Path("x").is_file()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_training_leaves_no_unfinished_files(here, number):
    Path("more.conllu").write_text(conllu(1, 100) * 3)
    words, told = ["train", "swap", "--train", "more.conllu", "--set", "features=rich", "--model", "x"], b"training svm"
    before = sorted(here.iterdir())
    with start(*words, quiet=False) as process:
        while told not in process.stderr.readline():
            assert process.poll() is None
        status, rest = end(process, number)
    assert status in (128 + number, -number)  # Python may end itself with SIGINT; shells show the same for both
    assert rest.splitlines()[-1] == f"crossarc: {SIGNALS[signal.Signals(number)]}".encode()
    assert b"Error" not in rest
    assert [path for path in here.rglob("*") if path.name.endswith((".part", ".lock"))] == []
    assert sorted(here.iterdir()) == before
