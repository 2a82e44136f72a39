"""Sentences in batches of similar length, to be advanced in lockstep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["batches_by_length"]

MOST_PLACES = 2**17
"""Rows times width of a batch: very long sentences come in smaller batches."""


def batches_by_length(lengths: Sequence[int], batch: int) -> Iterator[list[int]]:
    """The numbers of the sentences in batches of similar length: ``batch`` at most, fewer if they are very long."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    start = 0
    while start < len(order):
        end = min(start + batch, len(order))
        while end > start + 1 and (end - start) * (lengths[order[end - 1]] + 2) > MOST_PLACES:
            end -= 1
        yield order[start:end]
        start = end
