"""Conditions on sentences, such as ``nonprojective and las < 80``: a small language over a fixed list of names.

Operators by increasing precedence: or; and; not; comparisons, which cannot be chained; + and -. A number other than 0
is true. The browser page evaluates conditions in the same way (``assets/where.js``), with the tokens and precedences of
:data:`LANGUAGE`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ..base.errors import CrossarcError, choices

Condition: TypeAlias = Callable[[Mapping[str, float]], float]
"""Returns the value of a condition for the measures of a sentence; 0 means that the condition does not hold."""

COMPARISON = 4
STRENGTHS = {"": 0, "(": 0, ")": 0, "or": 1, "and": 2, "not": 3, "+": 5, "-": 5} | dict.fromkeys(
    ("<", "<=", ">", ">=", "=", "==", "!="), COMPARISON
)
TOKEN = r"[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[<>=!]=|[^ \t\r\n]"
OPENED = {")": "(", "": ""}
DIGITS = tuple("0123456789")
LANGUAGE = {"token": TOKEN, "strengths": STRENGTHS, "comparison": COMPARISON}
OPERATIONS: Mapping[str, Callable[[Any, Any], float]] = {
    "not": lambda _, right: not right,
    "or": lambda left, right: bool(left or right),
    "and": lambda left, right: bool(left and right),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "+": operator.add,
    "-": operator.sub,
}


def parse_condition(text: str, names: Iterable[str]) -> Condition:
    """Parse a condition over the given names.

    Raises CrossarcError for an invalid condition and for other names.

    >>> condition = parse_condition("nonprojective and las < 80", ["las", "nonprojective"])
    >>> bool(condition({"nonprojective": 1, "las": 75.0})), bool(condition({"nonprojective": 1, "las": 80.0}))
    (True, False)
    """
    names = tuple(names)
    program: list[str | float] = []  # in postfix order
    waiting = [""]  # operators and parentheses with an incomplete right side

    def refused(token: str, expected: str) -> CrossarcError:
        return CrossarcError(f"condition {text!r}: found {repr(token) if token else 'the end'}, expected {expected}")

    value_comes = True
    for token in [*re.findall(TOKEN, text), ""]:
        strength = STRENGTHS.get(token, 0)
        if value_comes:
            if token == "(":
                waiting.append(token)
            elif token == "not" and STRENGTHS[waiting[-1]] <= strength:
                waiting.append(token)
                program.append(0.0)  # a dummy left side, which the operator ignores
            elif token in names or token[:1] in DIGITS:
                program.append(token if token in names else float(token))
                value_comes = False
            elif token.isidentifier() and not strength:
                raise CrossarcError(f"condition {text!r}: name {choices(token, names)}")
            else:
                raise refused(token, "a name, a number or '('")
            continue
        while STRENGTHS[waiting[-1]] > max(0, strength if strength == COMPARISON else strength - 1):
            program.append(waiting.pop())
        if token in OPERATIONS and token != "not" and STRENGTHS[waiting[-1]] < strength:
            waiting.append(token)
            value_comes = True
        elif waiting[-1] == OPENED.get(token):
            waiting.pop()
        else:
            closed = "')'" if "(" in waiting else "the end"
            raise refused(token, f"'and', 'or' or {closed}" if strength == COMPARISON else f"an operator or {closed}")
    return lambda values: _value(program, values)


def _value(program: Iterable[str | float], values: Mapping[str, float]) -> float:
    stack: list[float] = []
    for item in program:
        if item in OPERATIONS:
            right = stack.pop()
            stack.append(OPERATIONS[str(item)](stack.pop(), right))
        else:
            stack.append(values[item] if isinstance(item, str) else item)
    return stack.pop()
