"""Checks of the input before a model parses it: empty tag columns, and values that are unknown to the model."""

from __future__ import annotations

import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Protocol, TypeVar

import numpy as np

from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..treebank import EMPTY, UNKNOWN, Piece, Sentence, SymbolTable, format_of, sentences_in
from .taggers import Tagger

T = TypeVar("T")

FIRST = 1000
"""Number of sentences that are checked."""
SAMPLE = 100
"""Number of sentences in which unknown values are counted."""
LEAST = 50
"""Minimum number of values of a column for a meaningful share."""
MOST = 0.5
"""On their own language, models of the nine treebanks of the experiments do not know up to 0.35 of the forms of test
sets; on other languages at least 0.58."""
VOCABULARY = 2000
"""Minimum number of values in training of a column other than tags; others are not checked."""
MARKS = (",", ".")
"""Marks that words of raw text end with if nobody has split it."""
MOST_UNSEEN = 0.3
"""Largest share of characters that training did not have; texts of the same script have hardly any."""
ALPHABET = 20
"""Minimum number of different characters in training for a meaningful share."""
PARTS_OF_SPEECH = frozenset({"upos", "xpos", "gpos", "ppos"})
TAGS = PARTS_OF_SPEECH | {"feats", "gfeats", "pfeats"}


class _Reader(Protocol):
    @property
    def looked_at(self) -> Mapping[str, SymbolTable]: ...

    @property
    def annotation(self) -> str: ...

    @property
    def taggers(self) -> Sequence[Tagger]: ...

    @property
    def provenance(self) -> Mapping[str, Any]: ...

    @property
    def tokenizer(self) -> Any: ...


def as_warning(line: str) -> None:
    """Issue a Python warning."""
    warnings.warn(line, stacklevel=2)


def columns_text(names: Iterable[str]) -> str:
    """The names of columns in messages, in the order of CoNLL-U."""
    places = format_of("conllu").index
    return ", ".join(sorted(names, key=lambda name: (places.get(name, len(places)), name))).upper()


def empty_tags(looked_at: Iterable[str], empty: Iterable[str]) -> set[str]:
    """The empty tag columns among ``looked_at`` if all tag columns are empty, including parts of speech; else none.

    looked_at: the columns that the model reads.
    empty: the columns without values.

    Empty morphological features alone do not count: many sentences have none.
    """
    tags = set(TAGS.intersection(looked_at))
    return tags if PARTS_OF_SPEECH & tags and tags.issubset(empty) else set()


def has_values(sentences: Sequence[Sentence], name: str) -> bool:
    """Whether a column has a value in any sentence."""
    return any(name in own.format.index and not EMPTY.issuperset(own.column(name)) for own in sentences)


def tagged_by(sentences: Sequence[Sentence]) -> dict[str, str]:
    """The tool that tagged the sentences, if a comment of the first sentence names it, as UDPipe's comments do."""
    tool = sentences[0].comment("generator") if sentences else None
    return {} if tool is None else {"tagged_by": tool}


def check_input(work: Sequence[Sentence] | Piece, model: _Reader, allow_empty: bool, retag: bool = False) -> list[str]:
    """The warnings about complete input. Raises CrossarcError as :class:`InputCheck` does."""
    told: list[str] = []
    check = InputCheck(model, allow_empty, told.append, retag=retag)
    deque(check.pieces([work]) if isinstance(work, Piece) else check.sentences(work), maxlen=0)
    return told


