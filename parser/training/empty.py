"""Columns without a value in the training treebank: which are read in their place, and templates that see nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...features.piece import column_and_key
from ...features.template import FeatureModel
from ..base.progress import Progress
from ..treebank import Sentence, Table
from ..treebank.symbols import treebank_column

__all__ = ["EMPTY", "STAND_INS", "say_empty", "stand_ins"]

STAND_INS: Mapping[str, str] = {"xpos": "upos", "upos": "xpos"}
"""Columns that mean nearly the same, so that one is read where the other has no value."""
EMPTY = frozenset({"_", ""})
MOST_NAMED = 3


def stand_ins(sentences: Sequence[Sentence], names: Collection[str]) -> dict[str, str]:
    """Of the columns ``names`` those that have no value in any sentence, with the column to be read in their place.

    names: as features name them, pieces of columns among them.
    """
    wanted = {column_and_key(name)[0] for name in names}
    return {
        name: other
        for name, other in STAND_INS.items()
        if name in wanted and not _has_values(sentences, name) and _has_values(sentences, other)
    }


def _has_values(sentences: Sequence[Sentence], name: str) -> bool:
    return any(name in own.format.index and not EMPTY.issuperset(own.column(name)) for own in sentences)


def say_empty(
    reads: Mapping[str, str], models: Sequence[FeatureModel], tables: Mapping[str, Table], progress: Progress
) -> None:
    """Say which columns are read in the place of others, and which templates have nothing to look at.

    Those are the templates all of whose parts are columns without a value.
    """
    for name, other in reads.items():
        progress(f"the training treebank has no {name.upper()}: templates read {other.upper()} in its place")
    empty = {name for name, table in tables.items() if table.blank}
    lines = [
        str(template)
        for model in models
        for template in model.templates
        if all(part.kind == "column" and part.column in empty for part in template.parts)
    ]
    if lines:
        columns = ", ".join(sorted(set(map(_said, empty))))
        more = ", ..." if len(lines) > MOST_NAMED else ""
        progress(
            f"the training treebank has no {columns}: {len(lines)} templates have nothing to look at: "
            f"{', '.join(lines[:MOST_NAMED])}{more}"
        )


def _said(name: str) -> str:
    """What people call what features look at under a name."""
    column = treebank_column(name).upper()
    _, key = column_and_key(name)
    if key:
        return f"character {key} in {column}" if key.isdecimal() else f"{key} in {column}"
    return column
