"""What many machines cost beside the work itself: calls that do nothing, through Dask, with more or less to carry.

    python -m crossarc.experiments.cluster_cost [--calls 40]

It starts a scheduler and workers on this machine. Needs the extra ``distributed``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from joblib import Parallel, delayed

from ..parser.cluster import on_cluster
from .harness.tables import markdown_table

__all__ = ["main"]

WORKERS = (2, 3)
"""Of one joblib has no need: what it would do is done by the head."""
MEGABYTES = (0.01, 1, 8)
HEADER = ("workers", "MB a call", "ms a call", "CPU ms of the head")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. The head is what begins the calls, and Dask's scheduler: here one process."""
    parser = argparse.ArgumentParser(prog="python -m crossarc.experiments.cluster_cost", description=__doc__)
    parser.add_argument("--calls", type=int, default=40)
    calls = parser.parse_args(arguments).calls
    from distributed import LocalCluster

    rows = []
    for number in WORKERS:
        with (
            LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as cluster,
            on_cluster(cluster.scheduler_address),
            Parallel(n_jobs=-1, batch_size=1) as parallel,
        ):
            for size in MEGABYTES:
                content = bytes(int(size * 1e6))
                parallel(delayed(len)(content) for _ in range(2))  # the workers have imported what they need
                wall, cpu = time.perf_counter(), time.process_time()
                parallel(delayed(len)(content) for _ in range(calls))
                spent = ((time.perf_counter() - wall) / calls, (time.process_time() - cpu) / calls)
                rows.append([str(number), f"{size:g}", *(f"{1000 * own:.1f}" for own in spent)])
    print(markdown_table(HEADER, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
