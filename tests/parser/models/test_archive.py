"""The model file: what goes in comes out, and nothing damaged, foreign or dangerous gets past one line."""

from __future__ import annotations

import io
import json
import os
import random
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models import archive as archive_module
from crossarc.parser.models.archive import check_writable, read_archive, write_archive

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


def refusal(path: Path) -> str:
    with pytest.raises(CrossarcError) as caught:
        read_archive(str(path))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def assert_is_the_model(path: Path) -> None:
    metadata, arrays = read_archive(str(path))
    assert metadata == {"format": "crossarc parser model", "version": 1, "arrays": sorted(ARRAYS), **METADATA}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tolist() == array.tolist()


def test_what_goes_in_comes_out(model: Path) -> None:
    assert_is_the_model(model)


def test_equal_content_gives_equal_bytes(model: Path, tmp_path: Path) -> None:
    again = tmp_path / "b.model"
    reordered = {name: np.asfortranarray(ARRAYS[name]) for name in reversed(ARRAYS)}
    write_archive(str(again), dict(reversed(METADATA.items())), reordered)
    assert again.read_bytes() == model.read_bytes()


def test_metadata_can_be_read_with_any_zip_program(model: Path) -> None:
    with zipfile.ZipFile(model) as archive:
        assert json.loads(archive.read("metadata.json"))["labels"] == ["nsubj", "öbj"]
        assert sorted(archive.namelist())[:2] == ["arrays/flags.npy", "arrays/guide/empty.npy"]


def test_any_truncation_is_refused(model: Path) -> None:
    content = model.read_bytes()
    for length in [*range(0, len(content), 11), *range(len(content) - 25, len(content))]:
        model.write_bytes(content[:length])
        assert refusal(model) == "not a crossarc model, or a truncated one"


def test_a_flipped_bit_is_refused_or_changes_nothing(model: Path) -> None:
    """Some bytes of a zip archive, such as dates and attributes, say nothing about the contents."""
    content = model.read_bytes()
    dice = random.Random(1)
    refused = 0
    places = range(0, len(content), 3)
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << dice.randrange(8)
        model.write_bytes(bytes(damaged))
        try:
            assert_is_the_model(model)
        except CrossarcError:
            refusal(model)
            refused += 1
    assert refused > len(places) // 2


def rewrite(path: Path, entries: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)


def array_bytes(array: np.ndarray, pickled: bool = False) -> bytes:
    data = io.BytesIO()
    np.lib.format.write_array(data, array, allow_pickle=pickled)
    return data.getvalue()


GOOD = json.dumps({"format": "crossarc parser model", "version": 1, "arrays": ["a"]}).encode()


@pytest.mark.parametrize("content", [b"", b"PK", b"1\tThe\tthe\n", b"\x80\x04\x95", bytes(1000)])
def test_what_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m"
    path.write_bytes(content)
    assert refusal(path) == "not a crossarc model, or a truncated one"


def test_a_device_that_never_ends_is_no_model() -> None:
    assert refusal(Path("/dev/zero")) == "not a crossarc model, but a device"


@pytest.mark.parametrize(
    "entries",
    [
        {},
        {"word/document.xml": b"<x/>"},
        {"metadata.json": b"{}"},
        {"metadata.json": b"[1]"},
        {"metadata.json": b'"crossarc parser model"'},
        {"metadata.json": json.dumps({"format": "another", "version": 1}).encode()},
    ],
)
def test_a_zip_of_something_else_is_refused(tmp_path: Path, entries: dict[str, bytes]) -> None:
    rewrite(tmp_path / "m", entries)
    assert refusal(tmp_path / "m") == "not a crossarc model"


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_refused(tmp_path: Path, version: object) -> None:
    document = {"format": "crossarc parser model", "version": version}
    rewrite(tmp_path / "m", {"metadata.json": json.dumps(document).encode()})
    assert refusal(tmp_path / "m") == (
        f"model format version {version!r}, this crossarc reads version 1; "
        "train the model again or use the crossarc that wrote it"
    )


@pytest.mark.parametrize("metadata", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "\xff"}'])
def test_metadata_that_is_no_json_is_refused(tmp_path: Path, metadata: bytes) -> None:
    rewrite(tmp_path / "m", {"metadata.json": metadata})
    assert re.fullmatch("damaged model: .+", refusal(tmp_path / "m"))


