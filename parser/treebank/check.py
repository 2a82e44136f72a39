"""Description of a treebank and its errors: a reader that continues after an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..base.errors import CrossarcError
from ..base.notes import format_notes, grouped_lines
from ..base.parameters import shown
from .conventions import convention_faults
from .faults import Fault, head_faults, tree_faults
from .formats import AUTO, FORMATS, require
from .reader import read_pieces, sentence_of
from .sentence import DECIDED, Sentence, is_punctuation
from .source import Target, decoded, source_name
from .statistics import TreeCounts, crossing_lines
from .symbols import DECIDABLE
from .universal import LEVELS, universal_faults

NOTES = (
    ("non-projective", "an arc over a word that its head does not dominate, and a tree that has such an arc"),
    ("lifts", "steps that an arc must climb until it is projective, by itself: how many arcs need 1, 2, 3, more"),
    ("mean length", "words from head to dependent, neighbours 1; arcs from the root node have none"),
    ("% of class", "how many of the arcs of that deprel, length or depth are non-projective"),
    ("depth", "arcs from the root node to the word"),
)
CONLLU = "conllu"
LEAST_TEXT = 20
"""Minimum number of sentences for warnings about spaces and paragraphs."""
_NOT_COUNTED = frozenset({"id", "head"})
NUMBERS = ("sentences", "faulty", "without_tree", "partial", "decided", "words", "multiword_tokens", "empty_nodes")


@dataclass(frozen=True, slots=True)
class Report:
    """The result of :func:`check`.

    format: name of the format; "" if the file has none.
    sentences: number of sentences.
    faulty: number of sentences with faults.
    without_tree: number of sentences in which each HEAD is "_".
    partial: number of sentences with a tree in which not all words are decided: those with ``Keep=`` in MISC, if the
        file has any, otherwise those with a HEAD.
    decided: number of these words.
    words, multiword_tokens, empty_nodes: counts in sentences with valid rows.
    deprels: counts by deprel, the most frequent first.
    cardinalities: number of different values of each column except ID and HEAD, without "_".
    statistics: figures of the valid trees, see :func:`~.statistics.statistics`.
    crossing: their non-projective arcs, see :meth:`~.statistics.TreeCounts.crossing`.
    faults: the faults, ordered by line.
    """

    path: str
    format: str
    sentences: int
    faulty: int
    without_tree: int
    partial: int
    decided: int
    words: int
    multiword_tokens: int
    empty_nodes: int
    deprels: dict[str, int]
    cardinalities: dict[str, int]
    statistics: dict[str, Any]
    crossing: dict[str, Any]
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        """Whether the report has no faults, or only warnings."""
        return all(fault.warning for fault in self.faults)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, including "ok"."""
        return {"ok": self.ok, **asdict(self)}


