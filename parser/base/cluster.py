"""Computing on several machines, through joblib's Dask backend.

Workers cannot read the files of the machine that sends a call. So each call contains the contents of its input files.
The worker writes them to a folder of its own and replaces the paths in the arguments.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from ...version import __version__
from .errors import CrossarcError

T = TypeVar("T")
PATIENCE = 10
"""Seconds within which a scheduler must answer."""


@contextmanager
def on_cluster(scheduler: str) -> Iterator[None]:
    """Send joblib's calls to the workers of a Dask scheduler inside the block.

    scheduler: address of the scheduler; "" runs all calls on this machine.

    Raises CrossarcError if the scheduler does not answer, or if Dask is not installed.
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
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CrossarcError(f"--scheduler {scheduler}: cannot be reached: {reason}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise CrossarcError(f"--scheduler {scheduler}: has no workers; start some with dask worker") from None
        with parallel_config(backend="dask", client=client):
            yield


def is_remote() -> bool:
    """Return whether joblib's calls currently go to other machines."""
    return client() is not None


def client() -> Any:
    """Return the Dask client of :func:`on_cluster`, or None outside its block."""
    from joblib.parallel import get_active_backend

    return getattr(get_active_backend()[0], "client", None)


def workers() -> int:
    """Return the number of calls that can run in parallel now."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(-1))


@dataclass(frozen=True, slots=True)
class Shipped:
    """Arguments with the files that they name.

    paths, contents: of the files, in the same order.
    """

    arguments: tuple[Any, ...]
    paths: tuple[str, ...]
    contents: tuple[bytes, ...]
    version: str = __version__


def ship(arguments: tuple[Any, ...], files: Iterable[str]) -> Shipped:
    """Return the arguments with the contents of their files, including the YAML files that the arguments name.

    Raises CrossarcError for a file that cannot be read.
    """
    paths = tuple(dict.fromkeys((*files, *_yaml_files(arguments))))
    try:
        return Shipped(arguments, paths, tuple(Path(path).read_bytes() for path in paths))
    except OSError as error:
        raise CrossarcError(f"{error.filename}: cannot be read: {error.strerror or error}") from None


def call_shipped(function: Callable[..., T], shipped: Shipped) -> T:
    """Call a function on the worker with shipped arguments and return its result.

    Raises CrossarcError if the worker has another version of crossarc, and all errors of the function.
    """
    from joblib import parallel_config

    require_version(shipped.version)
    with TemporaryDirectory() as folder, parallel_config(backend="sequential"):
        places = {}
        for number, (path, content) in enumerate(zip(shipped.paths, shipped.contents, strict=True)):
            place = Path(folder) / str(number) / os.path.basename(path)
            place.parent.mkdir()
            place.write_bytes(content)
            places[path] = str(place)
        return function(*_relocated(shipped.arguments, places))


def require_version(version: str) -> None:
    """Raise CrossarcError if this worker's version of crossarc differs from the version where the run began."""
    if version != __version__:
        raise CrossarcError(
            f"a worker has crossarc {__version__}, expected {version}; install the same version on all machines"
        )


def _yaml_files(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value.endswith(".yaml") and os.path.isfile(value):
            yield value
    else:
        for part in _parts(value):
            yield from _yaml_files(part)


def _parts(value: Any) -> Iterable[Any]:
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, own.name) for own in fields(value)]
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def _relocated(value: Any, places: Mapping[str, str]) -> Any:
    """Return the value with new paths in place of those in ``places``, at any depth."""
    if isinstance(value, str):
        return places.get(value, value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {own.name: _relocated(getattr(value, own.name), places) for own in fields(value) if own.init}
        return replace(value, **changed)
    if isinstance(value, dict):
        return {key: _relocated(own, places) for key, own in value.items()}
    if isinstance(value, list):
        return [_relocated(own, places) for own in value]
    if isinstance(value, tuple):
        parts = [_relocated(own, places) for own in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
