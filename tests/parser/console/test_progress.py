"""Progress of commands: bars on a terminal, lines in a log, and nothing with ``--quiet``."""

import io
import os
import subprocess
import sys
import time

import pytest
from command_line import conllu, run
from crossarc.parser.base.progress import counted, task
from crossarc.parser.console.progress import Bars
from installed import needs


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    for name in ("PATIENCE", "REDRAW", "LOG_INTERVAL"):
        monkeypatch.setattr(f"crossarc.parser.console.progress.{name}", 0.01)


@pytest.fixture
def stream():
    return io.StringIO()


def wait(stream, text):
    """Wait until the stream contains the text."""
    end = time.monotonic() + 20
    while text not in stream.getvalue():
        assert time.monotonic() < end, stream.getvalue()
        time.sleep(0.005)


def test_bars_are_updated_and_removed(stream):
    bars = Bars(stream, terminal=True)
    with task(bars, "parsing", "words", 10000) as advance:
        advance(1000)
        wait(stream, "parsing:  10%|")
        advance(9000)
        wait(stream, " 10000/10000 [")
        bars("a line")
    assert "\ra line\n" in stream.getvalue()
    assert stream.getvalue().endswith(" \r")
    assert stream.getvalue().count("\n") == 1
    bars("another")
    assert stream.getvalue().endswith(" \ranother\n")


def test_short_tasks_are_not_shown(stream, monkeypatch):
    monkeypatch.setattr("crossarc.parser.console.progress.PATIENCE", 60)
    bars = Bars(stream, terminal=True)
    for number in counted(range(4), bars, "reading", "files", 4):
        time.sleep(0.02)
        bars(f"line {number}")
    assert stream.getvalue() == "line 0\nline 1\nline 2\nline 3\n"


def test_elapsed_time_is_updated_without_progress(stream):
    with task(Bars(stream, terminal=True), "training svm"):
        wait(stream, "training svm: 00:01")


def test_logs_contain_plain_lines_about_the_innermost_task(stream):
    bars = Bars(stream, terminal=False)
    with task(bars, "exploring", "folds", 2), task(bars, "parsing", "words", 100) as advance:
        advance(20)
        wait(stream, "parsing:  20% 20/100 [")
        with task(bars, "training"):
            wait(stream, "training: 00:00\n")
        wait(stream, " words/s]\n")
    bars("over")
    assert stream.getvalue().endswith("\nover\n")
    assert "exploring" not in stream.getvalue()
    assert stream.getvalue().replace("\n", "").isprintable()


def test_control_characters_in_lines_are_replaced(stream):
    Bars(stream, terminal=True)("\x1b]0;title\x07")
    assert stream.getvalue() == "\ufffd]0;title\ufffd\n"


def test_tasks_may_end_in_any_order(stream):
    """An unfinished generator ends its task when it is closed, after another task has begun."""
    bars = Bars(stream, terminal=True)
    abandoned = counted(range(9), bars, "reading", "files")
    next(abandoned)
    wait(stream, "reading")
    with task(bars, "next"):
        abandoned.close()
        wait(stream, "next: 00:00")
    assert stream.getvalue().endswith("\r")


@needs("analysis", "blending")
def test_long_commands_print_no_messages_with_quiet(here, capfd):
    for arguments in (
        ("train", "arc-standard", "--train", "train.conllu", "--model", "n", "--set", "features=few.yaml", "-q"),
        ("--quiet", "parse", "m", "test.conllu", "-o", "parsed.conllu"),
        ("evaluate", "test.conllu", "parsed.conllu", "-q"),
        ("blend", "parsed.conllu", "test.conllu", "-o", "blended.conllu", "-q"),
        ("evaluate", "test.conllu", "parsed.conllu", "blended.conllu", "-q"),
        ("blend", "parsed.conllu", "test.conllu", "--learn", "test.conllu", "-o", "w.json", "-q"),
        ("oracle", "swap", "test.conllu", "-q"),
        ("generate", "--sentences", "3", "-o", "generated.conllu", "-q"),
    ):
        status = run(*arguments)
        assert (status, capfd.readouterr().err) == (0, "")


PATIENT = """
import sys, time
import crossarc.parser.console.progress as progress
progress.PATIENCE, progress.REDRAW = 0.0, 0.05
import crossarc.experiments.synthetic.command as command
command.generate = lambda options, own=command.generate: (time.sleep(0.02) or made for made in own(options))
from crossarc.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_bars_use_one_line_of_a_real_terminal(tmp_path):
    import termios

    own, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    words = ["generate", "--sentences", "50", "-o", str(tmp_path / "generated.conllu")]
    done = subprocess.run([sys.executable, "-c", PATIENT, *words], stderr=theirs, stdout=subprocess.PIPE, timeout=120)
    os.close(theirs)
    shown = os.read(own, 65536).decode()
    os.close(own)
    assert done.returncode == 0
    assert (tmp_path / "generated.conllu").read_text("utf-8") == conllu(1, 50)
    versions = [part.rstrip() for part in shown.split("\r") if part.strip()]
    assert versions
    assert all(version.startswith("generating: ") for version in versions)
    assert "\n" not in shown
    assert shown.endswith("\r")


def test_short_commands_do_not_import_tqdm(here):
    code = "import sys; from crossarc.__main__ import main; sys.exit(main(sys.argv[1:]) or 'tqdm' in sys.modules)"
    words = ["parse", "m", "test.conllu", "-o", "parsed.conllu"]
    assert subprocess.run([sys.executable, "-c", code, *words], check=False, timeout=120).returncode == 0
