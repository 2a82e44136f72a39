"""Words given in Python, checked and made into the columns of a sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..base.errors import CrossarcError
from .formats import Format, format_of

FORMAT = "conllu"
OTHER_NAMES = {"heads": "head", "deprels": "deprel"}


def columns_of_tokens(
    tokens: Iterable[Any], given: Mapping[str, Sequence[Any] | None]
) -> tuple[Format, tuple[tuple[str, ...], ...]]:
    """(format, columns) of a sentence, see :meth:`~.sentence.Sentence.from_tokens`. Raises CrossarcError."""
    if isinstance(tokens, str | bytes | Mapping) or not isinstance(tokens, Iterable):
        raise CrossarcError(f"tokens: found {_shown(tokens)}, expected a list of words or of mappings")
    words = list(tokens)
    if not words:
        raise CrossarcError("tokens: found none, expected one word or more")
    values: dict[str, Sequence[Any]] = _of_mappings(words) if isinstance(words[0], Mapping) else {"form": words}
    for name, column in given.items():
        if column is not None:
            values[OTHER_NAMES.get(name, name)] = _column(name, column, len(words))
    if "id" in values:
        raise CrossarcError("tokens: found a column 'id'; remove it, words are numbered automatically")
    known = format_of(FORMAT)
    more = tuple(name for name in values if name not in known.index)
    format = Format(FORMAT, known.names + more)
    texts = {name: tuple(_heads(own) if name == "head" else _texts(name, own)) for name, own in values.items()}
    texts["id"] = tuple(map(str, range(1, len(words) + 1)))
    empty = ("_",) * len(words)
    return format, tuple(texts.get(name, empty) for name in format.names)


def _of_mappings(words: Sequence[Any]) -> dict[str, Sequence[Any]]:
    names: dict[str, None] = {}
    for number, word in enumerate(words, 1):
        if not isinstance(word, Mapping) or "form" not in word:
            raise CrossarcError(f"token {number}: found {_shown(word)}, expected a mapping with 'form'")
        names.update(dict.fromkeys(map(str, word)))
    return {name: [word.get(name) for word in words] for name in names}


def _column(name: str, column: Any, words: int) -> Sequence[Any]:
    if isinstance(column, str) or not isinstance(column, Iterable):
        raise CrossarcError(f"{name}: found {_shown(column)}, expected a list with one value for each word")
    values = list(column)
    if len(values) != words:
        raise CrossarcError(f"{name}: found {len(values)} values, expected {words}, one for each word")
    return values


def _texts(name: str, values: Sequence[Any]) -> Iterable[str]:
    for number, value in enumerate(values, 1):
        if value is None and name != "form":
            yield "_"
        elif not isinstance(value, str) or not value or set("\t\n\r") & set(value):
            raise CrossarcError(
                f"{name} of word {number}: found {_shown(value)}, expected text on one line, without tabs"
            )
        else:
            yield value


def _heads(values: Sequence[Any]) -> Iterable[str]:
    """Numbers as text; numbers of numpy, too."""
    for number, value in enumerate(values, 1):
        if value is None:
            yield "_"
            continue
        try:
            head = value.__index__()
        except AttributeError:
            head = -1
        if not 0 <= head <= len(values):
            raise CrossarcError(f"head of word {number}: found {_shown(value)}, expected 0 to {len(values)}")
        yield str(head)


def _shown(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:40] + '...'}"


def is_punctuation(form: str) -> bool:
    """Whether every character of the form has a Unicode category P (the CoNLL-X scorer, eval07.pl).

    Symbols (category S: ``$ + = < `` and the backtick) are not punctuation, and neither is the empty form.
    """
    return form != "" and all(unicodedata.category(character)[0] == "P" for character in form)
