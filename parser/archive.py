"""The file that a model is kept in: a zip archive with readable metadata and plain arrays, never a pickle."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import CrossarcError
from .treebank import atomic_output

__all__ = ["FORMAT_VERSION", "read_archive", "write_archive"]

FORMAT_VERSION = 1
MAGIC = "crossarc parser model"
METADATA = "metadata.json"
EPOCH = (1980, 1, 1, 0, 0, 0)


def write_archive(path: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write metadata (JSON values) and arrays (no objects) to ``path``, atomically: all of it, or nothing changes.

    The same content gives the same bytes. Raises CrossarcError when the file cannot be written.
    """
    document = {"format": MAGIC, "version": FORMAT_VERSION, **metadata}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        _add(archive, METADATA, json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True).encode())
        for name in sorted(arrays):
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(arrays[name]), allow_pickle=False)
            _add(archive, f"arrays/{name}.npy", data.getvalue())
    try:
        with atomic_output(path) as out:
            out.write(content.getvalue())
    except OSError as error:
        raise CrossarcError(f"{path}: cannot write the model: {error.strerror or error}") from error


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data, compresslevel=6)


def read_archive(path: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(metadata, arrays) of a model file.

    Raises CrossarcError: the file cannot be read, is no model, is damaged or truncated, or has another format version.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            metadata = json.loads(archive.read(METADATA))
            if not isinstance(metadata, dict) or metadata.get("format") != MAGIC:
                raise CrossarcError(f"{path}: not a crossarc model")
            version = metadata.get("version")
            if version != FORMAT_VERSION:
                raise CrossarcError(
                    f"{path}: model format version {version}, this crossarc reads version {FORMAT_VERSION}; "
                    "train the model again or use the crossarc that wrote it"
                )
            arrays = {}
            for name in archive.namelist():
                if name.startswith("arrays/"):
                    data = io.BytesIO(archive.read(name))
                    key = name.removeprefix("arrays/").removesuffix(".npy")
                    arrays[key] = np.lib.format.read_array(data, allow_pickle=False)
            return metadata, arrays
    except OSError as error:
        raise CrossarcError(f"{path}: cannot read the model: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, NotImplementedError) as error:
        if not zipfile.is_zipfile(path):
            raise CrossarcError(f"{path}: not a crossarc model, or a truncated one") from error
        raise CrossarcError(f"{path}: damaged model: {' '.join(str(error).split())}") from error
