"""Sentences of various Python types, and parsed sentences of the same types."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...base.errors import CrossarcError
from .. import Sentence
from ..sentence import MADE
from ..symbols import changed_columns
from . import frames, nltk_graphs, spacy_docs, token_lists


@dataclass(frozen=True, slots=True)
class Kind:
    """A Python type of sentences.

    words: name for messages.
    holds: returns whether a value has this type.
    read: converts a value to a sentence.
    filled: returns a copy of the value with the tree, tags and lemmas of a parsed sentence.
    """

    words: str
    holds: Callable[[Any], bool]
    read: Callable[[Any], Sentence]
    filled: Callable[[Any, Sentence], Any]


def _is_list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list | tuple) and len(value) > 0 and isinstance(value[0], kind)


def _is_a(module: str, name: str) -> Callable[[Any], bool]:
    """Return a test for instances of a class; the test does not import the package of the class."""
    return lambda value: module in sys.modules and isinstance(value, getattr(sys.modules[module], name))


_is_frame = _is_a("pandas", "DataFrame")


def _filled_mappings(value: Sequence[Mapping[str, Any]], parsed: Sentence) -> list[dict[str, Any]]:
    columns = {
        **changed_columns(Sentence.from_tokens(value), parsed),
        "head": parsed.heads()[1:],
        "deprel": parsed.deprels()[1:],
    }
    rows = zip(*columns.values(), strict=True)
    return [{**word, **dict(zip(columns, row, strict=True))} for word, row in zip(value, rows, strict=True)]


KINDS = (
    Kind("a Sentence", lambda value: isinstance(value, Sentence), lambda value: value, lambda value, parsed: parsed),
    Kind(
        "a conllu.TokenList", _is_a("conllu", "TokenList"), token_lists.from_token_list, token_lists.filled_token_list
    ),
    Kind("a pandas.DataFrame", _is_frame, frames.from_frame, frames.filled_frame),
    Kind("a spaCy Doc", _is_a("spacy.tokens", "Doc"), spacy_docs.from_doc, spacy_docs.filled_doc),
    Kind(
        "an NLTK DependencyGraph",
        _is_a("nltk.parse.dependencygraph", "DependencyGraph"),
        nltk_graphs.from_dependency_graph,
        lambda value, parsed: nltk_graphs.to_dependency_graph(parsed),
    ),
    Kind("a list of mappings with 'form'", _is_list_of(Mapping), Sentence.from_tokens, _filled_mappings),
    # plain words cannot store a tree
    Kind("a list of words", _is_list_of(str), Sentence.from_tokens, lambda value, parsed: parsed),
)
"""The types of sentences; special types precede general ones."""


def _kind_of(value: Any) -> Kind:
    for kind in KINDS:
        if kind.holds(value):
            return kind
    raise CrossarcError(f"found {type(value).__name__}, expected {', '.join(kind.words for kind in KINDS)}")


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
    return _kind_of(value).read(value)


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
    if _is_frame(values):
        return frames.filled_frame(values, *parsed)
    return [_kind_of(value).filled(value, sentence) for (value, _), sentence in zip(read, parsed, strict=True)]


def _read(values: Any) -> Iterator[tuple[Any, Sentence]]:
    """Each value with its sentence. Raises CrossarcError as :func:`as_sentences` does."""
    if _is_frame(values):
        return ((values, sentence) for sentence in frames.from_frames(values))
    if isinstance(values, str | bytes | Mapping | Sentence) or not isinstance(values, Iterable):
        raise CrossarcError(f"sentences: found {type(values).__name__}, expected a list of sentences; {MADE}")
    return map(_numbered, values, count(1))


def _numbered(value: Any, number: int) -> tuple[Any, Sentence]:
    try:
        return value, as_sentence(value)
    except CrossarcError as error:
        raise CrossarcError(f"sentence {number}: {error}") from error
