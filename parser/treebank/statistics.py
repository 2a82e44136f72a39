"""Non-projectivity of a treebank: the figures of Kuhlmann & Nivre (2010, table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...transitions.trees import lifts, nonprojective_arcs
from .sentence import Sentence


class ArcCounts:
    """Counts over trees that are added one by one; memory does not grow with their number."""

    def __init__(self) -> None:
        self._sentences = Counter[bool]()  # by non-projectivity, as arcs and lengths
        self._arcs = Counter[bool]()
        self._lengths = Counter[bool]()
        self._lifts = Counter[int]()
        self._from_root = 0

    def add(self, heads: Sequence[int]) -> list[bool]:
        """Count a tree: n + 1 heads, ``heads[0] == -1``; of each node whether its arc is non-projective."""
        crossing = nonprojective_arcs(heads)
        number = sum(crossing)
        total = sum([abs(head - word) for word, head in enumerate(heads) if head > 0])
        self._from_root += heads.count(0)
        self._sentences[number > 0] += 1
        self._arcs[False] += len(heads) - 1 - number
        if number:
            long = sum([abs(heads[word] - word) for word, crosses in enumerate(crossing) if crosses])
            self._arcs[True] += number
            self._lengths[True] += long
            total -= long
            self._lifts.update([steps for steps in lifts(heads) if steps])
        self._lengths[False] += total
        return crossing

    def summary(self) -> dict[str, Any]:
        """The figures, as :func:`statistics` gives them."""
        arcs, crossing = self._arcs.total(), self._arcs[True]
        measured = arcs - self._from_root
        return {
            "sentences": self._sentences.total(),
            "nonprojective_sentences": self._sentences[True],
            "nonprojective_sentences_percent": percentage(self._sentences[True], self._sentences.total()),
            "arcs": arcs,
            "arc_length": _mean(self._lengths.total(), measured),
            "projective_arcs": arcs - crossing,
            "projective_arcs_percent": percentage(arcs - crossing, arcs),
            "projective_arc_length": _mean(self._lengths[False], measured - crossing),
            "nonprojective_arcs": crossing,
            "nonprojective_arcs_percent": percentage(crossing, arcs),
            "nonprojective_arc_length": _mean(self._lengths[True], crossing),
            "lifts": {
                **{str(steps): self._lifts[steps] for steps in (1, 2, 3)},
                ">3": sum(count for steps, count in self._lifts.items() if steps > 3),
            },
        }


def statistics(sentences: Iterable[Sentence]) -> dict[str, Any]:
    """The row of a treebank in table 1 of Kuhlmann & Nivre (2010), as counts, percentages and mean lengths.

    Keys: ``sentences nonprojective_sentences nonprojective_sentences_percent``, ``arcs arc_length``, and for
    ``projective`` and ``nonprojective`` arcs ``..._arcs ..._arcs_percent ..._arc_length``; ``lifts`` counts the
    non-projective arcs by the steps (1, 2, 3, >3) that each, alone, must climb to become projective. The length of
    an arc is the distance of its ends in words; arcs from node 0, which stands nowhere, count as projective but have
    no length. Means and percentages of nothing are None. The sentences must be trees (cycles are not looked for);
    heads out of range raise CrossarcError.
    """
    counts = ArcCounts()
    for sentence in sentences:
        counts.add(sentence.heads())
    return counts.summary()


def percentage(part: int, whole: int) -> float | None:
    """``100 * part / whole``; None for a share of nothing."""
    return 100.0 * part / whole if whole else None


def _mean(total: int, number: int) -> float | None:
    return total / number if number else None
