"""Batches of sentences of similar length."""

from __future__ import annotations

from crossarc.parser.treebank.symbols import MOST_PLACES, batches_by_length
from hypothesis import example, given, settings, strategies as st


@given(st.lists(st.integers(0, MOST_PLACES * 2), max_size=60), st.integers(1, 20))
@settings(max_examples=100)
@example([MOST_PLACES // 2 - 2] * 5, 5)
@example([MOST_PLACES // 2 - 1] * 5, 5)
def test_batches_hold_every_sentence_once_and_no_more_places_than_allowed(lengths: list[int], batch: int) -> None:
    batches = list(batches_by_length(lengths, batch))
    assert sorted(number for numbers in batches for number in numbers) == list(range(len(lengths)))
    for numbers in batches:
        assert 1 <= len(numbers) <= batch
        width = max(lengths[number] for number in numbers) + 2
        assert len(numbers) == 1 or len(numbers) * width <= MOST_PLACES


def test_long_sentences_come_in_smaller_batches_and_short_ones_in_full_ones() -> None:
    half = MOST_PLACES // 2 - 2
    assert list(batches_by_length([half] * 5, 5)) == [[0, 1], [2, 3], [4]]
    assert list(batches_by_length([half + 1] * 3, 5)) == [[0], [1], [2]]
    assert list(batches_by_length([3, 1, 2, 1], 2)) == [[1, 3], [2, 0]]
