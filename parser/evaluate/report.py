"""Scores and significance tests as tables and as plain text."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import StringIO
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ..base.latex import latex_cell
from ..base.notes import format_notes
from .comparison import COLUMNS
from .mcnemar import McNemar
from .over_sentences import SentenceTest
from .percent import percentage
from .scores import ColumnAccuracy, ErrorRate, Propagation, Scores

UNDEFINED = "-"
PUNCTUATION_SHOWN = 40


class ReportTable(NamedTuple):
    """A table of texts.

    left: number of left-aligned columns; the others are right-aligned.
    notes: meanings of column headings.
    title: text for a heading above the table; the page does not add that heading.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    notes: Sequence[tuple[str, str]] = ()
    title: str = ""


def _precision_and_recall(heading: str, path: str) -> dict[str, str]:
    return {f"{heading}P": f"{path}.precision", f"{heading}R": f"{path}.recall"}


# columns of tables: headings, and attributes of the rows
SCORES = {name.upper(): name for name in ("las", "uas", "la", "lem", "uem")}
COMPARED = {**SCORES, "LAS-p": "no_punct.las", "UAS-p": "no_punct.uas"}
COMPARED |= _precision_and_recall("np ", "nonprojective.all.unlabelled")
ACCURACY = {"LAS": "las", "UAS": "uas", "LA": "la", "tokens": "tokens"}
ARCS = _precision_and_recall("", "unlabelled") | _precision_and_recall("labelled ", "labelled")
ARCS |= {"predicted": "unlabelled.predicted", "gold": "unlabelled.gold"}
CROSSING_ARCS = {**ARCS, "missed": "missed", "spurious": "spurious"}
DEPRELS = _precision_and_recall("head+label ", "head_label") | _precision_and_recall("label ", "label")
DEPRELS |= {"predicted": "head.predicted", "gold": "head.gold"}
SENTENCES = {"LAS": "las", "UAS": "uas", "LEM": "lem", "UEM": "uem", "sentences": "sentences"}
CONFUSIONS = {"tokens": "tokens", "head right": "head_right"}
CLASSES = {
    "all sentences": "all",
    "projective sentences": "projective_sentences",
    "non-projective sentences": "nonprojective_sentences",
}


def format_scores(scores: Scores, *, full: bool = True) -> str:
    """Format scores as tables of text, in lines of fewer than 100 characters unless labels are long.

    full: write all tables of :func:`score_tables`, not the first alone.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> print(crossarc.format_scores(crossarc.score_sentences(gold, gold)).splitlines()[0].strip())
    all tokens  no punctuation (unicode)
    """
    return "\n".join(map(format_table, score_tables(scores, full=full)))


def score_tables(scores: Scores, *, full: bool = True) -> list[ReportTable]:
    """Return the main tables. Undefined values are ``-``; tables without rows are left out.

    full: whether to return all tables, or only the scores, the accuracy of columns, and projective and non-projective
        arcs.

    Notes explain each heading below the first table that has it.
    """
    tables = {
        "Scores": _totals(scores),
        "Columns": _table("predicted column", _differing(scores), {"accuracy": "accuracy", "tokens": "tokens"}),
        "Projective and non-projective arcs": _arc_classes(scores),
    }
    if full:
        crossing = {
            f"Non-projective arcs, {kind}": _table(f"non-projective, {kind}", rows, CROSSING_ARCS)
            for kind, rows in scores.crossing.items()
        }
        gold_arcs = {
            name.replace("non", "non-").replace("_", ", "): row for name, row in scores.gold_arcs.items() if row.tokens
        }
        deprels = dict(sorted(scores.by_deprel.items(), key=lambda item: (-item[1].head.gold, item[0])))
        confusions = {f"{row.gold} as {row.predicted}": row for row in scores.confusions}
        tables |= {
            "Gold arcs by kind": _table("gold arcs", gold_arcs, ACCURACY),
            "Arcs by length": _table("arc length", scores.by_arc_length_bin, ARCS),
            "Arcs by depth": _table("depth", scores.by_depth, ARCS),
            **crossing,
            "Deprels": _table("deprel", deprels, DEPRELS),
            "Parts of speech": _table("upos", scores.by_upos, ACCURACY),
            "Sentences by length": _table("sentence length", scores.by_sentence_length, SENTENCES),
            "Error propagation": _propagation(scores.propagation),
            "Confusions of deprels": _table("deprel confused", confusions, CONFUSIONS),
        }
    return list(explained(table._replace(title=title) for title, table in tables.items() if table.rows))