class Bomb:
    """Would make a folder when unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("unpickled",)


def test_pickles_are_refused_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = array_bytes(np.array([Bomb()], dtype=object), pickled=True)
    rewrite(tmp_path / "m", {"metadata.json": GOOD, "arrays/a.npy": data})
    assert refusal(tmp_path / "m") == "damaged model: array a: found objects; expected numbers, flags or texts"
    assert not (tmp_path / "unpickled").exists()


def header(text: str) -> bytes:
    padded = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY",
        array_bytes(np.arange(10))[:-1],
        array_bytes(np.arange(10)).replace(b"NUMPY\x01", b"NUMPY\x09"),
        header("{'descr': '<i8', 'fortran_order': False, 'shape': (4611686018427387904,)}") + bytes(8),
        header("{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999,)}") + bytes(8),
        header("{'descr': '<i8', 'fortran_order': False, 'shape': (10**999,)}"),
        header("{'descr': '<i8', 'fortran_order': False, 'shape': (-5,)}") + bytes(8),
        header("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}") + bytes(8),
        header("{'descr': 'nonsense', 'fortran_order': False, 'shape': (1,)}"),
        header("{'descr': '<i8'}"),
        header("__import__('os').mkdir('x')"),
        header("{'descr"),
        header("((((("),
    ],
)
def test_a_bad_array_is_refused(tmp_path: Path, data: bytes) -> None:
    rewrite(tmp_path / "m", {"metadata.json": GOOD, "arrays/a.npy": data})
    assert re.fullmatch("damaged model: .+", refusal(tmp_path / "m"))


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "cannot read the model: No such file or directory"
    assert refusal(tmp_path) == "cannot read the model: Is a directory"


def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
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
            with pytest.raises(CrossarcError) as caught:
                attempt()
            assert str(caught.value) == f"{path}: {reason}"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(CrossarcError, match=r"the folder .* is read-only"):
        check_writable(str(tmp_path / "m"))
    tmp_path.chmod(0o700)


def test_a_full_disk_leaves_the_old_model(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    before = model.read_bytes()
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CrossarcError) as caught:
        write_archive(str(model), {}, {})
    assert str(caught.value) == f"{model}: cannot be written: No space left on device"
    assert model.read_bytes() == before
    assert [file.name for file in model.parent.iterdir()] == [model.name]


def test_an_array_that_the_metadata_names_must_be_there(tmp_path: Path) -> None:
    rewrite(tmp_path / "m", {"metadata.json": GOOD, "arrays/b.npy": array_bytes(np.arange(3))})
    assert refusal(tmp_path / "m") == "damaged model: array a: missing, but the metadata names it"


def test_arrays_of_objects_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_archive(str(tmp_path / "m"), {}, {"a": np.array([{}], dtype=object)})
    assert list(tmp_path.iterdir()) == []


def zeros(size: int) -> bytes:
    return array_bytes(np.zeros(size, np.uint8))


def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "SMALL", 2**26)
    path = tmp_path / "m"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", GOOD)
        archive.writestr("arrays/a.npy", zeros(2**26))
    size = path.stat().st_size
    assert size < 100_000
    total = len(GOOD) + len(zeros(2**26))
    expected = f"damaged model: its {size} bytes unpack to {total}; expected {2**26} at most"
    assert peak(lambda: refusal(path) == expected) < 2**22


def test_a_member_that_says_less_than_it_unpacks_to_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", GOOD)
        archive.writestr("arrays/a.npy", zeros(2**27))
        archive.infolist()[1].file_size = 1000
    expected = "damaged model: array a: Bad CRC-32 for file 'arrays/a.npy'"
    assert peak(lambda: refusal(path) == expected) < 2**22


@pytest.mark.parametrize("shape", ["(5000000000,)", "(4, 100000000000)", "(9223372036854775807, 9223372036854775807)"])
def test_an_array_may_not_ask_for_more_than_there_is(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "m"
    data = header(f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}")
    rewrite(path, {"metadata.json": GOOD, "arrays/a.npy": data + bytes(8)})
    expected = f"damaged model: array a: found 8 bytes; expected 8 for each of {shape}"
    assert peak(lambda: refusal(path) == expected) < 2**20


def test_an_array_without_values_may_not_be_long(tmp_path: Path) -> None:
    path = tmp_path / "m"
    data = header("{'descr': '<i8', 'fortran_order': False, 'shape': (0, 99999999999), }")
    rewrite(path, {"metadata.json": GOOD, "arrays/a.npy": data})
    assert refusal(path) == "damaged model: array a: found a shape of (0, 99999999999)"


def peak(call: Callable[[], bool]) -> int:
    """The memory that the call takes at most, in bytes; it must give true."""
    tracemalloc.start()
    try:
        assert call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_reading_makes_no_second_copy(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_archive(str(path), {}, {"a": np.random.default_rng(0).integers(0, 255, 2**25, np.uint8)})
    assert peak(lambda: len(read_archive(str(path))[1]["a"]) == 2**25) < 2.2 * 2**25  # the file, the array, little else


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "m"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("metadata.json", GOOD)
    assert refusal(path) == "damaged model: metadata.json: found encrypted, or compressed in another way"


def test_metadata_may_not_be_nested_without_end(tmp_path: Path) -> None:
    document: list[object] = []
    for _ in range(65):
        document = [document]
    text = json.dumps({"format": "crossarc parser model", "version": 1, "arrays": [], "deep": document})
    rewrite(tmp_path / "m", {"metadata.json": text.encode()})
    assert refusal(tmp_path / "m") == "damaged model: metadata.json: more than 64 lists and mappings inside one another"


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        (["a", "a"], "arrays: a name occurs twice"),
        (None, "arrays: found None; expected a list, each text"),
        (["a", 1], "arrays[1]: found 1; expected text"),
    ],
)
def test_names_of_arrays_that_are_none(tmp_path: Path, arrays: object, reason: str) -> None:
    document = {"format": "crossarc parser model", "version": 1, "arrays": arrays}
    rewrite(tmp_path / "m", {"metadata.json": json.dumps(document).encode(), "arrays/a.npy": array_bytes(np.arange(3))})
    assert refusal(tmp_path / "m") == f"damaged model: {reason}"


def test_numbers_of_another_byte_order_are_turned(tmp_path: Path) -> None:
    write_archive(str(tmp_path / "m"), {}, {"a": np.array([1, 2, 2**40], ">i8")})
    (array,) = read_archive(str(tmp_path / "m"))[1].values()
    assert (array.dtype, array.tolist()) == (np.dtype("int64"), [1, 2, 2**40])
    assert array.dtype.isnative
