"""Sentences, read from a treebank or created in Python, and treebanks in memory."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import index as whole_number
from types import MappingProxyType
from typing import Any, overload

from ...transitions.trees import cycles, dependents
from ..base.errors import CrossarcError, choices
from ..base.lazy import DRAWINGS, needed
from ..base.parameters import shown
from .faults import head_faults
from .formats import FORMATS, Format, format_of
from .tokens import columns_of_tokens

SHOWN, WIDTH = 10, 60
"""Words and characters of a sentence in its short representation."""
MEMORY = "<memory>"
"""The source of sentences of no file."""
OF_TREE = re.compile("# *(k_best|probability) *=")
"""Comments on a tree: its rank and its probability among several."""
DECIDED = re.compile(r"(?:^|\|)Keep=([^|]*)")
"""The entry of MISC by which a person marks decided words, with its value."""
MADE = "make sentences with Sentence.from_tokens"


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
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
    source: str = MEMORY
    line: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.format, Format) or not isinstance(self.columns, tuple):
            types = f"{type(self.format).__name__} and {type(self.columns).__name__}"
            raise CrossarcError(f"sentence: found {types}, expected a Format and tuples; {MADE}")
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
        heads: Sequence[int | None] | None = None,
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
        named_columns = {
            "lemma": lemma,
            "upos": upos,
            "xpos": xpos,
            "feats": feats,
            "heads": heads,
            "deprels": deprels,
            **more,
        }
        return cls(*columns_of_tokens(tokens, named_columns))

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
        sent_id = self.comment("sent_id")
        return f"{self.source}:{self.line}" if sent_id is None else sent_id

    @property
    def begins_paragraph(self) -> bool:
        """Whether a comment says that a paragraph or a document begins."""
        return any(comment.startswith(("# newpar", "# newdoc")) for comment in self.comments)

    def column(self, name: str) -> tuple[str, ...]:
        """The n values of a column. Raises CrossarcError with the existing columns for a missing one."""
        index = self.format.index
        if name not in index:
            raise CrossarcError(f"{self.source}:{self.line}: no column {choices(name, index)}")
        return self.columns[index[name]]

    def multiword_tokens(self) -> Iterator[tuple[int, int, list[str]]]:
        """The first word, the last word and the cells of each multiword token."""
        for _, row in self.extras:
            cells = row.split("\t")
            first, dash, last = cells[0].partition("-")
            if dash:
                yield int(first), int(last), cells

    def line_of(self, word: int) -> int:
        """The line number of a word. word: 1 to n."""
        return self.line + word - 1 + sum(1 for before, _ in self.extras if before < word)

    def heads(self, partial: bool = False) -> list[int]:
        """The heads of node 0 and of the n words: n + 1 ints; that of node 0, which has none, is -1.

        partial: whether words may lack a head ("_"), which is then also -1.

        Raises CrossarcError (``file:line``) for the first head that is not a number from 0 to n. Does not check for
        cycles.
        """
        column = self.column("head")
        n = len(column)
        numbers = _numbers(1 << max(8, (n + 1).bit_length()))  # a power of two, so that few tables serve all lengths
        try:
            heads = [-1, *map(numbers.__getitem__, column)]
        except KeyError:
            if partial and "_" in column:
                filled_heads = [value if value != "_" else "0" for value in column]
                filled = self.with_columns({"head": tuple(filled_heads)}).heads()
                return [-1, *(-1 if value == "_" else head for value, head in zip(column, filled[1:], strict=True))]
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
            their values instead of "_". So do the probabilities of replaced arcs in MISC, comments on the tree, and
            empty nodes, which only DEPS uses.

        Raises ValueError if there are more or fewer values, or a head is out of range, and CrossarcError if the file
        has no such columns.
        """
        n = len(self)
        if len(heads) != n + 1 or len(deprels) != n + 1:
            raise ValueError(f"{self.id}: {len(heads)} heads and {len(deprels)} deprels, expected {n + 1} of each")
        words = heads[1:]
        if n and not 0 <= min(words) <= max(words) <= n:
            raise ValueError(f"{self.id}: heads from {min(words)} to {max(words)}, expected 0 to {n}")
        try:
            heads_written = tuple([str(whole_number(head)) for head in words])
        except TypeError:
            raise ValueError(f"{self.id}: heads: expected whole numbers") from None
        new = {"head": heads_written, "deprel": tuple(deprels[1:]), "_": ("_",) * n}
        changed = self.format.tree_columns(keep_deps)
        replaced = self.with_columns({name: new[column] for name, column in changed.items()})
        if not keep_deps:
            replaced = replaced._without_outdated(self)
        if not self.extras or "deps" not in changed:
            return replaced
        place = self.format.index["deps"]
        rows = [(before, row.split("\t")) for before, row in self.extras]
        rows = [(before, row) for before, row in rows if "." not in row[0]]
        extras = tuple((before, "\t".join([*row[:place], "_", *row[place + 1 :]])) for before, row in rows)
        return replace(replaced, extras=extras)

    def _without_outdated(self, before: Sentence) -> Sentence:
        """The sentence without comments on the tree before, and without probabilities of arcs that have changed."""
        comments = tuple([comment for comment in self.comments if not OF_TREE.match(comment)])
        result = self if len(comments) == len(self.comments) else replace(self, comments=comments)
        if "misc" not in self.format.index or not any("Conf" in value for value in self.column("misc")):
            return result
        arcs = [zip(tree.column("head"), tree.column("deprel"), strict=True) for tree in (self, before)]
        misc = [
            value if arc == arc_before else without_scores(value)
            for value, arc, arc_before in zip(self.column("misc"), *arcs, strict=True)
        ]
        return result.with_columns({"misc": tuple(misc)})

    def _repr_html_(self) -> str | None:
        """The tree as a drawing, for notebooks."""
        return drawn("sentence_html", self)

    def _repr_svg_(self) -> str | None:
        """The tree as an SVG picture, for notebooks."""
        return drawn("sentence_svg", self)

    def with_columns(self, values: Mapping[str, tuple[str, ...]]) -> Sentence:
        """A copy with the named columns replaced by others of n strings each.

        Raises ValueError for more or fewer values, for different values of two names of one column, and for values that
        are no text or have tabs or line ends, with which rows could not be read again.
        """
        columns = list(self.columns)
        names: dict[int, str] = {}
        for name, value in values.items():
            self.column(name)
            if len(value) != len(self):
                raise ValueError(f"{self.id}: {len(value)} values for {name}, expected {len(self)}")
            try:
                text = "".join(value)
            except TypeError:  # a value is no text
                text = None
            if text is None or "\t" in text or "\n" in text or "\r" in text:
                raise ValueError(f"{self.id}: {name}: expected texts without tabs and line ends")
            place = self.format.index[name]
            if names.setdefault(place, name) != name and columns[place] != value:
                raise ValueError(
                    f"{self.id}: other values for {name} than for {names[place]}, which is the same column"
                )
            columns[place] = value
        return replace(self, columns=tuple(columns))

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> list[Word]: ...
    def __getitem__(self, index: int | slice) -> Word | list[Word]:
        """The word at an index from 0, as in lists, or the words of a slice. ``sentence[0].id`` is 1.

        Raises IndexError for an index beyond the words.
        """
        try:
            numbers = range(1, len(self) + 1)[index]
        except IndexError:
            raise IndexError(f"no word at index {index}: the sentence has {len(self)} words") from None
        return Word(self, numbers) if isinstance(numbers, int) else [Word(self, number) for number in numbers]

    def __iter__(self) -> Iterator[Word]:
        """The words in their order."""
        return (Word(self, number) for number in range(1, len(self) + 1))

    def comment(self, key: str) -> str | None:
        """The value of the first comment ``# key = value``; None if there is none.

        >>> import crossarc
        >>> [sentence, *_] = crossarc.read_sentences("test.conllu")
        >>> sentence.comment("sent_id") == sentence.id, sentence.comment("generator")
        (True, None)
        """
        pairs = (comment[1:].partition("=") for comment in self.comments)
        return next((value.strip() for name, equals, value in pairs if equals and name.strip() == key), None)

    @property
    def text(self) -> str:
        """The comment ``text``, or else the forms with spaces, except after words with ``SpaceAfter=No`` in MISC.

        >>> import crossarc
        >>> crossarc.Sentence.from_tokens(["Dogs", "bark", "!"], misc=["_", "SpaceAfter=No", "_"]).text
        'Dogs bark!'
        """
        comment = self.comment("text")
        return self.spelled_out if comment is None else comment

    @property
    def spelled_out(self) -> str:
        """The text that words and multiword tokens make, whatever the comment ``text`` says."""
        misc = self.format.index.get("misc")
        miscs = ("_",) * len(self) if misc is None else self.columns[misc]
        pieces = dict(enumerate(zip(self.column("form"), miscs, strict=True), 1))
        for first, last, cells in self.multiword_tokens():  # their words have no text of their own
            for number in range(first, last + 1):
                pieces.pop(number, None)
            pieces[first] = cells[self.format.index["form"]], cells[misc] if misc is not None else "_"
        parts = [form + " " * ("SpaceAfter=No" not in misc.split("|")) for _, (form, misc) in sorted(pieces.items())]
        return "".join(parts).strip()

    def to_conllu(self) -> str:
        """The sentence in the ten columns of CoNLL-U, with the blank line after it. Columns that it lacks become "_".

        Other columns are left out; :func:`crossarc.write_sentences` writes all.

        >>> import crossarc
        >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> print(dogs.to_conllu().replace("\\t", " ").rstrip())
        1 Dogs _ _ _ _ 2 nsubj _ _
        2 bark _ _ _ _ 0 root _ _
        """
        names, index = format_of("conllu").names, self.format.index
        columns = [self.column(name) if name in index else ("_",) * len(self) for name in names]
        rows = [(before, row.split("\t")) for before, row in self.extras]
        extras = [
            (before, "\t".join([cells[index[name]] if name in index else "_" for name in names]))
            for before, cells in rows
        ]
        return _text(self.comments, columns, extras)

    def to_networkx(self) -> Any:
        """The tree as a ``networkx.DiGraph``: nodes 0 to n with columns, arcs from heads to dependents with ``deprel``.

        Raises CrossarcError for a sentence without a tree, and if networkx is not installed.

        >>> import crossarc
        >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> dogs.to_networkx().edges(data="deprel")
        OutEdgeDataView([(0, 2, 'root'), (2, 1, 'nsubj')])
        """
        networkx = needed("networkx", "to_networkx")
        heads, deprels = tree_heads(self), self.deprels()
        graph = networkx.DiGraph()
        graph.add_node(0)
        shown = [name for name in self.format.names if name not in ("id", "head", "deprel", "deps")]
        for word in self:
            graph.add_node(word.id, **{name: getattr(word, name) for name in shown})
        graph.add_edges_from((heads[word.id], word.id, {"deprel": deprels[word.id]}) for word in self)
        return graph


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A word of a sentence; columns are attributes, such as ``word.form`` and ``word.misc``.

    sentence: the sentence of the word.
    id: number of the word, from 1.

    >>> import crossarc
    >>> dogs = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> dogs[0].form, dogs[0].head, dogs[0].deprel, dogs[1].children
    ('Dogs', 2, 'nsubj', [<Word 1 'Dogs'>])
    """

    sentence: Sentence
    id: int

    def __getattr__(self, name: str) -> str:
        """The value of a column. Raises AttributeError if the sentence has no such column."""
        index = self.sentence.format.index
        if name not in index:
            raise AttributeError(f"the word has no column {choices(name, index)}")
        return self.sentence.columns[index[name]][self.id - 1]

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.form!r}>"

    @property
    def head(self) -> int:
        """The number of the head, 0 for the root. Raises CrossarcError if the sentence has no valid heads."""
        return self.sentence.heads()[self.id]

    @property
    def children(self) -> list[Word]:
        """The dependents of the word, in the order of the sentence."""
        heads = self.sentence.heads()
        return [word for word in self.sentence if heads[word.id] == self.id]

    @property
    def subtree(self) -> list[Word]:
        """The word and everything below it, in the order of the sentence."""
        below = dependents(self.sentence.heads())
        reached, waiting = {self.id}, [self.id]
        while waiting:
            new = set(below[waiting.pop()]) - reached  # heads that are not checked may contain cycles
            reached |= new
            waiting.extend(new)
        return [self.sentence[number - 1] for number in sorted(reached)]


def tree_heads(sentence: Sentence) -> list[int]:
    """The heads of a sentence, which form a tree, possibly with several roots.

    Raises CrossarcError for invalid heads, and for heads that form a cycle.
    """
    heads = sentence.heads()
    if loops := cycles(heads):
        fault = f"not a tree, words {' '.join(map(str, loops[0]))} form a cycle"
        raise CrossarcError(f"{sentence.source}:{sentence.line_of(loops[0][0])}: {fault}")
    return heads


def only_sentences(values: Iterable[object], side: str = "") -> Iterator[Sentence]:
    """The sentences in their order; :meth:`Sentence.from_tokens` converts lists of words or of mappings.

    side: text before "sentence" in messages.

    Raises CrossarcError for other values.
    """
    if isinstance(values, str | Sentence) or not isinstance(values, Iterable):
        raise CrossarcError(f"{side}sentences: found {type(values).__name__}, expected a list of sentences; {MADE}")
    for number, value in enumerate(values, 1):
        if isinstance(value, list | tuple):
            try:
                value = Sentence.from_tokens(value)
            except CrossarcError as error:
                raise CrossarcError(f"{side}sentence {number}: {error}") from None
        if not isinstance(value, Sentence):
            expected = "expected a Sentence or a list of words"
            raise CrossarcError(f"{side}sentence {number}: found {type(value).__name__}, {expected}")
        yield value


def misc_entries(misc: str) -> dict[str, str]:
    """The entries of a value of MISC, by key."""
    return dict(entry.partition("=")[::2] for entry in misc.split("|"))


def without_scores(misc: str, more: str = "") -> str:
    """A value of MISC without the probabilities of an arc. more: key of a further entry to leave out."""
    keys = ("Conf", "ConfHead", more)
    return "|".join(entry for entry in misc.split("|") if entry.partition("=")[0] not in keys) or "_"


def conll_text(sentence: Sentence) -> str:
    """The text of the sentence in a file: comments, rows, and the blank line after it."""
    return _text(sentence.comments, sentence.columns, sentence.extras)


def file_texts(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The text of each sentence in a file, the first one after the comment that names the columns, if they need one.

    Raises CrossarcError for a sentence with other columns than the first one, which the file could not express.
    """
    first: Sentence | None = None
    for number, sentence in enumerate(sentences, 1):
        if first is None:
            first = sentence
            if sentence.format.header and sentence.format.header not in sentence.comments:
                yield f"{sentence.format.header}\n"
        elif sentence.format is not first.format and sentence.format.file_columns != first.format.file_columns:
            fault = f"sentence {number} ({sentence.id}): found the columns {_listed(sentence.format)}"
            raise CrossarcError(f"{fault}, unlike those of the first one, {_listed(first.format)}; write two files")
        yield conll_text(sentence)


def _listed(format: Format) -> str:
    name, *columns = format.file_columns
    return f"{' '.join(columns).upper()} ({FORMATS[name]})"


def _text(comments: Sequence[str], columns: Iterable[Sequence[str]], extras: Sequence[tuple[int, str]]) -> str:
    rows = list(map("\t".join, zip(*columns, strict=True)))
    for before, row in reversed(extras):
        rows.insert(before, row)
    return "\n".join([*comments, *rows, "\n"])


def drawn(name: str, value: object) -> str | None:
    """A drawing for a notebook, or None if no drawing is registered: the notebook then shows text."""
    draw = DRAWINGS.get(name)
    return draw(value) if draw else None


@lru_cache(maxsize=16)
def _numbers(limit: int) -> Mapping[str, int]:
    return MappingProxyType({str(number): number for number in range(limit)})


def is_punctuation(form: str) -> bool:
    """Whether every character of the form has a Unicode category P (the CoNLL-X scorer, eval07.pl).

    Symbols (category S: ``$ + = < `` and the backtick) are not punctuation, and neither is the empty form.
    """
    return form != "" and all(unicodedata.category(character)[0] == "P" for character in form)
