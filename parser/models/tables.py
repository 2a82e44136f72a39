"""Common values of model files, and symbol tables: built from training columns, stored as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...features.piece import column_and_key
from ..base.parameters import TEXT, Allowed, one_of, real, whole
from ..base.shapes import ListOf, MapOf, Record, Shape, expect, within
from ..treebank import COLUMN_CHOICES, PieceTable, SetTable, SymbolTable, Table

PROVENANCE = Record(
    {
        "train": Record({"sha256": TEXT, "sentences": whole(0), "words": whole(0)}),
        **dict.fromkeys(("crossarc", "python", "numpy", "scipy", "scikit-learn"), TEXT),
    },
    {"dev": Record({"sha256": TEXT, "las": real(), "uas": real()}), "tags": MapOf(real()), "tagged_by": TEXT},
)
LABEL_NAME = Allowed(
    "text without tabs and ends of lines",
    lambda value: isinstance(value, str) and not any(sign in value for sign in "\t\n\r"),
)
COMMON: Mapping[str, Shape] = {
    "columns": MapOf(Record()),
    "labels": ListOf(LABEL_NAME, least=1),
    "transforms": ListOf(Record({"name": TEXT})),
    "provenance": PROVENANCE,
}
"""The JSON values of every parser; tables and transforms say more of theirs."""
READING: Mapping[str, Shape] = {"treebank": Record({}, {"columns": one_of(*COLUMN_CHOICES)})}
"""The part of a model's config about reading the training treebank."""
KINDS: Mapping[str, type[SymbolTable] | type[SetTable] | type[PieceTable]] = {
    "single": SymbolTable,
    "set": SetTable,
    "piece": PieceTable,
}
"""Names of the types of symbol tables in files."""
OPTIONAL: Mapping[str, Shape] = {"reads": MapOf(one_of("upos", "xpos"))}
"""Optional values: columns that replace missing tags."""


def annotation_of(config: Mapping[str, Any]) -> str:
    """Which columns of CoNLL-2009 a model was trained on, "gold" or "predicted"; the first models do not say it."""
    return str(config.get("treebank", {}).get("columns", "gold"))


def table_json(table: Table) -> dict[str, Any]:
    """The JSON form of a table."""
    return {next(name for name, kind in KINDS.items() if type(table) is kind): table.to_json()}


def table_from_json(state: Mapping[str, Any], name: str) -> Table:
    """The table, of the column of that name, that :func:`table_json` was called on. Raises ShapeError if it was not."""
    with within(f"columns.{name}"):
        kinds = [kind for kind in KINDS if kind in state]
        expect(len(kinds) == 1, "", f"found no table, or several; expected one of {', '.join(KINDS)}")
        return KINDS[kinds[0]].from_json(state[kinds[0]])


def build_tables(columns: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, Table]:
    """The symbol tables of the training columns; ``feats`` is a set, split at ``|``, a name with a key one piece."""
    return {name: _built(name, values) for name, values in columns.items()}


def _built(name: str, values: Sequence[Sequence[str]]) -> Table:
    _, key = column_and_key(name)
    if key:
        return PieceTable.build(key, values)
    return SetTable.build(values) if name == "feats" else SymbolTable.build(values)
