"""Checks of the input before a model parses it: empty tag columns, and values that are unknown to the model."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.progress import Progress
from ..treebank import EMPTY, UNKNOWN, Piece, Sentence, SymbolTable, format_of, sentences_in
from ..treebank.sentence import DECIDED, MEMORY
from ..treebank.symbols import nfc

FIRST = 1000
"""Number of sentences that are checked."""
SAMPLE = 100
"""Number of sentences in which unknown values are counted."""
MIN_VALUES = 50
"""Minimum number of values of a column for a meaningful share."""
MAX_UNKNOWN = 0.5
"""On their own language, models of the nine treebanks of the experiments do not know up to 0.35 of the forms of test
sets; on other languages at least 0.58."""
MOST_GAPS = 0.05
"""Share of words without a part of speech from which on a warning tells of them."""
VOCABULARY = 2000
"""Minimum number of values in training of a column other than tags; others are not checked."""
MARKS = (",", ".")
"""Marks that words of raw text end with if nobody has split it."""
MOST_UNSEEN = 0.3
"""Largest share of characters that training did not have; texts of the same script have hardly any."""
ALPHABET = 20
"""Minimum number of different characters in training for a meaningful share."""
PARTS_OF_SPEECH = frozenset({"upos", "xpos", "gpos", "ppos"})
FEATURES = frozenset({"feats", "gfeats", "pfeats"})
TAGS = PARTS_OF_SPEECH | FEATURES


class _Reader(Protocol):
    @property
    def looked_at(self) -> Mapping[str, SymbolTable]: ...

    @property
    def annotation(self) -> str: ...

    @property
    def filled(self) -> Sequence[str]: ...

    @property
    def provenance(self) -> Mapping[str, Any]: ...

    @property
    def segmenter(self) -> Any: ...


def columns_text(names: Iterable[str]) -> str:
    """The names of columns in messages, in the order of CoNLL-U."""
    places = format_of("conllu").index
    return ", ".join(sorted(names, key=lambda name: (places.get(name, len(places)), name))).upper()


def beyond_pairs(longest: int | None, number: int) -> str:
    """The warning about sentences with more words than a model scores pairs of edges for. longest: most such words."""
    return f"sentences of more than {longest} words, parsed with first-order scores: {number}"


def has_values(sentences: Sequence[Sentence], name: str) -> bool:
    """Whether a column has a value in any sentence."""
    return any(name in sentence.format.index and not EMPTY.issuperset(sentence.column(name)) for sentence in sentences)


def tagged_by(sentences: Sequence[Sentence]) -> dict[str, str]:
    """The tools that tagged the sentences, if comments name them, as UDPipe's comments do."""
    named = dict.fromkeys(sentence.comment("generator") for sentence in sentences)
    tools = [name for name in named if name is not None]
    return {"tagged_by": ", ".join(tools)} if tools else {}


class Untagged(NamedTuple):
    """Sentences without tags.

    number: how many there are.
    place: file and line of the first one.
    """

    number: int
    place: str

    @classmethod
    def among(cls, sentences: Iterable[Sentence], needed: Collection[str], start: int = 1) -> Self | None:
        """Those among sentences; None if there are none.

        needed: see :func:`needed_tags`.
        start: number of the first sentence, by which sentences of no file are named.
        """
        untagged = [numbered for numbered in enumerate(sentences, start) if without_tags(numbered[1], needed)]
        if not untagged:
            return None
        number, first = untagged[0]
        return cls(len(untagged), f"sentence {number}" if first.source == MEMORY else f"{first.source}:{first.line}")

    def fault(self, needed: Iterable[str]) -> str:
        """What is wrong, without a remedy."""
        others = f"and {self.number - 1} other{'s' if self.number > 2 else ''} have" if self.number > 1 else "has"
        return f"{self.place}: the sentence {others} no tags, but the model reads {columns_text(needed)}"

    def refused(self, needed: Iterable[str]) -> CrossarcError:
        """The error that refuses the sentences."""
        return CrossarcError(
            f"{self.fault(needed)}; tag the words first, or train with crossarc train --set tags=auto, or parse "
            "without tags: crossarc parse --allow-empty-columns (in Python and requests: allow_empty_columns)"
        )


def needed_tags(model: _Reader) -> set[str]:
    """The parts of speech that a model reads and does not predict: each sentence needs a value of one of them."""
    return {*PARTS_OF_SPEECH}.intersection(model.looked_at).difference(model.filled)


def is_marked(sentence: Sentence) -> bool:
    """Whether a person has marked words of the sentence as decided, by ``Keep=`` in MISC."""
    return "misc" in sentence.format.index and any(map(DECIDED.search, sentence.column("misc")))


