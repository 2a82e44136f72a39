"""Computing on several machines, through joblib's Dask backend.

The workers read the same files under the same paths as the machine that sends a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...version import __version__
from .errors import CrossarcError

PATIENCE = 10
"""Seconds within which a scheduler must answer."""


@contextmanager
def on_cluster(jobs: int | str, modules: Iterable[Path] = ()) -> Iterator[int]:
    """Run joblib's calls inside the block where ``--jobs`` says. Provides the number of calls that run in parallel.

    jobs: a number of processes of this machine, or the address of a Dask scheduler, to whose workers the calls go.
    modules: files of the modules outside the package whose functions are called; workers get copies. joblib would wait
        for ever for a worker that cannot import a function.

    Raises CrossarcError if Dask is not installed, if no worker answers, or if one has another version of crossarc or
    cannot import a module.
    """
    if isinstance(jobs, int):
        yield jobs
        return
    from joblib import effective_n_jobs, parallel_config  # importing joblib takes longer than parsing a sentence

    try:
        from distributed import Client
    except ImportError:
        needed = "needs distributed; install crossarc with the extra: crossarc[distributed]"
        raise CrossarcError(f"--jobs dask={jobs}: {needed}") from None
    try:
        client = Client(jobs, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CrossarcError(f"--jobs dask={jobs}: no worker can be reached: {reason}") from None
    with client, parallel_config(backend="dask", client=client):
        answers = client.run(_version, on_error="return").values()
        versions = {str(answer) for answer in answers if not isinstance(answer, OSError)}  # of workers that are gone
        if versions != {__version__}:
            raise CrossarcError(f"workers have crossarc {', '.join(sorted(versions))}; allowed: {__version__}")
        for module in modules:
            try:
                client.upload_file(str(module))
            except Exception as error:  # of any kind, since the module runs
                raise CrossarcError(f"{module}: the workers cannot import it: {error}") from None
        yield int(effective_n_jobs(-1))


def _version() -> str:
    return __version__
