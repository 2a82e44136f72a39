"""Scores and significance tests as plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .mcnemar import McNemar
from .percent import percentage
from .propagation import ErrorRate, Propagation
from .scores import Accuracy, ArcScores, CrossingScores, Scores, SentenceClasses

__all__ = ["format_comparison", "format_scores", "format_significance"]

UNDEFINED = "-"
PUNCTUATION_SHOWN = 40
COMPARED = ("LAS", "UAS", "LA", "LEM", "UEM", "LAS-p", "UAS-p", "np P", "np R", "Pre", "Post")


def format_scores(scores: Scores, *, full: bool = True) -> str:
    """The main tables for reading, in lines of under 100 characters (long labels aside); undefined values as ``-``.

    If not ``full``, only the scores and how projective and non-projective arcs fare.
    """
    totals = [_totals(scores), _sentence_classes(scores)]
    if not full:
        return "\n".join(totals)
    blocks = [
        *totals,
        _gold_arcs(scores.gold_arcs),
        _arc_table("arc length", scores.by_arc_length_bin),
        _arc_table("depth", scores.by_depth),
        *(_crossing(kind, rows) for kind, rows in scores.crossing.items()),
        _deprels(scores),
        _accuracy_table("upos", scores.by_upos),
        _sentence_lengths(scores),
        _propagation(scores.propagation),
        _confusions(scores),
    ]
    return "\n".join(block for block in blocks if block)


def format_comparison(systems: Mapping[str, Scores]) -> str:
    """Several parsers of the same sentences as a table, a line each; undefined values as ``-``.

    Scores over all tokens, then without punctuation, unlabelled precision and recall on non-projective arcs, and the
    labelled error rates up to the first error of a sentence and after it.
    """
    rows = []
    for name, own in systems.items():
        crossing, errors = own.nonprojective.all.unlabelled, own.propagation["las"]
        values = [own.las, own.uas, own.la, own.lem, own.uem, own.no_punct.las, own.no_punct.uas]
        values += [crossing.precision, crossing.recall, errors.pre.rate, errors.post.rate]
        rows.append([name, *map(_percent, values)])
    return _table(["", *COMPARED], rows)


def format_significance(tests: Mapping[tuple[str, str], McNemar]) -> str:
    """The pairwise tests of one score (see :func:`.mcnemar.pairwise`) as a table: who is better, at which level."""
    rows = []
    for (first, second), test in tests.items():
        better = UNDEFINED if test.winner is None else first if test.winner == "first" else second
        z = UNDEFINED if test.z is None else f"{test.z:.4f}"
        level = UNDEFINED if test.level is None else f"{test.level:.2f}"
        rows.append([f"{first} : {second}", str(test.b), str(test.c), z, f"{test.p:.4g}", level, better])
    return _table(["McNemar's test", "b", "c", "Z", "p", "level", "better"], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns two spaces apart, the first flush left, the others flush right; empty without rows."""
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if rank == 0 else cell.rjust(width)
            for rank, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    )
    return "\n".join(lines) + "\n"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def _totals(scores: Scores) -> str:
    shown = scores.punctuation
    if len(shown) > PUNCTUATION_SHOWN:
        shown = shown[: PUNCTUATION_SHOWN - 1] + "…"
    sides = (scores.all, scores.no_punct)
    rows = [[name.upper(), *(_percent(getattr(side, name)) for side in sides)] for name in ("las", "uas", "la")]
    rows += [[name.upper(), *(_percent(getattr(side, name)) for side in sides)] for name in ("lem", "uem")]
    rows.append(["tokens", *(str(side.attachment.tokens) for side in sides)])
    rows.append(["sentences", *(str(side.sentences) for side in sides)])
    return _table(["", "all tokens", f"no punctuation ({shown})"], rows)


def _arc_cells(arcs: ArcScores) -> list[str]:
    pairs = (arcs.unlabelled, arcs.labelled)
    values = [_percent(value) for pair in pairs for value in (pair.precision, pair.recall)]
    return [*values, str(arcs.unlabelled.predicted), str(arcs.unlabelled.gold)]


ARC_HEADER = ("P", "R", "labelled P", "labelled R", "predicted", "gold")


def _sentence_classes(scores: Scores) -> str:
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
    return _table([over, *ARC_HEADER], [*body, *outer])


def _arc_table(name: str, table: Mapping[str, ArcScores]) -> str:
    return _table([name, *ARC_HEADER], [[key, *_arc_cells(arcs)] for key, arcs in table.items()])


def _crossing(kind: str, table: Mapping[str, CrossingScores]) -> str:
    header = [f"non-projective, {kind}", *ARC_HEADER, "missed", "spurious"]
    rows = [
        [name, *_arc_cells(own.arcs), own.missed or UNDEFINED, own.spurious or UNDEFINED] for name, own in table.items()
    ]
    return _table(header, rows)


def _accuracy_table(name: str, table: Mapping[str, Accuracy]) -> str:
    rows = [
        [key, _percent(row.las), _percent(row.uas), _percent(row.la), str(row.tokens)] for key, row in table.items()
    ]
    return _table([name, "LAS", "UAS", "LA", "tokens"], rows)


def _gold_arcs(table: Mapping[str, Accuracy]) -> str:
    readable = {key.replace("non", "non-").replace("_", ", "): row for key, row in table.items() if row.tokens}
    return _accuracy_table("gold arcs", readable)


def _deprels(scores: Scores) -> str:
    rows = []
    for name, deprel in sorted(scores.by_deprel.items(), key=lambda item: (-item[1].head.gold, item[0])):
        cells = [_percent(v) for pair in (deprel.head_label, deprel.label) for v in (pair.precision, pair.recall)]
        rows.append([name, *cells, str(deprel.head.predicted), str(deprel.head.gold)])
    return _table(["deprel", "head+label P", "R", "label P", "R", "predicted", "gold"], rows)


def _sentence_lengths(scores: Scores) -> str:
    rows = [
        [name, *(_percent(getattr(row, score)) for score in ("las", "uas", "lem", "uem")), str(row.sentences)]
        for name, row in scores.by_sentence_length.items()
    ]
    return _table(["sentence length", "LAS", "UAS", "LEM", "UEM", "sentences"], rows)


def _propagation(table: Mapping[str, Propagation]) -> str:
    def cell(part: ErrorRate, total: ErrorRate) -> str:
        return f"{_percent(part.rate)} ({_percent(part.normalised(total))})"

    rows = []
    for score, found in table.items():
        if found.total.tokens:
            first = [_percent(found.total.rate), cell(found.pre, found.total), cell(found.post, found.total)]
            share = _percent(percentage(found.pre.tokens, found.total.tokens))
            rows.append([score.upper(), *first, share, cell(found.clusters[0], found.total)])
    return _table(["error rate (normalised)", "total", "Pre", "Post", "% in Pre", "cluster 1"], rows)


def _confusions(scores: Scores) -> str:
    rows = [[f"{row.gold} as {row.predicted}", str(row.tokens), str(row.head_right)] for row in scores.confusions]
    return _table(["deprel confused", "tokens", "head right"], rows)
