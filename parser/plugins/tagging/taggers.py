"""Taggers inside a model: they predict columns before parsing where the input has no values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...base.parameters import TEXT, one_of
from ...base.shapes import ListOf, MapOf, Record, check_values, expect, within
from ...learners.common import taken
from ...models.steps import Step
from ...models.trained import LABELS
from ...models.words import Values, Words, word_batches
from ...search.stage import Stage, column_sizes
from ...treebank import TAGGED, SymbolTable
from ...treebank.symbols import batches_by_length, tables_from_json, tables_json
from .chains import LoadedChains, labels_apart
from .encodings import LEMMA, keys_of, value_of

PIECE = Record({"key": TEXT, "labels": LABELS, "stage": Record()})
TAGGER = Record({"column": one_of(*TAGGED), "columns": MapOf(Record()), "pieces": ListOf(PIECE, least=1)})
"""The JSON values of a tagger; tables and stages add their own values."""


class PieceTagger(NamedTuple):
    """Predicts one piece of the values of a column, see :mod:`.encodings`. stage: of the system ``tagging``."""

    labels: tuple[str, ...]
    stage: Stage


@dataclass(frozen=True)
class Tagger(Step):
    """Predicts the values of a column.

    column: the column.
    tables: symbol tables of the columns that features read.
    pieces: by key, what predicts each piece of a value.
    chains: the pieces compiled together, which is used for enough words.
    """

    kind: ClassVar[str] = "tagger"

    column: str
    tables: Mapping[str, SymbolTable]
    pieces: Mapping[str, PieceTagger]
    chains: LoadedChains = field(default_factory=LoadedChains, compare=False, repr=False)

    @property
    def fills(self) -> tuple[str, ...]:
        return (self.column,)

    def annotate(self, words: Words) -> None:
        if self.column not in words.tagged:
            missing = words.to_tag(self.column)
            if missing.any():
                words.fill(self.column, missing, self.values(words))

    def hint_workload(self, words: int) -> None:
        for piece in self.pieces.values():
            piece.stage.loop.hint_workload(2 * words)

    def values(self, words: Words) -> Values:
        """The predicted value of each word."""
        count = int(words.lengths.sum())
        labels_of = {key: np.empty(count, dtype=np.int64) for key in self.pieces}
        stages = [piece.stage for piece in self.pieces.values()]
        chains = self.chains.of(stages, count)
        for stage in () if chains else stages:
            stage.loop.hint_workload(2 * count)
        derived = chains.labels if chains else partial(labels_apart, stages)
        for batch in word_batches(words, (), self.tables, {}, batches_by_length(words.lengths.tolist())):
            for labels_of_piece, labels in zip(labels_of.values(), derived(batch.lengths, batch.ids), strict=True):
                labels_of_piece[batch.places] = labels[batch.inside]
        return self.composed(
            words, {key: (labels_of_piece, self.pieces[key].labels) for key, labels_of_piece in labels_of.items()}
        )

    def composed(self, words: Words, labels: Mapping[str, Values]) -> Values:
        """The value of each word, composed of its pieces. labels: by key, the labels that are predicted."""
        forms, names = words.values("form")
        codes = forms if self.column == LEMMA else np.zeros(len(forms), dtype=np.int64)
        for numbers, known in labels.values():
            codes = codes * len(known) + numbers
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        texts = [
            value_of(
                self.column,
                names[forms[word]],
                {key: known[labels_of_piece[word]] for key, (labels_of_piece, known) in labels.items()},
            )
            for word in first.tolist()
        ]
        return numbers, texts

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        pieces = []
        arrays: dict[str, NDArray[Any]] = {}
        for number, (key, (labels, stage)) in enumerate(self.pieces.items()):
            values, stage_arrays = stage.state()
            arrays |= {f"{number}/{name}": array for name, array in stage_arrays.items()}
            pieces.append({"key": key, "labels": list(labels), "stage": values})
        return {"column": self.column, "columns": tables_json(self.tables), "pieces": pieces}, arrays

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tagger from its :meth:`state`. Raises ShapeError for an invalid state."""
        check_values(values, TAGGER)
        tables = tables_from_json(values["columns"])
        sizes = column_sizes(tables, tuple(tables))
        pieces: dict[str, PieceTagger] = {}
        for number, piece in enumerate(values["pieces"]):
            with within(f"pieces[{number}].stage"):
                stage = Stage.from_state(piece["stage"], taken(arrays, f"{number}/"), sizes, len(piece["labels"]))
                expect(stage.system.chains, "system", "found another system; expected tagging")
            pieces[piece["key"]] = PieceTagger(tuple(piece["labels"]), stage)
        expect(len(pieces) == len(values["pieces"]), "pieces", "found a key twice; expected different keys")
        if values["column"] == LEMMA:
            expect(tuple(pieces) == keys_of(LEMMA, ()), "pieces", "found other keys; expected those of lemmas")
        return cls(values["column"], tables, pieces)
