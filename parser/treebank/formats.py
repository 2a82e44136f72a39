"""The three CoNLL formats: their columns under unified names, and how a file's format is detected.

CoNLL-X: Buchholz & Marsi 2006; CoNLL-2009: Hajič et al. 2009; CoNLL-U and CoNLL-U Plus: universaldependencies.org.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath

from ..base.errors import check_names
from . import limits
from .faults import PLAIN_TEXT, Fault, no_words

AUTO = "auto"
"""Instead of a format: detect the format. In configs: choose the value automatically."""

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
UNIVERSAL = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split()  # noqa: SIM905
)
"""The parts of speech of Universal Dependencies, and the empty value."""
_FILLPRED = frozenset("Y_")
_NUMBER = re.compile("[0-9]+")
_GLOBAL_COLUMNS = re.compile(r"# *global\.columns *= *(.*)")
GLOBAL_COLUMNS = "global.columns"
"""Part of each comment that may name columns."""


@dataclass(frozen=True, slots=True)
class Format:
    """The columns in the rows of a sentence.

    name: a key of :data:`FORMATS`.
    names: one unified name per column, in file order (lower case).
    columns: the CoNLL-2009 columns that ``lemma upos xpos feats`` name, "gold" or "predicted".
    header: the comment that names the columns at the beginning of a file (CoNLL-U Plus), or "".

    In CoNLL-2009, ``glemma gpos gfeats`` and ``plemma ppos pfeats`` always name the gold and the predicted columns;
    ``upos`` and ``xpos`` both name POS. The number of the columns ``apred1`` ... differs between sentences.
    """

    name: str
    names: tuple[str, ...]
    columns: str = "gold"
    header: str = field(default="", compare=False)
    index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {name: position for position, name in enumerate(self.names)}
        if self.name == "conll09":
            letter = self.columns[0]
            index |= {"lemma": index[letter + "lemma"], "feats": index[letter + "feats"]}
            index |= {"upos": index[letter + "pos"], "xpos": index[letter + "pos"]}
        object.__setattr__(self, "index", index)

    def one_per_place(self, names: Iterable[str]) -> list[str]:
        """Those of the names that the format has, one for each column of a row: ``xpos`` before ``upos`` for POS."""
        return list({self.index[name]: name for name in sorted(names) if name in self.index}.values())

    @property
    def file_columns(self) -> tuple[str, ...]:
        """The name of the format and the columns that all sentences of a file share: all but the APREDs."""
        width = len(_NAMES[self.name]) if self.name == "conll09" else None
        return self.name, *self.names[:width]

    def tree_columns(self, keep_deps: bool) -> Mapping[str, str]:
        """The columns that another tree changes, each with its new value: "head", "deprel", or "_" in each row.

        keep_deps: whether :data:`DERIVED` columns keep their values.
        """
        columns = {"head": "head", "deprel": "deprel"}
        if self.name != "conll09":
            return columns | {name: "_" for name in DERIVED if name in self.index and not keep_deps}
        return columns | ({"phead": "head", "pdeprel": "deprel"} if self.columns == "predicted" else {})


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the rows of a file.

    given: number of columns per row in the file; columns that the format has beyond them are read as "_".
    named: the columns that a ``# global.columns`` line names, or None.
    header: this line, or "".
    guessed: whether it is CoNLL-X only because no sentence of the sample speaks for CoNLL-U.
    """

    name: str
    columns: str
    given: int
    named: tuple[str, ...] | None = None
    header: str = ""
    guessed: bool = False

    @property
    def usual(self) -> bool:
        """Whether the rows have the number of columns that the format defines."""
        return self.given == len(_NAMES[self.name])

    def format(self, width: int) -> Format | None:
        """The format of a sentence with this number of columns, or None if the number does not fit this file.

        In CoNLL-2009 a sentence has one APRED column for each of its predicates.
        """
        full = len(_NAMES[self.name])
        if width != self.given and not (self.name == "conll09" and min(width, self.given) >= full):
            return None
        if self.named is not None:
            return _format(self.name, self.named, self.columns, self.header)
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
    return _format(name, (*names, *more)[:width], columns, "")


