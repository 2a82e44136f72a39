"""Scoring of linear learners: equal to a naive sum, and to the last bit equal with numpy and numba."""

from __future__ import annotations

import tracemalloc
from importlib.util import find_spec

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.learners.key_index import MOST_DIRECT, KeyIndex
from crossarc.parser.learners.linear import model as kernel
from crossarc.parser.learners.linear.model import BLOCK, SparseWeights
from crossarc.parser.learners.linear.split_weights import SHARE, SplitWeights
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

SLOTS = tuple(Slot(f"t{k}", 30 * k, 30) for k in range(12)) + tuple(
    Slot(f"h{k}", MOST_DIRECT + 2**58 * k, 2**58) for k in range(12)
)
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")


def keys_and_weights(seed: int, rows: int, classes: int) -> tuple[KeyIndex, NDArray[np.int64], NDArray[np.int16]]:
    """Index of half of the keys, a matrix of keys with a tenth of the places empty, and integer weights."""
    dice = np.random.default_rng(seed)
    offsets = np.array([slot.offset for slot in SLOTS])
    keys = offsets + dice.integers(0, 30, (rows, len(SLOTS)))
    known = np.unique(keys)
    known = dice.permutation(known)[: len(known) // 2]
    keys[dice.random(keys.shape) < 0.1] = ABSENT
    weights = dice.integers(-32767, 32768, (len(known), classes)).astype(np.int16)
    return KeyIndex(known, SLOTS), keys, weights


def padded_rows(weights: NDArray[np.int16]) -> NDArray[np.int16]:
    rows = kernel.blank(*weights.shape)
    rows[:, : weights.shape[1]] = weights
    return rows


def prepare(weights: NDArray[np.int16]) -> NDArray[np.int16] | NDArray[np.float32]:
    return kernel.prepare(padded_rows(weights), weights.shape[1])


def naive(index: KeyIndex, keys: NDArray[np.int64], weights: NDArray[np.int16]) -> list[list[int]]:
    rows = {int(key): row for row, key in enumerate(index.keys)}
    return [
        [sum(int(weights[rows[key], j]) for key in row if key in rows) for j in range(weights.shape[1])]
        for row in keys.tolist()
    ]


@pytest.fixture(params=["numpy", pytest.param("numba", marks=needs_numba)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CROSSARC_KERNEL", request.param)
    return str(request.param)


@pytest.mark.parametrize(("rows", "classes"), [(1, 1), (5, 2), (40, 31), (40, 32), (40, 33), (7, 100)])
def test_scores_are_the_sums_of_the_weights(way: str, rows: int, classes: int) -> None:
    index, keys, weights = keys_and_weights(rows * classes, rows, classes)
    prepared = prepare(weights)
    assert prepared.dtype == (np.float32 if way == "numpy" else np.int16)
    scores = kernel.score(index, prepared, classes, keys)
    assert scores.dtype == np.float32
    assert scores.tolist() == naive(index, keys, weights)


@given(st.integers(1, 20), st.integers(1, 70))
def test_padded_rows_are_aligned_to_64_bytes(rows: int, classes: int) -> None:
    weights = np.arange(rows * classes, dtype=np.int16).reshape(rows, classes)
    padded = padded_rows(weights)
    assert padded.ctypes.data % 64 == 0
    assert padded.flags.c_contiguous
    assert padded.shape == (rows, -(-classes // 32) * 32)
    assert padded[:, :classes].tolist() == weights.tolist()
    assert not padded[:, classes:].any()


def test_any_memory_order_no_rows_and_no_features(way: str) -> None:
    """Keys may be transposed, as the extractor returns them; scores are writable."""
    index, keys, weights = keys_and_weights(2, 9, 6)
    prepared = prepare(weights)
    other = np.asfortranarray(keys)
    assert not other.flags.c_contiguous
    scores = kernel.score(index, prepared, 6, other)
    assert scores.tolist() == kernel.score(index, prepared, 6, keys).tolist()
    scores[:, 2] = -np.inf
    assert np.isneginf(scores[:, 2]).all()
    assert kernel.score(index, prepared, 6, keys[:0]).shape == (0, 6)
    empty = KeyIndex(np.empty(0, dtype=np.int64), SLOTS)
    assert kernel.score(empty, prepare(weights[:0]), 6, keys).tolist() == [[0.0] * 6] * 9


def test_largest_weights_sum_exactly(way: str) -> None:
    """500 features of the largest weight sum to less than 2**24, up to which float32 holds every whole number."""
    slots = tuple(Slot(f"t{k}", k, 1) for k in range(500))
    index = KeyIndex(np.arange(500), slots)
    weights = np.full((500, 3), 32767, dtype=np.int16)
    weights[0] = [32767, 32766, -32767]
    scores = kernel.score(index, prepare(weights), 3, np.arange(500)[None])
    assert scores.tolist() == [[500 * 32767, 500 * 32767 - 1, 498 * 32767]]


@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(1, 70))
@settings(max_examples=25)
def test_split_weights_give_the_same_sums(seed: int, rows: int, classes: int) -> None:
    """Only features with few weights are sparse; there may be no configurations and no features."""
    index, keys, weights = keys_and_weights(seed, rows, classes)
    dice = np.random.default_rng(seed)
    weights[dice.random(weights.shape) < dice.random((len(weights), 1))] = 0
    sparse = SparseWeights.of(index.keys, weights, np.arange(classes))
    order, _ = sparse.ranks()
    split = SplitWeights.of(*sparse, order, SLOTS, classes)
    assert len(split.many) == np.count_nonzero(SHARE * np.count_nonzero(weights, axis=1) > classes)
    assert split.sums(keys).tolist() == naive(index, keys, weights)


@needs_numba
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 70))
@settings(max_examples=25)
def test_numba_numpy_and_sparse_weights_give_the_same_bits(seed: int, rows: int, classes: int) -> None:
    index, keys, weights = keys_and_weights(seed, rows, classes)
    fast = kernel.score(index, prepare(weights), classes, keys)
    slow = kernel.score(index, weights.astype(np.float32), classes, keys)
    sparse = SparseWeights.of(index.keys, weights, np.arange(classes))
    assert fast.tobytes() == slow.tobytes() == sparse.sums(keys, classes).tobytes()


@given(st.lists(st.floats(-1e3, 1e3, width=32), max_size=30))
def test_quantized_weights_are_close_and_use_the_whole_range(values: list[float]) -> None:
    weights = np.array(values, dtype=np.float64).reshape(-1, 1)
    numbers, scale = kernel.quantize(weights)
    assert numbers.dtype == np.int16
    assert np.abs(numbers * scale - weights).max(initial=0) <= scale * 0.5000001
    if len(values) and np.abs(weights).max() > 0:
        assert np.abs(numbers).max() == 32767


@pytest.mark.parametrize("key", [-2, -(2**62), 30 * 12, 2**40, 2**62])
def test_keys_outside_the_small_slots_are_refused(way: str, key: int) -> None:
    index, keys, weights = keys_and_weights(3, 6, 4)
    keys[4, 5] = key
    with pytest.raises(ValueError, match="in the first 12 slots, expected 0 to 359, or -1 for none"):
        kernel.score(index, prepare(weights), 4, keys)


def test_keys_outside_the_large_slots_are_ignored(way: str) -> None:
    index, keys, weights = keys_and_weights(4, 6, 4)
    prepared = prepare(weights)
    before = kernel.score(index, prepared, 4, np.where(np.arange(keys.shape[1]) == 20, ABSENT, keys))
    keys[:, 20] = 2**62
    assert kernel.score(index, prepared, 4, keys).tolist() == before.tolist()


def test_long_rows_are_processed_in_little_memory() -> None:
    """Rows of weights for 5 000 classes are long, so only a limited number of them is processed together."""
    dice = np.random.default_rng(1)
    features, classes, keys = 1_500, 5_000, 40
    weights = dice.standard_normal((features, classes)).astype(np.float32)
    index = np.arange(features) * 3
    numbers = kernel.quantize(weights)[0]
    sparse = SparseWeights.of(index, numbers, np.arange(classes))
    steps = (
        lambda: kernel.quantize(weights),
        lambda: SparseWeights.of(index, numbers, np.arange(classes)),
        lambda: sparse.sums(dice.choice(index, (100, keys)), classes),
    )
    for step in steps:
        tracemalloc.start()
        result = step()
        kept, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 2.1 * kept + 40 * BLOCK
        del result
