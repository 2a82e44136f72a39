"""Sentences of various Python types, and parsed sentences of the same types."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from .sentence import MADE, Sentence
from .symbols import changed_columns


@dataclass(frozen=True, slots=True)
class SampleType:
    """A Python type of sentences.

    title: name for messages.
    read: converts a value to a sentence.
    filled: returns a copy of a value with the tree, tags and lemmas of its parsed sentence, or of several.
    read_all: converts a value with several sentences; None if values are single sentences.
    """

    title: str
    read: Callable[[Any], Sentence]
    filled: Callable[..., Any]
    read_all: Callable[[Any], Iterable[Sentence]] | None = None


def _filled_mappings(value: Sequence[Mapping[str, Any]], parsed: Sentence) -> list[dict[str, Any]]:
    columns = {
        **changed_columns(Sentence.from_tokens(value), parsed),
        "head": parsed.heads()[1:],
        "deprel": parsed.deprels()[1:],
    }
    rows = zip(*columns.values(), strict=True)
    return [{**word, **dict(zip(columns, row, strict=True))} for word, row in zip(value, rows, strict=True)]


SENTENCE = SampleType("a Sentence", lambda value: value, lambda value, parsed: parsed)
MAPPINGS = SampleType("a list of mappings with 'form'", Sentence.from_tokens, _filled_mappings)
WORDS = SampleType("a list of words", Sentence.from_tokens, lambda value, parsed: parsed)
"""Plain words cannot store a tree: they become a Sentence."""
SAMPLE_TYPES: Mapping[str, SampleType] = Lazy(__package__, {}, "SAMPLE_TYPES")
"""The types of other libraries by the full name of the class, such as ``pandas.DataFrame``; plugins declare them."""


def sample_types() -> list[SampleType]:
    """All types of sentences."""
    return [SENTENCE, *SAMPLE_TYPES.values(), MAPPINGS, WORDS]


def type_of(value: Any) -> SampleType:
    """The type of a sentence. Raises CrossarcError, which lists all types, for other values."""
    if isinstance(value, Sentence):
        return SENTENCE
    if (library_type := _library_type(value)) is not None:
        return library_type
    if isinstance(value, list | tuple) and value and isinstance(value[0], Mapping | str):
        return WORDS if isinstance(value[0], str) else MAPPINGS
    titles = ", ".join(sample_type.title for sample_type in sample_types())
    raise CrossarcError(f"found {type(value).__name__}, expected {titles}")


def _library_type(value: Any) -> SampleType | None:
    """The type of a value of another library. No library is imported: a value of it shows that it is already."""
    for name in SAMPLE_TYPES:
        module, _, class_name = name.rpartition(".")
        library_class = getattr(sys.modules.get(module), class_name, None)
        if isinstance(library_class, type) and isinstance(value, library_class):
            return SAMPLE_TYPES[name]
    return None


def as_sentence(value: Any) -> Sentence:
    """Convert a value to a :class:`Sentence`.

    value: a list of words or of mappings, a ``conllu.TokenList``, a frame of pandas, a spaCy Doc or a
        ``DependencyGraph`` of NLTK. A Sentence is returned unchanged.

    Raises CrossarcError for other values.

    >>> as_sentence(["Dogs", "bark"]).column("form")
    ('Dogs', 'bark')
    >>> as_sentence([{"form": "Dogs", "upos": "NOUN"}, {"form": "bark", "upos": "VERB"}]).column("upos")
    ('NOUN', 'VERB')
    """
    return type_of(value).read(value)


def as_sentences(values: Any) -> list[Sentence]:
    """Convert a list of values to a list of sentences.

    values: sentences of any kind that :func:`as_sentence` accepts, or one frame with a column ``sentence``.

    Raises CrossarcError with the number of the first invalid sentence.

    >>> [len(sentence) for sentence in as_sentences([["Dogs", "bark"], ["They", "do", "so"]])]
    [2, 3]
    """
    return list(sentences_from(values))


def sentences_from(values: Any) -> Iterator[Sentence]:
    """As :func:`as_sentences`, one by one: a sentence is read when it is needed."""
    return (sentence for _, sentence in _read(values))


def with_trees(values: Any, parse: Callable[[list[Sentence]], Iterable[Sentence]]) -> Any:
    """Return the results of ``parse`` for the sentences in ``values``, each in the type of its input.

    A list of words becomes a :class:`Sentence`. One frame with several sentences becomes one frame.
    """
    read = list(_read(values))
    parsed = list(parse([sentence for _, sentence in read]))
    whole = _library_type(values)
    if whole is not None and whole.read_all is not None:
        return whole.filled(values, *parsed)
    return [type_of(value).filled(value, sentence) for (value, _), sentence in zip(read, parsed, strict=True)]


def _read(values: Any) -> Iterator[tuple[Any, Sentence]]:
    """Each value with its sentence. Raises CrossarcError as :func:`as_sentences` does."""
    whole = _library_type(values)
    if whole is not None and whole.read_all is not None:
        return ((values, sentence) for sentence in whole.read_all(values))
    if isinstance(values, str | bytes | Mapping | Sentence) or not isinstance(values, Iterable):
        raise CrossarcError(f"sentences: found {type(values).__name__}, expected a list of sentences; {MADE}")
    return map(_numbered, values, count(1))


def _numbered(value: Any, number: int) -> tuple[Any, Sentence]:
    try:
        return value, as_sentence(value)
    except CrossarcError as error:
        raise CrossarcError(f"sentence {number}: {error}") from error
