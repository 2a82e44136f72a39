"""Taggers inside a model: they predict columns before parsing where the input has no values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from ..base.parameters import TEXT, Allowed, one_of
from ..base.shapes import ListOf, MapOf, Record, check_values, expect, within
from ..search.stage import Stage, column_sizes
from ..treebank import TAGGED, Sentence, SymbolTable
from ..treebank.symbols import batches_by_length, tables_from_json, tables_json
from .model import Content, ParserModel, joined
from .tag_encodings import LEMMA, value_of
from .words import SentenceWords, Values, Words, word_batches

LABELS = ListOf(
    Allowed(
        "text without tabs and ends of lines",
        lambda value: isinstance(value, str) and not any(sign in value for sign in "\t\n\r"),
    ),
    least=1,
)
PIECE = Record({"key": TEXT, "labels": LABELS, "stage": Record()})
TAGGERS = ListOf(Record({"column": one_of(*TAGGED), "columns": MapOf(Record()), "pieces": ListOf(PIECE, least=1)}))
"""The JSON values of taggers; tables and stages add their own values."""


class PieceTagger(NamedTuple):
    """Predicts one piece of the values of a column, see :mod:`.tag_encodings`. stage: of the system ``tagging``."""

    labels: tuple[str, ...]
    stage: Stage


@dataclass(frozen=True, slots=True)
class Tagger:
    """Predicts the values of a column.

    column: the column.
    tables: symbol tables of the columns that features read.
    pieces: by key, what predicts each piece of a value.
    """

    column: str
    tables: Mapping[str, SymbolTable]
    pieces: Mapping[str, PieceTagger]

    def values(self, words: Words) -> Values:
        """The predicted value of each word."""
        found = {key: np.empty(int(words.lengths.sum()), dtype=np.int64) for key in self.pieces}
        for piece in self.pieces.values():
            piece.stage.loop.hint_workload(2 * int(words.lengths.sum()))
        for batch in word_batches(words, (), self.tables, {}, batches_by_length(words.lengths.tolist())):
            for key, (_, stage) in self.pieces.items():
                derived = stage.derive(stage.system.initial(batch.lengths), batch.ids)
                found[key][batch.places] = derived.deprels[batch.inside]
        return self.composed(words, {key: (own, self.pieces[key].labels) for key, own in found.items()})

    def composed(self, words: Words, labels: Mapping[str, Values]) -> Values:
        """The value of each word, composed of its pieces. labels: by key, the labels that are predicted."""
        forms, names = words.values("form")
        codes = forms if self.column == LEMMA else np.zeros(len(forms), dtype=np.int64)
        for numbers, known in labels.values():
            codes = codes * len(known) + numbers
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        texts = [
            value_of(self.column, names[forms[word]], {key: known[own[word]] for key, (own, known) in labels.items()})
            for word in first.tolist()
        ]
        return numbers, texts


def tag(words: Words, taggers: Iterable[Tagger]) -> None:
    """Fill empty values in the columns of the taggers, unless a column is filled already."""
    for tagger in taggers:
        if tagger.column not in words.tagged:
            missing = words.to_tag(tagger.column)
            if missing.any():
                words.fill(tagger.column, missing, tagger.values(words))


def tagged(sentences: Iterable[Sentence], model: ParserModel, retag: bool) -> list[Sentence]:
    """The sentences with predicted tags. retag: whether predicted values replace existing ones."""
    words = SentenceWords(sentences, retag)
    tag(words, cast(Sequence[Tagger], model.taggers))
    return words.with_tags()


def taggers_content(taggers: Sequence[Tagger]) -> Content:
    """The content of taggers in a model file; empty without taggers."""
    values: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for number, tagger in enumerate(taggers):
        pieces = []
        for part, (key, piece) in enumerate(tagger.pieces.items()):
            state, own = piece.stage.state()
            arrays |= joined({f"tagger{number}.{part}": own})
            pieces.append({"key": key, "labels": list(piece.labels), "stage": state})
        values.append({"column": tagger.column, "columns": tables_json(tagger.tables), "pieces": pieces})
    return Content({"taggers": values} if values else {}, arrays)


def taggers_of(content: Content) -> tuple[Tagger, ...]:
    """The taggers from their :func:`taggers_content`. Raises ShapeError for invalid content."""
    listed = content.values.get("taggers", [])
    check_values(listed, TAGGERS, "taggers")
    taggers = []
    for number, values in enumerate(listed):
        with within(f"taggers[{number}]"):
            tables = tables_from_json(values["columns"])
            sizes = column_sizes(tables, tuple(tables))
            pieces: dict[str, PieceTagger] = {}
            for part, own in enumerate(values["pieces"]):
                with within(f"pieces[{part}].stage"):
                    arrays = content.part(f"tagger{number}.{part}", {}).arrays
                    stage = Stage.from_state(own["stage"], arrays, sizes, len(own["labels"]))
                    expect(stage.system.chains, "system", "found another system; expected tagging")
                pieces[own["key"]] = PieceTagger(tuple(own["labels"]), stage)
            expect(len(pieces) == len(values["pieces"]), "pieces", "found a key twice; expected different keys")
            taggers.append(Tagger(values["column"], tables, pieces))
    return tuple(taggers)
