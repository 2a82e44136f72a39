"""Pieces of values: one attribute of FEATS, one character of a positional tag, a prefix or the shape of a word."""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from ..transitions import plugins

KEY_SIGN = "/"
"""Separator between the name of a column and the keys of pieces; names of columns do not contain it."""
NO_VALUE = "_"


def _shape(value: str) -> str:
    """Replace capitals by X, other letters by x and digits by 0; keep at most two equal characters in a row."""
    kinds = "".join(
        "X" if sign.isupper() else "x" if sign.isalpha() else "0" if sign.isdigit() else sign for sign in value
    )
    return re.sub(r"(.)\1\1+", r"\1\1", kinds, flags=re.DOTALL)


def bare(value: str, kept: str = "") -> str:
    """A value without its combining marks, such as the points of Hebrew. kept: marks that stay.

    >>> bare("re\u0301sume\u0301"), bare("\u05e9\u05c1\u05b8", kept="\u05c1")
    ('resume', 'שׁ')
    """
    signs = unicodedata.normalize("NFD", value)
    return unicodedata.normalize("NFC", "".join(sign for sign in signs if sign in kept or not is_mark(sign)))


def is_mark(sign: str) -> bool:
    """Whether a character is a combining mark that takes no place of its own."""
    return unicodedata.category(sign) == "Mn"


FUNCTIONS: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "shape": _shape, "bare": bare}
"""Functions of a value."""
AFFIXES: Mapping[str, Callable[[int, str], str]] = {
    "prefix": lambda length, value: value[:length],
    "suffix": lambda length, value: value[-length:],
}
"""Functions of a number of characters and a value; they return shorter values unchanged."""
_CALL = re.compile(r"([A-Za-z_]\w*)\(((?:[1-9]\d{0,2})?)\)")


def own_functions(arguments: int) -> Mapping[str, Callable[..., Any]]:
    """The functions of users by name: those of a value (one argument), or of configurations and nodes (two)."""
    functions = plugins.added("features")
    return {
        name: function
        for name, function in functions.items()
        if len(inspect.signature(function).parameters) == arguments
    }


def forget() -> None:
    """Forget results of functions, since a function may have been replaced."""
    piece_of.cache_clear()
    _steps.cache_clear()


def column_and_key(name: str) -> tuple[str, str]:
    """(column, key of a piece of its values) of a name such as "feats/Case"; the key is "" for whole values."""
    column, _, key = name.partition(KEY_SIGN)
    return column, key


def keyed(name: str, function: str, length: int | None = None) -> str:
    """The name of the column that applies a function to the values of another column, such as "form/suffix(3)"."""
    return f"{name}{KEY_SIGN}{function}({'' if length is None else length})"


def written(name: str, address: str) -> str:
    """A column at an address in the notation of templates: ``suffix(lower(form(Stack[0])), 3)``."""
    column, key = column_and_key(name)
    keys = key.split(KEY_SIGN) if key else []
    inner = f", {keys.pop(0)}" if keys and not _CALL.fullmatch(keys[0]) else ""
    text = f"{column}({address}{inner})"
    for written_key in keys:
        function, _, length = written_key.removesuffix(")").partition("(")
        text = f"{function}({text}, {length})" if length else f"{function}({text})"
    return text


@lru_cache(maxsize=2**18)  # a tagger asks for a dozen pieces of each form
def piece_of(value: str, key: str) -> str:
    """The piece of a value that a key selects; "_" if the value does not have it.

    A whole number is the position of a character, from 1, as in positional tags. A key with parentheses is a function.
    Any other key is the name of an attribute in values of the form ``Case=Nom|Number=Sing``. Several keys are applied
    in turn. Raises ValueError for a function of a user that fails.

    >>> piece_of("Case=Nom|Number=Sing", "Case"), piece_of("n-s---mn-", "8"), piece_of("_", "Case")
    ('Nom', 'n', '_')
    >>> piece_of("Walking", "lower()/suffix(4)"), piece_of("McDonald's", "shape()"), piece_of("B-52", "shape()")
    ('king', "XxXxx'x", 'X-00')
    """
    for step in _steps(key):
        value = step(value)
    return value


@lru_cache(maxsize=2**10)
def _steps(key: str) -> tuple[Callable[[str], str], ...]:
    """The functions that a key applies in turn; read once, since treebanks have many values for few keys."""
    return tuple(map(_step, key.split(KEY_SIGN)))


def _step(key: str) -> Callable[[str], str]:
    if call := _CALL.fullmatch(key):
        name, length = call.groups()
        if name in AFFIXES and length:
            return partial(AFFIXES[name], int(length))
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        if name in (functions := own_functions(1)):
            return partial(_called, name, functions[name])
    return partial(_character, int(key) - 1) if key.isdecimal() else partial(_attribute, key)


def _called(name: str, function: Callable[[str], Any], value: str) -> str:
    try:
        result = function(value)
    except Exception as error:
        raise ValueError(f"{name}({value!r}): {type(error).__name__}: {error}") from error
    return NO_VALUE if result is None else re.sub(r"\s", " ", str(result)) or NO_VALUE


def _character(place: int, value: str) -> str:
    return value[place] if value != NO_VALUE and place < len(value) else NO_VALUE


def _attribute(key: str, value: str) -> str:
    for attribute in value.split("|"):
        name, sign, named_value = attribute.partition("=")
        if sign and name == key:
            return named_value or NO_VALUE
    return NO_VALUE
