"""Signs at the end of labels that say what a transform did, counted, and safe for labels that end in the sign."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["escaped", "marked", "unmarked"]

ESCAPE = "\\"


def escaped(labels: Iterable[str], sign: str) -> list[str]:
    """The labels, with a backslash after those that end in the sign or a backslash."""
    return [label + ESCAPE if label.endswith((sign, ESCAPE)) else label for label in labels]


def marked(labels: Iterable[str], counts: Iterable[int], sign: str) -> list[str]:
    """The labels, escaped, each with as many signs as its count says."""
    return [label + sign * count for label, count in zip(escaped(labels, sign), counts, strict=True)]


def unmarked(labels: Iterable[str], sign: str) -> tuple[list[str], list[int]]:
    """(the original labels, how many signs each had): the inverse of :func:`marked`."""
    originals, counts = [], []
    for label in labels:
        bare = label.rstrip(sign)
        counts.append((len(label) - len(bare)) // len(sign))
        originals.append(bare.removesuffix(ESCAPE))
    return originals, counts
