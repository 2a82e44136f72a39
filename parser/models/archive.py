"""The file that a model is kept in: a zip archive with readable metadata and plain arrays, never a pickle."""

from __future__ import annotations

import io
import json
import lzma
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CrossarcError
from ..treebank import atomic_output

__all__ = ["DAMAGE", "FORMAT_VERSION", "check_writable", "damaged", "read_archive", "write_archive"]

FORMAT_VERSION = 1
MAGIC = "crossarc parser model"
METADATA = "metadata.json"
EPOCH = (1980, 1, 1, 0, 0, 0)

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,  # zipfile's word for an encrypted entry; also a recursion or something not implemented
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
)
"""What reading the contents of a damaged file can raise."""


def check_writable(path: str) -> None:
    """Raises CrossarcError if no model can be written to ``path``: better known before training than after it."""
    target = Path(path).resolve()
    if target.suffix in (".gz", ".xz"):
        raise CrossarcError(f"{path}: a model is compressed already; its name may not end in {target.suffix}")
    if target.is_dir():
        raise CrossarcError(f"{path}: cannot be written: it is a folder")
    if not target.parent.is_dir():
        raise CrossarcError(f"{path}: cannot be written: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise CrossarcError(f"{path}: cannot be written: the folder {target.parent} is read-only")


def write_archive(path: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write metadata (JSON values) and arrays (no objects) to ``path``, atomically: all of it, or nothing changes.

    The same content gives the same bytes. Raises CrossarcError when the file cannot be written.
    """
    check_writable(path)
    document = {"format": MAGIC, "version": FORMAT_VERSION, "arrays": sorted(arrays), **metadata}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        _add(archive, METADATA, json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True).encode())
        for name in sorted(arrays):
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(arrays[name]), allow_pickle=False)
            _add(archive, _entry(name), data.getvalue())
    with atomic_output(path) as out:
        out.write(content.getvalue())


def _entry(name: str) -> str:
    return f"arrays/{name}.npy"


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data, compresslevel=6)


def read_archive(path: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(metadata, arrays) of a model file.

    Raises CrossarcError: the file cannot be read, is no model, is damaged or truncated, or has another format version.
    """
    try:
        with open(path, "rb") as file:
            content = io.BytesIO(file.read())
    except OSError as error:
        raise CrossarcError(f"{path}: cannot read the model: {error.strerror or error}") from error
    if not zipfile.is_zipfile(content):
        raise CrossarcError(f"{path}: not a crossarc model, or a truncated one")
    try:
        with zipfile.ZipFile(content) as archive:
            metadata = _metadata(archive, path)
            return metadata, {name: _array(archive, name) for name in metadata["arrays"]}
    except DAMAGE as error:
        raise damaged(path, error) from error


def damaged(path: str, error: Exception) -> CrossarcError:
    """What is said of a model file whose contents raise ``error``."""
    return CrossarcError(f"{path}: damaged model: {' '.join(str(error).split()) or type(error).__name__}")


def _metadata(archive: zipfile.ZipFile, path: str) -> dict[str, Any]:
    metadata = json.loads(archive.read(METADATA)) if METADATA in archive.namelist() else None
    if not isinstance(metadata, dict) or metadata.get("format") != MAGIC:
        raise CrossarcError(f"{path}: not a crossarc model")
    version = metadata.get("version")
    if version != FORMAT_VERSION:
        raise CrossarcError(
            f"{path}: model format version {version}, this crossarc reads version {FORMAT_VERSION}; "
            "train the model again or use the crossarc that wrote it"
        )
    return metadata


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(archive.read(_entry(name))), allow_pickle=False)
    return array
