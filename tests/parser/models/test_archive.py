"""Model files: reading restores what was written; damaged, foreign and hostile files give one-line errors."""

import functools
import io
import json
import os
import random
import tracemalloc
import zipfile
from pathlib import Path

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
def model(tmp_path):
    path = tmp_path / "a.model"
    write_archive(str(path), METADATA, ARRAYS)
    return path


def refused(path):
    message = refusal(lambda: read_archive(str(path)))
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def assert_is_the_model(path):
    metadata, arrays = read_archive(str(path))
    assert metadata == {
        "format": "crossarc parser model",
        "version": 2,
        "arrays": {name: {"dtype": array.dtype.str, "shape": list(array.shape)} for name, array in ARRAYS.items()},
        **METADATA,
    }
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tolist() == array.tolist()


def test_content_is_read_back_and_its_order_does_not_change_bytes(model, tmp_path):
    assert_is_the_model(model)
    again = tmp_path / "b.model"
    reordered = {name: np.asfortranarray(ARRAYS[name]) for name in reversed(ARRAYS)}
    write_archive(str(again), dict(reversed(METADATA.items())), reordered)
    assert again.read_bytes() == model.read_bytes()


def test_metadata_can_be_read_with_any_zip_program(model):
    with zipfile.ZipFile(model) as archive:
        assert json.loads(archive.read("metadata.json"))["labels"] == ["nsubj", "öbj"]
        assert sorted(archive.namelist())[:2] == ["arrays/flags", "arrays/guide/empty"]


def test_truncated_models_are_refused(model):
    content = model.read_bytes()
    for length in [*range(0, len(content), 11), *range(len(content) - 25, len(content))]:
        model.write_bytes(content[:length])
        assert refused(model) == "not a crossarc model, or a truncated one"


def test_flipped_bits_are_refused_or_change_nothing(model):
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


def zipped(entries, method=zipfile.ZIP_STORED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return data.getvalue()


def described(**values):
    """Metadata of a model, with other values."""
    return json.dumps({"format": "crossarc parser model", "version": 2, "arrays": {}, **values}).encode()


def with_array(data, shape=(3,), dtype="<i8"):
    """A model with a single array."""
    return zipped({"metadata.json": described(arrays={"a": {"dtype": dtype, "shape": shape}}), "arrays/a": data})


NESTED = functools.reduce(lambda inner, _: [inner], range(65), [])
OTHER_VERSION = "this crossarc reads version 2; train the model again or use the crossarc that wrote it"
HOSTILE = {
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
        for version in (0, 1, 3, "2", None)
    },
    "damaged model: metadata.json: the entry is encrypted or uses another compression": [
        zipped({"metadata.json": described()}, method) for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    ],
    "damaged model: metadata.json: more than 64 levels of nested lists and mappings": [
        zipped({"metadata.json": described(deep=NESTED)})
    ],
    "damaged model: array a: missing, but the metadata names it": [
        zipped({"metadata.json": described(arrays={"a": {"dtype": "<i8", "shape": [3]}}), "arrays/b": bytes(24)})
    ],
    "damaged model: arrays: found None; expected a mapping of names, each to a mapping with dtype, shape": [
        zipped({"metadata.json": described(arrays=None)})
    ],
    "damaged model: arrays.a.dtype: found ": [
        with_array(bytes(24), dtype=dtype) for dtype in ("|O", "<i3", "nonsense", ">i8", 8, "<U99999999", "<M8[s]")
    ],
    "damaged model: arrays.a.shape": [
        with_array(bytes(24), shape) for shape in (3, [-3], [3.0], [2**31, 0], [1] * 9, ["3"], None)
    ],
    "damaged model: array a: found ": [
        with_array(bytes(8 * size), shape) for size, shape in ((2, [3]), (4, [3]), (0, [3]), (1, [2**30, 2**30]))
    ],
    "damaged model: ": [
        zipped({"metadata.json": own}) for own in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "\xff"}')
    ],
}
"""Error messages and the files that cause them. A message that ends in ": " is only the beginning."""


