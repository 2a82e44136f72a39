"""Scoring of linear learners: equal to a naive sum, and to the last bit equal with numpy and numba."""

import tracemalloc
from importlib.util import find_spec

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.instances import MOST_CLASSES
from crossarc.parser.learners.key_index import known_features
from crossarc.parser.learners.linear import weights as module
from crossarc.parser.learners.linear.weights import MOST_DIRECT, MULTIPLIER, SparseWeights, WeightTable, blank, scale_of
from hypothesis import given, strategies as st

SLOTS = tuple(Slot(f"t{k}", 30 * k, 30) for k in range(12))
SLOTS += tuple(Slot(f"h{k}", MOST_DIRECT + 2**58 * k, 2**58) for k in range(12))
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")


def table_sums(table, keys, classes):
    from crossarc.parser.learners.linear.lookups import sums  # imports numba

    return sums(table, keys, classes)


def keys_and_weights(seed, rows, classes):
    """Half of the keys, a matrix of keys with a tenth of the places empty, and integer weights, some features' few."""
    dice = np.random.default_rng(seed)
    offsets = np.array([slot.offset for slot in SLOTS])
    keys = offsets + dice.integers(0, 30, (rows, len(SLOTS)))
    known = np.unique(keys)
    known = dice.permutation(known)[: len(known) // 2]
    keys[dice.random(keys.shape) < 0.1] = ABSENT
    weights = dice.integers(-32767, 32768, (len(known), classes)).astype(np.int16)
    weights[dice.random(weights.shape) < dice.choice([0, 0.5, 0.9], (len(weights), 1))] = 0
    return known, keys, weights


def naive(known, keys, weights):
    rows = {int(key): row for row, key in enumerate(known)}
    return [weights[[rows[key] for key in row if key in rows]].sum(axis=0, dtype=int).tolist() for row in keys.tolist()]


def stored(known, weights):
    return SparseWeights.of(known, weights, np.arange(weights.shape[1]))


def dense(known, weights):
    order = np.argsort(known)
    rows = blank(*weights.shape)
    rows[:, : weights.shape[1]] = weights[order]
    return WeightTable.over(known[order], SLOTS, rows)


SIZES = [(1, 1), (5, 2), (40, 31), (40, 32), (40, 33), (7, 100), (2, MOST_CLASSES), (0, 3)]


@pytest.mark.parametrize(("rows", "classes"), SIZES)
def test_sums_of_numpy_are_those_of_the_weights(rows, classes):
    known, keys, weights = keys_and_weights(rows * classes, rows, classes)
    sparse = stored(known, weights)
    product = (known_features(sparse.keys, keys, np.float32) @ sparse.matrix(classes)).toarray()
    for sums in (sparse.sums(keys, classes), product):
        assert sums.dtype == np.float32
        assert sums.tolist() == naive(known, keys, weights)


@needs_numba
@pytest.mark.parametrize(("rows", "classes"), SIZES)
def test_sums_of_tables_are_those_of_the_weights(rows, classes):
    """Keys may be transposed, as the extractor returns them; sums are writable."""
    known, keys, weights = keys_and_weights(rows * classes, rows, classes)
    for table in (WeightTable.of(stored(known, weights), SLOTS, classes), dense(known, weights)):
        for own in (keys, np.asfortranarray(keys)):
            sums = table_sums(table, own, classes)
            assert sums.dtype == np.float32
            assert sums.tolist() == naive(known, keys, weights)
            sums[:] = 0


@given(st.integers(1, 20), st.integers(1, 70))
def test_padded_rows_are_aligned_to_64_bytes(rows, classes):
    padded = blank(rows, classes)
    assert padded.ctypes.data % 64 == 0
    assert padded.flags.c_contiguous
    assert padded.shape == (rows, -(-classes // 32) * 32)
    assert not padded.any()


def test_no_features():
    nothing = np.empty(0, dtype=np.int64), np.empty((0, 6), dtype=np.int16)
    keys = keys_and_weights(2, 9, 6)[1]
    assert stored(*nothing).sums(keys, 6).tolist() == [[0.0] * 6] * 9
    if find_spec("numba"):
        assert table_sums(WeightTable.of(stored(*nothing), SLOTS, 6), keys, 6).tolist() == [[0.0] * 6] * 9


@needs_numba
def test_tables_follow_changes_of_their_rows():
    known, keys, weights = keys_and_weights(5, 9, 6)
    table = dense(known, weights)
    table.long[:, 2] += 1
    weights[:, 2] += 1
    assert table_sums(table, keys, 6).tolist() == naive(known, keys, weights)


def test_largest_weights_sum_exactly():
    """500 features of the largest weight sum to less than 2**24, up to which float32 holds every whole number."""
    slots = tuple(Slot(f"t{k}", k, 1) for k in range(500))
    weights = np.full((500, 3), 32767, dtype=np.int16)
    weights[0] = [32767, 32766, -32767]
    sparse = stored(np.arange(500), weights)
    expected = [[500 * 32767, 500 * 32767 - 1, 498 * 32767]]
    assert sparse.sums(np.arange(500)[None], 3).tolist() == expected
    if find_spec("numba"):
        assert table_sums(WeightTable.of(sparse, slots, 3), np.arange(500)[None], 3).tolist() == expected


@given(st.lists(st.floats(-1e3, 1e3, width=32), max_size=30))
def test_quantized_weights_are_close_and_use_the_whole_range(values):
    weights = np.array(values, dtype=np.float64).reshape(-1, 1)
    scale = scale_of(weights)
    sparse = SparseWeights.of(np.arange(len(values)), weights, np.arange(1), scale)
    assert sparse.weights.dtype == np.int16
    numbers = np.zeros((len(values), 1))
    numbers[sparse.keys, 0] = sparse.weights
    assert np.abs(numbers * scale - weights).max(initial=0) <= scale * 0.5000001
    if len(values) and np.abs(weights).max() > 0:
        assert np.abs(numbers).max() == 32767


@needs_numba
@pytest.mark.parametrize("key", [-2, -(2**62), 30 * 12, 2**40, 2**62])
def test_keys_outside_the_small_slots_are_refused(key):
    known, keys, weights = keys_and_weights(3, 6, 4)
    keys[4, 5] = key
    with pytest.raises(ValueError, match="in the first 12 slots, expected 0 to 359, or -1 for none"):
        table_sums(WeightTable.of(stored(known, weights), SLOTS, 4), keys, 4)


@needs_numba
def test_keys_outside_the_large_slots_are_ignored():
    known, keys, weights = keys_and_weights(4, 6, 4)
    table = WeightTable.of(stored(known, weights), SLOTS, 4)
    before = table_sums(table, np.where(np.arange(keys.shape[1]) == 20, ABSENT, keys), 4)
    keys[:, 20] = 2**62
    assert table_sums(table, keys, 4).tolist() == before.tolist()


def test_long_rows_are_processed_in_little_memory():
    """Rows of weights for 5 000 classes are long, so only a limited number of them is processed together."""
    dice = np.random.default_rng(1)
    features, classes, keys = 1_500, 5_000, 40
    weights = dice.standard_normal((features, classes)).astype(np.float32)
    index = np.arange(features) * 3
    scale = scale_of(weights)
    sparse = SparseWeights.of(index, weights, np.arange(classes), scale)
    steps = (
        lambda: scale_of(weights),
        lambda: SparseWeights.of(index, weights, np.arange(classes), scale),
        lambda: sparse.sums(dice.choice(index, (100, keys)), classes),
    )
    for step in steps:
        tracemalloc.start()
        result = step()
        kept, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 2.1 * kept + 40 * module.BLOCK
        del result


def chosen_keys(count, bits):
    """Keys of the large slots that belong into one bucket of a table with this number of bits."""
    inverse = pow(int(MULTIPLIER), -1, 2**64)
    wanted = (((5 << (64 - bits)) + low) * inverse % 2**64 for low in range(8 * count))
    return np.array(sorted(key for key in wanted if MOST_DIRECT <= key < 2**62)[:count], dtype=np.int64)


def test_keys_chosen_to_collide_are_refused():
    keys = chosen_keys(20_000, 20)
    with pytest.raises(ShapeError, match="keys collide; train the model again"):
        WeightTable.of(stored(keys, np.ones((len(keys), 1), dtype=np.int16)), SLOTS, 1)


@needs_numba
def test_overflowing_buckets_continue_in_the_next_ones():
    keys = chosen_keys(100, 20)
    table = WeightTable.of(stored(keys, np.arange(1, 101, dtype=np.int16)[:, None]), SLOTS, 1)
    asked = np.full((101, len(SLOTS)), ABSENT)
    asked[:, -1] = np.append(keys, keys[0] + 1)
    assert table_sums(table, asked, 1)[:, 0].tolist() == [*range(1, 101), 0]
