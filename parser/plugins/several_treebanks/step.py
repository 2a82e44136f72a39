"""The treebank that a model parses like, as a step of the model that supplies a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import check_names
from ...base.parameters import TEXT
from ...base.shapes import ListOf, Record, check_values, expect
from ...models.steps import State, Step
from ...models.words import Words

COLUMN = "treebank"
"""The column that features read: the treebank that a word stands in, or is to be parsed like."""
VALUES = Record({"names": ListOf(TEXT, 2), "chosen": TEXT})


@dataclass(frozen=True)
class TreebankName(Step):
    """Gives each word the name of the treebank whose conventions its tags and its tree are to follow.

    names: the treebanks that the model learned from, that of the config's ``treebank.train`` first.
    chosen: one of them.
    """

    kind: ClassVar[str] = "treebank"

    names: Sequence[str]
    chosen: str

    @property
    def constant(self) -> Mapping[str, str]:
        return {COLUMN: self.chosen}

    def like(self, treebank: str) -> Self:
        check_names("like: found", [treebank], self.names)
        return replace(self, chosen=treebank)

    def annotate(self, words: Words) -> None:
        words.tagged[COLUMN] = np.zeros(int(words.lengths.sum()), dtype=np.int64), [self.chosen]

    def state(self) -> State:
        return {"names": list(self.names), "chosen": self.chosen}, {}

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, VALUES)
        expect(values["chosen"] in values["names"], "chosen", f"found {values['chosen']!r}; expected one of the names")
        return cls(tuple(values["names"]), values["chosen"])
