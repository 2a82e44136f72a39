"""What a command costs: a process of its own, with one thread, files in and files out."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import NamedTuple

from ...parser.errors import CrossarcError

__all__ = ["Cost", "Speed", "cost", "crossarc", "peer_command", "speed"]

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024


class Cost(NamedTuple):
    """Seconds of processor time, user and system, of a command and all it starts; seconds that passed; peak memory in
    MB, of the largest of its processes."""

    cpu: float
    wall: float
    memory: float


class Speed(NamedTuple):
    """Tokens per CPU second, and per second that passed, of what a long file costs more than a short one; peak memory
    in MB for the long one, and CPU seconds for the short one. None where the machine was so busy that the long one cost
    less."""

    cpu: float | None
    wall: float | None
    memory: float
    start: float


def crossarc(*words: object) -> list[str]:
    """The command line ``crossarc`` with these words."""
    return [sys.executable, "-m", "crossarc", *map(str, words)]


def peer_command(text: str, source: str, target: str, conllx: str = "") -> list[str]:
    """A command as people write it, with the files in the place of {file}, the same in CoNLL-X {conllx}, and {out}."""
    return [word.format(file=source, out=target, conllx=conllx) for word in shlex.split(text)]


def cost(command: Sequence[str], kernel: str = "", bytecode: Path | None = None) -> Cost:
    """Run a command. kernel: "numpy" keeps crossarc from compiling. bytecode: a folder where Python keeps compiled
    modules, as installed ones have them; else the environment says. Raises CrossarcError with what the command says if
    it fails."""
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "CROSSARC_KERNEL": kernel}
    if bytecode:
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
    begin = time.monotonic()
    with tempfile.TemporaryFile() as said:
        try:
            process = Popen(command, env=environment, stdout=DEVNULL, stderr=said)
        except OSError as error:
            raise CrossarcError(f"{command[0]}: cannot be run: {error.strerror}") from error
        _, status, usage = os.wait4(process.pid, 0)
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    if process.returncode:
        raise CrossarcError(f"{shlex.join(command)}: {lines[-1] if lines else 'no message'}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * BYTES_PER_UNIT / 1e6)


def speed(short: tuple[int, Cost], long: tuple[int, Cost]) -> Speed:
    """From what files of so many tokens cost. Start-up, which both have, does not count."""
    tokens = long[0] - short[0]
    cpu, wall = long[1].cpu - short[1].cpu, long[1].wall - short[1].wall
    own, passed = (tokens / seconds if seconds > 0 else None for seconds in (cpu, wall))
    return Speed(own, passed, long[1].memory, short[1].cpu)
