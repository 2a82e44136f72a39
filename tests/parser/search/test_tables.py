"""Tables of weights for compiled code, compared with the weights that they are made from."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.linear.sparse import SparseWeights
from crossarc.parser.learners.linear.table import CELLS, MULTIPLIER, PLACES, Table
from hypothesis import given, strategies as st
from numpy.typing import NDArray

SMALL = 50
SLOTS = (Slot("a", 0, SMALL), Slot("b", SMALL, 2**62))


def row_of(learned: Table, key: int) -> int:
    """The row of a key, looked up as in the loop, but bucket by bucket in Python; -1 for unknown keys."""
    if key < SMALL:
        return int(learned.direct[key])
    bucket = (key * int(MULTIPLIER)) % 2**64 >> int(learned.shift)
    while True:
        keys, rows = learned.hashed[bucket].reshape(2, PLACES).tolist()
        if key in keys:
            return int(rows[keys.index(key)])
        if keys[-1] == ABSENT:
            return -1
        bucket = (bucket + 1) % len(learned.hashed)


def weights_at(learned: Table, row: int, classes: int) -> list[int]:
    sums = np.zeros(learned.long.shape[1] + CELLS, dtype=np.int64)
    if 0 <= row < len(learned.long):
        sums[: learned.long.shape[1]] += learned.long[row]
    elif row >= 0:
        cells = learned.short[row - len(learned.long)]
        assert len(set(cells[:CELLS].tolist())) == CELLS
        np.add.at(sums, cells[:CELLS], cells[CELLS:])
    assert not sums[classes:].any()
    return [int(number) for number in sums[:classes]]


keys_of_features = st.one_of(st.integers(0, SMALL - 1), st.integers(SMALL, 90), st.integers(SMALL, 2**62))


@given(st.sets(keys_of_features, max_size=60), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_known_keys_have_their_weights_and_other_keys_none(known: set[int], classes: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    keys = dice.permutation(np.array(sorted(known), dtype=np.int64))
    rows = dice.integers(-32767, 32768, (len(keys), classes)).astype(np.int16)
    rows[dice.random(rows.shape) < dice.random((len(keys), 1))] = 0
    sparse = SparseWeights.of(keys, rows, np.arange(classes))
    learned = Table.of(sparse, SLOTS, classes)
    for table in (learned.hashed, learned.short, learned.long):
        assert not table.size or table.ctypes.data % 64 == 0
    for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
        assert weights_at(learned, row_of(learned, key), classes) == row
    for key in {*range(90), 2**40, *(known ^ {1})} - known:
        assert row_of(learned, key) == -1
    again = np.zeros((len(sparse.keys), classes), dtype=np.int16)
    again[np.repeat(np.arange(len(again)), np.diff(sparse.starts)), sparse.classes] = sparse.weights
    kept = np.argsort(keys)[(rows[np.argsort(keys)] != 0).any(axis=1)]
    assert (again == rows[kept]).all()
    assert sparse.keys.tolist() == keys[kept].tolist()


def chosen_keys(count: int, bits: int) -> NDArray[np.int64]:
    inverse = pow(int(MULTIPLIER), -1, 2**64)
    wanted = (((5 << (64 - bits)) + low) * inverse % 2**64 for low in range(8 * count))
    return np.array(sorted(key for key in wanted if SMALL <= key < 2**62)[:count], dtype=np.int64)


def test_keys_chosen_to_collide_are_refused() -> None:
    keys = chosen_keys(20_000, 20)
    sparse = SparseWeights.of(keys, np.ones((len(keys), 1), dtype=np.int16), np.arange(1))
    with pytest.raises(ShapeError, match="keys collide; train the model again"):
        Table.of(sparse, SLOTS, 1)


def test_overflowing_buckets_continue_in_the_next_ones() -> None:
    keys = chosen_keys(100, 20)
    sparse = SparseWeights.of(keys, np.ones((len(keys), 1), dtype=np.int16), np.arange(1))
    learned = Table.of(sparse, SLOTS, 1)
    assert sorted(row_of(learned, key) for key in keys.tolist()) == list(range(100))