@dataclass(slots=True)
class _Tally:
    """Counts of a treebank. ``numbers`` has the counts of the same names in :class:`Report`.

    ids: the line of the first sentence with each sent_id.
    told: messages that are told once.
    joined: whether a token has SpaceAfter=No.
    punctuation: number of words that are punctuation, until a token is joined.
    paragraphs: number of sentences that begin a paragraph or document.
    has_marks: whether a person has marked decided words, by ``Keep=`` in MISC.
    marked: number of words whose arcs are decided by a mark.
    partly_marked: number of sentences with a tree in which these are not all words.
    """

    numbers: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(NUMBERS, 0)))
    deprels: Counter[str] = field(default_factory=Counter)
    values: dict[str, set[str]] = field(default_factory=dict)
    trees: TreeCounts = field(default_factory=TreeCounts)
    ids: dict[str, int] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    joined: bool = False
    punctuation: int = 0
    paragraphs: int = 0
    has_marks: bool = False
    marked: int = 0
    partly_marked: int = 0

    def count(self, sentence: Sentence) -> Iterator[Fault]:
        """Count the sentence and yield its faults."""
        self.numbers["words"] += len(sentence)
        if (name := sentence.comment("sent_id")) is not None:
            first = self.ids.setdefault(name, sentence.line)
            if first != sentence.line:
                message = f"sent_id {shown(name)} again, after the sentence in line {first}"
                yield Fault(sentence.line, "sent_id", message, True)
        elif self.ids and sentence.format.name == CONLLU:
            yield Fault(sentence.line, "sent_id", "no sent_id, which earlier sentences have", True)
        if sentence.format.name == CONLLU:
            self._count_marks(sentence)
            yield from self._unusual(sentence)
        for _, row in sentence.extras:
            self.numbers["multiword_tokens" if "-" in row.partition("\t")[0] else "empty_nodes"] += 1
        for name, column in zip(sentence.format.names, sentence.columns, strict=True):
            if name not in _NOT_COUNTED:
                self.values.setdefault(name, set()).update(column)
            if "" in column:
                line = sentence.line_of(column.index("") + 1)
                yield Fault(line, "empty field", f"empty {name.upper()}, expected a value or '_'", True)
        misc = sentence.column("misc") if "misc" in sentence.format.index else ()
        marks = []
        for word, found in enumerate(map(DECIDED.search, misc), 1):
            if found and (found[1] == "Yes" or {*found[1].split(",")} <= {*DECIDABLE}):
                marks.append(found[1])
            elif found:
                fault = f"Keep={found[1]}, expected Yes or names of columns: {', '.join(DECIDABLE)}"
                yield Fault(sentence.line_of(word), "mark", fault)
        if "head" not in sentence.format.index or set(sentence.column("head")) == {"_"}:
            self.numbers["without_tree"] += 1
            return
        labelled = "deprel" in sentence.format.index
        deprels = sentence.column("deprel") if labelled else ("_",) * len(sentence)
        self.deprels.update(deprels if labelled else ())
        heads, lines = sentence.column("head"), [sentence.line_of(word) for word in range(1, len(sentence) + 1)]
        open_words = heads.count("_")
        arcs = sum(mark == "Yes" or {"head", "deprel"} <= {*mark.split(",")} for mark in marks)
        self.has_marks |= bool(marks)
        self.marked += arcs
        self.partly_marked += arcs < len(sentence)
        self.numbers["decided"] += len(sentence) - open_words
        if open_words:
            self.numbers["partial"] += 1
            yield Fault(lines[heads.index("_")], "partial", f"{open_words} of {len(heads)} words have no HEAD", True)
            open_lines = {line for line, head in zip(lines, heads, strict=True) if head == "_"}
            faults = [fault for fault in head_faults(heads, lines) if fault.line not in open_lines]
            if not faults:
                of_tree = tree_faults(sentence.heads(partial=True), sentence.column("form"), lines)
                faults = [fault for fault in of_tree if fault.kind != "no root"]
            yield from faults
            return
        faults = list(head_faults(heads, lines))
        faults = faults or list(tree_faults(sentence.heads(), sentence.column("form"), lines))
        if all(fault.warning for fault in faults):
            self.trees.add(sentence.heads(), ["", *deprels], self.numbers["sentences"])
        yield from faults

    def _unusual(self, sentence: Sentence) -> Iterator[Fault]:
        """Warnings about conventions; each part of speech is told once."""
        for fault in convention_faults(sentence):
            if fault.kind == "upos":
                if fault.message in self.told:
                    continue
                self.told.add(fault.message)
            yield fault

    def _count_marks(self, sentence: Sentence) -> None:
        """Count what a tokenizer learns from."""
        if not self.joined:
            misc = sentence.column("misc") if "misc" in sentence.format.index else ()
            self.joined = any("SpaceAfter=No" in text for text in (*misc, *(row for _, row in sentence.extras)))
            self.punctuation += sum(map(is_punctuation, sentence.column("form")))
        self.paragraphs += sentence.begins_paragraph

    def raw_text_faults(self) -> Iterator[Fault]:
        """Warnings about a treebank from which a tokenizer would learn wrong spaces or paragraphs."""
        sentences = self.numbers["sentences"]
        if sentences < LEAST_TEXT:
            return
        if self.punctuation >= sentences / 2 and not self.joined:
            message = "no word has SpaceAfter=No: a tokenizer would learn that spaces surround all punctuation"
            yield Fault(1, "raw text", message, True)
        if self.paragraphs == sentences:
            message = "a paragraph or document begins at every sentence: a tokenizer ignores these marks"
            yield Fault(1, "raw text", message, True)


