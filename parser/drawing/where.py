"""Conditions on sentences, such as ``nonprojective and las < 80``: a small language over a fixed list of names.

::

    condition   = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation    = "not" negation | comparison
    comparison  = sum [("<" | "<=" | ">" | ">=" | "=" | "==" | "!=") sum]
    sum         = value {("+" | "-") value}
    value       = number | name | "(" condition ")"

A number other than 0 is true. The page in the browser reads the same language (``assets/where.js``).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from ..errors import CrossarcError, choices

__all__ = ["Condition", "parse_condition"]

Values: TypeAlias = Mapping[str, float]
Condition: TypeAlias = Callable[[Values], float]
"""What a sentence's values make of the condition: true if it is not 0."""

TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|[<>=+()-])", re.ASCII)
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
SUMS: Mapping[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub}
WORDS = ("and", "or", "not")
DEEPEST = 50
"""How many parentheses and "not" may be nested."""


def parse_condition(text: str, names: Iterable[str]) -> Condition:
    """The condition that ``text`` states over ``names``.

    Raises CrossarcError where the text is none, or uses a name that is not among them.

    >>> condition = parse_condition("nonprojective and las < 80", ["las", "nonprojective"])
    >>> bool(condition({"nonprojective": 1, "las": 75.0})), bool(condition({"nonprojective": 1, "las": 80.0}))
    (True, False)
    """
    parser = _Parser(text, tuple(names))
    condition = parser.disjunction(0)
    if parser.token:
        raise parser.error("'and', 'or', a comparison or the end")
    return condition


class _Parser:
    """Recursive descent over the tokens of one text; ``token`` is the next one, "" at the end."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self._text = text
        self._names = names
        self._tokens = _tokens(text)
        self.token = next(self._tokens, "")

    def error(self, expected: str) -> CrossarcError:
        found = repr(self.token) if self.token else "the end"
        return CrossarcError(f"condition {self._text!r}: found {found}, expected {expected}")

    def disjunction(self, depth: int) -> Condition:
        result = self._conjunction(depth)
        while self.token == "or":
            self._advance()
            result = _either(result, self._conjunction(depth))
        return result

    def _conjunction(self, depth: int) -> Condition:
        result = self._negation(depth)
        while self.token == "and":
            self._advance()
            result = _both(result, self._negation(depth))
        return result

    def _negation(self, depth: int) -> Condition:
        if depth > DEEPEST:
            raise CrossarcError(f"condition: nested more than {DEEPEST} deep")
        if self.token != "not":
            return self._comparison(depth)
        self._advance()
        negated = self._negation(depth + 1)
        return lambda values: not negated(values)

    def _comparison(self, depth: int) -> Condition:
        left = self._sum(depth)
        if self.token not in COMPARISONS:
            return left
        compare = COMPARISONS[self._advance()]
        right = self._sum(depth)
        return lambda values: compare(left(values), right(values))

    def _sum(self, depth: int) -> Condition:
        result = self._value(depth)
        while self.token in SUMS:
            result = _combined(SUMS[self._advance()], result, self._value(depth))
        return result

    def _value(self, depth: int) -> Condition:
        token = self.token
        if token == "(":
            self._advance()
            inner = self.disjunction(depth + 1)
            if self.token != ")":
                raise self.error("')'")
            self._advance()
            return inner
        if token[:1].isdigit():
            self._advance()
            number = float(token)
            return lambda values: number
        if not token.isidentifier() or token in WORDS:
            raise self.error("a name, a number or '('")
        if token not in self._names:
            raise CrossarcError(f"condition {self._text!r}: name {choices(token, self._names)}")
        self._advance()
        return lambda values: values[token]

    def _advance(self) -> str:
        passed, self.token = self.token, next(self._tokens, "")
        return passed


def _tokens(text: str) -> Iterator[str]:
    place = 0
    end = len(text.rstrip())
    while place < end:
        found = TOKEN.match(text, place)
        if not found:
            raise CrossarcError(
                f"condition {text!r}: found {text[place:].strip()[0]!r}, expected names, numbers, comparisons, "
                "+, -, parentheses, and, or, not"
            )
        place = found.end()
        yield found[1]


def _either(left: Condition, right: Condition) -> Condition:
    return lambda values: bool(left(values)) or bool(right(values))


def _both(left: Condition, right: Condition) -> Condition:
    return lambda values: bool(left(values)) and bool(right(values))


def _combined(combine: Callable[[float, float], float], left: Condition, right: Condition) -> Condition:
    return lambda values: combine(left(values), right(values))
