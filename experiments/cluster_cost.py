"""What many machines cost beside the work itself, and what two workers gain over one process.

    OMP_NUM_THREADS=1 python -m crossarc.experiments.cluster_cost [--calls 40] [--cells 8]

It starts schedulers and workers on this machine. Needs the extra ``distributed``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from joblib import Parallel, delayed

from ..parser.cluster import on_cluster
from ..parser.config.loading import load_config
from ..parser.evaluate.percent import Json
from .harness.generated import generated_entries
from .harness.parsing import performance_cell
from .harness.runner import run_cells
from .harness.tables import markdown_table

__all__ = ["main"]

WORKERS = (2, 3)
"""Of one joblib has no need: what it would do is done by the head."""
MEGABYTES = (0.01, 1, 8)
CALLS = ("workers", "MB a call", "ms a call", "CPU ms of the head")
SIZES = {"train": 4000, "test": 500}
"""Sentences of the generated treebank that the cells train and parse on."""
GAIN = ("cells computed by", "seconds by the clock", "times as fast")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables. The head is what begins the calls, and Dask's scheduler: here one process."""
    parser = argparse.ArgumentParser(prog="python -m crossarc.experiments.cluster_cost", description=__doc__)
    parser.add_argument("--calls", type=int, default=40, help="calls that do nothing (0: none)")
    parser.add_argument("--cells", type=int, default=8, help="parsers that are trained (0: none)")
    options = parser.parse_args(arguments)
    if options.calls:
        print(markdown_table(CALLS, [row for number in WORKERS for row in _calls(number, options.calls)]))
    if options.cells:
        print(markdown_table(GAIN, list(_gains(options.cells))))
    return 0


@contextmanager
def _cluster(number: int) -> Iterator[None]:
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as cluster,
        on_cluster(cluster.scheduler_address),
    ):
        yield


def _calls(number: int, calls: int) -> Iterator[list[str]]:
    with _cluster(number), Parallel(n_jobs=-1, batch_size=1) as parallel:
        for size in MEGABYTES:
            content = bytes(int(size * 1e6))
            parallel(delayed(len)(content) for _ in range(2))  # the workers have imported what they need
            wall, cpu = time.perf_counter(), time.process_time()
            parallel(delayed(len)(content) for _ in range(calls))
            spent = ((time.perf_counter() - wall) / calls, (time.process_time() - cpu) / calls)
            yield [str(number), f"{size:g}", *(f"{1000 * own:.1f}" for own in spent)]


def _gains(cells: int) -> Iterator[list[str]]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        alone = _seconds(folder / "one", cells, 1)
        yield ["one process", f"{alone:.1f}", ""]
        jobs = _seconds(folder / "two", cells, 2)
        yield ["--jobs 2", f"{jobs:.1f}", f"{alone / jobs:.2f}"]
        with _cluster(2):
            dask = _seconds(folder / "dask", cells, 1)
        yield ["two Dask workers", f"{dask:.1f}", f"{alone / dask:.2f}"]


def _seconds(folder: Path, cells: int, jobs: int) -> float:
    """By the clock, what so many cells take; all processes have imported and compiled what they need before."""
    (entry,) = generated_entries({"generated": SIZES}, folder)
    config = load_config("arc-standard")

    def run(names: Sequence[str]) -> Mapping[str, Json]:
        parsers = [performance_cell(name, config, entry.part("train"), entry.part("test")) for name in names]
        return run_cells(parsers, folder, jobs=jobs, progress=lambda _: None)

    run(["first", "second"])
    start = time.perf_counter()
    run([str(number) for number in range(cells)])
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
