"""Taggers inside a model: they predict columns before parsing where the input has no values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ....features.piece import piece_of
from ....transitions.configuration import Ints
from ...base.parameters import TEXT, one_of, whole
from ...base.shapes import ListOf, MapOf, Record, check_values, expect, within
from ...learners.common import taken
from ...models.steps import Floats, Step, TreeScores
from ...models.trained import LABELS
from ...models.words import Batch, Values, Words, word_batches
from ...search.stage import Stage, column_sizes
from ...treebank import EMPTY, TAGGED, SymbolTable
from ...treebank.symbols import nfc, tables_from_json, tables_json
from .candidates import SHARPNESS, choose_by_trees, few_candidates
from .chains import Directions
from .encodings import LEMMA, UPOS, WHOLE, keys_of, value_of

PIECE = Record({"key": TEXT, "labels": LABELS, "stage": Record()}, {"back": Record()})
TAGGER = Record(
    {"column": one_of(*TAGGED), "columns": MapOf(Record()), "pieces": ListOf(PIECE, least=1)},
    {"lemmas": ListOf(ListOf(TEXT, 3, 3)), "candidates": whole(1)},
)
"""The JSON values of a tagger; tables and stages add their own values."""


class PieceTagger(NamedTuple):
    """Predicts one piece of the values of a column, see :mod:`.encodings`.

    stage: of the system ``tagging``, from left to right.
    back: the same with reversed sentences, if the tagger works in both directions.
    """

    labels: tuple[str, ...]
    stage: Stage
    back: Stage | None = None

    @property
    def stages(self) -> Mapping[str, Stage]:
        """The stages by their names in model files."""
        return {"stage": self.stage} if self.back is None else {"stage": self.stage, "back": self.back}


def directions_of(pieces: Iterable[PieceTagger]) -> Directions:
    """The taggers of some pieces, all with the same directions."""
    stages = [piece.stages for piece in pieces]
    return Directions([ways["stage"] for ways in stages], [ways["back"] for ways in stages if "back" in ways])


@dataclass(frozen=True)
class Tagger(Step):
    """Predicts the values of a column.

    column: the column.
    tables: symbol tables of the columns that features read.
    pieces: by key, what predicts each piece of a value. Beside whole values, they predict attributes: the word gets
        the value with the highest sum of its score and those of its attributes.
    lemmas: the lemmas of known words, by form in lower case and UPOS, if the model predicts UPOS, or "_"; they replace
        predicted ones.
    candidates: number of words of a sentence whose second best values trees may choose, see :mod:`.candidates`.
    """

    kind: ClassVar[str] = "tagger"

    column: str
    tables: Mapping[str, SymbolTable]
    pieces: Mapping[str, PieceTagger]
    lemmas: Mapping[tuple[str, str], str] = field(default_factory=dict)
    candidates: int = 0

    @cached_property
    def directions(self) -> Directions:
        """The taggers of all pieces."""
        return directions_of(self.pieces.values())

    @property
    def reads(self) -> Collection[str]:
        return self.tables.keys()

    @property
    def fills(self) -> tuple[str, ...]:
        return (self.column,)

    def annotate(self, words: Words) -> None:
        if self.column not in words.tagged:
            missing = words.to_tag(self.column)
            if missing.any():
                if not self.candidates:
                    words.fill(self.column, missing, self.values(words))
                    return
                values, second, gaps = self._ranked(words)
                words.fill(self.column, missing, values)
                words.candidates[self.column] = few_candidates(words, second, gaps, missing, self.candidates)

    def reconsider(self, words: Words, steps: Sequence[Step], tree_scores: TreeScores) -> None:
        if self.column in words.candidates:
            choose_by_trees(words, self.column, steps, tree_scores)

    def hint_workload(self, words: int) -> None:
        self.directions.hint_workload(words)

    def values(self, words: Words) -> Values:
        """The predicted value of each word."""
        count = int(words.lengths.sum())
        by_attributes = WHOLE in self.pieces and len(self.pieces) > 1
        labels_of = {key: np.empty(count, dtype=np.int64) for key in ([WHOLE] if by_attributes else self.pieces)}
        self.directions.load(count)
        for batch in word_batches(words, (), self.tables, {}, self.directions.batches(words.lengths)):
            if by_attributes:
                labels_of[WHOLE][batch.places] = self._labels_by_attributes(batch)
                continue
            labels_of_batch = self.directions.labels(batch.lengths, batch.ids)
            for labels_of_piece, labels in zip(labels_of.values(), labels_of_batch, strict=True):
                labels_of_piece[batch.places] = labels[batch.inside]
        return self._composed(
            words, {key: (labels_of_piece, self.pieces[key].labels) for key, labels_of_piece in labels_of.items()}
        )

    def _ranked(self, words: Words) -> tuple[Values, Ints, Floats]:
        """The best value of each word, the number of the second best, and their gap; the labels are whole values."""
        count = int(words.lengths.sum())
        (piece,) = self.pieces.values()
        best, second = np.empty((2, count), dtype=np.int64)
        gaps = np.full(count, np.inf)
        self.directions.load(count, scored=True)
        sharpness = SHARPNESS / len(piece.stages)
        for batch in word_batches(words, (), self.tables, {}, self.directions.batches(words.lengths, scored=True)):
            (scores,) = (scores[batch.inside] for scores in self.directions.scores(batch.lengths, batch.ids))
            rows, first = np.arange(len(scores)), np.argmax(scores, axis=1)
            highest = scores[rows, first]
            scores[rows, first] = -np.inf
            runner_up = np.argmax(scores, axis=1)
            gaps[batch.places] = sharpness * (highest - scores[rows, runner_up]).astype(np.float64)
            best[batch.places], second[batch.places] = piece.stage.inventory[np.stack([first, runner_up]), 1]
        return (best, piece.labels), second, gaps

    def _labels_by_attributes(self, batch: Batch) -> Ints:
        """The labels of the words of a batch by the whole values and their attributes (int64, (words,))."""
        scores, *others = (scores[batch.inside] for scores in self.directions.scores(batch.lengths, batch.ids))
        for scores_of_attribute, classes in zip(others, self._classes_of_values, strict=True):
            scores += scores_of_attribute[:, classes]
        return self.pieces[WHOLE].stage.inventory[np.argmax(scores, axis=1), 1]

    @cached_property
    def _classes_of_values(self) -> list[Ints]:
        """For each attribute beside whole values, the class that each class of these has (int64, (classes,))."""
        whole, *attributes = self.pieces.items()
        values = [whole[1].labels[label] for label in whole[1].stage.inventory[:, 1].tolist()]
        classes = []
        for key, piece in attributes:
            number_of = {
                piece.labels[label]: number for number, label in enumerate(piece.stage.inventory[:, 1].tolist())
            }
            missing = next((value for value in values if piece_of(value, key) not in number_of), None)
            expect(missing is None, f"pieces: {key}", f"found no class for that of {missing}")
            classes.append(np.array([number_of[piece_of(value, key)] for value in values]))
        return classes

    @cached_property
    def _lemmas_by_upos(self) -> bool:
        return any(upos not in EMPTY for _, upos in self.lemmas)

    def _composed(self, words: Words, labels: Mapping[str, Values]) -> Values:
        """The value of each word, composed of its pieces: the lemma of its edits, FEATS of its attributes.

        labels: by the name of a piece, the label that is predicted for each word.
        """
        forms, names = words.values("form")
        # one number for all words with the same pieces, and for lemmas the same form, whose value is composed once
        codes = forms if self.column == LEMMA else np.zeros(len(forms), dtype=np.int64)
        tags, tag_names = words.values(UPOS) if self._lemmas_by_upos else (np.zeros_like(forms), ["_"])
        codes = codes * len(tag_names) + tags
        for numbers, known in labels.values():
            codes = codes * len(known) + numbers
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        texts = []
        for word in first.tolist():
            form = names[forms[word]]
            known_lemma = self.lemmas.get((nfc(form).lower(), tag_names[tags[word]]))
            pieces = {key: known[labels_of_piece[word]] for key, (labels_of_piece, known) in labels.items()}
            texts.append(known_lemma or value_of(self.column, form, pieces))
        return numbers, texts

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        pieces: list[dict[str, Any]] = []
        arrays: dict[str, NDArray[Any]] = {}
        for number, (key, piece) in enumerate(self.pieces.items()):
            pieces.append({"key": key, "labels": list(piece.labels)})
            for name, stage in piece.stages.items():
                pieces[-1][name], stage_arrays = stage.state()
                arrays |= {f"{_place(number, name)}/{array_name}": array for array_name, array in stage_arrays.items()}
        values: dict[str, Any] = {"column": self.column, "columns": tables_json(self.tables), "pieces": pieces}
        if self.candidates:
            values["candidates"] = self.candidates
        if self.lemmas:
            values["lemmas"] = [[*word, lemma] for word, lemma in self.lemmas.items()]
        return values, arrays

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tagger from its :meth:`state`. Raises ShapeError for an invalid state."""
        check_values(values, TAGGER)
        tables = tables_from_json(values["columns"])
        sizes = column_sizes(tables, tuple(tables))
        pieces: dict[str, PieceTagger] = {}
        for number, piece in enumerate(values["pieces"]):
            stages: dict[str, Stage] = {}
            for name in (name for name in ("stage", "back") if name in piece):
                with within(f"pieces[{number}].{name}"):
                    learned = taken(arrays, f"{_place(number, name)}/")
                    stages[name] = Stage.from_state(piece[name], learned, sizes, len(piece["labels"]))
                    expect(stages[name].system.chains, "system", "found another system; expected tagging")
                    same = np.array_equal(stages[name].inventory, stages["stage"].inventory)
                    expect(same, ": array inventory", "found other labels than in the other direction")
            pieces[piece["key"]] = PieceTagger(tuple(piece["labels"]), **stages)
        expect(len(pieces) == len(values["pieces"]), "pieces", "found a key twice; expected different keys")
        backward = {"back" in piece for piece in values["pieces"]}
        expect(len(backward) == 1, "pieces", "found one direction and two; expected the same for all")
        if values["column"] == LEMMA:
            expect(tuple(pieces) == keys_of(LEMMA, ()), "pieces", "found other keys; expected those of lemmas")
        lemmas = {(form, upos): lemma for form, upos, lemma in values.get("lemmas", ())}
        expect(values["column"] == LEMMA or not lemmas, "lemmas", f"found some for the column {values['column']}")
        candidates = values.get("candidates", 0)
        whole_upos = (values["column"], *pieces) == (UPOS, WHOLE)
        expect(not candidates or whole_upos, "candidates", "found some for another column than UPOS")
        tagger = cls(values["column"], tables, pieces, lemmas, candidates)
        if WHOLE in pieces:
            expect(next(iter(pieces)) == WHOLE, "pieces", "found an attribute first; expected whole values")
            expect(len(tagger._classes_of_values) == len(pieces) - 1, "pieces", "found classes that do not agree")
        return tagger


def _place(number: int, name: str) -> str:
    """Where the arrays of a stage stand in a model file. name: see :attr:`PieceTagger.stages`."""
    return str(number) if name == "stage" else f"{number}{name}"
