"""The three CoNLL formats: their columns under unified names, and how a file's format is detected.

CoNLL-X: Buchholz & Marsi 2006; CoNLL-2009: Hajič et al. 2009; CoNLL-U and CoNLL-U Plus: universaldependencies.org.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath

from ..base.errors import CrossarcError, choices
from .faults import PLAIN_TEXT, Fault, no_words
from .limits import NO_MORE, ReadingLimits, above

AUTO = "auto"
"""In place of a format: detect it. In configs: choose the value automatically."""

FORMATS: Mapping[str, str] = {"conllx": "CoNLL-X", "conll09": "CoNLL-2009", "conllu": "CoNLL-U"}
"""The key of each format, and its name in messages."""

COLUMN_CHOICES = ("gold", "predicted")

_COMMON = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
_NAMES = {
    "conllx": (*_COMMON, "phead", "pdeprel"),
    "conllu": (*_COMMON, "deps", "misc"),
    "conll09": (
        *("id", "form", "glemma", "plemma", "gpos", "ppos", "gfeats", "pfeats"),
        *("head", "phead", "deprel", "pdeprel", "fillpred", "pred"),
    ),
}
_AFTER_FEATS = {"conllx": 6, "conllu": 6, "conll09": 8}
_LEAST_2009 = 12  # the columns up to PDEPREL; FILLPRED, PRED and the APREDs are absent from syntactic data
_UPOS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split()  # noqa: SIM905
)
_NUMBER = re.compile("[0-9]+")
_GLOBAL_COLUMNS = re.compile(r"# *global\.columns *= *(.*)")


@dataclass(frozen=True, slots=True)
class Format:
    """Which columns the rows of a sentence have.

    name: a key of :data:`FORMATS`. names: one unified name per column, in file order (lower case). columns: "gold" or
    "predicted", the CoNLL-2009 columns that ``lemma upos xpos feats`` mean. There the columns go by
    ``glemma gpos gfeats`` and ``plemma ppos pfeats`` too, whatever is chosen; ``apred1`` ... are a sentence's own.
    """

    name: str
    names: tuple[str, ...]
    columns: str = "gold"
    index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {name: position for position, name in enumerate(self.names)}
        if self.name == "conll09":
            letter = self.columns[0]
            index |= {"lemma": index[letter + "lemma"], "feats": index[letter + "feats"]}
            index |= {"upos": index[letter + "pos"], "xpos": index[letter + "pos"]}
        object.__setattr__(self, "index", index)


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the rows of a file.

    given: columns per row in the file; where that is less than the format has, the missing ones are read as "_".
    named: the columns that a ``# global.columns`` line names, or None. limits: what a sentence may have.
    """

    name: str
    columns: str
    given: int
    named: tuple[str, ...] | None = None
    limits: ReadingLimits = NO_MORE

    def format(self, width: int) -> Format | None:
        """The format of a sentence with this number of columns, or None if it does not fit this file.

        In CoNLL-2009 the number of APRED columns is that of the sentence's predicates.
        """
        full = len(_NAMES[self.name])
        if width != self.given and not (self.name == "conll09" and min(width, self.given) >= full):
            return None
        if self.named is not None:
            return _named_format(self.name, self.named, self.columns)
        least = _LEAST_2009 if self.name == "conll09" else full
        return format_of(self.name, full if width < least else width, self.columns)

    def width(self, cells: Sequence[Sequence[str]]) -> int:
        """The number of columns that the rows of a sentence should have: the file's, or where it varies, most rows'."""
        least = len(_NAMES[self.name])
        if self.name == "conll09" and self.given >= least:
            return max(_most_common_width(cells), least)
        return self.given


def format_of(name: str, width: int | None = None, columns: str = "gold") -> Format:
    """The named format with this number of columns; by default as many as it defines.

    Further columns are named ``column11`` ... (``apred1`` ... in CoNLL-2009). Raises CrossarcError for a name or a
    choice of columns that does not exist.
    """
    require(name, columns)
    names = _NAMES[name]
    width = len(names) if width is None else width
    if name == "conll09":
        more = tuple(f"apred{number - len(names)}" for number in range(len(names) + 1, width + 1))
    else:
        more = tuple(f"column{number}" for number in range(len(names) + 1, width + 1))
    return _format(name, (*names, *more)[:width], columns)


def require(name: str, columns: str, more: Sequence[str] = ()) -> None:
    """Raise CrossarcError unless the format and the choice of columns exist.

    Formats are :data:`AUTO`, those of :data:`FORMATS` and ``more``.
    """
    if name not in (AUTO, *FORMATS, *more):
        raise CrossarcError(f"format {choices(name, [AUTO, *FORMATS, *more])}")
    if columns not in COLUMN_CHOICES:
        raise CrossarcError(f"columns {choices(columns, COLUMN_CHOICES)}")


