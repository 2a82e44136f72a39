"""Model files: reading restores what was written; damaged, foreign and hostile files give one-line errors."""

from __future__ import annotations

import functools
import io
import json
import os
import random
import tracemalloc
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models import files as archive_module
from crossarc.parser.models.files import check_writable, read_archive, write_archive
from refusals import refusal

METADATA = {"labels": ["nsubj", "öbj"], "nested": {"a": [1, 2.5, None, True]}}
ARRAYS = {
    "inventory": np.arange(12, dtype=np.int64).reshape(6, 2),
    "guide/weights": np.linspace(-1, 1, 7, dtype=np.float32),
    "guide/empty": np.empty((0, 3), dtype=np.uint16),
    "flags": np.array([True, False]),
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "a.model"
    write_archive(str(path), METADATA, ARRAYS)
    return path


def refused(path: Path) -> str:
    message = refusal(lambda: read_archive(str(path)))
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def assert_is_the_model(path: Path) -> None:
    metadata, arrays = read_archive(str(path))
    assert metadata == {"format": "crossarc parser model", "version": 1, "arrays": sorted(ARRAYS), **METADATA}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tolist() == array.tolist()


def test_content_is_read_back_and_its_order_does_not_change_bytes(model: Path, tmp_path: Path) -> None:
    assert_is_the_model(model)
    again = tmp_path / "b.model"
    reordered = {name: np.asfortranarray(ARRAYS[name]) for name in reversed(ARRAYS)}
    write_archive(str(again), dict(reversed(METADATA.items())), reordered)
    assert again.read_bytes() == model.read_bytes()


def test_metadata_can_be_read_with_any_zip_program(model: Path) -> None:
    with zipfile.ZipFile(model) as archive:
        assert json.loads(archive.read("metadata.json"))["labels"] == ["nsubj", "öbj"]
        assert sorted(archive.namelist())[:2] == ["arrays/flags.npy", "arrays/guide/empty.npy"]


def test_truncated_models_are_refused(model: Path) -> None:
    content = model.read_bytes()
    for length in [*range(0, len(content), 11), *range(len(content) - 25, len(content))]:
        model.write_bytes(content[:length])
        assert refused(model) == "not a crossarc model, or a truncated one"


def test_flipped_bits_are_refused_or_change_nothing(model: Path) -> None:
    """Some bytes of a zip archive, such as dates and attributes, do not affect the content."""
    content = model.read_bytes()
    dice = random.Random(1)
    count = 0
    places = range(0, len(content), 3)
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << dice.randrange(8)
        model.write_bytes(bytes(damaged))
        try:
            assert_is_the_model(model)
        except CrossarcError:
            refused(model)
            count += 1
    assert count > len(places) // 2


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return data.getvalue()


def described(**values: object) -> bytes:
    """Metadata of a model, with other values."""
    return json.dumps({"format": "crossarc parser model", "version": 1, "arrays": ["a"], **values}).encode()


def with_array(data: bytes) -> bytes:
    """A model with a single array."""
    return zipped({"metadata.json": described(), "arrays/a.npy": data})


def array_bytes(array: np.ndarray, pickled: bool = False) -> bytes:
    data = io.BytesIO()
    np.lib.format.write_array(data, array, allow_pickle=pickled)
    return data.getvalue()


def header(text: str) -> bytes:
    padded = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode()


def shaped(shape: str, descr: str = "<i8") -> bytes:
    return header(f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}")


class Bomb:
    """Makes a folder when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("unpickled",)


NESTED = functools.reduce(lambda inner, _: [inner], range(65), cast(list[object], []))
OTHER_VERSION = "this crossarc reads version 1; train the model again or use the crossarc that wrote it"
HOSTILE: dict[str, Iterable[bytes]] = {
    "not a crossarc model, or a truncated one": [b"", b"PK", b"1\tThe\tthe\n", b"\x80\x04\x95", bytes(1000)],
    "not a crossarc model": [
        zipped({}),
        zipped({"word/document.xml": b"<x/>"}),
        zipped({"metadata.json": b"{}"}),
        zipped({"metadata.json": b"[1]"}),
        zipped({"metadata.json": b'"crossarc parser model"'}),
        zipped({"metadata.json": described(format="another")}),
    ],
    **{
        f"model format version {version!r}, {OTHER_VERSION}": [zipped({"metadata.json": described(version=version)})]
        for version in (0, 2, "1", None)
    },
    "damaged model: metadata.json: the entry is encrypted or uses another compression": [
        zipped({"metadata.json": described()}, method) for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    ],
    "damaged model: metadata.json: more than 64 levels of nested lists and mappings": [
        zipped({"metadata.json": described(arrays=[], deep=NESTED)})
    ],
    "damaged model: array a: missing, but the metadata names it": [
        zipped({"metadata.json": described(), "arrays/b.npy": array_bytes(np.arange(3))})
    ],
    **{
        f"damaged model: arrays{reason}": [
            zipped({"metadata.json": described(arrays=arrays), "arrays/a.npy": array_bytes(np.arange(3))})
        ]
        for arrays, reason in (
            (["a", "a"], ": a name occurs twice"),
            (None, ": found None; expected a list, each text"),
            (["a", 1], "[1]: found 1; expected text"),
        )
    },
    "damaged model: array a: found objects; expected numbers, flags or texts": [
        with_array(array_bytes(np.array([Bomb()], dtype=object), pickled=True))
    ],
    "damaged model: array a: found the shape (0, 99999999999), too large for its data": [
        with_array(shaped("(0, 99999999999)"))
    ],
    "damaged model: ": [
        *(zipped({"metadata.json": own}) for own in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "\xff"}')),
        *map(
            with_array,
            (
                b"",
                b"\x93NUMPY",
                array_bytes(np.arange(10))[:-1],
                array_bytes(np.arange(10)).replace(b"NUMPY\x01", b"NUMPY\x09"),
                shaped("(4611686018427387904,)") + bytes(8),
                shaped("(99999999999,)") + bytes(8),
                shaped("(10**999,)"),
                shaped("(-5,)") + bytes(8),
                shaped("(1,)", "|O") + bytes(8),
                shaped("(1,)", "nonsense"),
                header("{'descr': '<i8'}"),
                header("__import__('os').mkdir('x')"),
                header("{'descr"),
                header("((((("),
            ),
        ),
    ],
}
"""Error messages and the files that cause them. A message that ends in ": " is only the beginning."""


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_files_are_refused_without_running_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for content in HOSTILE[said]:
        Path("m").write_bytes(content)
        found = refused(Path("m"))
        assert found == said or (said.endswith(": ") and len(found) > len(said) and found.startswith(said))
    assert os.listdir() == ["m"]


def test_devices_are_refused() -> None:
    assert refused(Path("/dev/zero")) == "not a crossarc model, but a device"


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == "cannot read the model: No such file or directory"
    assert refused(tmp_path) == "cannot read the model: Is a directory"


def test_unwritable_paths_are_refused_and_leave_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, reason in {
        "missing/m": f"cannot be written: there is no folder {tmp_path / 'missing'}",
        "folder": "cannot be written: it is a folder",
        "m.gz": "a model is compressed already; its name may not end in .gz",
    }.items():
        path = tmp_path / name
        for attempt in (
            lambda path=path: check_writable(str(path)),
            lambda path=path: write_archive(str(path), {}, {}),
        ):
            assert refusal(attempt) == f"{path}: {reason}"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_read_only_folders_are_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(CrossarcError, match=r"the folder .* is read-only"):
        check_writable(str(tmp_path / "m"))
    tmp_path.chmod(0o700)


def test_arrays_of_objects_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_archive(str(tmp_path / "m"), {}, {"a": np.array([{}], dtype=object)})
    assert list(tmp_path.iterdir()) == []


def zeros(size: int) -> bytes:
    return array_bytes(np.zeros(size, np.uint8))


def test_zip_bombs_are_refused_before_unpacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "SMALL", 2**26)
    path = tmp_path / "m"
    entries = {"metadata.json": described(), "arrays/a.npy": zeros(2**26)}
    size = path.write_bytes(zipped(entries, zipfile.ZIP_DEFLATED))
    assert size < 100_000
    total = sum(map(len, entries.values()))
    expected = f"damaged model: its {size} bytes unpack to {total}; expected {2**26} at most"
    assert peak(lambda: refused(path) == expected) < 2**22


def test_entries_larger_than_their_declared_size_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", described())
        archive.writestr("arrays/a.npy", zeros(2**27))
        archive.infolist()[1].file_size = 1000
    expected = "damaged model: array a: Bad CRC-32 for file 'arrays/a.npy'"
    assert peak(lambda: refused(path) == expected) < 2**22


@pytest.mark.parametrize("shape", ["(5000000000,)", "(4, 100000000000)", "(9223372036854775807, 9223372036854775807)"])
def test_arrays_with_shapes_larger_than_their_data_are_refused(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "m"
    path.write_bytes(with_array(shaped(shape) + bytes(8)))
    expected = f"damaged model: array a: found 8 bytes; expected 8 for each of {shape}"
    assert peak(lambda: refused(path) == expected) < 2**20


def peak(call: Callable[[], bool]) -> int:
    """The peak memory of the call in bytes; the call must return True."""
    tracemalloc.start()
    try:
        assert call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_reading_makes_no_second_copy_of_arrays(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_archive(str(path), {}, {"a": np.random.default_rng(0).integers(0, 255, 2**25, np.uint8)})
    assert peak(lambda: len(read_archive(str(path))[1]["a"]) == 2**25) < 2.2 * 2**25  # the file and the array


def test_arrays_of_another_byte_order_become_native(tmp_path: Path) -> None:
    write_archive(str(tmp_path / "m"), {}, {"a": np.array([1, 2, 2**40], ">i8")})
    (array,) = read_archive(str(tmp_path / "m"))[1].values()
    assert (array.dtype, array.tolist()) == (np.dtype("int64"), [1, 2, 2**40])
    assert array.dtype.isnative