def without_tags(sentence: Sentence, needed: Iterable[str]) -> bool:
    """Whether a sentence has no value in the needed columns, of which it has at least one."""
    there = [name for name in needed if name in sentence.format.index]
    return bool(there) and all(EMPTY.issuperset(sentence.column(name)) for name in there)


def check_input(sentences: Sequence[Sentence], model: _Reader, allow_empty: bool, retag: bool = False) -> list[str]:
    """The warnings about complete input. Raises CrossarcError as :class:`InputCheck` does."""
    told: list[str] = []
    deque(InputCheck(model, allow_empty, told.append, retag=retag).sentences(sentences), maxlen=0)
    return told


@dataclass(frozen=True, slots=True)
class InputCheck:
    """Checks sentences or pieces of files before a model parses them.

    allow_empty: whether sentences without tags cause a warning instead of an error.
    warn: receives warnings.
    hold: number of sentences that are checked, before the first one is passed on.
    retag: whether taggers replace the values of the input.
    keep: whether the values of words that a person has decided stay.

    A sentence without tags is refused, whatever other sentences have. Other faults are those of an input and cause a
    warning: other columns that the model reads are empty; most values are unknown to the model; words end with a comma
    or full stop, but none did in training; the columns of CoNLL-2009 are gold and the model was trained on predicted
    ones, or the reverse; the input has values in columns that the model's taggers predict; or another tool made the
    tags than those of the training data. Of these, the first sentences are checked.

    That values which a person has decided (``Keep=`` in MISC) will be replaced is told of any sentence.
    """

    model: _Reader
    allow_empty: bool = False
    warn: Progress = warn
    hold: int = FIRST
    retag: bool = False
    keep: bool = False

    def sentences(self, sentences: Iterable[object]) -> Iterator[Sentence]:
        """The sentences in their order.

        Raises CrossarcError for values that are not sentences, and for sentences without tags. The error tells how many
        sentences lack tags: in a list of all, otherwise of those that were read.
        """
        from ..treebank.samples import sentences_from  # not needed for files

        stream = sentences_from(sentences)
        first = list(islice(stream, self.hold))
        self._check(first)
        needed = set() if self.allow_empty else needed_tags(self.model)
        checked = chain(first, stream)
        replaces = not self.keep and not any(map(is_marked, first))
        for number, sentence in enumerate(checked, 1):
            if replaces and is_marked(sentence):
                self._warn_of_marks(sentence)
                replaces = False
            if without_tags(sentence, needed):
                others = checked if isinstance(sentences, Sized) else first[number:]
                untagged = Untagged.among([sentence, *others], needed, number)
                assert untagged is not None
                raise untagged.refused(needed)
            yield sentence

    def pieces(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """The pieces of a file in their order. Those who parse them refuse sentences without tags."""
        stream = iter(pieces)
        held: list[Piece] = []
        first: list[Sentence] = []
        while len(first) < self.hold and (piece := next(stream, None)):
            held.append(piece)
            first += islice(sentences_in(piece), self.hold - len(first))
        self._check(first)
        replaces = not self.keep and not any(map(is_marked, first))
        for piece in chain(held, stream):
            if replaces and b"Keep=" in piece.data and (marked := next(filter(is_marked, sentences_in(piece)), None)):
                self._warn_of_marks(marked)
                replaces = False
            yield piece

    def _warn_of_marks(self, first: Sentence) -> None:
        self.warn(
            f"{first.source}:{first.line}: from here on, words have Keep= in MISC, whose values are replaced; crossarc "
            "parse --keep marked keeps them (in Python: keep)"
        )

    def _check(self, sentences: Sequence[Sentence]) -> None:
        if not sentences:
            return
        model, read = self.model, self.model.looked_at
        format = sentences[0].format
        of_2009 = [sentence.format for sentence in sentences if sentence.format.name == "conll09"]
        if other := next((one for one in of_2009 if one.columns != model.annotation), None):
            self.warn(
                f"the model was trained on the {model.annotation} columns of CoNLL-2009, but the input was read with "
                f"the {other.columns} ones; read it with columns={model.annotation}"
            )
        predicted = set(model.filled)
        tagged = [] if self.retag else [name for name in predicted if has_values(sentences, name)]
        if tagged and format.columns == "gold":
            self.warn(
                f"the input has values of {columns_text(tagged)}, but the model was trained on values that it "
                "predicts; crossarc parse --retag replaces them (in Python: retag, in requests: tagger)"
            )
        if unwritten := predicted.difference(*(sentence.format.index for sentence in sentences)):
            self.warn(f"the input has no column {columns_text(unwritten)}: predicted values are used, but not written")
        trained = model.provenance.get("tagged_by", "")
        others = {*tagged_by(sentences).get("tagged_by", "").split(", ")}.difference(trained.split(", "), [""])
        tool = ", ".join(sorted(others))
        if tool and not predicted and not PARTS_OF_SPEECH.isdisjoint(read):
            self.warn(
                f"the input was tagged by {tool}, but the model was trained on other tags; "
                "train on tags of that tool, or with crossarc train --set tags=auto"
            )
        marked = sum(map(is_marked, sentences))
        if marked and not self.keep:
            self.warn(
                f"{marked} sentences have words with Keep= in MISC, whose values are replaced; crossarc parse --keep "
                "marked keeps them (in Python: keep)"
            )
        needed = needed_tags(model)
        if self.allow_empty and (allowed := Untagged.among(sentences, needed)):
            self.warn(f"{allowed.fault(needed)}: expect poor trees")
        few = FEATURES if sum(map(len, sentences)) < MIN_VALUES else ()  # many sentences have none
        there = set(read).difference(predicted, few).intersection(*(sentence.format.index for sentence in sentences))
        empty = {name for name in there if not has_values(sentences, name)}
        untagged = bool(needed) and needed <= empty
        if (others := empty - needed if untagged else empty) and (self.allow_empty or not untagged):
            self.warn(f"columns that the model reads are empty: {columns_text(others)}")
        self._check_gaps(sentences)
        self._check_values(sentences[:SAMPLE])

    def _check_gaps(self, sentences: Sequence[Sentence]) -> None:
        """Warn of words without a part of speech, if every word of training had one."""
        for name in sorted(PARTS_OF_SPEECH.intersection(self.model.looked_at).difference(self.model.filled)):
            values = [value for one in sentences if name in one.format.index for value in one.column(name)]
            gaps = sum(value in EMPTY for value in values)
            if EMPTY.isdisjoint(self.model.looked_at[name].values) and MOST_GAPS * len(values) < gaps < len(values):
                told = f"{gaps} of the first {len(values)} words have no {name.upper()}"
                self.warn(f"{told}, but all words of training had one: expect poor trees")

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
        if named := [name for name in checked if _unknown(tables[name], values[name]) > MAX_UNKNOWN]:
            self.warn(
                f"the model does not know most values of {columns_text(named)}; "
                "use a model trained on the same language and tags"
            )
        if words := _glued(tables["form"], values["form"]) if "form" in tables else []:
            splits = self.model.segmenter is not None
            remedy = "" if splits else "crossarc train --set input=text, then "
            said = f"words end with punctuation, such as {words[0]!r}"
            self.warn(f"{said}; to parse text that is not split, use {remedy}crossarc parse --format text")


def unseen_characters(table: SymbolTable, texts: Mapping[str, int]) -> str:
    """A warning if many characters occur in no word of training; else "". texts: texts, with their counts."""
    known = _characters(table.values)
    counts = Counter[str]()
    for text, times in texts.items():
        for character in "" if text in EMPTY else nfc(text).lower():
            counts[character] += 0 if character.isspace() else times
    total, new = counts.total(), sum(times for character, times in counts.items() if character not in known)
    if len(known) < ALPHABET or total < MIN_VALUES or new <= MOST_UNSEEN * total:
        return ""
    return f"{100 * new / total:.0f} % of the characters never occurred in training; use a model of the text's language"


@lru_cache(maxsize=4)  # of the model, for each of many small files
def _characters(values: tuple[str, ...]) -> frozenset[str]:
    return frozenset("".join(values).lower())


def _glued(table: SymbolTable, values: Counter[str]) -> list[str]:
    """The words that end with a comma or full stop that training had only as a word of its own."""
    ending = [word for word in values if len(word) > 1 and word.endswith(MARKS)]
    if not ending:  # nearly always; the search below takes some milliseconds
        return []
    seen = {word[-1] for word in table.values if len(word) > 1}
    marks = tuple(mark for mark in MARKS if mark in table.values and mark not in seen)
    return [word for word in ending if word.endswith(marks)]


def _unknown(table: SymbolTable, values: Counter[str]) -> float:
    """The share of the values that training did not see; 0 if there are too few to tell."""
    filled = [value for value in values if value not in EMPTY]
    counts = np.array([values[value] for value in filled])
    if counts.sum() < MIN_VALUES:
        return 0.0
    ids = table.lookup(filled)
    # a value of several parts, such as FEATS, is unknown if all its parts are
    unknown = ids == UNKNOWN if ids.ndim == 1 else ~ids.any(axis=1)
    return float(counts[unknown].sum() / counts.sum())
