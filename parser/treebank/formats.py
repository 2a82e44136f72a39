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

from ..base.errors import check_names
from . import limits
from .faults import PLAIN_TEXT, Fault, no_words

AUTO = "auto"
"""In place of a format: detect the format. In configs: choose the value automatically."""

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
DERIVED = ("phead", "pdeprel", "deps")
"""Columns of CoNLL-X and CoNLL-U that describe the gold tree in another way: they are wrong beside another tree."""
_AFTER_FEATS = {"conllx": 6, "conllu": 6, "conll09": 8}
_LEAST_2009 = 12  # number of columns up to PDEPREL; syntactic data lack FILLPRED, PRED and the APREDs
_UPOS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split()  # noqa: SIM905
)
_NUMBER = re.compile("[0-9]+")
_GLOBAL_COLUMNS = re.compile(r"# *global\.columns *= *(.*)")


@dataclass(frozen=True, slots=True)
class Format:
    """The columns in the rows of a sentence.

    name: a key of :data:`FORMATS`.
    names: one unified name per column, in file order (lower case).
    columns: the CoNLL-2009 columns that ``lemma upos xpos feats`` name, "gold" or "predicted".

    In CoNLL-2009, ``glemma gpos gfeats`` and ``plemma ppos pfeats`` always name the gold and the predicted columns. The
    number of the columns ``apred1`` ... differs between sentences.
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

    def tree_columns(self, keep_deps: bool) -> Mapping[str, str]:
        """The columns that another tree changes, each with its new value: "head", "deprel", or "_" in each row.

        keep_deps: whether :data:`DERIVED` columns keep their values.
        """
        found = {"head": "head", "deprel": "deprel"}
        if self.name != "conll09":
            return found | {name: "_" for name in DERIVED if name in self.index and not keep_deps}
        return found | ({"phead": "head", "pdeprel": "deprel"} if self.columns == "predicted" else {})


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the rows of a file.

    given: number of columns per row in the file; columns that the format has beyond them are read as "_".
    named: the columns that a ``# global.columns`` line names, or None.
    """

    name: str
    columns: str
    given: int
    named: tuple[str, ...] | None = None

    def format(self, width: int) -> Format | None:
        """The format of a sentence with this number of columns, or None if the number does not fit this file.

        In CoNLL-2009 a sentence has one APRED column for each of its predicates.
        """
        full = len(_NAMES[self.name])
        if width != self.given and not (self.name == "conll09" and min(width, self.given) >= full):
            return None
        if self.named is not None:
            return _format(self.name, self.named, self.columns)
        least = _LEAST_2009 if self.name == "conll09" else full
        return format_of(self.name, full if width < least else width, self.columns)

    def width(self, cells: Sequence[Sequence[str]]) -> int:
        """The expected number of columns in the rows of a sentence.

        If rows of the file have different numbers, the most frequent number in the sentence is expected.
        """
        least = len(_NAMES[self.name])
        if self.name == "conll09" and self.given >= least:
            return max(_most_common_width(cells), least)
        return self.given


def format_of(name: str, width: int | None = None, columns: str = "gold") -> Format:
    """The named format with this number of columns (default: the number that the format defines).

    Further columns are named ``column11`` ... (``apred1`` ... in CoNLL-2009). Raises CrossarcError if the name or the
    choice of columns does not exist.
    """
    require(name, columns)
    names = _NAMES[name]
    width = len(names) if width is None else width
    prefix, start = ("apred", 1) if name == "conll09" else ("column", len(names) + 1)
    more = (f"{prefix}{number}" for number in range(start, start + width - len(names)))
    return _format(name, (*names, *more)[:width], columns)


def require(name: str, columns: str, more: Sequence[str] = ()) -> None:
    """Raise CrossarcError unless the format and the choice of columns exist.

    name: :data:`AUTO`, a key of :data:`FORMATS` or one of ``more``.
    columns: "gold" or "predicted".
    more: further allowed formats.
    """
    check_names("format", [name], [AUTO, *FORMATS, *more])
    check_names("columns", [columns], COLUMN_CHOICES)


def detect(rows: Sequence[str], source: str, line: int, name: str = AUTO, columns: str = "gold") -> Layout | Fault:
    """The layout of a file, detected in its first sentence and comments; a fault if the file is not CoNLL.

    rows: the lines of the sentence.
    source: name of the file.
    line: line number of the first row.
    name: the format, whose width alone is then detected, or :data:`AUTO`.
    columns: "gold" or "predicted".

    The width is that of most of the sentence's rows. A comment ``# global.columns = ...`` of the first sentence
    names the columns (CoNLL-U Plus). A file with 12 or more columns is CoNLL-2009 if HEAD and PHEAD, columns 9 and
    10, contain numbers or "_", column 7 contains another value, and there are no comments. Other files with 6 or
    more columns are CoNLL-U or CoNLL-X. The first matching rule decides: CoNLL-U if the file name says so or an ID
    is a range or a decimal; CoNLL-X if column 9 (PHEAD) contains a number; CoNLL-U if column 9 or 10 (DEPS, MISC)
    contains any value, if there are comments, or if all tags are universal parts of speech; otherwise CoNLL-X.
    Columns beyond those of the format are kept as user columns.

    A file may lack its last columns if no row has them and FEATS is present: they are read as "_". Fewer columns are a
    fault.
    """
    first = next((position for position, row in enumerate(rows) if not row.startswith("#")), len(rows))
    comments, cells = rows[:first], [row.split("\t") for row in rows[first:]]
    if not cells:
        return no_words(line)
    if max(map(len, cells)) > limits.COLUMNS:
        return too_wide(cells, line + first, "format")
    declared = ((number, _GLOBAL_COLUMNS.fullmatch(comment)) for number, comment in enumerate(comments, line))
    own_line, listed = next((own for own in declared if own[1]), (line, None))
    if listed is not None:
        named = tuple(listed[1].lower().split())
        if named[:1] != ("id",) or "form" not in named or len(set(named)) < len(named):
            found = f"global.columns {listed[1]!r}, expected different names, ID first, and FORM"
            return Fault(own_line, "format", found)
        return Layout("conllu", columns, len(named), named)
    given = _most_common_width(cells)
    least = min(_AFTER_FEATS.values()) if name == AUTO else _AFTER_FEATS[name]
    if given < least:
        return Fault(line + first, "format", _not_conll(cells[0], name))
    whole = [row for row in cells if len(row) == given]
    found = _detect_name(whole, given, bool(comments), source) if name == AUTO else name
    return Layout(found, columns, given)


def too_wide(cells: Sequence[Sequence[str]], line: int, kind: str) -> Fault:
    """The fault of the widest row, which has more columns than the limits allow. line: line number of the first row."""
    widest = max(range(len(cells)), key=lambda number: len(cells[number]))
    return Fault(line + widest, kind, limits.above(f"{len(cells[widest])} columns", limits.COLUMNS))


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


@lru_cache(maxsize=16)  # few, because the column names of a hostile file can take megabytes
def _format(name: str, names: tuple[str, ...], columns: str) -> Format:
    return Format(name, names, columns)
