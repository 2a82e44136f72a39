"""Feature keys of instances in a temporary file, for treebanks of millions of words."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from functools import cached_property
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from .instances import KeyMatrix, with_absent


class KeyFile:
    """What learners read of a :class:`.instances.KeyMatrix`, part by part from a temporary file.

    In memory are the different keys alone. No part may be added after the first one is read.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 (it lives as long as the object)
        weakref.finalize(self, self._file.close)
        self._shapes: list[tuple[int, int, int]] = []
        self._merged: list[NDArray[np.int64]] = []

    def add(self, matrix: KeyMatrix) -> None:
        """Append instances. Raises CrossarcError if there is no room for them."""
        assert "vocabulary" not in vars(self), "a part is added after reading"
        self._shapes.append((len(matrix.vocabulary), *matrix.numbers.shape))
        try:
            for array in (matrix.vocabulary, matrix.numbers):
                self._file.write(np.ascontiguousarray(array).data)
            self._file.flush()
        except OSError as error:
            raise CrossarcError(
                f"no room for the training instances in a temporary file ({error.strerror}); "
                "name a larger folder in the environment variable TMPDIR"
            ) from error
        # vocabularies are merged when there are two of similar size, so that each key is merged a few times only
        self._merged.append(matrix.vocabulary)
        while len(self._merged) > 1 and len(self._merged[-2]) < 2 * len(self._merged[-1]):
            self._merged.append(_merged([self._merged.pop(), self._merged.pop()]))

    def __len__(self) -> int:
        """The number of instances."""
        return sum(rows for _, rows, _ in self._shapes)

    @cached_property
    def vocabulary(self) -> NDArray[np.int64]:
        """int64, the different keys in ascending order."""
        merged, self._merged = self._merged, []
        return _merged(merged) if merged else np.empty(0, dtype=np.int64)

    def counts(self) -> NDArray[np.int64]:
        """int64 (vocabulary,): the number of occurrences of each key."""
        total = np.zeros(len(self.vocabulary), dtype=np.int64)
        for places, numbers in self._parts():
            total[places] += np.bincount(numbers.ravel() + 1, minlength=len(places) + 1)[1:]
        return total

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """Yield int32 (instances, slots), the index of each key in ``vocabulary``, -1 for an absent one, by part."""
        for places, numbers in self._parts():
            yield with_absent(places)[numbers]

    def _parts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Yield (index in ``vocabulary`` of each key of a part, index of each key of its instances among these)."""
        self._file.seek(0)
        for keys, rows, slots in self._shapes:
            part: NDArray[np.int64] = np.fromfile(self._file, np.int64, keys)
            numbers: NDArray[np.int32] = np.fromfile(self._file, np.int32, rows * slots)
            if len(part) < keys or numbers.size < rows * slots:
                raise CrossarcError("the temporary file of the training instances was cut off")
            yield np.searchsorted(self.vocabulary, part), numbers.reshape(rows, slots)


def _merged(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The different numbers of ascending arrays, ascending."""
    numbers = np.concatenate(parts)
    numbers.sort(kind="stable")  # merges what is in order already
    return numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])] if len(numbers) else numbers
