"""Run the cells of experiments in parallel. Results of finished cells are stored; changed cells are computed again."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from ...parser.base import __version__
from ...parser.base.data_warnings import warn
from ...parser.base.errors import CrossarcError
from ...parser.base.progress import Progress, task
from ...parser.base.text_files import utf8
from ...parser.commands.compile import warm_up
from ...parser.evaluate.percent import Json
from ...parser.training.prepare import versions
from ...parser.treebank import atomic_output, checksum
from .code_keys import DIGITS, code_digest

once_warm = cache(warm_up)
"""Compiles the inner loops, or loads their compiled code, once in a process."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One result of an experiment.

    name: unique in its experiment.
    compute: a top-level function of a module, which takes the arguments and returns JSON values.
    key: JSON values that determine the result, apart from files, code and the name of ``compute``.
    files: files whose contents determine the result; their places do not matter.
    code: the code that determines the result, or its digest ("": the code that trains and parses, and the module of
        ``compute``).
    """

    name: str
    compute: Callable[..., Json]
    arguments: tuple[Any, ...] = ()
    key: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    code: str = ""


class UnfinishedError(Exception):
    """A run was interrupted; the message has the number of finished cells."""


def run_cells(cells: Sequence[Cell], folder: Path, *, progress: Progress, jobs: int = 1) -> dict[str, Json]:
    """The results of the cells by name, in the order of ``cells``.

    folder: each result is written to ``folder/cells`` as soon as it is computed. Cells whose result is there for the
        same key, file contents and code (:func:`~.code_keys.code_digest`) are not computed again.
    progress: receives a line for each finished cell.
    jobs: number of worker processes. Within :func:`~crossarc.parser.base.cluster.on_cluster` the
        workers of the cluster compute.

    If a cell fails with CrossarcError, the other cells are computed first, then CrossarcError is raised. Raises
    UnfinishedError after a KeyboardInterrupt.
    """
    names = [cell.name for cell in cells]
    if len(set(names)) < len(names):
        raise ValueError(f"cells of the same name: {sorted({name for name in names if names.count(name) > 1})}")
    try:
        (folder / "cells").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrossarcError(f"{folder}: cannot be written: {error.strerror or error}") from error
    checksums = {file: checksum(file) for file in sorted({file for cell in cells for file in cell.files})}
    paths = {cell.name: cell_path(cell, folder, checksums) for cell in cells}
    waiting = [cell for cell in cells if _finished(paths[cell.name]) is None]
    if cells:
        progress(f"{len(cells)} cells, {len(cells) - len(waiting)} of them finished before")
    by_name = {cell.name: cell for cell in waiting}
    failures = []
    if waiting:
        once_warm()  # otherwise compiling would count as time of the first cell, and each worker would compile
    try:
        parallel_jobs = Parallel(n_jobs=jobs, return_as="generator_unordered")
        with ExitStack() as running, parallel_jobs as parallel:
            outcomes = parallel(delayed(_timed)(cell.name, cell.compute, cell.arguments) for cell in waiting)
            advance = running.enter_context(task(progress, "computing", "cells", len(waiting)))
            for number, (name, seconds, result, failure) in enumerate(outcomes, 1):
                advance(1)
                failure = failure or _written(by_name[name], result, paths[name])
                progress(f"[{number}/{len(waiting)}] {name}: {failure or f'{seconds:.1f} s'}")
                if failure:
                    failures.append(f"{name}: {failure}")
    except KeyboardInterrupt:
        finished = sum(_finished(path) is not None for path in paths.values())
        raise UnfinishedError(f"{finished} of {len(cells)} cells are finished") from None
    if failures:
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        raise CrossarcError(f"{failures[0]}{more}; the results of the other cells are stored")
    _warn_of_versions([paths[cell.name] for cell in cells if cell not in waiting])
    return {cell.name: _finished(paths[cell.name]) for cell in cells}


def _warn_of_versions(paths: Sequence[Path]) -> None:
    """Warn of results that were computed with other versions of libraries, and are used all the same."""
    now = versions()
    others = [_document(path).get("versions", now) for path in paths]
    if changed := [other for other in others if other != now]:
        told = ", ".join(
            f"{name} {before} (now {now[name]})" for name, before in changed[0].items() if before != now.get(name)
        )
        warn(
            f"{len(changed)} cells were computed with other versions of libraries: {told}; remove them to compute anew"
        )


def cell_path(cell: Cell, folder: Path, checksums: Mapping[str, str]) -> Path:
    """The file for the result of a cell. checksums: the checksum of each of its files."""
    module = getattr(sys.modules[cell.compute.__module__], "__file__", None)
    identity = {
        "compute": f"{cell.compute.__module__.rpartition('.')[2]}.{cell.compute.__qualname__}",
        "crossarc": __version__,
        "code": cell.code or code_digest(*[Path(module)] if module else []),
        "key": cell.key,
        "files": [checksums[file] for file in cell.files],
    }
    text = json.dumps(identity, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(utf8(text)).hexdigest()[:DIGITS]
    return folder / "cells" / f"{file_name(cell.name)}-{digest}.json"


def file_name(name: str) -> str:
    """A name with a hyphen instead of characters that file names should not have."""
    return re.sub(r"[^\w.-]+", "-", name)


def is_finished(cell: Cell, folder: Path) -> bool:
    """Whether the folder has the result of a cell."""
    return _finished(cell_path(cell, folder, {file: checksum(file) for file in cell.files})) is not None


def _finished(path: Path) -> Json:
    """The result in a file; None for missing or incomplete files."""
    return _document(path).get("result")


def _document(path: Path) -> dict[str, Any]:
    """The content of the file of a cell; empty for missing or incomplete files."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _timed(name: str, compute: Callable[..., Json], arguments: tuple[Any, ...]) -> tuple[str, float, Json, str]:
    """(name, wall seconds, result, error message or "")."""
    start = time.perf_counter()
    result: Json = None
    failure = ""
    try:
        result = compute(*arguments)
    except CrossarcError as error:
        failure = str(error)
    return name, time.perf_counter() - start, result, failure


def _written(cell: Cell, result: Json, path: Path) -> str:
    """Write the result; return an error message, or "" on success."""
    document = {"name": cell.name, "key": cell.key, "versions": versions(), "result": result}
    try:
        with atomic_output(path) as out:
            out.write(utf8(json.dumps(document, ensure_ascii=False)))
    except CrossarcError as error:
        return str(error)
    return ""
