"""Conditions on sentences and arcs, such as ``nonprojective and las < 80`` or ``label=nsubj,obj and head.lemma~^be``.

Allowed are names, numbers, parentheses, and, or, not, comparisons that are not chained, + and -; ``=`` means ``==``. A
number other than 0 is true. A name of text is compared with a text: up to the next space or unmatched parenthesis, or
between quotation marks. Commas separate alternatives, also of numbers. ``~`` is a regular expression that must occur in
the text. The browser page evaluates conditions on numbers in the same way (``assets/where.js``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from ...base.errors import CrossarcError

Kind: TypeAlias = Literal["number", "text", "texts", "entry"]
"""What a name stands for. Of texts, separated by ``|``, one must be equal. The text of an entry may be a number."""
Values: TypeAlias = Callable[[str], "float | str"]
"""Returns the value of a name."""
Condition: TypeAlias = Callable[[Values], bool]

TOKEN = re.compile(r"([^\W\d][\w.]*)|[0-9.]+|[<>=!]=|\s+|.", re.DOTALL)
INNER = r"\((?:\\\S|[^\s()\\])*\)"
TEXT = rf"""(?:"[^"]+"|'[^']+')(?=[\s)]|$)|(?:\\\S|\((?:\\\S|{INNER}|[^\s()\\])*\)|[^\s()\\])+"""
"""A text that is compared. A regular expression may have parentheses without quotation marks around it."""
TEST = re.compile(rf"\s*(!=|==?|~)\s*({TEXT})")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
ONE_OF = re.compile(rf"\s*(!=|==?)\s*({NUMBER.pattern}(?:,{NUMBER.pattern})+)(?![\w.]|\s*[-+<>=!])")
"""A list with which a name alone is compared, not a sum."""
OPERATORS = ast.And, ast.Or, ast.Not, ast.Add, ast.Sub, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq
EXPRESSIONS = ast.Expression, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Name, ast.Load, ast.Constant
LONGEST = 1000
"""Maximum number of characters, so that nested conditions can be evaluated."""


def parse_condition(text: str, kind_of: Callable[[str], Kind]) -> Condition:
    """Parse a condition.

    kind_of: the kind of a name; raises CrossarcError for a name that is not allowed.

    Comparisons with a number do not hold, but for ``!=``, where the value of a name is no number. Raises CrossarcError
    for an invalid condition.

    >>> holds = parse_condition("crossing and label=nsubj,obj", {"crossing": "number", "label": "text"}.__getitem__)
    >>> holds({"crossing": 1, "label": "obj"}.__getitem__), holds({"crossing": 1, "label": "det"}.__getitem__)
    (True, False)
    """
    try:
        expression, operands = _as_python(text.strip(), kind_of)
        if len(expression) > LONGEST:
            raise CrossarcError(f"found {len(expression)} characters without the texts; allowed: {LONGEST}")
        tree = ast.parse(expression, mode="eval")
    except (CrossarcError, SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise CrossarcError(f"condition {text!r}: {reason}") from None
    for node in ast.walk(tree):
        chained = isinstance(node, ast.Compare) and len(node.ops) > 1
        constant = isinstance(node, ast.Constant) and type(node.value) not in (int, float)
        if chained or constant or not isinstance(node, OPERATORS + EXPRESSIONS):
            allowed = "names, numbers, and, or, not, + and -, and comparisons of two values"
            raise CrossarcError(f"condition {text!r}: allowed: {allowed}")
    code = compile(tree, "condition", "eval")

    def holds(values: Values) -> bool:
        return bool(eval(code, {"__builtins__": {}}, {name: operand(values) for name, operand in operands.items()}))

    return holds


def _as_python(text: str, kind_of: Callable[[str], Kind]) -> tuple[str, dict[str, Callable[[Values], float]]]:
    """The condition as an expression of Python, and the functions that compute the values of its names.

    These stand for the names of numbers, and for comparisons of text as a whole.
    """
    pieces: list[str] = []
    operands: dict[str, Callable[[Values], float]] = {}
    place = 0
    while token := TOKEN.match(text, place):
        place = token.end()
        name = token[1]
        if name is None or name in ("and", "or", "not"):
            pieces.append("==" if token[0] == "=" else token[0])
            continue
        kind = kind_of(name)
        after_sign = "".join(pieces).rstrip()[-1:] in {*"-+<>="}
        if kind != "number" and (test := TEST.match(text, place)):
            operands[f"_{len(operands)}"] = _text_test(name, test[1], test[2], kind == "texts")
            place = test.end()
        elif kind == "number" and not after_sign and (listed := ONE_OF.match(text, place)):
            operands[f"_{len(operands)}"] = _number_test(name, listed[1], listed[2])
            place = listed.end()
        elif kind in ("number", "entry"):
            operands[f"_{len(operands)}"] = _number(name)
        else:
            raise CrossarcError(f"{name}: expected one of = != ~ and a text behind it, perhaps in quotation marks")
        pieces.append(f" _{len(operands) - 1} ")
    return "".join(pieces).strip(), operands


def _text_test(name: str, sign: str, text: str, several: bool) -> Callable[[Values], bool]:
    text = text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "'\"" else text
    if sign == "~":
        try:
            pattern = re.compile(text)
        except re.error as error:
            raise CrossarcError(f"invalid regular expression: {error}") from None
        return lambda values: pattern.search(str(values(name))) is not None
    allowed = frozenset([*text.split(","), text])  # values may have commas, too

    def holds(values: Values) -> bool:
        value = str(values(name))
        return allowed.isdisjoint([value, *(value.split("|") if several else [])]) == (sign == "!=")

    return holds


def _number_test(name: str, sign: str, listed: str) -> Callable[[Values], bool]:
    number, allowed = _number(name), frozenset(map(float, listed.split(",")))
    return lambda values: (number(values) in allowed) == (sign != "!=")


class _NoNumber(float):
    """What is no number, as are sums with it: unequal to all numbers, neither below nor above them, and false."""

    def __bool__(self) -> bool:
        return False

    def _itself(self, other: float) -> _NoNumber:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = _itself


def _number(name: str) -> Callable[[Values], float]:
    def number(values: Values) -> float:
        value = values(name)
        return value if not isinstance(value, str) else float(value) if NUMBER.fullmatch(value) else _NoNumber("nan")

    return number
