"""The labels of pseudo-projective trees: ``d↑h``, ``d↑``, ``p↓`` and their combinations, safe for any original label.

An original label is written with a backslash before each ``↑``, ``↓`` and backslash of its own (all other labels stay
as they are), so that a decorated label can be taken apart in one way only:

    d        not lifted                        d↓       an arc was lifted over it
    d↑h      lifted from a head labelled h     d↑h↓     both
    d↑       lifted (encoding path)            d↑↓      both
    d↑↑      a covered root: belongs to node 0
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

SIGNS = re.compile(r"[↑↓\\]")
ESCAPED = re.compile(r"\\([↑↓\\])")
ORIGINAL = r"((?:\\[↑↓\\]|[^↑↓\\]|\\(?![↑↓\\]))*)"
DECORATED = re.compile(f"{ORIGINAL}(?:(↑↑)|(↑){ORIGINAL})?(↓)?", re.DOTALL)


class Mark(NamedTuple):
    """The parts of a label.

    label: the original label.
    head_label: label of the syntactic head; None if the word is not lifted, empty if the label is unknown.
    path: whether the arc lies on a lifting path.
    root: whether the word is a covered root.
    """

    label: str
    head_label: str | None
    path: bool
    root: bool


def plain(labels: Iterable[str]) -> bool:
    """Whether no label has a character that must be escaped or split."""
    return not SIGNS.search("".join(labels))


def from_malt(label: str) -> str:
    """A decorated label of MaltParser with our marks: ``d|h`` is ``d↑h``, and a final ``%`` is ``↓``."""
    return re.sub("%$", "↓", label.replace("|", "↑"))


def escape(label: str) -> str:
    """An original label in the form that decorated labels use."""
    return SIGNS.sub(lambda sign: "\\" + sign.group(), label)


def decorated(mark: Mark) -> str:
    """The decorated label. mark: its parts."""
    if mark.root:
        return f"{escape(mark.label)}↑↑"
    lifted = "" if mark.head_label is None else f"↑{escape(mark.head_label)}"
    return f"{escape(mark.label)}{lifted}{'↓' if mark.path else ''}"


@lru_cache(maxsize=1 << 16)
def taken_apart(label: str) -> Mark:
    """The parts of a decorated label. Strings that :func:`decorated` cannot return give the original label only."""
    match = DECORATED.match(label)
    assert match is not None  # the pattern matches the empty string
    original, root, lifted, head, path = match.groups()
    label_alone = ESCAPED.sub(r"\1", original)
    if match.end() < len(label) or (root and path):
        return Mark(label_alone, None, False, False)
    return Mark(label_alone, ESCAPED.sub(r"\1", head) if lifted else None, path is not None, root is not None)
