"""Standard streams that are closed or full, and control characters in output."""

import contextlib
import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import few, run
from crossarc.parser.console.progress import Bars
from installed import needs

pytestmark = [
    pytest.mark.usefixtures("here"),
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full"),
]

TRAIN = ["train", "swap", "--train", "train.conllu", "--model", "own", *map(str, few())]
SHOWN = ["show test.conllu", "parse -q m test.conllu"]
NUMPY = {**os.environ, "CROSSARC_KERNEL": "numpy"}


def shell(command, streams):
    """Run crossarc in a shell with redirections such as ``>&-``, which closes standard output.

    The process uses numpy, because compiling code prints a message.
    """
    line = f"{shlex.quote(sys.executable)} -m crossarc {command} {streams}"
    return subprocess.run(["sh", "-c", line], capture_output=True, timeout=120, check=False, env=NUMPY)


@pytest.mark.parametrize("command", SHOWN)
@needs("analysis")
def test_closed_standard_output_is_reported_in_one_line(command):
    done = shell(command, ">&-")
    assert done.returncode == 1
    assert done.stderr.startswith(b"crossarc: <stdout>: ")
    assert done.stderr.count(b"\n") == 1


def test_help_on_closed_standard_output_prints_no_traceback():
    assert shell("--help", ">&-").stderr == b""


def test_writing_to_files_needs_no_standard_streams():
    """Messages to a closed standard error do not appear in the results."""
    assert shell("parse m test.conllu -o parsed", "<&- >&- 2>&-").returncode == 0
    assert run("parse", "-q", "m", "test.conllu", "-o", "expected") == 0
    expected = Path("expected").read_bytes()
    assert Path("parsed").read_bytes() == shell("parse m test.conllu", "2>&-").stdout == expected


def test_a_closed_input_is_reported_even_if_the_output_exists():
    Path("parsed").touch()
    done = shell("parse m - -o parsed", "<&-")
    assert done.stderr == b"crossarc: <stdin>: cannot be read: Bad file descriptor\n"


def test_training_continues_if_progress_cannot_be_reported():
    assert shell(shlex.join(TRAIN), "2>/dev/full").returncode == 0
    assert Path("own").exists()


def test_user_errors_keep_their_exit_status_if_no_message_can_be_written():
    assert shell("check nothing", ">/dev/full 2>&1").returncode == 1


def test_writing_and_closing_succeed_after_a_failed_write():
    with open("/dev/full", "w", encoding="utf-8") as full:
        line = Bars(full, terminal=False)
        line("one")
        line("two")


def test_errors_name_the_unreadable_file(capsys):
    if not Path("/proc/self/mem").exists():
        pytest.skip("no file that opens and cannot be read")
    assert run("parse", "-q", "m", "/proc/self/mem") == 1
    assert capsys.readouterr().err == "crossarc: /proc/self/mem: cannot be read: Input/output error\n"


@pytest.mark.parametrize(
    "command", ["check", "check --json", "show", "evaluate --full odd.conllu", "oracle swap --json"]
)
@needs("analysis")
def test_control_characters_in_files_are_not_printed(command, capsys):
    odd = "\x1b]0;title\x07\x9b31m"
    Path("odd.conllu").write_text(f"# sent_id = {odd}\n1\t{odd}\t_\t{odd}\tX\t_\t0\t{odd}\t_\t_\n\n", "utf-8")
    run(*command.split(), "odd.conllu")
    shown = "".join(capsys.readouterr())
    assert "title" in shown
    assert shown.replace("\n", "").replace("\t", "").isprintable()


def test_control_characters_stay_in_conll_output(capfdbinary):
    row = "1\t\x1b[31m\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    Path("odd.conllu").write_text(row, "utf-8")
    assert run("transform", "pseudo-projective", "odd.conllu") == 0
    assert capfdbinary.readouterr().out == row.encode()


def test_commands_write_to_a_text_stream_without_a_binary_one(tmp_path):
    """As notebooks have it."""
    file = tmp_path / "one.conllu"
    file.write_text("1\tä\t_\tX\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run("transform", "pseudo-projective", file) == 0
    assert out.getvalue() == file.read_text("utf-8")
