"""Sentences, read from a treebank or created in Python, and treebanks in memory."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ..base.errors import CrossarcError, choices
from ..base.given import given_list
from ..base.lazy import DRAWINGS
from ..base.parameters import shown
from .faults import head_faults
from .formats import DERIVED, Format, format_of
from .word import Views

SHOWN, WIDTH = 10, 60
"""Words and characters of a sentence in its short representation."""
MADE = "make sentences with Sentence.from_tokens"
OTHER_NAMES = {"heads": "head", "deprels": "deprel"}
"""Columns by the names of arguments of ``from_tokens``."""


@dataclass(frozen=True, slots=True, repr=False)
class Sentence(Views):
    """A sentence: its words in columns, and other rows, which are kept and written back.

    format: the names of the columns.
    columns: one tuple of n strings per column, in the order of the file.
    comments: lines before the first row, without line ends.
    extras: (k, raw row) of each multiword token and empty node; k words precede it.
    source: file name for messages.
    line: line number of the first row.

    Raises CrossarcError for columns that do not fit the format.

    >>> import crossarc
    >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> dogs.column("form"), dogs.heads(), dogs.deprels()
    (('Dogs', 'bark'), [-1, 2, 0], ['', 'nsubj', 'root'])
    """

    format: Format
    columns: tuple[tuple[str, ...], ...]
    comments: tuple[str, ...] = ()
    extras: tuple[tuple[int, str], ...] = ()
    source: str = "<memory>"
    line: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.format, Format) or not isinstance(self.columns, tuple):
            found = f"{type(self.format).__name__} and {type(self.columns).__name__}"
            raise CrossarcError(f"sentence: found {found}, expected a Format and tuples; {MADE}")
        if len(self.columns) != len(self.format.names) or {*map(type, self.columns)} - {tuple}:
            expected = f"{len(self.format.names)} tuples of text, one for each column of the format"
            raise CrossarcError(f"sentence: found {len(self.columns)} columns, expected {expected}; {MADE}")
        if len({*map(len, self.columns)}) > 1:
            raise CrossarcError(f"sentence: found columns of different lengths, {MADE}")
        for comment in self.comments:
            if not comment.startswith("#") or "\n" in comment or "\r" in comment:
                raise CrossarcError(f"comment: found {shown(comment)}, expected one line that begins with #")

    @classmethod
    def from_tokens(
        cls,
        tokens: Iterable[str] | Iterable[Mapping[str, Any]],
        *,
        lemma: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        heads: Sequence[int] | None = None,
        deprels: Sequence[str] | None = None,
        **more: Sequence[str],
    ) -> Sentence:
        """A sentence of words given as a list of forms, or of mappings with the key "form" and any columns.

        The other arguments are columns, a value for each word; ``more`` are further ones, such as ``misc`` or columns
        of one's own. heads: numbers from 0 to the number of words. What is not given, or None, is "_". The format is
        CoNLL-U. Raises CrossarcError for values of another type, and for more or fewer values than words.

        >>> sentence = Sentence.from_tokens(["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0])
        >>> sentence.column("upos"), sentence.heads()
        (('NOUN', 'VERB'), [-1, 2, 0])
        >>> Sentence.from_tokens([{"form": "Dogs", "head": 2}, {"form": "bark", "head": 0}]).heads()
        [-1, 2, 0]
        """
        given = {"lemma": lemma, "upos": upos, "xpos": xpos, "feats": feats, "heads": heads, "deprels": deprels, **more}
        format, columns = _columns_of_tokens(tokens, given)
        own = len(format.names) > len(format_of("conllu").names)
        return cls(format, columns, (f"# global.columns = {' '.join(format.names).upper()}",) if own else ())

    def __len__(self) -> int:
        """The number of words."""
        return len(self.columns[0])

    def __repr__(self) -> str:
        """The words, shortened, and their number.

        >>> Sentence.from_tokens(["Dogs", "bark"])
        <Sentence 'Dogs bark', 2 words>
        """
        words = self.columns[self.format.index["form"]] if "form" in self.format.index else self.columns[0]
        text = " ".join(words[:SHOWN])
        shown = text if len(words) <= SHOWN and len(text) <= WIDTH else f"{text[:WIDTH].rstrip()} ..."
        return f"<Sentence {shown!r}, {len(self)} word{'' if len(self) == 1 else 's'}>"

    @property
    def id(self) -> str:
        """The ``sent_id`` comment, or else ``file:line`` of the first row."""
        found = self.comment("sent_id")
        return f"{self.source}:{self.line}" if found is None else found

    def column(self, name: str) -> tuple[str, ...]:
        """The n values of a column. Raises CrossarcError with the existing columns for a missing one."""
        index = self.format.index
        if name not in index:
            raise CrossarcError(f"{self.source}:{self.line}: no column {choices(name, index)}")
        return self.columns[index[name]]

    def line_of(self, word: int) -> int:
        """The line number of a word. word: 1 to n."""
        return self.line + word - 1 + sum(1 for before, _ in self.extras if before < word)

    def heads(self) -> list[int]:
        """The heads: n + 1 ints, ``[0] == -1``.

        Raises CrossarcError (``file:line``) for the first head that is not a number from 0 to n. Does not check for
        cycles.
        """
        column = self.column("head")
        n = len(column)
        numbers = _numbers(1 << max(8, (n + 1).bit_length()))  # a power of two, so that few tables serve all lengths
        try:
            heads = [-1, *map(numbers.__getitem__, column)]
        except KeyError:
            heads = [n + 1]
        if max(heads) > n:
            lines = [self.line_of(word) for word in range(1, n + 1)]
            raise next(head_faults(column, lines)).error(self.source)
        return heads

    def deprels(self) -> list[str]:
        """The deprels: n + 1 strings, ``[0] == ""``."""
        return ["", *self.column("deprel")]

    def with_tree(self, heads: Sequence[int], deprels: Sequence[str], keep_deps: bool = False) -> Sentence:
        """A copy with HEAD and DEPREL replaced; in CoNLL-2009 with predicted columns PHEAD and PDEPREL as well.

        heads, deprels: n + 1 values, those of node 0 are ignored.
        keep_deps: whether columns that describe the replaced tree (DEPS of CoNLL-U, PHEAD and PDEPREL of CoNLL-X) keep
            their values instead of "_".

        Raises ValueError if there are more or fewer values, or a head is out of range, and CrossarcError if the file
        has no such columns.
        """
        n = len(self)
        if len(heads) != n + 1 or len(deprels) != n + 1:
            raise ValueError(f"{self.id}: {len(heads)} heads and {len(deprels)} deprels, expected {n + 1} of each")
        words = heads[1:]
        if n and not 0 <= min(words) <= max(words) <= n:
            raise ValueError(f"{self.id}: heads from {min(words)} to {max(words)}, expected 0 to {n}")
        columns = {"head": tuple(map(str, words)), "deprel": tuple(deprels[1:])}
        if keep_deps:
            return self.with_columns(columns)
        derived = [name for name in DERIVED[self.format.name] if name in self.format.index]
        replaced = self.with_columns({**columns, **dict.fromkeys(derived, ("_",) * n)})
        if not self.extras or "deps" not in derived:
            return replaced
        place = self.format.index["deps"]
        rows = [(before, row.split("\t")) for before, row in self.extras]
        extras = tuple((before, "\t".join([*row[:place], "_", *row[place + 1 :]])) for before, row in rows)
        return replace(replaced, extras=extras)

    def _repr_html_(self) -> str | None:
        """The tree as a drawing, for notebooks."""
        return _drawn("sentence_html", self)

    def _repr_svg_(self) -> str | None:
        """The tree as an SVG picture, for notebooks."""
        return _drawn("sentence_svg", self)

    def with_columns(self, values: Mapping[str, tuple[str, ...]]) -> Sentence:
        """A copy with the named columns replaced by others of n strings each.

        In CoNLL-2009 with predicted columns ``head`` and ``deprel`` go to PHEAD and PDEPREL as well.
        """
        columns = list(self.columns)
        doubled = self.format.name == "conll09" and self.format.columns == "predicted"
        for name, value in values.items():
            self.column(name)
            if len(value) != len(self):
                raise ValueError(f"{self.id}: {len(value)} values for {name}, expected {len(self)}")
            columns[self.format.index[name]] = value
            if doubled and name in ("head", "deprel"):
                columns[self.format.index["p" + name]] = value
        return replace(self, columns=tuple(columns))


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of one file.

    format: format of the first sentence.
    path: file name for messages.

    >>> import crossarc
    >>> treebank = crossarc.read_treebank("test.conllu")
    >>> isinstance(treebank, crossarc.Treebank), sum(map(len, treebank)) == treebank.words
    (True, True)
    """

    sentences: list[Sentence]
    format: Format
    path: str

    @property
    def words(self) -> int:
        """The number of words of all sentences."""
        return sum(map(len, self.sentences))

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def _repr_html_(self) -> str | None:
        """Drawings of the first trees, for notebooks."""
        return _drawn("treebank_html", self)


def only_sentences(values: Iterable[object]) -> Iterator[Sentence]:
    """The sentences in their order; :meth:`Sentence.from_tokens` converts lists of words or of mappings.

    Raises CrossarcError for other values.
    """
    if isinstance(values, str | Sentence) or not isinstance(values, Iterable):
        raise CrossarcError(f"sentences: found {type(values).__name__}, expected a list of sentences; {MADE}")
    for number, value in enumerate(values, 1):
        if isinstance(value, list | tuple):
            try:
                value = Sentence.from_tokens(value)
            except CrossarcError as error:
                raise CrossarcError(f"sentence {number}: {error}") from None
        if not isinstance(value, Sentence):
            expected = "expected a Sentence or a list of words"
            raise CrossarcError(f"sentence {number}: found {type(value).__name__}, {expected}")
        yield value


def _drawn(name: str, value: object) -> str | None:
    """A drawing for a notebook, or None if no drawing is registered: the notebook then shows text."""
    draw = DRAWINGS.get(name)
    return draw(value) if draw else None


@lru_cache(maxsize=512)
def word_ids(n: int) -> tuple[str, ...]:
    """The IDs "1" to "n"."""
    return tuple(map(str, range(1, n + 1)))


@lru_cache(maxsize=16)
def _numbers(limit: int) -> Mapping[str, int]:
    return MappingProxyType({str(number): number for number in range(limit)})


def _columns_of_tokens(
    tokens: Iterable[Any], given: Mapping[str, Sequence[Any] | None]
) -> tuple[Format, tuple[tuple[str, ...], ...]]:
    """(format, columns) of a sentence; see :meth:`Sentence.from_tokens`. Raises CrossarcError for invalid values."""
    if isinstance(tokens, Mapping):
        raise CrossarcError(f"tokens: found {shown(tokens)}, expected a list")
    words = given_list(tokens, "tokens")
    if not words:
        raise CrossarcError("tokens: found none, expected one word or more")
    values: dict[str, Sequence[Any]] = _of_mappings(words) if isinstance(words[0], Mapping) else {"form": words}
    for name, column in given.items():
        if column is not None:
            values[OTHER_NAMES.get(name, name)] = given_list(column, name, len(words))
    if "id" in values:
        raise CrossarcError("tokens: found a column 'id'; remove it, words are numbered automatically")
    known = format_of("conllu")
    more = tuple(name for name in values if name not in known.index)
    if odd := [name for name in more if name != "".join(name.lower().split())]:
        raise CrossarcError(f"tokens: found a column {odd[0]!r}, expected a name in lower case without spaces")
    format = Format(known.name, known.names + more)
    texts = {name: tuple(_heads(own) if name == "head" else _texts(name, own)) for name, own in values.items()}
    texts["id"] = tuple(map(str, range(1, len(words) + 1)))
    empty = ("_",) * len(words)
    return format, tuple(texts.get(name, empty) for name in format.names)


def _of_mappings(words: Sequence[Any]) -> dict[str, Sequence[Any]]:
    names: dict[str, None] = {}
    for number, word in enumerate(words, 1):
        if not isinstance(word, Mapping) or "form" not in word:
            raise CrossarcError(f"token {number}: found {shown(word)}, expected a mapping with 'form'")
        names.update(dict.fromkeys(map(str, word)))
    return {name: [word.get(name) for word in words] for name in names}


def _texts(name: str, values: Sequence[Any]) -> Iterable[str]:
    for number, value in enumerate(values, 1):
        if value is None and name != "form":
            yield "_"
        elif not isinstance(value, str) or not value or set("\t\n\r") & set(value):
            raise CrossarcError(
                f"{name} of word {number}: found {shown(value)}, expected text on one line, without tabs"
            )
        elif not _is_unicode(value):
            raise CrossarcError(f"{name} of word {number}: found {value!a}, half of a surrogate pair, expected Unicode")
        else:
            yield value


def _is_unicode(value: str) -> bool:
    """Whether UTF-8 can represent a text: it cannot represent half of a surrogate pair."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _heads(values: Sequence[Any]) -> Iterable[str]:
    """The heads as text; numpy integers are accepted. Raises CrossarcError for invalid heads."""
    for number, value in enumerate(values, 1):
        if value is None:
            yield "_"
            continue
        try:
            head = value.__index__()
        except AttributeError:
            head = -1
        if not 0 <= head <= len(values):
            raise CrossarcError(f"head of word {number}: found {shown(value)}, expected 0 to {len(values)}")
        yield str(head)


def is_punctuation(form: str) -> bool:
    """Whether every character of the form has a Unicode category P (the CoNLL-X scorer, eval07.pl).

    Symbols (category S: ``$ + = < `` and the backtick) are not punctuation, and neither is the empty form.
    """
    return form != "" and all(unicodedata.category(character)[0] == "P" for character in form)
