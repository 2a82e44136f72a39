"""Non-projectivity of a treebank: the figures of Kuhlmann & Nivre (2010, table 1), and the classes of crossing arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...transitions.trees import depths, lifts, nonprojective_arcs
from .sentence import Sentence


class ArcCounts:
    """Counts over trees that are added one by one, in constant memory."""

    def __init__(self) -> None:
        self._sentences = Counter[bool]()  # by non-projectivity; so are arcs and lengths
        self._arcs = Counter[bool]()
        self._lengths = Counter[bool]()
        self._lifts = Counter[int]()
        self._from_root = 0

    def add(self, heads: Sequence[int]) -> list[bool]:
        """Count a tree. Returns for each node whether its arc is non-projective.

        heads: n + 1 heads, ``heads[0] == -1``.
        """
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
        """The figures, as in :func:`statistics`."""
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
    ``projective`` and ``nonprojective`` arcs ``..._arcs ..._arcs_percent ..._arc_length``. ``lifts`` counts the
    non-projective arcs by the number of steps (1, 2, 3, >3) that each, alone, must climb to become projective.

    The length of an arc is the distance of its ends in words. Arcs from node 0, which has no position, count as
    projective and have no length. Means and percentages of zero items are None. The sentences must be trees (cycles are
    not checked). Raises CrossarcError for heads out of range.
    """
    counts = ArcCounts()
    for sentence in sentences:
        counts.add(sentence.heads())
    return counts.summary()


def percentage(part: int, whole: int) -> float | None:
    """``100 * part / whole``; None if ``whole`` is 0."""
    return 100.0 * part / whole if whole else None


def _mean(total: int, number: int) -> float | None:
    return total / number if number else None


LENGTHS = ("2", "3", "4", "5-6", "7-9", "10-")
"""The classes of arc lengths, in words; an arc between neighbours is projective."""
DEPTHS = ("2", "3", "4", "5", "6", "7-")
"""The classes of depths: number of arcs from node 0 to the dependent. An arc from node 0 is projective."""
MOST_DEPRELS = 12


def length_class(length: int) -> str:
    """The class of an arc. length: in words, 2 or more."""
    return next(name for name in reversed(LENGTHS) if length >= int(name.split("-")[0]))


def depth_class(depth: int) -> str:
    """The class of an arc. depth: that of its dependent, 2 or more."""
    return next(name for name in reversed(DEPTHS) if depth >= int(name.split("-")[0]))


LENGTH_CLASS = [("length", length_class(length) if length > 1 else "") for length in range(11)]
DEPTH_CLASS = [("depth", depth_class(depth) if depth > 1 else "") for depth in range(8)]


class CrossingCounts:
    """Counts of arcs by class over trees that are added one by one.

    A class is a pair of a kind ("deprel", "length" or "depth") and a value. Arcs of length 0 or 1 and arcs of depth 1
    are projective by definition; the length and depth class "" counts them.
    """

    def __init__(self) -> None:
        self._arcs = Counter[tuple[str, str]]()
        self._crossing = Counter[tuple[str, str]]()
        self._examples: dict[tuple[str, str], str] = {}

    def add(self, heads: Sequence[int], deprels: Sequence[str], crossing: Sequence[bool], sentence: int) -> None:
        """Count a tree.

        heads, deprels: n + 1 values.
        crossing: whether each arc is non-projective.
        sentence: number of the sentence, from 1.
        """
        deep = depths(heads)
        self._arcs.update([("deprel", deprel) for deprel in deprels[1:]])
        self._arcs.update([LENGTH_CLASS[min(abs(head - word), 10)] for word, head in enumerate(heads) if head > 0])
        self._arcs.update([DEPTH_CLASS[min(depth, 7)] for depth in deep[1:]])
        for word, crosses in enumerate(crossing):
            if crosses:
                length = abs(heads[word] - word)
                classes = [("deprel", deprels[word]), LENGTH_CLASS[min(length, 10)], DEPTH_CLASS[min(deep[word], 7)]]
                self._crossing.update(classes)
                for own in classes:
                    self._examples.setdefault(own, f"{sentence}:{word}")

    def summary(self) -> dict[str, Any]:
        """For each kind and class: ``arcs``, the number of ``nonprojective`` arcs, and the first one as an ``example``.

        Classes without non-projective arcs are left out. Deprels are ordered by number of non-projective arcs, highest
        first. An example reads SENTENCE:WORD, both numbers from 1.
        """
        found: dict[str, Any] = {}
        for kind in ("deprel", "length", "depth"):
            names = [name for own, name in self._crossing if own == kind]
            order = {"length": LENGTHS, "depth": DEPTHS}.get(kind)
            names.sort(key=lambda name: (order.index(name) if order else -self._crossing[kind, name], name))
            found[kind] = {name: self._row(kind, name) for name in names}
        return found

    def _row(self, kind: str, name: str) -> dict[str, Any]:
        own = (kind, name)
        return {"arcs": self._arcs[own], "nonprojective": self._crossing[own], "example": self._examples[own]}


def crossing_lines(summary: dict[str, Any]) -> Iterator[str]:
    """The summary as lines of text; empty if there are no non-projective arcs."""
    if not summary["deprel"]:
        return
    yield f"{'non-projective arcs':<21}{'':<20}{'number':>8}{'% of class':>12}  first (sentence:word)"
    for kind, rows in summary.items():
        for rank, (name, row) in enumerate(rows.items()):
            if kind == "deprel" and rank == MOST_DEPRELS:
                yield f"{'':<21}and {len(rows) - rank} more deprels"
                break
            share = 100 * row["nonprojective"] / row["arcs"]
            heading = f"  by {kind}" if rank == 0 else ""
            yield f"{heading:<21}{name:<20}{row['nonprojective']:>8}{share:>12.2f}  {row['example']}"
