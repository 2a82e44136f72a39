"""Rows of keys: those that a dict gives."""

import numpy as np
from crossarc.features.extractor import ABSENT
from crossarc.parser.learners.key_index import NO_ROW, rows_of
from hypothesis import given, strategies as st

keys_of_slots = st.one_of(st.integers(0, 30), st.integers(2**62 - 9, 2**62), st.just(2**63 - 1))
matrices = st.lists(st.tuples(*[keys_of_slots | st.just(ABSENT)] * 4), min_size=1, max_size=40)


def assert_like_dict(known, asked):
    rows = {key: row for row, key in enumerate(known)}
    found = rows_of(np.array(known, dtype=np.int64), asked)
    assert found.dtype == np.int32
    assert found.tolist() == [[rows.get(key, NO_ROW) for key in row] for row in asked.tolist()]


@given(matrices, matrices)
def test_rows_equal_those_of_a_dict(known, asked):
    keys = sorted({key for row in known for key in row if key not in (ABSENT, 2**63 - 1)})
    assert_like_dict(keys, np.array(known + asked, dtype=np.int64))


def test_no_keys_and_no_rows():
    asked = np.array([[0, 40, ABSENT, 2**62]])
    assert_like_dict([], asked)
    assert rows_of(np.array([3]), asked[:0]).shape == (0, 4)