@dataclass(frozen=True, slots=True)
class InputCheck:
    """Checks sentences or pieces of files before a model parses them.

    allow_empty: whether input without tags causes a warning instead of an error.
    warn: receives warnings.
    note: receives remarks on other empty columns.
    hold: number of sentences that are checked, before the first one is passed on.
    retag: whether taggers replace the values of the input.

    Input with empty tag columns is refused. Five kinds of input cause a warning: most values are unknown to the model;
    words end with a comma or full stop, but none did in training; the columns of CoNLL-2009 are gold and the model was
    trained on predicted ones, or the reverse; the input has values in columns that the model's taggers predict; or
    another tool made the tags than those of the training data.
    """

    model: _Reader
    allow_empty: bool = False
    warn: Progress = as_warning
    note: Progress = nothing
    hold: int = FIRST
    retag: bool = False

    def sentences(self, sentences: Iterable[object]) -> Iterator[Sentence]:
        """The sentences in their order.

        Raises CrossarcError for empty tag columns and for values that are not sentences.
        """
        from ..treebank.conversion.samples import sentences_from  # not needed for files

        return self._checked(sentences_from(sentences), lambda sentence: (sentence,))

    def pieces(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """The pieces of a file in their order. Raises CrossarcError as :meth:`sentences` does."""
        return self._checked(pieces, sentences_in)

    def _checked(self, items: Iterable[T], sentences_of: Callable[[T], Iterable[Sentence]]) -> Iterator[T]:
        stream = iter(items)
        held: list[T] = []
        first: list[Sentence] = []
        while len(first) < self.hold and (more := list(islice(stream, 1))):
            held += more
            first += islice(sentences_of(more[0]), self.hold - len(first))
        if first:
            self._check(first)
        yield from chain(held, stream)

    def _check(self, sentences: Sequence[Sentence]) -> None:
        model, read = self.model, self.model.looked_at
        format = sentences[0].format
        if format.name == "conll09" and format.columns != model.annotation:
            self.warn(
                f"the model was trained on the {model.annotation} columns of CoNLL-2009, but the input was read with "
                f"the {format.columns} ones; read it with columns={model.annotation}"
            )
        predicted = {tagger.column for tagger in model.taggers}
        given = [] if self.retag else [name for name in predicted if has_values(sentences, name)]
        if given and format.columns == "gold":
            self.warn(
                f"the input has values of {columns_text(given)}, but the model was trained on values that it predicts; "
                "crossarc parse --retag replaces them (in Python: retag, in requests: tagger)"
            )
        trained = model.provenance.get("tagged_by", "")
        tool = tagged_by(sentences).get("tagged_by", trained)
        if tool != trained and not predicted and not PARTS_OF_SPEECH.isdisjoint(read):
            self.warn(
                f"the input was tagged by {tool}, but the model was trained on other tags; "
                "train on tags of that tool, or with crossarc train --set tags=auto"
            )
        there = set(read).difference(predicted).intersection(*(own.format.index for own in sentences))
        empty = {name for name in there if not has_values(sentences, name)}
        if missing := empty_tags(read, empty):
            found = f"the input has no tags, but the model reads {columns_text(missing)}"
            if not self.allow_empty:
                raise CrossarcError(
                    f"{found}; tag the words first, or train with crossarc train --set tags=auto, or parse without "
                    "tags: crossarc parse --allow-empty-columns (in Python and requests: allow_empty_columns)"
                )
            self.warn(f"{found}: expect poor trees")
        if others := empty - missing:
            self.note(f"columns that the model reads are empty: {columns_text(others)}")
        self._check_values(sentences[:SAMPLE])

    def _check_values(self, sentences: Sequence[Sentence]) -> None:
        """Warn of values that training did not see."""
        tables = self.model.looked_at
        values: dict[str, Counter[str]] = {name: Counter() for name in tables}
        for sentence in sentences:
            for name in values.keys() & sentence.format.index.keys():
                values[name].update(sentence.column(name))
        checked = [name for name, table in tables.items() if name in TAGS or len(table) >= VOCABULARY]
        if "form" in tables and (foreign := unseen_characters(tables["form"], values["form"])):
            self.warn(foreign)
            checked = [name for name in checked if name != "form"]
        if named := [name for name in checked if _unknown(tables[name], values[name]) > MOST]:
            self.warn(
                f"the model does not know most values of {columns_text(named)}; "
                "use a model trained on the same language and tags"
            )
        if words := _glued(tables["form"], values["form"]) if "form" in tables else []:
            splits = self.model.tokenizer is not None
            remedy = "" if splits else "crossarc train --set input=text, then "
            said = f"words end with punctuation, such as {words[0]!r}"
            self.warn(f"{said}; to parse text that is not split, use {remedy}crossarc parse --format text")


def unseen_characters(table: SymbolTable, texts: Mapping[str, int]) -> str:
    """A warning if many characters occur in no word of training; else "". texts: texts, with their counts."""
    known = set("".join(table.values).lower())
    counts = Counter[str]()
    for text, times in texts.items():
        for character in "" if text in EMPTY else text.lower():
            counts[character] += 0 if character.isspace() else times
    total, new = counts.total(), sum(times for character, times in counts.items() if character not in known)
    if len(known) < ALPHABET or total < LEAST or new <= MOST_UNSEEN * total:
        return ""
    return f"{100 * new / total:.0f} % of the characters never occurred in training; use a model of the text's language"


def _glued(table: SymbolTable, values: Counter[str]) -> list[str]:
    """The words that end with a comma or full stop that training had only as a word of its own."""
    ending = [word for word in values if len(word) > 1 and word.endswith(MARKS)]
    if not ending:  # nearly always; the search below takes some milliseconds
        return []
    seen = {word[-1] for word in table.values if len(word) > 1}
    marks = tuple(mark for mark in MARKS if mark in table.values and mark not in seen)
    return [word for word in ending if word.endswith(marks)]


def _unknown(table: SymbolTable, values: Counter[str]) -> float:
    """The share of the values that training did not see."""
    filled = [value for value in values if value not in EMPTY]
    counts = np.array([values[value] for value in filled])
    if counts.sum() < LEAST:
        return 0.0
    ids = table.lookup(filled)
    unknown = ids == UNKNOWN if ids.ndim == 1 else ~ids.any(axis=1)
    return float(counts[unknown].sum() / counts.sum())