def check(target: Target, format: str = AUTO, ud: str = "", level: int = LEVELS[-1]) -> Report:
    """Read a treebank to its end despite errors, and report the errors.

    target, format: as for :func:`~.reader.read_sentences`.
    ud: code of a language, such as "fr": the official validator of Universal Dependencies checks the file, too, as
        :func:`~.universal.universal_faults` says. The target is then a path.
    level: its last level, from 1 to 5.

    Errors have the kinds "format" (not CoNLL; reading stops), "empty file", "encoding", "lines", "blank line",
    "columns", "id", "comment", "no words", "head", "cycle" and "no root". Warnings have the kinds "several roots",
    "sent_id" (that of an earlier sentence, or none), "empty field" (one per column of a sentence) and, for CoNLL-U,
    those of :func:`~.conventions.convention_faults`, parts of speech once, and "raw text". Raises CrossarcError if
    the file cannot be read or is in UTF-16, and for lines and sentences above the limits of :mod:`.limits`.

    >>> import crossarc
    >>> report = crossarc.check("test.conllu")
    >>> report.ok, report.sentences
    (True, 40)
    """
    require(format, "gold")
    if ud and (target == "-" or not isinstance(target, str | Path)):
        raise CrossarcError("check --ud: found a stream, expected the name of a file")
    faults: list[Fault] = []
    tally = _Tally()
    name = ""
    for piece in read_pieces(target, format, size=0, bad=faults):
        name = piece.layout.name
        before = len(faults)
        text = decoded(piece.data, piece.source, piece.line, faults)
        tally.numbers["sentences"] += 1
        sentence = sentence_of(text, piece.line, piece.layout, piece.source)
        sentence_faults = sentence if isinstance(sentence, list) else list(tally.count(sentence))
        tally.numbers["faulty"] += len(faults) > before or not all(fault.warning for fault in sentence_faults)
        faults.extend(sentence_faults)
        if any(fault.kind == "format" for fault in sentence_faults):
            break
    if tally.has_marks:
        tally.numbers["partial"], tally.numbers["decided"] = tally.partly_marked, tally.marked
    if name == CONLLU:
        faults.extend(tally.raw_text_faults())
    if ud and isinstance(target, str | Path):
        if name != CONLLU:
            raise CrossarcError(f"{source_name(target)}: {FORMATS.get(name, 'no CoNLL format')}; --ud needs CoNLL-U")
        faults.extend(universal_faults(target, ud, level))
    return Report(
        path=source_name(target),
        format=name,
        **tally.numbers,
        deprels=dict(tally.deprels.most_common()),
        cardinalities={name: len(values - {"", "_"}) for name, values in tally.values.items()},
        statistics=tally.trees.figures(),
        crossing=tally.trees.crossing(),
        faults=tuple(sorted(set(faults))),  # detection decodes the first sentence, too
    )


def format_report(report: Report) -> str:
    """The report as plain text, with faults by kind at the end."""
    lines = [
        f"{report.path}: {FORMATS.get(report.format, 'no CoNLL format')}",
        f"sentences            {report.sentences}",
        f"  with faults        {report.faulty}",
        f"  without a tree     {report.without_tree}",
        *([f"  annotated in part  {report.partial}"] if report.partial else ()),
        f"words                {report.words}",
        *([f"  decided            {report.decided}"] if report.partial else ()),
        f"multiword tokens     {report.multiword_tokens}",
        f"empty nodes          {report.empty_nodes}",
        "",
        *_statistics_lines(report.statistics),
        *crossing_lines(report.crossing),
        *format_notes(NOTES if report.crossing["deprel"] else ()),
        "",
        "different values     " + ", ".join(f"{name} {count}" for name, count in report.cardinalities.items()),
        f"deprels ({len(report.deprels)})".ljust(21)
        + ", ".join(f"{name} {count}" for name, count in report.deprels.items()),
        "",
    ]
    kinds = [f"{'warning: ' if fault.warning else ''}{fault.kind}" for fault in report.faults]
    places = [f"line {fault.line}: {fault.message}" for fault in report.faults]
    lines += grouped_lines(sorted(zip(kinds, places, strict=True), key=lambda pair: pair[0].startswith("warning")))
    warnings = sum(fault.warning for fault in report.faults)
    lines.append(f"{len(report.faults) - warnings} faults, {warnings} warnings")
    return "\n".join(lines) + "\n"


def _statistics_lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"trees                {figures['sentences']}"
    count, percent = figures["nonprojective_sentences"], figures["nonprojective_sentences_percent"]
    yield f"  non-projective     {count}{_in_brackets(percent)}"
    yield f"arcs                 {figures['arcs']}, mean length {_number(figures['arc_length'])}"
    for kind in ("projective", "nonprojective"):
        label = kind.replace("nonp", "non-p")
        share = _in_brackets(figures[f"{kind}_arcs_percent"])
        length = _number(figures[f"{kind}_arc_length"])
        yield f"  {label:<19}{figures[f'{kind}_arcs']}{share}, mean length {length}"
    crossing = figures["nonprojective_arcs"]
    shares = [
        f"{steps}: {number}{_in_brackets(100 * number / crossing if crossing else None)}"
        for steps, number in figures["lifts"].items()
    ]
    yield "  lifts              " + ", ".join(shares)


def _in_brackets(percent: float | None) -> str:
    return "" if percent is None else f" ({percent:.2f} %)"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
