"""numba's cache, in the folders of :mod:`.folders`. Importing this module imports numba."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

import numba.core.caching

from .folders import FOLDER, folder as default_folder, kept_in, refusal, stamp_of

caching: Any = numba.core.caching


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Locates the stored code of a function.

    folder: folder of the stored code; None if it cannot be stored.
    stamp: text that changes with the source code.
    """

    def __init__(self, folder: Path | None, stamp: str) -> None:
        self.folder, self.stamp = folder, stamp

    def get_cache_path(self) -> str:
        return os.fspath(self.folder or os.devnull)

    def get_source_stamp(self) -> str:
        return self.stamp

    def get_disambiguator(self) -> str:
        return self.stamp

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> Self:
        """Choose the folder for a function. If no folder is suitable, each process compiles the function again."""
        stamp, folder = stamp_of(Path(source)), kept_in()
        if folder and not any(folder.glob(f"*.{function.__name__}-{stamp}.*")) and not os.access(folder, os.W_OK):
            folder = None
        return cls(folder, stamp)


class _Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class KeptCode(caching.FunctionCache):  # type: ignore[misc]
    """The stored compiled code of one function. Damaged code is compiled and stored again; write errors are ignored."""

    _impl_class = _Files

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        if self._impl.locator.folder is None:
            self.disable()

    def load_overload(self, signature: Any, context: Any) -> Any:
        overload = None
        try:
            overload = super().load_overload(signature, context)
        except Exception:  # unpickling a damaged file may raise any error
            with suppress(OSError):
                self.flush()
        if overload is None:
            _announce(self._impl.locator.folder)
        return overload

    def save_overload(self, signature: Any, code: Any) -> None:
        with suppress(Exception):
            super().save_overload(signature, code)
            self._remove_others()

    def _remove_others(self) -> None:
        """Remove the code of this function that other versions stored."""
        locator, stem = self._impl.locator, self._impl.filename_base
        for path in locator.folder.glob(stem.replace(locator.stamp, "*") + ".*"):
            if not path.name.startswith(stem):
                path.unlink()


@cache
def _announce(folder: Path | None) -> None:
    """Report once per process that it compiles code, because this takes long."""
    if folder is None:
        place = default_folder()
        reason = (refusal(place) or f"{place} is full or read-only") if place else "the user has no cache"
        kept = f"not stored: {reason}; set {FOLDER} to a folder that only you can write to"
    else:
        kept = f"stored in {folder}; crossarc compile does this for all commands at once"
    logging.getLogger("crossarc").warning("compiling for this processor, up to a minute (%s)", kept)
