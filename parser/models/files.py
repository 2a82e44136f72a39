"""Model files of all kinds: a zip archive with readable metadata and plain arrays, never a pickle."""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError, UnknownPartError, choices
from ..base.parameters import TEXT, Allowed, shown, whole
from ..base.shapes import ListOf, MapOf, Record, ShapeError, check_values, expect, within
from ..base.text_files import utf8
from ..learners.common import taken
from ..treebank import atomic_output, compression_named
from .model import MODELS, ParserModel, joined
from .steps import STEPS, State

FORMAT_VERSION = 2
MAGIC = "crossarc parser model"
METADATA, FOLDER = "metadata.json", "arrays/"
"""Name of the entry with the metadata, and beginning of the names of the entries with arrays."""
STEPS_KEY = "steps"
MODEL_STEPS = Record({STEPS_KEY: ListOf(Record({"step": TEXT}))})
"""The steps of a model in the metadata; each adds its own values."""
EPOCH = (1980, 1, 1, 0, 0, 0)

SMALL = 2**28
MOST_RATIO = 100
"""Maximum ratio of unpacked to packed size, for files that unpack to more than 256 MB. Models of treebanks have ratios
from two to ten; a zip of zeros has a ratio of a thousand.
"""
MOST_METADATA, MOST_METADATA_RATIO = 2**22, 10
"""Maximum size of the metadata in bytes, and maximum ratio of unpacked to packed size of larger ones. Python's objects
take up to fifteen times as much. Those of treebanks' models have ratios of at most five."""
MOST_LISTS = 2**20
"""Maximum number of brackets in the metadata, which bounds the number of lists and mappings."""
DEEPEST = 64
"""Maximum depth of nested lists and mappings in the metadata."""

DTYPE = r"[<|](b1|[iu][1248]|f[248]|[SU][1-9]\d{0,6})"
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,  # zipfile: features that it does not implement; json: too deep nesting
    ValueError,
)
"""Errors of zipfile and json for malformed input. Where they are caught, no code of crossarc runs."""

BLOCK = 2**20
"""Number of bytes of an array that are unpacked at a time."""
MOST_LENGTH = 2**30
"""Maximum length of a dimension of an array; dimensions of empty arrays need no data."""
ARRAYS = MapOf(
    Record(
        {
            "dtype": Allowed("a type of numbers, flags or texts", lambda dtype: bool(re.fullmatch(DTYPE, str(dtype)))),
            "shape": ListOf(whole(0, MOST_LENGTH), most=8),
        }
    )
)
"""The description of the arrays in the metadata. Their values are entries of their own: little-endian, in C order."""


def check_writable(path: str) -> None:
    """Raise CrossarcError if a model cannot be written to ``path``; called before training."""
    target = Path(os.path.realpath(path))
    if suffix := compression_named(target):
        raise CrossarcError(f"{path}: a model is compressed already; its name may not end in {suffix}")
    if target.is_dir():
        raise CrossarcError(f"{path}: cannot be written: it is a folder")
    if not target.parent.is_dir():
        raise CrossarcError(f"{path}: cannot be written: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise CrossarcError(f"{path}: cannot be written: the folder {target.parent} is read-only")


def write_archive(path: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a model file atomically: completely or not at all.

    path: name of the file.
    metadata: JSON values.
    arrays: arrays without objects.

    The same content gives the same bytes. Raises CrossarcError if the file cannot be written.
    """
    check_writable(path)
    content = pack(metadata, arrays)
    with atomic_output(path) as out:
        out.write(content)


def pack(metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a model file. metadata: JSON values. arrays: arrays without objects."""
    stored = {
        name: array.astype(array.dtype.newbyteorder("<"), order="C", copy=False) for name, array in arrays.items()
    }
    described = {name: {"dtype": array.dtype.str, "shape": list(array.shape)} for name, array in stored.items()}
    check_values(described, ARRAYS)
    document = {"format": MAGIC, "version": FORMAT_VERSION, "arrays": described, **metadata}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        text = utf8(json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True))
        for name, data in (
            (METADATA, text),
            *((f"{FOLDER}{stored_name}", stored[stored_name].tobytes()) for stored_name in sorted(stored)),
        ):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=6)
    return content.getvalue()