def require(name: str, columns: str, more: Sequence[str] = ()) -> None:
    """Raise CrossarcError unless the format and the choice of columns exist.

    name: :data:`AUTO`, a key of :data:`FORMATS` or one of ``more``.
    columns: "gold" or "predicted".
    more: further allowed formats.
    """
    check_names("format", [name], [AUTO, *FORMATS, *more])
    check_names("columns", [columns], COLUMN_CHOICES)


def detect(sample: Sequence[tuple[int, str]], source: str, name: str = AUTO, columns: str = "gold") -> Layout | Fault:
    """The layout of a file, detected in its first sentences and comments; a fault if the file is not CoNLL.

    sample: the sentences, each with the number of its first line.
    source: name of the file.
    name: the format, whose width alone is then detected, or :data:`AUTO`.
    columns: "gold" or "predicted".

    The width is that of most rows. A comment ``# global.columns = ...`` of the first sentence names the columns
    (CoNLL-U Plus). The suffixes ``.conllu`` and ``.conll09`` name a format; an ID that is a range or a decimal means
    CoNLL-U. Other files with 12 or more columns are CoNLL-2009 if HEAD and PHEAD (columns 9 and 10) contain numbers or
    "_", DEPREL (11) is "_" where HEAD is, FILLPRED (13) is "Y" or "_", and HEAD of CoNLL-U (7) is never a number; if
    that is a number as well, the file fits both, which is a fault. If no head is known, universal parts of speech in
    column 4 mean CoNLL-U. Further files with 6 or more columns are CoNLL-U or CoNLL-X. The first matching rule decides:
    CoNLL-X if column 9 (PHEAD) contains a number; CoNLL-U if column 9 or 10 (DEPS, MISC) contains any value, if there
    are comments, or if all tags are universal parts of speech; otherwise CoNLL-X. Columns beyond those of the format
    are kept as user columns.

    A file may lack its last columns if no row has them and FEATS is present: they are read as "_". Fewer columns are a
    fault.
    """
    line, first = sample[0]
    if (declared := named_columns(first.split("\n"), line)) is not None:
        number, header, named = declared
        if named[:1] != ("id",) or "form" not in named or len(set(named)) < len(named):
            listed = header.partition("=")[2].strip()
            fault = f"global.columns {listed!r}, expected different names, ID first, and FORM"
            return Fault(number, "format", fault)
        return Layout("conllu", columns, len(named), named, header)
    lines = [(number, row) for start, text in sample for number, row in enumerate(text.split("\n"), start)]
    numbers = [number for number, row in lines if row and not row.startswith("#")]
    cells = [row.split("\t") for _, row in lines if row and not row.startswith("#")]
    if not cells:
        return no_words(line)
    if max(map(len, cells)) > limits.COLUMNS:
        return too_wide(cells, numbers, "format")
    widths, usual = Counter(map(len, cells)), len(_NAMES["conllu" if name == AUTO else name])
    usual_width = max(widths, key=lambda width: (widths[width], width == usual))  # of several, the first
    least = min(_AFTER_FEATS.values()) if name == AUTO else _AFTER_FEATS[name]
    if usual_width < least:
        number, narrow = next((number, row) for number, row in zip(numbers, cells, strict=True) if len(row) < least)
        return Fault(number, "format", _not_conll(narrow, name))
    whole = [row for row in cells if len(row) == usual_width]
    comments = any(row.startswith("#") for _, row in lines)
    found_name = _detect_name(whole, usual_width, comments, source) if name == AUTO else name
    if not found_name:
        fits = f"fits CoNLL-2009 and CoNLL-U with {usual_width - len(_NAMES['conllu'])} more columns"
        return Fault(numbers[0], "format", f"the file {fits}; name one of them: --format conll09 or conllu")
    guessed = name == AUTO and found_name == "conllx" and not any(_NUMBER.fullmatch("".join(row[8:9])) for row in whole)
    return Layout(found_name, columns, usual_width, guessed=guessed)


