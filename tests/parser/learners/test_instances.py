"""Training instances: keys stored as 32-bit numbers, their counts, and matrices made from them."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners import instances as module
from crossarc.parser.learners.instances import Instances, KeyMatrix, feature_matrix, known_keys
from crossarc.parser.learners.key_file import KeyFile
from crossarc.parser.learners.key_index import known_features
from hypothesis import given, strategies as st

SLOTS = (Slot("a", 0, 6), Slot("set", 6, 5), Slot("set", 6, 5), Slot("huge", 11, 2**61))
ATOM = st.sampled_from([ABSENT, *range(6, 11)])
ROW = st.tuples(st.integers(0, 5), ATOM, ATOM, st.sampled_from([ABSENT, 11, 12, 2**40, 2**61]))
KEYS = st.lists(ROW, max_size=30).map(lambda rows: np.array(rows, dtype=np.int64).reshape(len(rows), len(SLOTS)))


def instances(keys):
    return Instances.of(keys, np.zeros(len(keys), dtype=np.int32), SLOTS, 1)


@given(st.lists(KEYS, min_size=1, max_size=4))
def test_keys_are_restored_whole_in_parts_and_joined(parts):
    matrices = [KeyMatrix.of(keys) for keys in parts]
    joined = KeyMatrix.joined(list(matrices))
    every = np.concatenate(parts)
    assert joined.numbers.dtype == np.int32
    assert joined.vocabulary.tolist() == sorted(set(every.ravel().tolist()) - {ABSENT})
    assert (joined.decoded() == every).all()
    assert (joined.part(slice(1, None, 2)).decoded() == every[1::2]).all()
    assert [matrice.decoded().tolist() for matrice in matrices] == [keys.tolist() for keys in parts]
    counts = Counter(every.ravel().tolist())
    assert joined.counts().tolist() == [counts[key] for key in joined.vocabulary.tolist()]


@given(st.lists(KEYS, min_size=1, max_size=9))
def test_a_file_has_the_keys_of_its_parts(parts):
    file = KeyFile()
    for keys in parts:
        file.add(KeyMatrix.of(keys))
    joined = KeyMatrix.joined([KeyMatrix.of(keys) for keys in parts])
    assert len(file) == len(joined)
    assert file.vocabulary.tolist() == joined.vocabulary.tolist()
    assert file.counts().tolist() == joined.counts().tolist()
    for _ in range(2):
        assert np.concatenate(list(file.blocks())).tolist() == joined.numbers.tolist()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device without room")
def test_a_file_without_room_names_the_remedy():
    file = KeyFile()
    with open("/dev/full", "wb", buffering=0) as file._file, pytest.raises(CrossarcError, match=r"No space .* TMPDIR"):
        file.add(KeyMatrix.of(np.arange(8).reshape(2, 4)))


@given(KEYS, st.integers(1, 4))
def test_known_keys_are_the_frequent_ones_most_frequent_first(keys, min_count):
    counts = Counter(key for row in keys.tolist() for key in row if key != ABSENT)
    often = [key for _, key in sorted((-count, key) for key, count in counts.items() if count >= min_count)]
    if not often:
        with pytest.raises(CrossarcError, match=f"guide.min_count: no feature occurs {min_count} times in training"):
            known_keys(instances(keys), min_count)
        return
    found = known_keys(instances(keys), min_count)
    assert found.dtype == np.int64
    assert found.tolist() == often


@given(KEYS.filter(len), st.integers(1, 3), st.integers(1, 7))
def test_feature_matrix_equals_that_of_known_keys(keys, min_count, block):
    whole = instances(keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        try:
            known = np.sort(known_keys(whole, min_count))
        except CrossarcError:
            return
        found = feature_matrix(whole, known, np.float32)
    expected = known_features(known, keys)
    assert found.dtype == np.float32
    assert (found.indptr == expected.indptr).all()
    assert (found.indices == expected.indices).all()
    assert (found.data == expected.data).all()
