"""Columns of a sentence from words that are given in Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..base.errors import CrossarcError
from ..base.parameters import given_list, shown
from .formats import Format, format_of

OTHER_NAMES = {"heads": "head", "deprels": "deprel"}
"""Columns by the names of arguments of ``from_tokens``."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def columns_of_tokens(
    tokens: Iterable[Any], columns: Mapping[str, Sequence[Any] | None]
) -> tuple[Format, tuple[tuple[str, ...], ...]]:
    """(format, columns) of a sentence, as :meth:`.sentence.Sentence.from_tokens` describes and checks them."""
    if isinstance(tokens, Mapping):
        raise CrossarcError(f"tokens: found {shown(tokens)}, expected a list")
    words = given_list(tokens, "tokens")
    if not words:
        raise CrossarcError("tokens: found none, expected one word or more")
    values: dict[str, Sequence[Any]] = _of_mappings(words) if isinstance(words[0], Mapping) else {"form": words}
    for name, column in columns.items():
        if column is not None:
            values[OTHER_NAMES.get(name, name)] = given_list(column, name, len(words))
    if "id" in values:
        raise CrossarcError("tokens: found a column 'id'; remove it, words are numbered automatically")
    known = format_of("conllu")
    more = tuple(name for name in values if name not in known.index)
    if odd := [name for name in more if name != "".join(name.lower().split())]:
        raise CrossarcError(f"tokens: found a column {odd[0]!r}, expected a name in lower case without spaces")
    names = known.names + more
    format = Format(known.name, names, header=f"# global.columns = {' '.join(names).upper()}") if more else known
    texts = {
        name: tuple(_heads(values_of_column) if name == "head" else _texts(name, values_of_column))
        for name, values_of_column in values.items()
    }
    texts["id"] = tuple(map(str, range(1, len(words) + 1)))
    empty = ("_",) * len(words)
    return format, tuple(texts.get(name, empty) for name in format.names)


def _of_mappings(words: Sequence[Any]) -> dict[str, Sequence[Any]]:
    names: dict[str, None] = {}
    for number, word in enumerate(words, 1):
        if not isinstance(word, Mapping) or "form" not in word:
            raise CrossarcError(f"token {number}: found {shown(word)}, expected a mapping with 'form'")
        names.update(dict.fromkeys(map(str, word)))
    return {name: [word.get(name) for word in words] for name in names}


def _texts(name: str, values: Sequence[Any]) -> Iterable[str]:
    for number, value in enumerate(values, 1):
        if value is None and name != "form":
            yield "_"
        elif not isinstance(value, str) or not value or set("\t\n\r") & set(value):
            raise CrossarcError(
                f"{name} of word {number}: found {shown(value)}, expected text on one line, without tabs"
            )
        elif _SURROGATE.search(value):  # UTF-8 cannot represent it
            raise CrossarcError(f"{name} of word {number}: found {value!a}, half of a surrogate pair, expected Unicode")
        else:
            yield value


def _heads(values: Sequence[Any]) -> Iterable[str]:
    """The heads as text; numpy integers are accepted. Raises CrossarcError for invalid heads."""
    for number, value in enumerate(values, 1):
        if value is None:
            yield "_"
            continue
        try:
            head = value.__index__()
        except AttributeError:
            head = -1
        if not 0 <= head <= len(values):
            raise CrossarcError(f"head of word {number}: found {shown(value)}, expected 0 to {len(values)}")
        yield str(head)
