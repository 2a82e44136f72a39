"""Checks of the input before a model parses it: empty tag columns, and values that are unknown to the model."""

from __future__ import annotations

import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..conversion.samples import sentences_from
from ..treebank import EMPTY, UNKNOWN, Piece, Sentence, SymbolTable, format_of, sentences_in

T = TypeVar("T")

FIRST = 1000
"""Number of sentences in which empty columns are detected."""
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


class HasColumn(Protocol):
    """A tagger with the column that it predicts, as far as the input checks need it."""

    @property
    def column(self) -> str: ...


class _Reader(Protocol):
    @property
    def looked_at(self) -> Mapping[str, SymbolTable]: ...

    @property
    def annotation(self) -> str: ...

    @property
    def taggers(self) -> Sequence[HasColumn]: ...

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
    comments = [comment[1:].partition("=") for sentence in sentences[:1] for comment in sentence.comments]
    tools = [value.strip() for key, _, value in comments if key.strip() == "generator"]
    return {"tagged_by": tools[0]} if tools else {}


def check_input(work: Sequence[Sentence] | Piece, model: _Reader, allow_empty: bool, retag: bool = False) -> list[str]:
    """The warnings about complete input. Raises CrossarcError as :class:`InputCheck` does."""
    told: list[str] = []
    check = InputCheck(model, allow_empty, told.append, retag=retag)
    deque(check.pieces([work]) if isinstance(work, Piece) else check.sentences(work), maxlen=0)
    return told


class InputCheck:
    """Checks sentences or pieces of files before a model parses them.

    warn: receives warnings.
    note: receives remarks on other empty columns.
    hold: number of sentences without tags after which the input is refused, or its end if that comes first.
    allow_empty: whether input without tags causes a warning instead of an error.
    retag: whether taggers replace the values of the input.

    Only the first sentences are checked. Input with empty tag columns throughout is refused before any sentence is
    passed on. Five kinds of input cause a warning: most values are unknown to the model; words end with a comma or full
    stop, but none did in training; the columns of CoNLL-2009 are
    gold and the model was trained on predicted ones, or the reverse; the input has values in columns that the model's
    taggers predict; or another tool made the tags than those of the training data.
    """

    def __init__(
        self,
        model: _Reader,
        allow_empty: bool = False,
        warn: Progress = as_warning,
        note: Progress = nothing,
        hold: int = FIRST,
        retag: bool = False,
    ) -> None:
        self._tables = model.looked_at
        self._annotation = model.annotation
        self._allow_empty = allow_empty
        self._warn = warn
        self._note = note
        self._hold = hold
        self._predicted = set() if retag else {tagger.column for tagger in model.taggers}
        self._tool = model.provenance.get("tagged_by", "")
        self._splits = model.tokenizer is not None
        self._reads_tags = not model.taggers and not PARTS_OF_SPEECH.isdisjoint(self._tables)
        self._empty = set(self._tables) - {tagger.column for tagger in model.taggers}
        self._values: dict[str, Counter[str]] = {name: Counter() for name in self._tables}
        self._seen = 0
        self._decided = False

    def sentences(self, sentences: Iterable[object]) -> Iterator[Sentence]:
        """The sentences in their order.

        Raises CrossarcError for empty tag columns and for values that are not sentences.
        """
        return self._checked(sentences_from(sentences), lambda sentence: (sentence,))

    def pieces(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """The pieces of a file in their order. Raises CrossarcError as :meth:`sentences` does."""
        return self._checked(pieces, sentences_in)

    def _checked(self, items: Iterable[T], sentences_of: Callable[[T], Iterable[Sentence]]) -> Iterator[T]:
        held: list[T] = []
        for item in items:
            if self._is_looking():
                for sentence in sentences_of(item):
                    self._look(sentence)
                    if not self._is_looking():
                        break
            held.append(item)
            if self._decided:
                yield from held
                held.clear()
        if held:
            self._decide()
        if 0 < self._seen < FIRST and self._empty:
            self._tell_empty()
        if 0 < self._seen < SAMPLE:
            self._tell_unknown()
        yield from held

    def _is_looking(self) -> bool:
        return self._seen < (FIRST if self._empty else SAMPLE)

    def _look(self, sentence: Sentence) -> None:
        there = sentence.format.index
        if not self._seen and sentence.format.name == "conll09" and sentence.format.columns != self._annotation:
            self._warn(
                f"the model was trained on the {self._annotation} columns of CoNLL-2009, but the input was read with "
                f"the {sentence.format.columns} ones; read it with columns={self._annotation}"
            )
        self._compare_tags(sentence)
        self._seen += 1
        self._empty = {name for name in self._empty if name in there and EMPTY.issuperset(sentence.column(name))}
        if not self._decided and (self._seen == self._hold or not empty_tags(self._tables, self._empty)):
            self._decide()
        if self._seen <= SAMPLE:
            for name, values in self._values.items():
                if name in there:
                    values.update(sentence.column(name))
        if self._seen == SAMPLE:
            self._tell_unknown()
        if self._seen == FIRST and self._empty:
            self._tell_empty()

    def _compare_tags(self, sentence: Sentence) -> None:
        """Warn of tags in columns that the model predicts, and of tags by another tool than the training tags."""
        given = {name for name in self._predicted if has_values([sentence], name)}
        if given and sentence.format.columns == "gold":
            self._predicted.clear()
            self._warn(
                f"the input has values of {columns_text(given)}, but the model was trained on values that it predicts; "
                "use --retag to replace them (in Python: retag, in requests: tagger)"
            )
        tool = tagged_by([sentence]).get("tagged_by", self._tool)
        if not self._seen and self._reads_tags and tool != self._tool:
            self._warn(
                f"the input was tagged by {tool}, but the model was trained on other tags; "
                "train on tags of that tool, or with tags=auto"
            )

    def _decide(self) -> None:
        """Refuse the input if its tag columns have been empty so far."""
        self._decided = True
        missing = empty_tags(self._tables, self._empty)
        if not missing:
            return
        found = f"the input has no tags, but the model reads {columns_text(missing)}"
        if not self._allow_empty:
            raise CrossarcError(
                f"{found}; tag the words first, or train with tags=auto, or parse without tags: "
                "--allow-empty-columns (in Python and requests: allow_empty_columns)"
            )
        self._empty -= missing
        self._warn(f"{found}: expect poor trees")

    def _tell_empty(self) -> None:
        self._note(f"columns that the model reads are empty: {columns_text(self._empty)}")

    def _tell_unknown(self) -> None:
        tables = self._tables
        told = {own: values for own, values in self._values.items() if own in TAGS or len(tables[own]) >= VOCABULARY}
        if "form" in tables and (foreign := unseen_characters(tables["form"], self._values["form"])):
            self._warn(foreign)
            told.pop("form", None)
        if named := [name for name, values in told.items() if _unknown(self._tables[name], values) > MOST]:
            self._warn(
                f"the model does not know most values of {columns_text(named)}; "
                "use a model trained on the same language and tags"
            )
        if words := _glued(tables["form"], self._values["form"]) if "form" in tables else []:
            remedy = "use --format text" if self._splits else "train with input=text, and use --format text"
            self._warn(f"words end with punctuation, such as {words[0]!r}; to parse text that is not split, {remedy}")


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
