"""Scores and significance tests as tables and as plain text."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.notes import format_notes
from ..drawing.report_page import Table
from .comparison import COLUMNS
from .headings import explained
from .mcnemar import McNemar
from .percent import percentage
from .propagation import ErrorRate, Propagation
from .scores import Accuracy, ArcScores, ColumnAccuracy, CrossingScores, Scores, SentenceClasses

UNDEFINED = "-"
PUNCTUATION_SHOWN = 40
COMPARED = ("LAS", "UAS", "LA", "LEM", "UEM", "LAS-p", "UAS-p", "np P", "np R", "Pre", "Post")


def format_scores(scores: Scores, *, full: bool = True) -> str:
    """Format scores as tables of text, in lines of fewer than 100 characters unless labels are long.

    full: write all tables of :func:`score_tables`, not the first alone.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> print(crossarc.format_scores(crossarc.score_sentences(gold, gold)).splitlines()[0].strip())
    all tokens  no punctuation (unicode)
    """
    return "\n".join(map(format_table, score_tables(scores, full=full)))


def score_tables(scores: Scores, *, full: bool = True) -> list[Table]:
    """Return the main tables. Undefined values are ``-``; tables without rows are left out.

    full: whether to return all tables, or only the scores, the accuracy of columns, and projective and non-projective
        arcs.

    Notes explain each heading below the first table that has it.
    """
    tables = {
        "Scores": _totals(scores),
        "Columns": _columns(scores),
        "Projective and non-projective arcs": _sentence_classes(scores),
    }
    if full:
        crossing = {f"Non-projective arcs, {kind}": _crossing(kind, rows) for kind, rows in scores.crossing.items()}
        tables |= {
            "Gold arcs by kind": _gold_arcs(scores.gold_arcs),
            "Arcs by length": _arc_table("arc length", scores.by_arc_length_bin),
            "Arcs by depth": _arc_table("depth", scores.by_depth),
            **crossing,
            "Deprels": _deprels(scores),
            "Parts of speech": _accuracy_table("upos", scores.by_upos),
            "Sentences by length": _sentence_lengths(scores),
            "Error propagation": _propagation(scores.propagation),
            "Confusions of deprels": _confusions(scores),
        }
    return list(explained(table._replace(title=title) for title, table in tables.items() if table.rows))


def comparison_table(systems: Mapping[str, Scores]) -> Table:
    """Return a table with one line per parser of the same sentences; undefined values are ``-``.

    Its columns are the scores over all tokens and without punctuation, unlabelled precision and recall of
    non-projective arcs, the labelled error rates before and after the first error of a sentence, and the accuracy of
    differing columns.
    """
    rows = []
    columns = [name for name in COLUMNS if any(name in _differing(own) for own in systems.values())]
    for name, own in systems.items():
        crossing, errors = own.nonprojective.all.unlabelled, own.propagation["las"]
        values = [own.las, own.uas, own.la, own.lem, own.uem, own.no_punct.las, own.no_punct.uas]
        values += [crossing.precision, crossing.recall, errors.pre.rate, errors.post.rate]
        values += [own.columns[column].accuracy if column in own.columns else None for column in columns]
        rows.append([name, *map(_percent, values)])
    return next(explained([Table(["", *COMPARED, *map(str.upper, columns)], rows)]))


def significance_table(tests: Mapping[tuple[str, str], McNemar], *, notes: bool = True) -> Table:
    """Return a table of the pairwise tests of one score (see :func:`.mcnemar.pairwise`).

    notes: whether to explain the headings.
    """
    rows = []
    for (first, second), test in tests.items():
        better = UNDEFINED if test.winner is None else first if test.winner == "first" else second
        z = UNDEFINED if test.z is None else f"{test.z:.4f}"
        level = UNDEFINED if test.level is None else f"{test.level:.2f}"
        rows.append([f"{first} : {second}", str(test.b), str(test.c), z, f"{test.p:.4g}", level, better])
    table = Table(["McNemar's test", "b", "c", "Z", "p", "level", "better"], rows)
    return next(explained([table])) if notes else table


def format_table(table: Table) -> str:
    """Format a table as text, then its notes; return "" if the table has no rows.

    Columns are two spaces apart. The first column is left-aligned, the others are right-aligned.
    """
    if not table.rows:
        return ""
    rows = (table.header, *table.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if rank == 0 else cell.rjust(width)
            for rank, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "\n".join([*lines, *format_notes(table.notes)]) + "\n"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def _totals(scores: Scores) -> Table:
    shown = scores.punctuation
    if len(shown) > PUNCTUATION_SHOWN:
        shown = shown[: PUNCTUATION_SHOWN - 1] + "…"
    sides = (scores.all, scores.no_punct)
    names = ("las", "uas", "la", "lem", "uem")
    rows = [[name.upper(), *(_percent(getattr(side, name)) for side in sides)] for name in names]
    rows += [[name, *(str(getattr(side, name)) for side in sides)] for name in ("tokens", "sentences")]
    return Table(["", "all tokens", f"no punctuation ({shown})"], rows)


def _columns(scores: Scores) -> Table:
    rows = [[name.upper(), _percent(own.accuracy), str(own.tokens)] for name, own in _differing(scores).items()]
    return Table(["predicted column", "accuracy", "tokens"], rows)


def _differing(scores: Scores) -> dict[str, ColumnAccuracy]:
    return {name: own for name, own in scores.columns.items() if own.correct < own.tokens}


def _arc_cells(arcs: ArcScores) -> list[str]:
    pairs = (arcs.unlabelled, arcs.labelled)
    values = [_percent(value) for pair in pairs for value in (pair.precision, pair.recall)]
    return [*values, str(arcs.unlabelled.predicted), str(arcs.unlabelled.gold)]


ARC_HEADER = ("P", "R", "labelled P", "labelled R", "predicted", "gold")


def _sentence_classes(scores: Scores) -> Table:
    def rows(name: str, table: SentenceClasses) -> list[list[str]]:
        classes = (
            ("all sentences", table.all),
            ("projective sentences", table.projective_sentences),
            ("non-projective sentences", table.nonprojective_sentences),
        )
        return [[f"{name}, {label}", *_arc_cells(arcs)] for label, arcs in classes]

    body = rows("projective", scores.projective) + rows("non-projective", scores.nonprojective)
    outer = [["root", *_arc_cells(scores.root)], ["non-root", *_arc_cells(scores.nonroot)]]
    over = "arcs" if scores.breakdowns == "all" else "arcs (no punctuation, here and below)"
    return Table([over, *ARC_HEADER], [*body, *outer])


def _arc_table(name: str, table: Mapping[str, ArcScores]) -> Table:
    return Table([name, *ARC_HEADER], [[key, *_arc_cells(arcs)] for key, arcs in table.items()])


def _crossing(kind: str, table: Mapping[str, CrossingScores]) -> Table:
    header = [f"non-projective, {kind}", *ARC_HEADER, "missed", "spurious"]
    rows = [[name, *_arc_cells(own), own.missed or UNDEFINED, own.spurious or UNDEFINED] for name, own in table.items()]
    return Table(header, rows)


def _accuracy_table(name: str, table: Mapping[str, Accuracy]) -> Table:
    rows = [
        [key, _percent(row.las), _percent(row.uas), _percent(row.la), str(row.tokens)] for key, row in table.items()
    ]
    return Table([name, "LAS", "UAS", "LA", "tokens"], rows)


def _gold_arcs(table: Mapping[str, Accuracy]) -> Table:
    readable = {key.replace("non", "non-").replace("_", ", "): row for key, row in table.items() if row.tokens}
    return _accuracy_table("gold arcs", readable)


def _deprels(scores: Scores) -> Table:
    rows = []
    for name, deprel in sorted(scores.by_deprel.items(), key=lambda item: (-item[1].head.gold, item[0])):
        cells = [_percent(v) for pair in (deprel.head_label, deprel.label) for v in (pair.precision, pair.recall)]
        rows.append([name, *cells, str(deprel.head.predicted), str(deprel.head.gold)])
    return Table(["deprel", "head+label P", "head+label R", "label P", "label R", "predicted", "gold"], rows)


def _sentence_lengths(scores: Scores) -> Table:
    rows = [
        [name, *(_percent(getattr(row, score)) for score in ("las", "uas", "lem", "uem")), str(row.sentences)]
        for name, row in scores.by_sentence_length.items()
    ]
    return Table(["sentence length", "LAS", "UAS", "LEM", "UEM", "sentences"], rows)


def _propagation(table: Mapping[str, Propagation]) -> Table:
    def cell(part: ErrorRate, total: ErrorRate) -> str:
        return f"{_percent(part.rate)} ({_percent(part.normalised(total))})"

    rows = []
    for score, found in table.items():
        if found.total.tokens:
            first = [_percent(found.total.rate), cell(found.pre, found.total), cell(found.post, found.total)]
            share = _percent(percentage(found.pre.tokens, found.total.tokens))
            rows.append([score.upper(), *first, share, cell(found.clusters[0], found.total)])
    return Table(["error rate (normalised)", "total", "Pre", "Post", "% in Pre", "cluster 1"], rows)


def _confusions(scores: Scores) -> Table:
    rows = [[f"{row.gold} as {row.predicted}", str(row.tokens), str(row.head_right)] for row in scores.confusions]
    return Table(["deprel confused", "tokens", "head right"], rows)
