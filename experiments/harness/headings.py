"""The section at the end of a report that explains headings of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

from ...parser.drawing.report_page import Heading, Part, Text
from ...parser.evaluate.headings import HEADINGS


def explained(headings: Iterable[str]) -> list[Part]:
    """The parts of a report that explain the headings of its tables; empty if no heading needs an explanation."""
    words = dict.fromkeys(word for heading in headings for word in words_of(heading))
    notes = [Text(f"**{word}**: {meaning_of(word)}", item=True) for word in words if meaning_of(word)]
    return [Heading(2, "What the headings mean"), *notes] if notes else []


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
    return own_headings().get(word) or HEADINGS.get(word, "")


@cache
def own_headings() -> dict[str, str]:
    """Headings that only tables of experiments have, with their meanings."""
    found: dict[str, str] = yaml.safe_load(Path(__file__).parents[1].joinpath("headings.yaml").read_text("utf-8"))
    return found
