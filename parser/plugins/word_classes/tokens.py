"""Tokens of raw text as learning word classes counts them: split by a simple rule, folded, streamed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from ...treebank.symbols import nfc

APOSTROPHES = "'’"
LAST_MARK = 0x1F000
"""Code point up to which combining marks are looked for."""
CLITIC = 2
"""Maximum number of letters after an apostrophe that belong to it, as in English "they're"; with more letters the
apostrophe belongs to the word before, as in French "l'homme"."""
ENDS = frozenset(".!?…;:。！？؟۔।։።།׃")
"""Signs after which a sentence may end."""


@cache
def token_pattern() -> re.Pattern[str]:
    """A word with inner hyphens and apostrophes, or one sign. Combining marks and joiners belong to their word."""
    marks = "".join(chr(code) for code in range(LAST_MARK) if unicodedata.category(chr(code))[0] == "M")
    word = rf"[^\W_]+(?:[{marks}\u200c\u200d]+[^\W_]*)*"
    return re.compile(rf"{word}(?:[-'’]{word})*['’]?|[^\w\s]|_+")


def folded(token: str) -> str:
    """A token as its class is looked up: lower case, NFC, digits as 0.

    >>> folded("Ab12"), folded("l’")
    ('ab00', "l'")
    """
    text = nfc(token).lower().replace("’", "'")
    return text if text.isalpha() else re.sub(r"\d", "0", text)


def tokens_of(line: str) -> Iterator[str]:
    """The folded tokens of a text, by a simple rule.

    >>> list(tokens_of("L'homme n'est pas venu; they don't."))
    ["l'", 'homme', "n'", 'est', 'pas', 'venu', ';', 'they', 'do', "n't", '.']
    """
    for token in token_pattern().findall(unicodedata.normalize("NFC", line)):
        token = folded(token)
        if "'" not in token or len(token) == 1:
            yield token
        else:
            yield from _at_apostrophes(token)


def _at_apostrophes(token: str) -> Iterator[str]:
    head, sign, rest = token.partition("'")
    while sign and rest:
        if head.endswith("n") and rest == "t":
            yield from filter(None, (head[:-1], "n't"))
            return
        if len(rest.partition("'")[0]) <= CLITIC:
            yield from filter(None, (head, f"'{rest}"))
            return
        yield f"{head}'"
        head, sign, rest = rest.partition("'")
    yield head + sign


def parts_of(tokens: Iterable[str]) -> Iterator[list[str]]:
    """Tokens in parts that end after :data:`ENDS`."""
    part: list[str] = []
    for token in tokens:
        part.append(token)
        if token in ENDS:
            yield part
            part = []
    if part:
        yield part
