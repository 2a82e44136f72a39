"""The section at the end of a report that explains headings of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...parser.evaluate.headings import HEADINGS

TITLE = "## What the headings mean"
OURS: Mapping[str, str] = {
    "proj.": "of arcs that are projective (P: in the parsed tree, R: in the gold tree)",
    "non-proj.": "of arcs that are non-projective (P: in the parsed tree, R: in the gold tree: different sets, so "
    "that P can be 0 where R is not)",
    "in proj. trees": "in sentences whose gold tree is projective; what follows up to the next such heading, too",
    "in non-proj. trees": "in sentences whose gold tree is non-projective; what follows, too",
    "% NP": "% of the sentences, or of the arcs, before it that are non-projective",
    "L": "mean length of arcs in words, neighbours 1",
    "lifts in %": "% of the non-projective arcs by the steps that they must climb to become projective (1, 2, 3, more)",
    "recovered %": "% of the non-projective arcs that are as they were after transform and inverse",
    "labels": "number of dependency labels, including those that the transform adds",
    "without transform": "number of labels before the transform",
    "arcs lost": "non-projective arcs that the inverse does not restore",
    "F": "the harmonic mean of P and R, as the paper gives it; the two count different sets of arcs",
    "ER": "error reduction: % of the errors of the system compared with that are gone",
    "single": "the best single parser",
    "gain": "its LAS minus that of the other",
    "#NP": "non-projective arcs in the parsed trees",
    "NP arcs": "non-projective arcs in the gold trees",
    "words": "tokens of the training set",
    "training, CPU s": "CPU seconds of training, all processes together",
    "normalised": "as % of the total error rate, so that 100 is the average",
    "#T(k)": "tokens, in thousands",
    "#S(k)": "sentences, in thousands",
    "%C": "% of tokens that are conjuncts",
    "%S": "% of tokens that separate conjuncts",
    "%VG": "% of tokens that are auxiliaries of verb groups",
    "Niv": "published for Nivre's parser",
    "McD": "published for McDonald's parser",
}
"""Headings that only tables of experiments have."""


def explained(headings: Iterable[str]) -> list[str]:
    """The lines of a report that explain the headings of its tables; empty if no heading needs an explanation."""
    words = dict.fromkeys(word for heading in headings for word in words_of(heading))
    notes = [f"- **{word}**: {meaning_of(word)}" for word in words if meaning_of(word)]
    return ["", TITLE, "", *notes] if notes else []


def words_of(heading: str) -> list[str]:
    """Parts of a heading to explain: the heading, its parts, the last word of each, and the text before that word.

    >>> words_of("Pre, normalised")
    ['Pre, normalised', 'Pre', 'normalised']
    >>> words_of("proj. P")
    ['proj. P', 'proj.', 'P']
    """
    parts = [heading]
    for part in re.split(r"[:,] ", heading):
        first, _, last = part.rpartition(" ")
        parts += [part, first, last]
    return [word for word in dict.fromkeys(parts) if word]


def meaning_of(word: str) -> str:
    """The meaning of a word of a heading; "" if it is not explained."""
    return OURS.get(word) or HEADINGS.get(word, "")
