"""Descriptions of models as readable text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WIDTH, FEW = 100, 3
"""Maximum number of characters of lists in descriptions, and of values of an inner list that is shown, not counted."""


def described(values: Mapping[str, Any]) -> list[str]:
    """JSON values as lines of text: one line per value, per nested mapping, and per item of a list of mappings."""
    lines = []
    for name, value in values.items():
        rows = value if isinstance(value, list) and value and isinstance(value[0], Mapping) else [value]
        for row in rows:
            inner = row.items() if isinstance(row, Mapping) else ()
            nested = {key: inner_value for key, inner_value in inner if isinstance(inner_value, Mapping)}
            flat = {key: inner_value for key, inner_value in inner if key not in nested}
            lines += [f"{name:<12} {_brief(flat or row) or 'none'}", *described(nested)]
    return lines


def _brief(value: Any) -> str:
    """A JSON value in one line."""
    if isinstance(value, Mapping):
        lists = {name: member for name, member in value.items() if isinstance(member, list)}
        shown = {
            name: " ".join(map(_brief, members)) if len(members) <= FEW else len(members)
            for name, members in lists.items()
        }
        return ", ".join(f"{name}={shown[name] if name in shown else _brief(member)}" for name, member in value.items())
    if isinstance(value, list | tuple):
        text = " ".join(map(str, value))
        short = text if len(text) <= WIDTH else f"{text[:WIDTH].rpartition(' ')[0]} ..."
        return f"{len(value)}: {short}" if value else ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
