"""Digests of code, which tell whether a stored cell was computed by the present code."""

from __future__ import annotations

import hashlib
import io
import tokenize
from functools import cache
from pathlib import Path

DIGITS = 20
ROOT = Path(__file__).parents[2]
CODE = ("transitions", "oracles", "features", "parser")
APART = ("commands", "console", "drawing", "interfaces", "serving")
"""Packages of ``parser`` that no figure depends on."""
BETWEEN = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
"""A string after one of these is a statement, as docstrings are."""


@cache
def code_digest(*more: Path) -> str:
    """A digest of the modules that train, parse and measure, and of ``more`` files."""
    modules = sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))
    used = [path for path in modules if path.parent.name not in APART]
    used += [ROOT / "experiments" / "harness" / "parsing.py", *more]
    return hashlib.sha256(b"".join(map(_digest, used))).hexdigest()[:DIGITS]


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(without_comments(path.read_text("utf-8")).encode()).digest()


def without_comments(source: str) -> str:
    """The source without comments, docstrings and spaces, since changes of these change no figure."""
    kept, before = [], tokenize.NEWLINE
    for kind, text, *_ in tokenize.generate_tokens(io.StringIO(source).readline):
        if kind != tokenize.COMMENT and not (kind == tokenize.STRING and before in BETWEEN):
            kept += text.replace("{{", "{").replace("}}", "}").split()  # Python 3.12 shows these pairs as one brace
        if kind not in (tokenize.COMMENT, tokenize.NL):
            before = kind
    return "".join(kept)
