"""Empty columns of the training treebank: their fallback columns, and templates that never have a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ...features.piece import column_and_key
from ...features.template import FeatureModel
from ..base.errors import CrossarcError
from ..base.progress import Progress
from ..models.inputs import columns_text, empty_tags, has_values
from ..treebank import Sentence, SymbolTable
from ..treebank.symbols import treebank_column

STAND_INS: Mapping[str, str] = {"xpos": "upos", "upos": "xpos"}
"""Columns of nearly the same meaning: one is read where the other has no value."""
MOST_NAMED = 3


def fallback_columns(sentences: Sequence[Sentence], names: Collection[str]) -> dict[str, str]:
    """For each empty column among ``names``, the column to read instead.

    names: names of columns as in features, possibly pieces of columns
    """
    wanted = {column_and_key(name)[0] for name in names}
    return {
        name: other
        for name, other in STAND_INS.items()
        if name in wanted and not has_values(sentences, name) and has_values(sentences, other)
    }


def require_tags(path: str, sentences: Sequence[Sentence], train: Sequence[Sentence], names: Iterable[str]) -> None:
    """Raise CrossarcError if a development treebank lacks tags that the parser reads and has in training.

    path: file name of the development treebank
    names: the columns that the parser reads
    """
    filled = [name for name in names if has_values(train, name)]
    if missing := empty_tags(filled, [name for name in filled if not has_values(sentences, name)]):
        raise CrossarcError(
            f"{path}: has no values in {columns_text(missing)}, which the parser reads; "
            "tag it with the tagger of the training treebank, or train without it"
        )


def report_empty_columns(
    reads: Mapping[str, str], models: Sequence[FeatureModel], tables: Mapping[str, SymbolTable], progress: Progress
) -> None:
    """Report the fallback columns in use, and the templates that never have a value.

    A template never has a value if all its parts are empty columns.
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
            f"the training treebank has no {columns}: {len(lines)} templates never have a value: "
            f"{', '.join(lines[:MOST_NAMED])}{more}"
        )


def _said(name: str) -> str:
    """The name of a column as users know it."""
    column = treebank_column(name).upper()
    _, key = column_and_key(name)
    if not key or key.endswith(")"):
        return column
    return f"character {key} in {column}" if key.isdecimal() else f"{key} in {column}"
