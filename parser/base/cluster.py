"""Computing on several machines, through joblib's Dask backend.

The workers read the same files under the same paths as the machine that sends a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...version import __version__
from .errors import CrossarcError

PATIENCE = 10
"""Seconds within which a scheduler must answer."""


@contextmanager
def on_cluster(scheduler: str | None) -> Iterator[None]:
    """Send joblib's calls to the workers of a Dask scheduler inside the block.

    scheduler: address of the scheduler; None runs all calls on this machine.

    Raises CrossarcError if Dask is not installed, if no worker answers, or if one has another version of crossarc.
    """
    if not scheduler:
        yield
        return
    from joblib import parallel_config  # importing joblib takes longer than parsing a sentence

    try:
        from distributed import Client
    except ImportError:
        needed = "needs distributed; install crossarc with the extra: crossarc[distributed]"
        raise CrossarcError(f"--backend dask: {needed}") from None
    try:
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CrossarcError(f"--backend dask={scheduler}: no worker can be reached: {reason}") from None
    with client, parallel_config(backend="dask", client=client):
        found = {*client.run(_version).values()}
        if found != {__version__}:
            raise CrossarcError(f"workers have crossarc {', '.join(sorted(found))}; allowed: {__version__}")
        yield


def workers() -> int:
    """Return the number of calls that can run in parallel now."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(-1))


def _version() -> str:
    return __version__
