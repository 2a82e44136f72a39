"""Taggers predict columns of words before parsing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..base.parameters import TEXT, one_of
from ..base.shapes import ListOf, Record, check_values, expect, within
from ..tagging.encodings import LEMMA, value_of
from ..treebank import TAGGED, Sentence
from ..treebank.tree import FlatTrees
from .model import KINDS, Content, ParserModel
from .words import SentenceWords, Values, Words

TAGGERS = ListOf(Record({"column": one_of(*TAGGED), "keys": ListOf(TEXT, least=1), "parsers": ListOf(Record())}))
"""The JSON values of taggers; their parsers say more of theirs."""
SYSTEM = "tagging"


@dataclass(frozen=True, slots=True)
class Tagger:
    """column: that it predicts. parsers: by the keys of the pieces of its values that each predicts, of the system
    ``tagging``; their labels are those of :mod:`..tagging.encodings`."""

    column: str
    parsers: Mapping[str, ParserModel]

    def values(self, words: Words) -> Values:
        """The value of each word."""
        return self.composed(words, {key: parser.trees(words) for key, parser in self.parsers.items()})

    def composed(self, words: Words, labels: Mapping[str, FlatTrees]) -> Values:
        """The value of each word, of the chains that its parsers, or others like them, have made."""
        forms, names = words.values("form")
        codes = forms if self.column == LEMMA else np.zeros(len(forms), dtype=np.int64)
        for own in labels.values():
            codes = codes * len(own.names) + own.labels
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        texts = [
            value_of(
                self.column,
                names[forms[word]],
                {key: own.names[own.labels[word]] for key, own in labels.items()},
            )
            for word in first.tolist()
        ]
        return numbers, texts


def tag(words: Words, taggers: Iterable[Tagger]) -> None:
    """Fill in the columns of the taggers where words have no values, unless that is done already."""
    for tagger in taggers:
        if tagger.column not in words.tagged:
            missing = words.to_tag(tagger.column)
            if missing.any():
                words.fill(tagger.column, missing, tagger.values(words))


def tagged(sentences: Iterable[Sentence], model: ParserModel, retag: bool) -> list[Sentence]:
    """The sentences with the columns that a model predicts. retag: whether values that are there are replaced."""
    words = SentenceWords(sentences, retag)
    tag(words, cast(Sequence[Tagger], model.taggers))
    return words.with_tags()


def taggers_content(taggers: Sequence[Tagger]) -> Content:
    """The content of taggers in a model file; empty without taggers."""
    values: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for number, tagger in enumerate(taggers):
        contents = [parser.content() for parser in tagger.parsers.values()]
        for part, own in enumerate(contents):
            arrays.update({f"tagger{number}.{part}/{name}": array for name, array in own.arrays.items()})
        parsers = [own.values for own in contents]
        values.append({"column": tagger.column, "keys": list(tagger.parsers), "parsers": parsers})
    return Content({"taggers": values} if values else {}, arrays)


def taggers_of(content: Content) -> tuple[Tagger, ...]:
    """The taggers that :func:`taggers_content` described. Raises ShapeError if it did not."""
    listed = content.values.get("taggers", [])
    check_values(listed, TAGGERS, "taggers")
    taggers = []
    for number, values in enumerate(listed):
        with within(f"taggers[{number}]"):
            keys, parsers = values["keys"], values["parsers"]
            expect(len(set(keys)) == len(keys) == len(parsers), "keys", "other keys than parsers")
            made = {}
            for part, (key, own) in enumerate(zip(keys, parsers, strict=True)):
                with within(f"parsers[{part}]"):
                    expect(own.get("config", {}).get("system") == SYSTEM, "config.system", f"expected {SYSTEM}")
                    made[key] = KINDS["transitions"].from_content(content.part(f"tagger{number}.{part}/", own))
            taggers.append(Tagger(values["column"], made))
    return tuple(taggers)
