"""Key index: it finds the same rows as a dict."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, Slot
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.learners.key_index import MOST_DIRECT, MULTIPLIER, NO_ROW, KeyIndex
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

SLOTS = (
    Slot("a", 0, 40),
    Slot("set", 40, 10),
    Slot("set", 40, 10),
    Slot("big", 50, MOST_DIRECT),
    Slot("huge set", 50 + MOST_DIRECT, 2**60),
    Slot("huge set", 50 + MOST_DIRECT, 2**60),
    Slot("last", 50 + MOST_DIRECT + 2**60, 2**61),
)


def slot_keys(slot: Slot) -> st.SearchStrategy[int]:
    """Keys of a slot, many of them near the ends of its range so that they recur."""
    last = slot.offset + slot.size - 1
    near = st.integers(0, min(5, slot.size - 1))
    anywhere = st.integers(slot.offset, last)
    return st.one_of(near.map(lambda k: slot.offset + k), near.map(lambda k: last - k), anywhere)


matrices = st.lists(st.tuples(*(slot_keys(slot) | st.just(ABSENT) for slot in SLOTS)), min_size=1, max_size=40)


def colliding(count: int, bits: int) -> list[int]:
    """Keys of the last slot that hash to one place in a table of ``2**bits`` places."""
    inverse = pow(int(MULTIPLIER), -1, 2**64)
    found: list[int] = []
    low = 0
    while len(found) < count:
        key = (((3 << (64 - bits)) + low) * inverse) % 2**64
        low += 1
        if SLOTS[-1].offset <= key < SLOTS[-1].offset + SLOTS[-1].size:
            found.append(key)
    return found


def assert_like_dict(known: list[int], asked: NDArray[np.int64], slots: tuple[Slot, ...] = SLOTS) -> None:
    index = KeyIndex(np.array(known, dtype=np.int64), slots)
    assert len(index) == len(known)
    rows = {key: row for row, key in enumerate(known)}
    found = index.rows(asked)
    assert found.dtype == np.int32
    assert found.tolist() == [[rows.get(key, NO_ROW) for key in row] for row in asked.tolist()]


@given(matrices, matrices, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_rows_equal_those_of_a_dict(known: list[tuple[int, ...]], asked: list[tuple[int, ...]], dice: object) -> None:
    keys = sorted({key for row in known for key in row if key != ABSENT})
    dice.shuffle(keys)  # type: ignore[attr-defined]
    assert_like_dict(keys, np.array(known + asked, dtype=np.int64))


def test_colliding_keys_get_separate_places() -> None:
    keys = colliding(600, bits=11)
    inserted, others = keys[:500], keys[500:]
    index = KeyIndex(np.array(inserted, dtype=np.int64), SLOTS)
    assert index.mask + 1 >= 2 * len(inserted)
    assert len({int(place) for place in index._home(np.array(inserted))}) < 5
    asked = np.full((600, len(SLOTS)), ABSENT, dtype=np.int64)
    asked[:, -1] = inserted + others
    assert_like_dict(inserted, asked)


def test_too_many_colliding_keys_are_refused() -> None:
    keys = np.array(colliding(20_000, bits=16), dtype=np.int64)
    with pytest.raises(ShapeError, match="too many of the 20000 keys collide"):
        KeyIndex(keys, SLOTS)


def test_no_keys_and_no_rows() -> None:
    asked = np.array([[0, 40, ABSENT, 50, 2**60, ABSENT, 2**62]])
    assert_like_dict([], asked)
    assert KeyIndex(np.array([3]), SLOTS).rows(asked[:0]).shape == (0, len(SLOTS))


@pytest.mark.parametrize("slots", [SLOTS[:3], SLOTS[3:]], ids=["all direct", "all hashed"])
def test_only_direct_or_only_hashed_slots(slots: tuple[Slot, ...]) -> None:
    known = [slots[0].offset + 7, slots[-1].offset + slots[-1].size - 1]
    asked = np.array([[known[0], *[ABSENT] * (len(slots) - 2), known[1]], [known[0] + 1, *[ABSENT] * (len(slots) - 1)]])
    assert_like_dict(known, asked, slots)
