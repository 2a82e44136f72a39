"""Ranks within groups: equal to naive counts."""

import numpy as np
from crossarc.transitions.arrays import ranks
from hypothesis import given, strategies as st


@given(st.lists(st.integers(0, 5)).map(sorted))
def test_ranks_count_earlier_rows_of_the_same_group(groups):
    expected = [groups[:row].count(group) for row, group in enumerate(groups)]
    assert ranks(np.array(groups, dtype=np.int64)).tolist() == expected
