"""Machine code in files: what is loaded is what was put there, by whom it may be put there, and what it spares."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from crossarc.parser.search import machine_code
from crossarc.parser.search.compiled import compiled_loop
from random_stages import random_stage

needs_numba = pytest.mark.skipif(
    not machine_code.available(), reason="numba, the extra crossarc[fast], is not installed"
)
CODE = b"machine code"


class Inner(NamedTuple):
    scale: np.float32
    shift: np.uint64


class Outer(NamedTuple):
    table: Any
    count: int
    inner: Inner


@needs_numba
def test_values_are_laid_out_as_the_compiler_does() -> None:
    """A function compiled for one word of memory after the other finds the same in both."""
    import numba

    table = np.arange(6, dtype=np.int32).reshape(2, 3)
    value = Outer(table, -5, Inner(np.float32(0.3), np.uint64(2**64 - 3)))
    kind = numba.types.CPointer(numba.typeof(value))

    @numba.cfunc(numba.types.void(kind, numba.types.CPointer(numba.types.float64)), _nrt=False)
    def read(where, out):  # type: ignore[no-untyped-def]
        own = where[0]
        out[0], out[1], out[2] = own.table[1, 2], own.table.shape[1], own.count
        out[3], out[4] = own.inner.scale, own.inner.shift & np.uint64(255)

    words = np.array(machine_code.laid_out(value), dtype=np.int64)
    out = np.zeros(5)
    read.ctypes(words.ctypes.data, out.ctypes.data_as(read.ctypes.argtypes[1]))
    assert out.tolist() == [5, 3, -5, float(np.float32(0.3)), 253]


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(machine_code, "_name", lambda: "kernel.o")
    return tmp_path / "kept"


def test_what_was_kept_is_found(folder: Path) -> None:
    assert not machine_code.is_kept()
    machine_code._keep(CODE)
    assert machine_code._found() == CODE
    assert [path.name for path in folder.iterdir()] == ["kernel.o"]


@pytest.mark.parametrize("at", [0, 40, -1])
def test_damaged_files_are_not_loaded(folder: Path, at: int) -> None:
    machine_code._keep(CODE)
    content = bytearray((folder / "kernel.o").read_bytes())
    content[at] ^= 1
    (folder / "kernel.o").write_bytes(content)
    assert machine_code._found() is None
    (folder / "kernel.o").write_bytes(b"")
    assert machine_code._found() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_files_that_others_may_write_are_not_loaded(folder: Path, mode: int) -> None:
    machine_code._keep(CODE)
    (folder / "kernel.o").chmod(mode)
    assert machine_code._found() is None


def test_nothing_is_kept_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    machine_code._keep(CODE)
    assert machine_code._found() is None


def test_without_a_choice_the_code_is_kept_beside_the_source_or_with_the_users_cached_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = Path(machine_code.__file__).parent
    assert list(machine_code._folders()) == [source / "__pycache__", tmp_path / "crossarc"]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert list(machine_code._folders()) == [source / "__pycache__"]


LATER = """
import sys, numpy as np
from random import Random
from random_stages import random_stage
from crossarc.parser.search.compiled import compiled_loop
stage, ids = random_stage("arc-standard", Random(1), [3], 9)
c, defaults = stage.system.initial(np.array([3])), np.zeros(1, dtype=np.int64)
compiled_loop(stage.guide(ids)).run(c, ids, defaults)
print(*c.heads_matrix()[0], "numba" in sys.modules)
"""


@needs_numba
def test_a_later_process_loads_the_loop_without_the_compiler() -> None:
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)
    c, defaults = stage.system.initial(np.array([3])), np.zeros(1, dtype=np.int64)
    loop = compiled_loop(stage.guide(ids))
    assert loop is not None
    loop.run(c, ids, defaults)
    support = Path(__file__).parents[2] / "support"
    environment = {**os.environ, "PYTHONPATH": str(support)}
    done = subprocess.run([sys.executable, "-c", LATER], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*map(str, c.heads_matrix()[0]), "False"]
