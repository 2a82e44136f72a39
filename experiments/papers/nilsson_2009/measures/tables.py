"""The tables of Nilsson (2009) in their form: our treebanks above, the thesis' own below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ....harness.rows import Row, figure, published_rows
from ....harness.settings import TreebankEntry
from ....harness.tables import markdown_table

__all__ = ["PAPER", "beside", "published_names", "thesis_rows"]

PAPER = "nilsson-2009"
Keyed = Mapping[tuple[str, ...], Row]


def thesis_rows(
    table: str, index: Sequence[str], column: str | None, values: Mapping[str, str], *, stacked: bool = False
) -> dict[tuple[str, ...], dict[str, float | int | str | None]]:
    """The rows of a published table, one for each value of the columns ``index``, which is its key.

    column: whose values become columns; without it every row stands for itself. values: the columns with figures and
    what they are called. A figure's column is named by the value of ``column`` and what the figure is called, joined by
    a space (what is called "" adds nothing); stacked: what it is called ends the key of a row of its own instead.
    """
    wide: dict[tuple[str, ...], dict[str, float | int | str | None]] = {}
    for row in published_rows(PAPER, table):
        own = tuple(str(row[key]) for key in index)
        of = str(row[column]) if column else ""
        for key, called in values.items():
            name, place = (of, (*own, called)) if stacked else (f"{of} {called}".strip(), own)
            wide.setdefault(place, {})[name] = row.get(key)
    return wide


def beside(
    head: Sequence[str],
    columns: Mapping[str, str],
    ours: Keyed,
    theirs: Keyed,
    same: Mapping[str, str] | None = None,
) -> str:
    """A Markdown table of our rows, and under them the published ones.

    head: what the parts of the rows' keys are. same: our names of treebanks, the first parts of keys, that the thesis
    has figures of, with the thesis' names; a published row of one of them follows ours. All others follow at the end,
    in italics and with a dagger: they are of other treebanks.
    """
    rows = []
    shown = set()
    for key, row in ours.items():
        rows.append([*key, *(_cell(row.get(name)) for name in columns)])
        twin = ((same or {}).get(key[0], ""), *key[1:])
        if twin in theirs:
            shown.add(twin)
            rows.append(_published(f"{key[0]}, published", twin, theirs[twin], columns))
    rows += [_published(f"{key[0]} †", key, row, columns) for key, row in theirs.items() if key not in shown]
    table = markdown_table([*head, *columns.values()], rows, left=len(head))
    return table + "\n† published for this treebank, none of ours\n" if len(shown) < len(theirs) else table


def published_names(entries: Iterable[TreebankEntry]) -> dict[str, str]:
    """Our names of the treebanks that the thesis has figures of, with its names."""
    return {entry.name: entry.published for entry in entries if entry.published}


def _published(name: str, key: tuple[str, ...], row: Row, columns: Mapping[str, str]) -> list[str]:
    return [f"*{name}*", *key[1:], *(_cell(row.get(column)) for column in columns)]


def _cell(value: float | int | str | None) -> str:
    return value if isinstance(value, str) else figure(value)
