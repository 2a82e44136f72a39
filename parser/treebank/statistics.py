"""Non-projectivity of a treebank: the figures of Kuhlmann & Nivre (2010, table 1), and the classes of crossing arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...transitions.trees import depths, lifts, nonprojective_arcs
from .sentence import Sentence

LENGTHS = ("2", "3", "4", "5-6", "7-9", "10-")
"""The classes of arc lengths, in words; an arc between neighbours is projective."""
DEPTHS = ("2", "3", "4", "5", "6", "7-")
"""The classes of depths: number of arcs from node 0 to the dependent. An arc from node 0 is projective."""
MOST_DEPRELS = 12


class TreeCounts:
    """Counts over trees that are added one by one; memory grows with the number of different arcs.

    An arc is counted by deprel, length in words (0 from node 0), depth of the dependent, and non-projectivity.
    """

    def __init__(self) -> None:
        self._sentences = Counter[bool]()  # by non-projectivity
        self._arcs = Counter[tuple[str, int, int, bool]]()  # the first occurrences are in their order in the treebank
        self._lifts = Counter[int]()
        self._examples: dict[tuple[str, int, int, bool], str] = {}

    def add(self, heads: Sequence[int], deprels: Sequence[str], sentence: int) -> None:
        """Count a tree.

        heads, deprels: n + 1 values, ``heads[0] == -1``.
        sentence: number of the sentence, from 1.
        """
        crossing = nonprojective_arcs(heads)
        lengths = [abs(head - word) if head > 0 else 0 for word, head in enumerate(heads)]
        arcs = list(zip(deprels, lengths, depths(heads), crossing, strict=True))
        self._arcs.update(arcs[1:])
        self._sentences[any(crossing)] += 1
        if any(crossing):
            self._lifts.update([steps for steps in lifts(heads) if steps])
            for word, arc in enumerate(arcs):
                if arc[-1]:
                    self._examples.setdefault(arc, f"{sentence}:{word}")

    def figures(self) -> dict[str, Any]:
        """The figures, as in :func:`statistics`."""
        arcs = Counter[bool]()
        from_words = Counter[bool]()  # arcs that have a length
        lengths = Counter[bool]()
        for (_, length, _, crosses), count in self._arcs.items():
            arcs[crosses] += count
            from_words[crosses] += count * (length > 0)
            lengths[crosses] += count * length
        values = {
            "sentences": self._sentences.total(),
            "nonprojective_sentences": self._sentences[True],
            "nonprojective_sentences_percent": percentage(self._sentences[True], self._sentences.total()),
            "arcs": arcs.total(),
            "arc_length": _mean(lengths.total(), from_words.total()),
        }
        for kind, crosses in (("projective", False), ("nonprojective", True)):
            values[f"{kind}_arcs"] = arcs[crosses]
            values[f"{kind}_arcs_percent"] = percentage(arcs[crosses], arcs.total())
            values[f"{kind}_arc_length"] = _mean(lengths[crosses], from_words[crosses])
        few = {str(steps): self._lifts[steps] for steps in (1, 2, 3)}
        return {**values, "lifts": {**few, ">3": self._lifts.total() - sum(few.values())}}

    def crossing(self) -> dict[str, dict[str, Any]]:
        """For "deprel", "length" and "depth", by class: ``arcs``, the number of ``nonprojective`` ones, an ``example``.

        Classes without non-projective arcs are left out. Deprels are ordered by number of non-projective arcs, highest
        first. The example is the first one, SENTENCE:WORD, both numbers from 1.
        """
        breakdowns: dict[str, dict[str, Any]] = {"deprel": {}, "length": {}, "depth": {}}
        for arc, count in self._arcs.items():
            deprel, length, depth, crosses = arc
            names = deprel, class_of(length, LENGTHS), class_of(depth, DEPTHS)
            for rows, name in zip(breakdowns.values(), names, strict=True):
                row = rows.setdefault(name, {"arcs": 0, "nonprojective": 0, "example": ""})
                row["arcs"] += count
                row["nonprojective"] += count * crosses
                row["example"] = row["example"] or self._examples.get(arc, "")
        for kind, rows in breakdowns.items():
            order = {"length": LENGTHS, "depth": DEPTHS}.get(kind)
            kept = [(name, row) for name, row in rows.items() if row["nonprojective"]]
            kept.sort(key=lambda entry: (order.index(entry[0]) if order else -entry[1]["nonprojective"], entry[0]))
            breakdowns[kind] = dict(kept)
        return breakdowns


def class_of(value: int, names: Sequence[str]) -> str:
    """The class of a length or a depth, one of :data:`LENGTHS` or :data:`DEPTHS`; "" below 2."""
    return next((name for name in reversed(names) if value >= int(name.split("-")[0])), "")


def statistics(sentences: Iterable[Sentence]) -> dict[str, Any]:
    """The row of a treebank in table 1 of Kuhlmann & Nivre (2010), as counts, percentages and mean lengths.

    Keys: ``sentences nonprojective_sentences nonprojective_sentences_percent``, ``arcs arc_length``, and for
    ``projective`` and ``nonprojective`` arcs ``..._arcs ..._arcs_percent ..._arc_length``. ``lifts`` counts the
    non-projective arcs by the number of steps (1, 2, 3, >3) that each, alone, must climb to become projective.

    The length of an arc is the distance of its ends in words. Arcs from node 0, which has no position, count as
    projective and have no length. Means and percentages of zero items are None. The sentences must be trees (cycles are
    not checked). Raises CrossarcError for heads out of range.
    """
    counts = TreeCounts()
    for number, sentence in enumerate(sentences, 1):
        heads = sentence.heads()
        counts.add(heads, [""] * len(heads), number)
    return counts.figures()


def percentage(part: int, whole: int) -> float | None:
    """``100 * part / whole``; None if ``whole`` is 0."""
    return 100.0 * part / whole if whole else None


def _mean(total: int, number: int) -> float | None:
    return total / number if number else None


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
