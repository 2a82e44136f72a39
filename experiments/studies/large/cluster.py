"""Parsing by worker processes of Dask, one of which is killed, beside parsing by one process.

    python -m crossarc.experiments.studies.large.cluster MODEL FILE [--workers 2]

prints a line for each way: seconds, words per second, the peak memory of the command, and whether its output is that of
one process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from typing import NamedTuple

KILLED_AFTER = 0.5
"""Share of the time of an undisturbed run after which a worker is killed."""
MOST_SECONDS = 60
"""Seconds within which the workers must have started."""
WORD = re.compile(rb"^\d+\t", re.M)
BLOCK = 2**24


class Run(NamedTuple):
    """Wall-clock seconds, peak memory of the command in MB, and a digest of the output."""

    seconds: float
    megabytes: float
    digest: str


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[Popen[bytes]]]]:
    """A scheduler and its workers, each a process with one thread: (the address, the workers)."""
    from distributed import Client  # of the extra ``distributed``

    file = folder / "scheduler.json"
    with ExitStack() as stack:

        def start(program: str, *words: str) -> Popen[bytes]:
            line = [sys.executable, "-m", f"distributed.cli.{program}", "--scheduler-file", str(file), "--no-dashboard"]
            process = Popen([*line, *words], stdout=DEVNULL, stderr=DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process

        scheduler = start("dask_scheduler", "--port", "0")
        while not file.exists() or not file.read_text("utf-8").endswith("}"):
            if scheduler.poll() is not None:
                raise SystemExit("the scheduler of Dask cannot start")
            time.sleep(0.1)
        address = json.loads(file.read_text("utf-8"))["address"]
        started = [start("dask_worker", "--nthreads", "1", "--no-nanny") for _ in range(workers)]
        with Client(address) as client:
            client.wait_for_workers(workers, timeout=MOST_SECONDS)
        yield address, started


def parsed(
    model: str, file: str, folder: Path, jobs: str = "1", victim: tuple[Popen[bytes], float] | None = None
) -> Run:
    """Parse a file by the command ``crossarc parse``.

    victim: a worker to kill, and the seconds after which it is killed.
    """
    output = folder / "parsed.conllu"
    words = [sys.executable, "-m", "crossarc", "-q", "parse", model, file, "--jobs", jobs, "-o", str(output)]
    begin = time.perf_counter()
    with Popen(words) as command:
        if victim is not None:
            worker, seconds = victim
            time.sleep(seconds)
            worker.kill()
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
    if command.returncode:
        raise SystemExit(f"{' '.join(words)}: status {command.returncode}")
    spent = time.perf_counter() - begin
    with output.open("rb") as trees:
        return Run(spent, usage.ru_maxrss / 1000, hashlib.file_digest(trees, "sha256").hexdigest())


def words_in(file: str) -> int:
    """The number of words of a CoNLL-U file."""
    with open(file, "rb") as rows:
        return sum(len(WORD.findall(b"".join(lines))) for lines in iter(lambda: rows.readlines(BLOCK), []))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if an output differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("file", help="CoNLL-U, not compressed")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="crossarc-") as name:
        folder = Path(name)
        runs = {"one process": parsed(options.model, options.file, folder)}
        with cluster(options.workers, folder) as (address, workers):
            jobs = f"dask={address}"
            runs[f"{options.workers} workers"] = whole = parsed(options.model, options.file, folder, jobs)
            killed = workers[0], KILLED_AFTER * whole.seconds
            runs["one of them killed"] = parsed(options.model, options.file, folder, jobs, killed)
    words, expected = words_in(options.file), runs["one process"].digest
    for way, run in runs.items():
        same = "same output" if run.digest == expected else "OTHER OUTPUT"
        print(f"{way}: {run.seconds:.1f} s, {words / run.seconds:.0f} words/s, {run.megabytes:.0f} MB, {same}")
    return int(any(run.digest != expected for run in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
