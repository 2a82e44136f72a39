"""Search of arcs by their label, direction, length, and by columns of their head and dependent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import TypeAlias

from ....transitions.trees import lifts, nonprojective_arcs
from ...base.errors import CrossarcError, check_names
from ...treebank import Sentence
from ...treebank.pairs import read_tree

Row: TypeAlias = dict[str, str]
Filter: TypeAlias = Callable[[Row], bool]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
NUMBERS = ("distance", "crossing", "lifts")
FIELDS = ("sent_id", "word", *COLUMNS, "label", "direction", *NUMBERS, "head", *(f"head.{name}" for name in COLUMNS))
"""The fields of an arc; columns without a prefix are those of its dependent.

direction: "left" or "right" of the head, or "root". distance: words from head to dependent, 0 for the root. crossing: 1
for a non-projective arc. lifts: steps that the arc must climb to become projective.
"""
SIGNS: Mapping[str, Callable[[float, float], bool]] = {"<=": le, ">=": ge, "<": lt, ">": gt}
CONDITION = re.compile(r"\s*([\w.]+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*", re.DOTALL)


def arcs_in(sentence: Sentence) -> Iterator[Row]:
    """The fields of each arc, in the order of dependents. Raises CrossarcError for invalid heads and cycles."""
    heads, labels, _ = read_tree(sentence)
    crossing, needed = nonprojective_arcs(heads), lifts(heads)
    empty = ("_",) * len(sentence)
    columns = {name: sentence.column(name) if name in sentence.format.index else empty for name in COLUMNS}
    for word in range(1, len(heads)):
        head = heads[word]
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


def parse_filter(text: str) -> Filter:
    """A condition on arcs, such as ``label=nsubj,obj``, ``head.upos!=VERB``, ``distance>3`` or ``lemma~^un``.

    Commas separate alternatives. ``feats=Case=Gen`` holds for words with this feature among others. ``~`` is a regular
    expression that must occur in the value. Raises CrossarcError for other conditions.

    >>> holds = parse_filter("head.upos=VERB,AUX")
    >>> holds({"head.upos": "AUX"}), holds({"head.upos": "NOUN"})
    (True, False)
    """
    match = CONDITION.fullmatch(text)
    if match is None:
        raise CrossarcError(f"condition {text!r}: expected FIELD and VALUE, with one of = != < <= > >= ~ between them")
    field, sign, value = match.groups()
    if value.startswith("="):
        raise CrossarcError(f"condition {text!r}: found ==; write {field}=VALUE, without quotation marks")
    check_names(f"condition {text!r}: field", [field], FIELDS)
    if sign in SIGNS:
        if field not in NUMBERS or not re.fullmatch("[0-9]+", value):
            raise CrossarcError(f"condition {text!r}: {sign} needs a number and one of {', '.join(NUMBERS)}")
        return lambda row: SIGNS[sign](int(row[field]), int(value))
    if sign == "~":
        try:
            pattern = re.compile(value)
        except re.error as error:
            raise CrossarcError(f"condition {text!r}: invalid regular expression: {error}") from None
        return lambda row: pattern.search(row[field]) is not None
    allowed = frozenset(value.split(","))
    if field.endswith("feats"):
        return lambda row: allowed.isdisjoint([row[field], *row[field].split("|")]) == (sign == "!=")
    return lambda row: (row[field] in allowed) == (sign == "=")


def found_arcs(sentences: Iterable[Sentence], filters: Sequence[Filter]) -> Iterator[Row]:
    """The arcs for which all filters hold."""
    return (row for sentence in sentences for row in arcs_in(sentence) if all(holds(row) for holds in filters))


def counted_arcs(rows: Iterable[Row], fields: Sequence[str]) -> list[tuple[tuple[str, ...], int, int]]:
    """(values of the fields, number of arcs, number of crossing ones), the most frequent first, ties by value."""
    arcs, crossing = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for row in rows:
        key = tuple(row[name] for name in fields)
        arcs[key] += 1
        crossing[key] += row["crossing"] == "1"
    return [(key, count, crossing[key]) for key, count in sorted(arcs.items(), key=lambda entry: (-entry[1], entry[0]))]
