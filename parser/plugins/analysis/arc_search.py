"""Search of arcs by their label, direction, length, and by columns of their head and dependent."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from ....transitions.trees import lifts
from ...base.errors import check_names
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ...treebank.sentence import misc_entries
from ..drawing.arcs import crossing_arcs
from ..drawing.where import Condition, Kind, parse_condition

Row: TypeAlias = dict[str, str]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "misc")
NUMBERS = ("distance", "crossing", "lifts")
FIELDS = ("sent_id", "word", *COLUMNS, "label", "direction", *NUMBERS, "head", *(f"head.{name}" for name in COLUMNS))
"""The fields of an arc; columns without a prefix are those of its dependent.

direction: "left" or "right" of the head, or "root". distance: words from head to dependent, 0 for the root. crossing: 1
for a non-projective arc. lifts: steps that the arc must climb to become projective. Conditions and counts may also name
``conf``, ``misc.KEY`` and ``head.misc.KEY``: the value of an entry of MISC, "_" without it; ``conf`` is that of Conf.
"""
ENTRY = re.compile(r"(head\.)?misc\.([^=|]+)")
MOST_NAMED = 20
"""Maximum number of sentences that are named beside a count."""


def arcs_in(sentence: Sentence) -> Iterator[Row]:
    """The fields of each arc, in the order of dependents; words without a head have none.

    In a sentence with such words no arc counts as non-projective. Raises CrossarcError for invalid heads and cycles.
    """
    heads, labels, _ = read_tree(sentence, partial=True)
    crossing = crossing_arcs(heads)
    needed = lifts(heads) if any(crossing) else [0] * len(heads)
    empty = ("_",) * len(sentence)
    columns = {name: sentence.column(name) if name in sentence.format.index else empty for name in COLUMNS}
    for word in range(1, len(heads)):
        head = heads[word]
        if head < 0:
            continue
        yield {
            "sent_id": sentence.id,
            "word": str(word),
            **{name: column[word - 1] for name, column in columns.items()},
            "label": labels[word],
            "direction": "root" if not head else "left" if word < head else "right",
            "distance": str(abs(head - word)) if head else "0",
            "crossing": str(int(crossing[word])),
            "lifts": str(needed[word]),
            "head": str(head),
            **{f"head.{name}": column[head - 1] if head else "_" for name, column in columns.items()},
        }


def arc_condition(text: str) -> Condition:
    """A condition on arcs, such as ``label=nsubj,obj and head.upos!=VERB``, see :mod:`..drawing.where`.

    ``feats=Case=Gen`` holds for words with this feature among others. Raises CrossarcError for other conditions.

    >>> holds = arc_condition("head.upos=VERB,AUX and not crossing")
    >>> holds({"head.upos": "AUX", "crossing": "0"}.get), holds({"head.upos": "NOUN", "crossing": "0"}.get)
    (True, False)
    """
    return parse_condition(text, _kind_of)


def _kind_of(field: str) -> Kind:
    check_fields("field", [field])
    if field in ("word", "head", *NUMBERS, "conf"):
        return "number"
    if field not in FIELDS:
        return "entry"
    return "texts" if field in ("feats", "misc", "head.feats", "head.misc") else "text"


def check_fields(where: str, fields: Iterable[str]) -> None:
    """Raise CrossarcError for names that are neither :data:`FIELDS` nor entries of MISC."""
    check_names(where, [field for field in fields if field != "conf" and not ENTRY.fullmatch(field)], FIELDS)


def value_of(row: Row, field: str) -> str:
    """The value of a field that :func:`check_fields` has allowed, or of an entry of MISC; "_" without such an entry.

    field: one of :data:`FIELDS`, ``conf`` (the entry Conf), ``misc.KEY`` or ``head.misc.KEY``.
    """
    if field in row:
        return row[field]
    head, key = ("", "Conf") if field == "conf" else ENTRY.fullmatch(field).groups("")  # type: ignore[union-attr]
    return misc_entries(row[f"{head}misc"]).get(key, "") or "_"


def found_arcs(sentences: Iterable[Sentence], conditions: Sequence[Condition]) -> Iterator[Row]:
    """The arcs for which all conditions hold."""
    rows = (row for sentence in sentences for row in arcs_in(sentence))
    return (row for row in rows if all(holds(partial(value_of, row)) for holds in conditions))


def counted_arcs(rows: Iterable[Row], fields: Sequence[str]) -> list[tuple[tuple[str, ...], int, int, tuple[str, ...]]]:
    """The values of the fields, the most frequent first, ties by value.

    Each has the number of its arcs, that of crossing ones, and the names of the first :data:`MOST_NAMED` sentences.
    """
    arcs, crossing = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    named: defaultdict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for row in rows:
        key = tuple(value_of(row, name) for name in fields)
        arcs[key] += 1
        crossing[key] += row["crossing"] == "1"
        if len(named[key]) < MOST_NAMED:
            named[key][row["sent_id"]] = None
    ordered = sorted(arcs.items(), key=lambda entry: (-entry[1], entry[0]))
    return [(key, count, crossing[key], tuple(named[key])) for key, count in ordered]