def detect(
    rows: Sequence[str],
    source: str,
    line: int,
    name: str = AUTO,
    columns: str = "gold",
    limits: ReadingLimits = NO_MORE,
) -> Layout | Fault:
    """The layout of the file whose first sentence (with its comments) is given, or why it is not a CoNLL file.

    rows: the lines of the sentence. source: the file's name. line: the number of the first row. name: the format,
    of which only the width is looked for, or :data:`AUTO`. columns: "gold" or "predicted". limits: what each sentence
    may have.

    The width is that of most of the sentence's rows. A first line ``# global.columns = ...`` names the columns
    (CoNLL-U Plus). Otherwise 12 columns and more are CoNLL-2009 if HEAD and PHEAD, columns 9 and 10, hold numbers
    or "_", column 7 something else than numbers, and there are no comments. Everything else with 6 columns and more
    is CoNLL-U or CoNLL-X, in this order: CoNLL-U if the file is called so or an ID is a range or a decimal; CoNLL-X
    if column 9 (PHEAD) holds a number; CoNLL-U if column 9 or 10 (DEPS, MISC) holds anything, if there are comments,
    or if all tags are universal parts of speech; else CoNLL-X. Columns beyond the format's are kept as user columns.

    A file may lack its last columns if no row has them and FEATS is still there: they are read as "_". Fewer columns
    are a fault.
    """
    first = next((position for position, row in enumerate(rows) if not row.startswith("#")), len(rows))
    comments, cells = rows[:first], [row.split("\t") for row in rows[first:]]
    if not cells:
        return no_words(line)
    widest = max(range(len(cells)), key=lambda number: len(cells[number]))
    if len(cells[widest]) > limits.columns:
        return too_wide(cells[widest], line + first + widest, limits, "format")
    listed = _GLOBAL_COLUMNS.fullmatch(comments[0]) if comments else None
    if listed is not None:
        named = tuple(listed[1].lower().split())
        if named[:1] != ("id",) or "form" not in named or len(set(named)) < len(named):
            return Fault(line, "format", f"global.columns {listed[1]!r}, expected different names, ID first, and FORM")
        return Layout("conllu", columns, len(named), named, limits)
    given = _most_common_width(cells)
    least = min(_AFTER_FEATS.values()) if name == AUTO else _AFTER_FEATS[name]
    if given < least:
        return Fault(line + first, "format", _not_conll(cells[0], name))
    whole = [row for row in cells if len(row) == given]
    found = _detect_name(whole, given, bool(comments), source) if name == AUTO else name
    return Layout(found, columns, given, limits=limits)


def too_wide(row: Sequence[str], line: int, limits: ReadingLimits, kind: str = "columns") -> Fault:
    """A row with more columns than the limits allow."""
    return Fault(line, kind, above(f"{len(row)} columns", limits.columns, "columns"))


def _not_conll(row: Sequence[str], name: str) -> str:
    count = f"{len(row)} column{'s' if len(row) > 1 else ''}"
    if name != AUTO:
        expected = f"{len(_NAMES[name])} ({FORMATS[name]})"
    else:
        expected = "10 (CoNLL-U, CoNLL-X) or 12 and more (CoNLL-2009)"
    return f"{count}, expected {expected}, separated by TAB{'' if len(row) > 1 else PLAIN_TEXT}"


def _detect_name(cells: Sequence[Sequence[str]], given: int, comments: bool, source: str) -> str:
    if ".conllu" in PurePath(source).suffixes or not all(_NUMBER.fullmatch(row[0]) for row in cells):
        return "conllu"
    if given >= _LEAST_2009 and not comments:
        heads = all(value == "_" or _NUMBER.fullmatch(value) for row in cells for value in row[8:10])
        if heads and not all(_NUMBER.fullmatch(row[6]) for row in cells):
            return "conll09"
    if any(_NUMBER.fullmatch(row[8]) for row in cells if given > 8):
        return "conllx"
    annotated = any(value != "_" for row in cells for value in row[8:10])
    return "conllu" if annotated or comments or all(row[3] in _UPOS for row in cells) else "conllx"


def _most_common_width(cells: Sequence[Sequence[str]]) -> int:
    counts = Counter(map(len, cells))
    return max(counts, key=lambda width: (counts[width], width))


@lru_cache(maxsize=2)  # the columns that a file names can be megabytes
def _named_format(name: str, names: tuple[str, ...], columns: str) -> Format:
    return Format(name, names, columns)


@lru_cache(maxsize=256)
def _format(name: str, names: tuple[str, ...], columns: str) -> Format:
    return Format(name, names, columns)
