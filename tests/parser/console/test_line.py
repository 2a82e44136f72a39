"""Errors of the operating system during a command: each is reported in one line."""

import errno

import pytest
from command_line import run
from crossarc.parser.commands import evaluate

OF_MEMORY = "out of memory; try a smaller file at a time"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.EMFILE, "Too many open files", "a"), "a: Too many open files"),
        (OSError(errno.ENOSPC, "No space left on device"), "<stdout>: No space left on device"),
        (OSError(errno.ENOENT, "No such file or directory"), "No such file or directory"),
        (OSError("a library\nis not there"), "a library is not there"),
        (MemoryError(), OF_MEMORY),
        (ImportError("libx.so: failed to map segment from shared object"), OF_MEMORY),
        (ImportError("libx: cannot open shared object file: Cannot allocate memory"), OF_MEMORY),
    ],
)
def test_system_errors_are_reported_in_one_line(error, told, monkeypatch, capsys):
    def refused(options):
        raise error

    monkeypatch.setattr(evaluate, "run_evaluate", refused)
    assert run("evaluate", "a", "b") == 1
    assert capsys.readouterr().err == f"crossarc: {told}\n"


def test_other_errors_are_not_hidden(monkeypatch):
    def refused(options):
        raise ImportError("No module named 'x'")

    monkeypatch.setattr(evaluate, "run_evaluate", refused)
    with pytest.raises(ImportError):
        run("evaluate", "a", "b")