@pytest.mark.parametrize("said", HOSTILE)
def test_hostile_files_are_refused_without_running_code(tmp_path, monkeypatch, said):
    monkeypatch.chdir(tmp_path)
    for content in HOSTILE[said]:
        Path("m").write_bytes(content)
        found = refused(Path("m"))
        assert found == said or (
            said.endswith((": ", "found ", "shape")) and len(found) > len(said) and found.startswith(said)
        )
    assert os.listdir() == ["m"]


def test_devices_are_refused():
    assert refused(Path("/dev/zero")) == "not a crossarc model, but a device"


def test_missing_files_and_folders_are_refused(tmp_path):
    assert refused(tmp_path / "none") == "cannot read the model: No such file or directory"
    assert refused(tmp_path) == "cannot read the model: Is a directory"


def test_unwritable_paths_are_refused_and_leave_no_file(tmp_path):
    (tmp_path / "folder").mkdir()
    for name, reason in {
        "missing/m": f"cannot be written: there is no folder {tmp_path / 'missing'}",
        "folder": "cannot be written: it is a folder",
        "m.gz": "a model is compressed already; its name may not end in .gz",
    }.items():
        path = str(tmp_path / name)
        for attempt in (functools.partial(check_writable, path), functools.partial(write_archive, path, {}, {})):
            assert refusal(attempt) == f"{path}: {reason}"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_read_only_folders_are_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(CrossarcError, match=r"the folder .* is read-only"):
        check_writable(str(tmp_path / "m"))
    tmp_path.chmod(0o700)


def test_arrays_of_objects_are_not_written(tmp_path):
    with pytest.raises(CrossarcError, match=r"dtype: found '\|O'"):
        write_archive(str(tmp_path / "m"), {}, {"a": np.array([{}], dtype=object)})
    assert list(tmp_path.iterdir()) == []


def test_zip_bombs_are_refused_before_unpacking(tmp_path, monkeypatch):
    monkeypatch.setattr(archive_module, "SMALL", 2**26)
    path = tmp_path / "m"
    arrays = {"a": {"dtype": "|u1", "shape": [2**26]}}
    entries = {"metadata.json": described(arrays=arrays), "arrays/a": bytes(2**26)}
    size = path.write_bytes(zipped(entries, zipfile.ZIP_DEFLATED))
    assert size < 100_000
    total = sum(map(len, entries.values()))
    expected = f"damaged model: its {size} bytes unpack to {total}; expected {2**26} at most"
    assert peak(lambda: refused(path) == expected) < 2**22


def test_entries_larger_than_their_declared_size_are_refused(tmp_path):
    path = tmp_path / "m"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", described(arrays={"a": {"dtype": "|u1", "shape": [1000]}}))
        archive.writestr("arrays/a", bytes(2**27))
        archive.infolist()[1].file_size = 1000
    expected = "damaged model: array a: Bad CRC-32 for file 'arrays/a'"
    assert peak(lambda: refused(path) == expected) < 2**22


def peak(call):
    """The peak memory of the call in bytes; the call must return True."""
    tracemalloc.start()
    try:
        assert call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_reading_makes_no_second_copy_of_arrays(tmp_path):
    path = tmp_path / "m"
    write_archive(str(path), {}, {"a": np.random.default_rng(0).integers(0, 255, 2**25, np.uint8)})
    assert peak(lambda: len(read_archive(str(path))[1]["a"]) == 2**25) < 2.2 * 2**25  # the file and the array


def test_arrays_of_another_byte_order_become_native(tmp_path):
    write_archive(str(tmp_path / "m"), {}, {"a": np.array([1, 2, 2**40], ">i8")})
    (array,) = read_archive(str(tmp_path / "m"))[1].values()
    assert (array.dtype, array.tolist()) == (np.dtype("int64"), [1, 2, 2**40])
    assert array.dtype.isnative