def comparison_table(systems: Mapping[str, Scores]) -> ReportTable:
    """Return a table with one line per parser of the same sentences; undefined values are ``-``.

    Its columns are the scores over all tokens and without punctuation, unlabelled precision and recall of
    non-projective arcs, the labelled error rates before and after the first error of a sentence, and the accuracy of
    differing columns.
    """
    table = _table("", systems, COMPARED)
    columns = [name for name in COLUMNS if any(name.upper() in _differing(system) for system in systems.values())]
    rows = []
    for row, system in zip(table.rows, systems.values(), strict=True):
        errors = system.propagation["las"]
        accuracies = (system.columns[name].accuracy if name in system.columns else None for name in columns)
        rows.append([*row, *map(_text, (errors.pre.rate, errors.post.rate, *accuracies))])
    header = [*table.header, "Pre", "Post", *map(str.upper, columns)]
    return next(explained([table._replace(header=header, rows=rows)]))


BREAKDOWNS = {
    "LAS by sentence length": ("by_sentence_length", "las", "sentences"),
    "LAS of gold arcs by kind": ("gold_arcs", "las", "tokens"),
    "Recall of head and label by arc length": ("by_arc_length_bin", "labelled.recall", "labelled.gold"),
    "Recall of head and label by deprel": ("by_deprel", "head_label.recall", "head_label.gold"),
}
"""Titles of breakdowns, with the rows of scores, the figure of each row, and the number of its gold items."""


def breakdown_tables(systems: Mapping[str, Scores]) -> list[ReportTable]:
    """Return one table for each of :data:`BREAKDOWNS`, with a column for each parser of the same sentences."""
    tables = []
    for title, (place, figure, number) in BREAKDOWNS.items():
        breakdowns = [getattr(system, place) for system in systems.values()]
        counts = {key: attrgetter(number)(row) for breakdown in breakdowns for key, row in breakdown.items()}
        names = sorted(counts, key=lambda key: -counts[key]) if place == "by_deprel" else list(counts)
        rows = [
            [
                key,
                str(counts[key]),
                *(_text(attrgetter(figure)(breakdown[key]) if key in breakdown else None) for breakdown in breakdowns),
            ]
            for key in names
            if counts[key]
        ]
        tables.append(ReportTable(["", "gold", *systems], rows, title=title))
    return tables


def significance_table(tests: Mapping[tuple[str, str], McNemar], *, notes: bool = True) -> ReportTable:
    """Return a table of the pairwise tests of one score (see :func:`.mcnemar.pairwise`).

    notes: whether to explain the headings.
    """
    rows = []
    for (first, second), test in tests.items():
        better = UNDEFINED if test.winner is None else first if test.winner == "first" else second
        z = UNDEFINED if test.z is None else f"{test.z:.4f}"
        rows.append([f"{first} : {second}", str(test.b), str(test.c), z, f"{test.p:.4g}", _text(test.level), better])
    table = ReportTable(["McNemar's test", "b", "c", "Z", "p", "level", "better"], rows)
    return next(explained([table])) if notes else table


def over_sentences_table(tests: Mapping[tuple[str, str], SentenceTest], *, notes: bool = True) -> ReportTable:
    """Return a table of the tests over sentences of one score (see :mod:`.over_sentences`).

    notes: whether to explain the headings.
    """
    rows = []
    for (first, second), test in tests.items():
        better = UNDEFINED if test.winner is None else first if test.winner == "first" else second
        interval = f"{test.low:+.2f} to {test.high:+.2f}"
        rows.append([f"{first} : {second}", f"{test.difference:+.2f}", interval, f"{test.corrected:.4f}", better])
    table = ReportTable(["Over sentences", "B - A", "95 %", "p over sentences", "better"], rows)
    return next(explained([table])) if notes else table


def format_table(table: ReportTable) -> str:
    """Format a table as text, then its notes; return "" if the table has no rows.

    Columns are two spaces apart. The first column is left-aligned, the others are right-aligned.
    """
    if not table.rows:
        return ""
    rows = (table.header, *table.rows)
    first, *others = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([name.ljust(first), *map(str.rjust, cells, others)]).rstrip() for name, *cells in rows]
    return "\n".join([*lines, *format_notes(table.notes)]) + "\n"


