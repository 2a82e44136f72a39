"""Compiled loops where there is a place to keep their code, and where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from crossarc.parser.base.compiling import compiler

PROGRAM = """
import sys
from numba.core import caching
from crossarc.parser.base.compiling import compiler
if sys.argv[2:] == ["nowhere"]:  # as in a read-only installation for a user who has no home
    (getattr(caching, "CacheImpl", None) or caching._CacheImpl)._locator_classes = []
def full(*arguments):
    raise OSError(28, "No space left on device")
if sys.argv[2:] == ["full"]:
    caching.IndexDataCacheFile.save = full
sys.path.insert(0, sys.argv[1])
from loops import double
print(compiler()(double)(21))
"""


@pytest.mark.parametrize("words", [(), ("nowhere",), ("full",)])
def test_a_loop(words: Sequence[str], tmp_path: Path) -> None:
    if compiler() is None:
        pytest.skip("numba is not installed: the extra crossarc[fast]")
    (tmp_path / "loops.py").write_text("def double(number):\n    return 2 * number\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), *words],
        capture_output=True,
        check=False,
        text=True,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (done.stdout, done.stderr) == ("42\n", "")
    assert bool(list(tmp_path.rglob("*.nbi"))) == (not words)


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert compiler() is None


def test_learners_have_their_loops_where_no_code_is_kept() -> None:
    if compiler() is None:
        pytest.skip("numba is not installed: the extra crossarc[fast]")
    program = """
from numba.core import caching
(getattr(caching, "CacheImpl", None) or caching._CacheImpl)._locator_classes = []
from crossarc.parser.learners.linear.crammer_singer import compiled_solver
from crossarc.parser.learners.linear.scoring import compiled
print(compiled_solver() is not None, compiled() is not None)
"""
    environment = {name: value for name, value in os.environ.items() if name != "CROSSARC_KERNEL"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True, env=environment)
    assert (done.stdout, done.stderr) == ("True True\n", "")
