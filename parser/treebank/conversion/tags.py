"""Tags and lemmas that a parser predicted, for sentences of other libraries."""

from __future__ import annotations

from .. import TAGGED, Sentence


def new_tags(before: Sentence, parsed: Sentence) -> dict[str, tuple[str, ...]]:
    """Return the columns of tags and lemmas whose values differ from those before parsing."""
    return {name: parsed.column(name) for name in TAGGED if parsed.column(name) != before.column(name)}
