"""Computing on several machines, through joblib's Dask backend.

Workers cannot read the files of the machine that sends a call. So each call contains the contents of its input files.
The worker writes them to a folder of its own and replaces the paths in the arguments.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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

    arguments: the pickled arguments, without the paths of the files.
    contents: of the files, by path.
    """

    arguments: bytes
    contents: Mapping[str, bytes]
    version: str = __version__


class _Packer(pickle.Pickler):
    """Pickles arguments. Collects the contents of the YAML files that they name, at any depth."""

    def __init__(self, file: io.BytesIO, contents: dict[str, bytes]) -> None:
        super().__init__(file)
        self._contents = contents

    def persistent_id(self, value: Any) -> str | None:
        if not isinstance(value, str):
            return None
        if value.endswith(".yaml") and os.path.isfile(value):
            self._contents[value] = Path(value).read_bytes()
        return value if value in self._contents else None


class _Unpacker(pickle.Unpickler):
    """Restores arguments with new paths of their files."""

    def __init__(self, content: bytes, places: Mapping[str, str]) -> None:
        super().__init__(io.BytesIO(content))
        self._places = places

    def persistent_load(self, path: str) -> str:
        return self._places[path]


def ship(arguments: tuple[Any, ...], files: Iterable[str]) -> Shipped:
    """Return the arguments with the contents of their files, including the YAML files that the arguments name.

    Raises CrossarcError for a file that cannot be read.
    """
    pickled = io.BytesIO()
    try:
        contents = {path: Path(path).read_bytes() for path in files}
        _Packer(pickled, contents).dump(arguments)
    except OSError as error:
        raise CrossarcError(f"{error.filename}: cannot be read: {error.strerror or error}") from None
    return Shipped(pickled.getvalue(), contents)


def call_shipped(function: Callable[..., T], shipped: Shipped) -> T:
    """Call a function on the worker with shipped arguments and return its result.

    Raises CrossarcError if the worker has another version of crossarc, and all errors of the function.
    """
    from joblib import parallel_config

    require_version(shipped.version)
    with TemporaryDirectory() as folder, parallel_config(backend="sequential"):
        places = {}
        for number, (path, content) in enumerate(shipped.contents.items()):
            place = Path(folder) / str(number) / os.path.basename(path)
            place.parent.mkdir()
            place.write_bytes(content)
            places[path] = str(place)
        return function(*_Unpacker(shipped.arguments, places).load())


def require_version(version: str) -> None:
    """Raise CrossarcError if this worker's version of crossarc differs from the version where the run began."""
    if version != __version__:
        raise CrossarcError(
            f"a worker has crossarc {__version__}, expected {version}; install the same version on all machines"
        )