def contradiction(cells: Sequence[Sequence[str]], line: int) -> Fault | None:
    """The fault of the first row of a sentence that cannot be CoNLL-X, although the format was guessed to be.

    Its last column has a value where PHEAD has none: it is MISC, not PDEPREL. line: line number of the first row.
    """
    for number, row in enumerate(cells, line):
        if row[9:10] not in ([], ["_"]) and not _NUMBER.fullmatch(row[8]):
            fault = "the last column has a value and PHEAD none, but the sentences before look like CoNLL-X"
            return Fault(number, "format", f"{fault}; name the format: --format conllu")
    return None


def named_columns(rows: Iterable[str], line: int) -> tuple[int, str, tuple[str, ...]] | None:
    """The first comment among the rows that names columns: its line number, the comment, and the names in lower case.

    line: line number of the first row.
    """
    for number, row in enumerate(rows, line):
        if listed := _GLOBAL_COLUMNS.fullmatch(row):
            return number, row, tuple(listed[1].lower().split())
    return None


def too_wide(cells: Sequence[Sequence[str]], lines: Sequence[int], kind: str) -> Fault:
    """The fault of the widest row, which has more columns than the limits allow. lines: line number of each row."""
    widest = max(range(len(cells)), key=lambda number: len(cells[number]))
    return Fault(lines[widest], kind, limits.above(f"{len(cells[widest])} columns", limits.COLUMNS))


def _not_conll(row: Sequence[str], name: str) -> str:
    count = f"{len(row)} column{'s' if len(row) > 1 else ''}"
    if name != AUTO:
        expected = f"{len(_NAMES[name])} ({FORMATS[name]})"
    else:
        expected = "10 (CoNLL-U, CoNLL-X) or 12 and more (CoNLL-2009)"
    return f"{count}, expected {expected}, separated by TAB{'' if len(row) > 1 else PLAIN_TEXT}"


def _detect_name(cells: Sequence[Sequence[str]], width: int, comments: bool, source: str) -> str:
    """The name of the format; "" if CoNLL-2009 and CoNLL-U fit equally well."""
    suffixes = [suffix.lower() for suffix in PurePath(source).suffixes]
    if ".conllu" in suffixes or not all(_NUMBER.fullmatch(row[0]) for row in cells):
        return "conllu"
    if width >= _LEAST_2009:
        if ".conll09" in suffixes:
            return "conll09"
        if all(map(_fits_2009, cells)) and (name := _wide_name(cells)) != "conllu":
            return name
    if any(_NUMBER.fullmatch(row[8]) for row in cells if width > 8):
        return "conllx"
    annotated = any(value != "_" for row in cells for value in row[8:10])
    return "conllu" if annotated or comments or all(row[3] in UNIVERSAL for row in cells) else "conllx"


def _fits_2009(row: Sequence[str]) -> bool:
    """Whether HEAD, PHEAD, DEPREL and FILLPRED of a row have values of CoNLL-2009."""
    heads = all(value == "_" or _NUMBER.fullmatch(value) for value in row[8:10])
    return heads and (row[8] != "_" or row[10] == "_") and _FILLPRED.issuperset(row[12:13])


def _wide_name(cells: Sequence[Sequence[str]]) -> str:
    """The format of wide rows whose values CoNLL-2009 allows: "conll09", "conllu", or "" if both fit equally well."""
    heads, heads_2009 = (any(_NUMBER.fullmatch(row[place]) for row in cells) for place in (6, 8))
    if heads or heads_2009:
        return "" if heads and heads_2009 else "conllu" if heads else "conll09"
    if any(set(row[6:8]) != {"_"} or row[12:13] == ["Y"] for row in cells):  # GFEATS, PFEATS and FILLPRED
        return "conll09"
    tags = {row[3] for row in cells} - {"_"}
    if (tags and tags <= UNIVERSAL) or any("=" in row[5] for row in cells):
        return "conllu"
    return "conll09" if all(row[4] == row[5] for row in cells) else ""


def _most_common_width(cells: Sequence[Sequence[str]]) -> int:
    counts = Counter(map(len, cells))
    return max(counts, key=lambda width: (counts[width], width))


@lru_cache(maxsize=16)  # few, because the column names of a hostile file can take megabytes
def _format(name: str, names: tuple[str, ...], columns: str, header: str) -> Format:
    return Format(name, names, columns, header)
