"""Taggers inside a model: they predict columns before parsing where the input has no values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..base.parameters import TEXT, one_of
from ..base.shapes import ListOf, Record, check_values, expect, within
from ..treebank import TAGGED, Sentence, SymbolTable
from ..treebank.tree import FlatTrees
from .model import KINDS, Content, ParserModel, joined
from .tag_encodings import LEMMA, value_of
from .words import SentenceWords, Values, Words

TAGGERS = ListOf(Record({"column": one_of(*TAGGED), "keys": ListOf(TEXT, least=1), "parsers": ListOf(Record())}))
"""The JSON values of taggers; their parsers add their own values."""
SYSTEM = "tagging"


@dataclass(frozen=True, slots=True)
class Tagger:
    """Predicts the values of a column with parsers of the system ``tagging``.

    column: the column.
    parsers: by key, the parser of each piece of a value. Their labels are explained in :mod:`.tag_encodings`.
    """

    column: str
    parsers: Mapping[str, ParserModel]

    def values(self, words: Words) -> Values:
        """The predicted value of each word."""
        return self.composed(words, {key: parser.trees(words) for key, parser in self.parsers.items()})

    def composed(self, words: Words, labels: Mapping[str, FlatTrees]) -> Values:
        """The value of each word, composed of its pieces. labels: by key, the labels that the parsers predicted."""
        forms, names = words.values("form")
        codes = forms if self.column == LEMMA else np.zeros(len(forms), dtype=np.int64)
        for own in labels.values():
            codes = codes * len(own.names) + own.labels
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        texts = [
            value_of(self.column, names[forms[word]], {key: own.names[own.labels[word]] for key, own in labels.items()})
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
    """The content of taggers in a model file; empty without taggers.

    Parsers of a tagger that have the tables of its first parser are written without them: there may be dozens.
    """
    values: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for number, tagger in enumerate(taggers):
        contents = [parser.content() for parser in tagger.parsers.values()]
        arrays |= joined({f"tagger{number}.{part}": own.arrays for part, own in enumerate(contents)})
        first, *others = (own.values for own in contents)
        parsers = [first, *({**own, "columns": {}} if own["columns"] == first["columns"] else own for own in others)]
        values.append({"column": tagger.column, "keys": list(tagger.parsers), "parsers": parsers})
    return Content({"taggers": values} if values else {}, arrays)


def taggers_of(content: Content) -> tuple[Tagger, ...]:
    """The taggers from their :func:`taggers_content`. Raises ShapeError for invalid content."""
    listed = content.values.get("taggers", [])
    check_values(listed, TAGGERS, "taggers")
    taggers = []
    for number, values in enumerate(listed):
        with within(f"taggers[{number}]"):
            keys, parsers = values["keys"], values["parsers"]
            expect(len(set(keys)) == len(keys) == len(parsers), "keys", "found keys that do not match the parsers")
            made: dict[str, ParserModel] = {}
            tables: Mapping[str, SymbolTable] = {}
            for part, (key, own) in enumerate(zip(keys, parsers, strict=True)):
                with within(f"parsers[{part}]"):
                    expect(
                        own.get("config", {}).get("system") == SYSTEM,
                        "config.system",
                        f"found another system; expected {SYSTEM}",
                    )
                    own_part = replace(content.part(f"tagger{number}.{part}", own), tables=tables)
                    model = KINDS["transitions"].from_content(own_part)
                    made[key], tables = model, tables or cast(Any, model).tables
            taggers.append(Tagger(values["column"], made))
    return tuple(taggers)
