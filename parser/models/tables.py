"""Symbol tables of models: built from training columns, kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..treebank import SetTable, SymbolTable, Table

__all__ = ["build_tables", "strings", "table_from_json", "table_json"]


def strings(values: Sequence[Any]) -> tuple[str, ...]:
    """The values. Raises ValueError if one is no text."""
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a label or value that is not text")
    return tuple(values)


def table_json(table: Table) -> dict[str, Any]:
    """What JSON keeps of a table of either kind."""
    return {"set" if isinstance(table, SetTable) else "single": table.to_json()}


def table_from_json(state: Mapping[str, Any]) -> Table:
    """The table that :func:`table_json` was called on. Raises ValueError if it was not."""
    if "set" not in state:
        return SymbolTable.from_json(strings(state["single"]))
    table = SetTable.from_json(state["set"])
    if not 0 <= table.size <= len(strings(table.atoms.values)):
        raise ValueError(f"sets of {table.size} of {len(table.atoms.values)} values")
    return table


def build_tables(columns: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, Table]:
    """The symbol tables of the training columns; ``feats`` is a set, split at ``|``."""
    kinds: Mapping[str, type[SymbolTable] | type[SetTable]] = {"feats": SetTable}
    return {name: kinds.get(name, SymbolTable).build(values) for name, values in columns.items()}
