"""Lexicons: what word forms may be, from files, as a step of models whose column the taggers read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.parameters import TEXT
from ...base.shapes import Array, ListOf, Record, check_arrays, check_values, expect
from ...base.text_files import read_text
from ...models.steps import State, Step, packed_words, unpacked_words
from ...models.words import Words
from ...treebank import EMPTY
from ...treebank.symbols import nfc
from .encodings import LEMMA, UPOS, edits_of

COLUMN = "lexicon"
"""The column that features read."""
FEATS = "feats"
VALUES = Record({"source": TEXT, "texts": ListOf(TEXT)})
ARRAYS = {"forms": Array("i", ("bytes",), least=0, below=256), "numbers": Array("i", ("forms",), least=0, below=2**31)}
_PLAIN = str.maketrans({"|": ";", "=": ":"})
"""What separates the parts of a value, as it stands inside a part."""
FILE_COLUMNS = ("form", "lemma", "UPOS", "FEATS")
"""The columns of a file."""


class Analysis(NamedTuple):
    """What a word form may be; "_" for what the lexicon does not say."""

    lemma: str
    upos: str
    feats: str


def read_lexicon(path: str) -> Mapping[str, list[Analysis]]:
    """Read the analyses of each form, in the order of the file, from a tab-separated file: form, lemma, UPOS, FEATS.

    Forms and values are in normalization form C. A form may have several lines; "_" stands for what is unknown. Empty
    lines, and those that begin with ``# ``, are comments. Raises CrossarcError, with the line, for lines with other
    columns or FEATS that are no list of features, and for a file without forms.
    """
    analyses: dict[str, dict[Analysis, None]] = defaultdict(dict)
    for number, line in enumerate(read_text(path, "lexicon").split("\n"), 1):
        if not line.strip() or line.startswith("# "):
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) != len(FILE_COLUMNS) or "" in fields:
            said = f"{len(fields)} columns" if len(fields) != len(FILE_COLUMNS) else "an empty column"
            expected = f"{', '.join(FILE_COLUMNS)}, separated by tabs, _ for unknown"
            raise CrossarcError(f"{path}:{number}: found {said}; expected {expected}")
        form, lemma, upos, feats = map(nfc, fields)
        if feats not in EMPTY and not all(all(feature.partition("=")) for feature in feats.split("|")):
            raise CrossarcError(f"{path}:{number}: FEATS: found {feats}; expected Name=Value|Name=Value or _")
        analyses[form][Analysis(lemma, upos, feats)] = None
    if not analyses:
        raise CrossarcError(f"{path}: found no word; expected lines with {', '.join(FILE_COLUMNS)}, separated by tabs")
    return {form: list(of_form) for form, of_form in analyses.items()}


@dataclass(frozen=True)
class Lexicon(Step):
    """Gives each word what a lexicon says of it, as the column :data:`COLUMN`.

    A form that the lexicon lacks is looked up in lower case, and then with a capital. Values look like
    ``feats=Number:Plur+Number:Sing|lemma=lower end|upos=NOUN+VERB``: alternatives in alphabetical order. The part
    ``lemma`` has the edits that make the lemmas. Words that the lexicon lacks have "_".

    forms: the forms.
    numbers: the value of each form, as index into ``texts`` (int32, (forms,)).
    texts: the different values.
    source: name of the file.
    """

    kind: ClassVar[str] = "lexicon"

    forms: Sequence[str]
    numbers: NDArray[np.int32]
    texts: Sequence[str]
    source: str

    @classmethod
    def of(cls, analyses: Mapping[str, Iterable[Analysis]], source: str) -> Self:
        """The step of a lexicon, see :func:`read_lexicon`."""
        values = [_value(form, of_form) for form, of_form in analyses.items()]
        texts, numbers = np.unique(np.array(values, dtype=object), return_inverse=True)
        return cls(list(analyses), numbers.astype(np.int32), texts.tolist(), source)

    @property
    def vocabulary(self) -> Sequence[str]:
        return self.forms

    @cached_property
    def _number_of(self) -> Mapping[str, int]:
        return dict(zip(self.forms, self.numbers.tolist(), strict=True))

    def numbers_of(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """The value of each form as index into ``texts``; their number for a form without one (int64, (forms,))."""
        known, missing = self._number_of, len(self.texts)
        spellings = ((name, name.lower(), name.capitalize()) for name in map(nfc, forms))
        numbers = (next((known[name] for name in names if name in known), missing) for names in spellings)
        return np.fromiter(numbers, np.int64, len(forms))

    def known(self, forms: Sequence[str]) -> float:
        """The share of the forms that the lexicon has."""
        return float((self.numbers_of(forms) < len(self.texts)).mean()) if len(forms) else 0.0

    def annotate(self, words: Words) -> None:
        numbers, forms = words.values("form")
        words.tagged[COLUMN] = self.numbers_of(forms)[numbers], [*self.texts, "_"]

    def state(self) -> State:
        arrays: dict[str, NDArray[Any]] = {"forms": packed_words(self.forms), "numbers": self.numbers}
        return {"source": self.source, "texts": list(self.texts)}, arrays

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, VALUES)
        check_arrays(arrays, ARRAYS, {})
        numbers = arrays["numbers"].astype(np.int32)
        forms = unpacked_words(arrays["forms"], "forms", len(numbers))
        expect(int(numbers.max(initial=-1)) < len(values["texts"]), "numbers", "found a value that is not in texts")
        return cls(forms, numbers, values["texts"], values["source"])


def _value(form: str, analyses: Iterable[Analysis]) -> str:
    parts: dict[str, set[str]] = {FEATS: set(), LEMMA: set(), UPOS: set()}
    for lemma, upos, feats in analyses:
        parts[UPOS].add(upos)
        parts[FEATS].add(feats)
        if lemma not in EMPTY:
            parts[LEMMA].add(" ".join(edits_of(form, lemma)))
    filled = {key: sorted(alternatives - EMPTY) for key, alternatives in parts.items()}
    return "|".join(f"{key}={'+'.join(texts).translate(_PLAIN)}" for key, texts in filled.items() if texts) or "_"
