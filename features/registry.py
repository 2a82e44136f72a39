"""Own functions of the feature language, beside those of `piece` and `address`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..transitions import plugins
from . import address, piece
from .template import FIXED_NAMES

KNOWN = {*piece.FUNCTIONS, *piece.AFFIXES, *address.FUNCTIONS, *address.SOURCES, *FIXED_NAMES}
"""The names of the feature language."""
Function = TypeVar("Function", bound=Callable[..., Any])


def register_feature(function: Function) -> Function:
    """Register a function, so that templates can use it under its name; a decorator.

    A function of one argument takes a value of a column, a text, and returns another one: ``vowels(form(Stack[0]))``. A
    function of two arguments, ``c`` and ``node``, goes from nodes to nodes: ``deprel(grandhead(Stack[0]))``. ``c`` is a
    batch of configurations (:class:`~crossarc.transitions.configuration.Configuration`). ``node`` has m nodes of each
    configuration (int64, (m, configurations)), -1 for "no node"; the result has the same form. Such a parser runs
    without compiled code. A function replaces an earlier one of its name. Raises ValueError for other functions and for
    names that the language has already.

    >>> import crossarc
    >>> @crossarc.register_feature
    ... def vowels(value):
    ...     return "".join(sign for sign in value.lower() if sign in "aeiou")
    >>> @crossarc.register_feature
    ... def grandhead(c, node):
    ...     return c.head(c.head(node))
    """
    name, count = getattr(function, "__name__", ""), len(inspect.signature(function).parameters)
    if count not in (1, 2) or not name.isidentifier():
        raise ValueError(f"{name or function}: a feature takes one argument, a value, or two, c and node")
    if name in KNOWN:
        raise ValueError(f"{name} is a name of the feature language; choose another name")
    plugins.add("features", name, function)
    piece.forget()
    return function


def unknown_functions(templates: Iterable[str], columns: Iterable[str]) -> list[str]:
    """The functions in templates that are neither names of the language, nor columns, nor registered."""
    called = {name for line in templates for name in re.findall(r"(\w+)\(", line)}
    known = {name.partition(piece.KEY_SIGN)[0] for name in columns} | {*plugins.added("features")}
    return sorted(called - KNOWN - known)
