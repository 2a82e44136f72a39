"""Signs at the end of labels that record the effect of a transform; also safe for labels that end in the sign."""

from __future__ import annotations

from collections.abc import Iterable

ESCAPE = "\\"


def marked(labels: Iterable[str], counts: Iterable[int], sign: str) -> list[str]:
    """The labels, each with its count of signs, after a backslash if the label ends in a sign or backslash."""
    return [
        f"{label}{ESCAPE if label.endswith((sign, ESCAPE)) else ''}{sign * count}"
        for label, count in zip(labels, counts, strict=True)
    ]


def unmarked(labels: Iterable[str], sign: str) -> tuple[list[str], list[int]]:
    """(the original labels, the number of signs of each): the inverse of :func:`marked`."""
    originals, counts = [], []
    for label in labels:
        bare = label.rstrip(sign)
        counts.append((len(label) - len(bare)) // len(sign))
        originals.append(bare.removesuffix(ESCAPE))
    return originals, counts