def csv_of(tables: Iterable[ReportTable]) -> str:
    """Return tables as CSV with the columns table, row, column, value: one line per cell.

    >>> csv_of([ReportTable(["", "LAS"], [["a, b", "71.20"]], title="Scores")]).splitlines()
    ['table,row,column,value', 'Scores,"a, b",LAS,71.20']
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for table in tables:
        for name, *cells in table.rows:
            for column, cell in zip(table.header[1:], cells, strict=True):
                writer.writerow([table.title, name, column, "" if cell == UNDEFINED else cell])
    return text.getvalue()


def latex_of(tables: Iterable[ReportTable]) -> str:
    """Return tables as LaTeX, each one ``tabular`` below its title in a comment; the package booktabs has the rules."""
    parts = []
    for table in tables:
        columns = "l" * table.left + "r" * (len(table.header) - table.left)
        header, *rows = (" & ".join(map(latex_cell, row)) + r" \\" for row in (table.header, *table.rows))
        lines = [r"\toprule", header, r"\midrule", *rows, r"\bottomrule"]
        parts.append("\n".join([f"% {table.title}", rf"\begin{{tabular}}{{{columns}}}", *lines, r"\end{tabular}", ""]))
    return "\n".join(parts)


def _text(value: object) -> str:
    """Return a percentage, a count or a place as the tables show it."""
    if value is None or value == "":
        return UNDEFINED
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _table(heading: str, rows: Mapping[str, Any], columns: Mapping[str, str]) -> ReportTable:
    """Return a table with a line per row. columns: headings, and attributes of the rows, possibly with dots."""
    cells = {name: [_text(attrgetter(path)(row)) for path in columns.values()] for name, row in rows.items()}
    return ReportTable([heading, *columns], [[name, *figures] for name, figures in cells.items()])


def _totals(scores: Scores) -> ReportTable:
    shown = scores.punctuation
    if len(shown) > PUNCTUATION_SHOWN:
        shown = shown[: PUNCTUATION_SHOWN - 1] + "…"
    sides = (scores.all, scores.no_punct)
    names = {**SCORES, "tokens": "tokens", "sentences": "sentences"}
    rows = [[heading, *(_text(getattr(side, name)) for side in sides)] for heading, name in names.items()]
    return ReportTable(["", "all tokens", f"no punctuation ({shown})"], rows)


def _differing(scores: Scores) -> dict[str, ColumnAccuracy]:
    return {name.upper(): column for name, column in scores.columns.items() if column.correct < column.tokens}


def _arc_classes(scores: Scores) -> ReportTable:
    kinds = {"projective": scores.projective, "non-projective": scores.nonprojective}
    rows = {
        f"{name}, {label}": getattr(kind_scores, kind)
        for name, kind_scores in kinds.items()
        for label, kind in CLASSES.items()
    }
    over = "arcs" if scores.breakdowns == "all" else "arcs (no punctuation, here and below)"
    return _table(over, {**rows, "root": scores.root, "non-root": scores.nonroot}, ARCS)


def _propagation(table: Mapping[str, Propagation]) -> ReportTable:
    def cell(part: ErrorRate, total: ErrorRate) -> str:
        return f"{_text(part.rate)} ({_text(part.normalised(total))})"

    rows = []
    for score, propagation in table.items():
        if propagation.total.tokens:
            first = [
                _text(propagation.total.rate),
                cell(propagation.pre, propagation.total),
                cell(propagation.post, propagation.total),
            ]
            share = _text(percentage(propagation.pre.tokens, propagation.total.tokens))
            rows.append([score.upper(), *first, share, cell(propagation.clusters[0], propagation.total)])
    return ReportTable(["error rate (normalised)", "total", "Pre", "Post", "% in Pre", "cluster 1"], rows)


@cache
def headings() -> dict[str, str]:
    """Meanings by heading, or by the beginning of a row's name."""
    return yaml.safe_load(Path(__file__).with_name("headings.yaml").read_text("utf-8"))


def explained(tables: Iterable[ReportTable]) -> Iterator[ReportTable]:
    """Yield the tables with notes. Each heading and row name is explained below the first table that has it."""
    done: set[str] = set()
    for table in tables:
        names = [*table.header, *(row[0] for row in table.rows)]
        used = {name if name in headings() else name.partition(",")[0] for name in names} - done
        done |= used
        yield table._replace(notes=[(name, meaning) for name, meaning in headings().items() if name in used])
