"""Search of arcs by their label, direction, length, and by columns of their head and dependent."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import TypeAlias

from ....transitions.trees import lifts
from ...base.errors import CrossarcError, check_names
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ...treebank.sentence import misc_entries
from ..drawing.arcs import crossing_arcs

Row: TypeAlias = dict[str, str]
Filter: TypeAlias = Callable[[Row], bool]

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
SIGNS: Mapping[str, Callable[[float, float], bool]] = {"<=": le, ">=": ge, "<": lt, ">": gt}
DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
CONDITION = re.compile(r"\s*([\w.]+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*", re.DOTALL)


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
    check_fields(f"condition {text!r}: field", [field])
    if sign in SIGNS:
        if (field in FIELDS and field not in NUMBERS) or not DECIMAL.fullmatch(value):
            names = ", ".join([*NUMBERS, "conf", "misc.KEY"])
            raise CrossarcError(f"condition {text!r}: {sign} needs a number and one of {names}")
        limit = float(value)
        return lambda row: bool(DECIMAL.fullmatch(text := value_of(row, field))) and SIGNS[sign](float(text), limit)
    if sign == "~":
        try:
            pattern = re.compile(value)
        except re.error as error:
            raise CrossarcError(f"condition {text!r}: invalid regular expression: {error}") from None
        return lambda row: pattern.search(value_of(row, field)) is not None
    allowed = frozenset([*value.split(","), value])  # values may have commas, too
    if field in ("feats", "misc", "head.feats", "head.misc"):
        return lambda row: allowed.isdisjoint([row[field], *row[field].split("|")]) == (sign == "!=")
    return lambda row: (value_of(row, field) in allowed) == (sign == "=")


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


def found_arcs(sentences: Iterable[Sentence], filters: Sequence[Filter]) -> Iterator[Row]:
    """The arcs for which all filters hold."""
    return (row for sentence in sentences for row in arcs_in(sentence) if all(holds(row) for holds in filters))


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
