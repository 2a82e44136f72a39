"""Which technique for crossing arcs the findings recommend for a treebank."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DEEP", "FREQUENT", "VERY_FREQUENT", "Recommendation", "recommended"]

FREQUENT = 0.75
"""Per cent of the arcs from which on they are worth a technique. Of nine treebanks the four with 0.85 per cent and more
gained by pseudo-projective parsing with the verified search (0.19 to 1.10 LAS), of the five with 0.66 and less four
lost 0.02 to 0.20 and one gained 0.06, which is not significant (experiments/papers/kuhlmann_nivre_2010/README.md,
tables 1 and 4). The threshold is the geometric mean of 0.66 and 0.85."""
VERY_FREQUENT = 6.0
"""From here on swap: it was better with 12.08 per cent (by 1.09 LAS), worse with 2.82 (by 0.53) and 1.15 (by 1.24), and
as good with 0.85. Six is the geometric mean of the first two; nothing between them was measured."""
DEEP = 50.0
"""Per cent of the crossing arcs that need two lifts or more. Generated ones of two lifts are found again by 28 per cent
of pseudo-projective labels, and by swap all (experiments/studies/controlled_nonprojectivity/README.md, depth)."""


class Recommendation(NamedTuple):
    """config: a ready one. reason: in a sentence, with the table that it comes from."""

    config: str
    reason: str


def recommended(percent: float, deep: float = 0.0) -> Recommendation:
    """For a treebank with so many per cent of crossing arcs, of which ``deep`` per cent need two lifts or more.

    >>> [recommended(percent).config for percent in (0.5, 1.1, 12.0)]
    ['arc-standard', 'pseudo-projective', 'swap']
    """
    table = "table 4 of experiments/papers/kuhlmann_nivre_2010/README.md"
    if percent < FREQUENT:
        reason = (
            f"too few to count on a technique: below {FREQUENT} % pseudo-projective parsing was nowhere significantly "
            f"better ({table})"
        )
        return Recommendation("arc-standard", reason)
    if percent >= VERY_FREQUENT:
        reason = f"so many that online reordering pays: with 12 % it had the best LAS ({table})"
        return Recommendation("swap", reason)
    if deep >= DEEP:
        reason = (
            "many of them deep, which pseudo-projective labels cannot tell and online reordering can "
            "(experiments/studies/controlled_nonprojectivity/README.md, depth)"
        )
        return Recommendation("swap", reason)
    reason = f"enough for pseudo-projective parsing: with 1 to 3 % it had the highest LAS ({table})"
    return Recommendation("pseudo-projective", reason)