def read_archive(path: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(metadata, arrays) of a model file.

    Raises CrossarcError if the file cannot be read, is not a model, is damaged, or has an unknown format version.
    """
    try:
        with open(path, "rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):  # some devices never end
                raise CrossarcError(f"{path}: not a crossarc model, but a device")
            content = file.read()
    except OSError as error:
        raise CrossarcError(f"{path}: cannot read the model: {error.strerror or error}") from error
    except ValueError as error:  # a null character in the name
        raise CrossarcError(f"{path!a}: cannot read the model: {error}") from error
    return unpack(content, path)


def unpack(content: bytes, path: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(metadata, arrays) of the bytes of a model file. Raises CrossarcError as :func:`read_archive` does.

    path: name of the file, for messages.
    """
    file = io.BytesIO(content)
    try:
        if not zipfile.is_zipfile(file):  # which raises, too, from Python 3.15 on
            raise CrossarcError(f"{path}: not a crossarc model, or a truncated one")
        archive = zipfile.ZipFile(file)
    except UNREADABLE as error:
        raise damaged(path, error) from error
    with archive:
        try:
            entries = _entries(archive, len(content))
            metadata = _metadata(archive, entries, path)
            arrays = {
                name: _array(archive, entries, name, description) for name, description in metadata["arrays"].items()
            }
        except ShapeError as error:
            raise damaged(path, error) from error
    return metadata, arrays


def damaged(path: str, error: Exception) -> CrossarcError:
    """The error for a model file that cannot be read because of ``error``."""
    return CrossarcError(f"{path}: damaged model: {' '.join(str(error).split()) or type(error).__name__}")


def _entries(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The entries of an archive by name, checked before any entry is unpacked. size: number of bytes of the archive."""
    infos = archive.infolist()
    total = sum(info.file_size for info in infos)
    most = max(SMALL, MOST_RATIO * size)
    expect(total <= most, "", f"its {size} bytes unpack to {total}; expected {most} at most")
    for info in infos:
        plain = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 1
        expect(plain, info.filename, "the entry is encrypted or uses another compression")
    return {info.filename: info for info in infos}


def _metadata(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], path: str) -> dict[str, Any]:
    """The metadata, checked. Those that would need much more memory than real models are not unpacked."""
    metadata = None
    if entry := entries.get(METADATA):
        most = max(MOST_METADATA, MOST_METADATA_RATIO * entry.compress_size)
        expect(entry.file_size <= most, METADATA, f"found {entry.file_size} bytes; expected {most} at most")
        try:
            text = archive.read(entry)
            lists = text.count(b"[") + text.count(b"{")
            expect(lists <= MOST_LISTS, METADATA, f"found {lists} lists and mappings; expected {MOST_LISTS} at most")
            metadata = json.loads(text)
        except UNREADABLE as error:
            raise ShapeError(METADATA, str(error)) from error
    if not isinstance(metadata, dict) or metadata.get("format") != MAGIC:
        raise CrossarcError(f"{path}: not a crossarc model")
    version = metadata.get("version")
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise CrossarcError(
            f"{path}: model format version {shown(version)}, this crossarc reads version {FORMAT_VERSION}; "
            "train the model again or use the crossarc that wrote it"
        )
    _check_depth(metadata)
    check_values(metadata.get("arrays"), ARRAYS, "arrays")
    return metadata


def _check_depth(value: Any) -> None:
    """Refuse nesting that is too deep for recursive functions."""
    level = [value]
    for _ in range(DEEPEST):
        inside = (inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer))
        level = [inner for inner in inside if isinstance(inner, (dict, list))]  # a union would take three times as long
        if not level:
            return
    expect(False, METADATA, f"more than {DEEPEST} levels of nested lists and mappings")


def _array(
    archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], name: str, declared: Mapping[str, Any]
) -> NDArray[Any]:
    """The array with the name. The size of its entry is compared with its description before it is unpacked."""
    place = f"array {name}"
    entry = entries.get(f"{FOLDER}{name}")
    if entry is None:
        raise ShapeError(place, "missing, but the metadata names it")
    dtype, shape = np.dtype(declared["dtype"]), tuple(declared["shape"])
    wanted = math.prod(shape) * dtype.itemsize
    expect(entry.file_size == wanted, place, f"found {entry.file_size} bytes; expected {wanted} for the shape {shape}")
    try:
        with archive.open(entry) as stream:  # in blocks, without a second copy of the values
            array = np.empty(shape, dtype)
            values, filled = array.reshape(-1).view(np.uint8), 0
            while block := stream.read(BLOCK):
                values[filled : filled + len(block)] = np.frombuffer(block, np.uint8)
                filled += len(block)
    except UNREADABLE as error:
        raise ShapeError(place, str(error)) from error
    expect(filled == wanted, place, "the size of the entry differs from the declared one")
    return array.astype(dtype.newbyteorder("="), copy=False)


def save_model(model: ParserModel, path: str | os.PathLike[str]) -> None:
    """Write a model to one file, atomically. Raises CrossarcError if the file cannot be written, or is no path.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    """
    if not isinstance(model, ParserModel):
        raise CrossarcError(f"model: found {type(model).__name__}, expected a model from train or load_model")
    if not isinstance(path, str | os.PathLike):
        raise CrossarcError(f"path: found {type(path).__name__}, expected the path of a file")
    write_archive(os.fspath(path), *_values_and_arrays(model))


def model_bytes(model: ParserModel) -> bytes:
    """The bytes of the file that :func:`save_model` writes."""
    return pack(*_values_and_arrays(model))


def _values_and_arrays(model: ParserModel) -> State:
    values, arrays = model.state()
    values = {"kind": model.kind, **values}
    states = [step.state() for step in model.steps]
    values[STEPS_KEY] = [{"step": step.kind, **state} for step, (state, _) in zip(model.steps, states, strict=True)]
    arrays |= joined({f"step{number}": arrays_of_step for number, (_, arrays_of_step) in enumerate(states)})
    return values, arrays


def load_model(path: str | os.PathLike[str]) -> ParserModel:
    """Load a model that :func:`save_model` wrote. Raises CrossarcError for files that are not models.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    >>> crossarc.load_model("swap.model").labels == model.labels
    True
    """
    if not isinstance(path, str | os.PathLike):
        raise CrossarcError(f"model: found {type(path).__name__}, expected the path of a file from save_model")
    name = os.fspath(path)
    return model_of(*read_archive(name), name)


def model_in(content: bytes, name: str) -> ParserModel:
    """The model in the bytes of a file. Raises CrossarcError as :func:`load_model` does.

    name: name of the file, for messages.
    """
    return model_of(*unpack(content, name), name)


def model_of(values: dict[str, Any], arrays: dict[str, NDArray[Any]], name: str) -> ParserModel:
    """The model from the values and arrays of a file. Raises CrossarcError as :func:`model_in` does.

    name: name of the file, for messages.
    """
    kind = values.get("kind")
    try:
        expect(isinstance(kind, str) and kind in MODELS, "kind", f"found {shown(kind)}; expected {', '.join(MODELS)}")
        model = MODELS[str(kind)].from_state(values, arrays)
        check_values(values, MODEL_STEPS)
        steps = []
        for number, state in enumerate(values[STEPS_KEY]):
            if state["step"] not in STEPS:
                raise UnknownPartError(f"needs a step that is not installed: {choices(state['step'], STEPS)}")
            with within(f"{STEPS_KEY}[{number}]"):
                steps.append(STEPS[state["step"]].from_state(state, taken(arrays, f"step{number}/")))
        return replace(model, steps=tuple(step.beside(steps) for step in steps))
    except UnknownPartError as error:
        remedy = "register parts of your own, for example with --plugin FILE.py"
        raise CrossarcError(f"{name}: {error}; {remedy}") from error
    except CrossarcError as error:
        raise damaged(name, error) from error
    except MemoryError as error:
        raise CrossarcError(f"{name}: the model needs more memory than is available") from error


def open_parser(path: str | os.PathLike[str]) -> ParserModel:
    """Open the parser in a model file of any kind: ``open_parser("my.model").parse(sentences)``.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    >>> parser = crossarc.open_parser("swap.model")
    >>> len(list(parser.parse(crossarc.read_sentences("test.conllu"))))
    40
    """
    return load_model(path)
