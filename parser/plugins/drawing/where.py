"""Conditions on sentences, such as ``nonprojective and las < 80``: expressions of Python over a fixed list of names.

Allowed are names, numbers, parentheses, and, or, not, comparisons that are not chained, + and -; ``=`` means ``==``. A
number other than 0 is true. The browser page evaluates conditions in the same way (``assets/where.js``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ...base.errors import CrossarcError, choices

Condition: TypeAlias = Callable[[Mapping[str, float]], float]
"""Returns the value of a condition for the measures of a sentence; 0 means that the condition does not hold."""
EQUALS = re.compile("(?<![<>=!])=(?!=)")
OPERATORS = ast.And, ast.Or, ast.Not, ast.Add, ast.Sub, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq
EXPRESSIONS = ast.Expression, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Name, ast.Load, ast.Constant
LONGEST = 1000
"""Maximum number of characters, so that nested conditions can be evaluated."""


def parse_condition(text: str, names: Iterable[str]) -> Condition:
    """Parse a condition over the given names.

    Raises CrossarcError for an invalid condition and for other names.

    >>> condition = parse_condition("nonprojective and las < 80", ["las", "nonprojective"])
    >>> bool(condition({"nonprojective": 1, "las": 75.0})), bool(condition({"nonprojective": 1, "las": 80.0}))
    (True, False)
    """
    names = tuple(names)
    if len(text) > LONGEST:
        raise CrossarcError(f"condition of {len(text)} characters; allowed: {LONGEST}")
    try:
        tree = ast.parse(EQUALS.sub("==", text).strip(), mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise CrossarcError(f"condition {text!r}: {reason}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names:
            raise CrossarcError(f"condition {text!r}: name {choices(node.id, names)}")
        chained = isinstance(node, ast.Compare) and len(node.ops) > 1
        constant = isinstance(node, ast.Constant) and type(node.value) not in (int, float)
        if chained or constant or not isinstance(node, OPERATORS + EXPRESSIONS):
            allowed = "names, numbers, and, or, not, + and -, and comparisons of two values"
            raise CrossarcError(f"condition {text!r}: allowed: {allowed}")
    code = compile(tree, "condition", "eval")
    return lambda values: float(eval(code, {"__builtins__": {}}, dict(values)))
