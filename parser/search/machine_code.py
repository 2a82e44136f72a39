"""The compiled loop as machine code in a file, which later processes load without a compiler.

Importing numba and having it find what it has compiled takes most of a second; the code itself is loaded in a few
milliseconds by llvmlite, the library that numba compiles with. So numba is imported where there is no such file, and
makes it. Files are kept where Python keeps compiled modules, or in the folder for the user's cached files, or in the
one that NUMBA_CACHE_DIR names; one that somebody else may have written is never loaded.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...features import extractor, plan
from ...transitions import arrays, program
from ..base.errors import CrossarcError
from ..learners import key_index
from ..treebank import atomic_output
from . import lanes, tables

__all__ = ["available", "is_kept", "laid_out", "loop"]

SYMBOL = "crossarc_derive"
DIGEST = hashlib.sha256().digest_size
NAME = "kernel-{}.o"
OWN = "kernel.py", "kernel_program.py", "kernel_features.py", "jit.py"
CALLED = (extractor, plan, arrays, program, key_index, lanes, tables)
"""The modules that say what the loop does, beside those that numba compiles."""


@cache
def available() -> bool:
    """Whether numba is installed (the extra ``crossarc[fast]``)."""
    return find_spec("numba") is not None


def is_kept() -> bool:
    """Whether the loop can be had without compiling anything."""
    return available() and _found() is not None


def laid_out(value: Any) -> list[int]:
    """The words of 64 bits that numba holds a value in: a whole number, a float32, an array in C order, or a tuple of
    such values. Of an array: two that are nothing here, its size, the bytes of an item, where it begins, its shape, and
    the steps from one item to the next along each axis."""
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    if isinstance(value, tuple):
        return [word for part in value for word in laid_out(part)]
    if isinstance(value, np.float32):
        return [int(value.view(np.uint32))]
    return [int(np.uint64(value).view(np.int64)) if isinstance(value, np.uint64) else int(value)]


def loop(arguments: Sequence[Any]) -> Callable[..., None]:
    """The compiled loop, :func:`.kernel.derive`, for arguments of the types of these."""
    code = _found()
    if code is None:
        from .jit import machine_code  # imports numba
        from .kernel import derive

        code = machine_code(derive, SYMBOL, arguments)
        _keep(code)
    function = _linked(code)

    def call(*arguments: Any) -> None:
        words = [np.array(laid_out(argument), dtype=np.int64) for argument in arguments]
        function(*(own.ctypes.data for own in words))

    return call


@cache
def _linked(code: bytes) -> Callable[[int, int, int], None]:
    """The function of an object file, for the places of its arguments. It is there as long as the process."""
    import llvmlite.binding as llvm  # takes longer to import than it takes to parse a few sentences

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    place = ctypes.c_void_p
    function = ctypes.CFUNCTYPE(None, place, place, place)(engine.get_function_address(SYMBOL))

    def call(*places: int) -> None:
        function(*places)
        assert engine  # it owns the code

    return call


def _found() -> bytes | None:
    """The code in the first file that has what was put there."""
    for folder in _folders():
        with suppress(OSError):
            content = _trusted(folder / _name())
            if hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]:
                return content[DIGEST:]
    return None


def _trusted(path: Path) -> bytes:
    """What is in a file of this user, or the system's, that nobody else may write. Raises OSError for any other."""
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        if hasattr(os, "getuid"):
            others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if others or status.st_uid not in (0, os.getuid()):
                raise PermissionError(f"{path}: others may write it")
        return file.read()


def _keep(code: bytes) -> None:
    """Put the code into the first folder that can be written to; without one, the next process compiles again."""
    for folder in _folders():
        with suppress(OSError, CrossarcError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / _name()
            with atomic_output(os.fspath(path)) as out:
                out.write(hashlib.sha256(code).digest() + code)
            path.chmod(0o644)
            return


def _folders() -> Iterator[Path]:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
        return
    yield Path(__file__).parent / "__pycache__"
    cached = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(cached):  # users may have no home
        yield Path(cached) / "crossarc"


@cache
def _name() -> str:
    """The file's name: other sources, another compiler or processor have another one."""
    import llvmlite.binding as llvm

    facts = [version("numba"), version("llvmlite"), llvm.get_default_triple()]
    facts += [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    seen = hashlib.sha256("\n".join(facts).encode())
    for path in (*(Path(__file__).parent / name for name in OWN), *(Path(str(own.__file__)) for own in CALLED)):
        seen.update(path.read_bytes())
    return NAME.format(seen.hexdigest()[:32])
