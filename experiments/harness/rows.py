"""Rows of figures from scores, and Markdown with published figures beside ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...parser.evaluate import McNemar, Scores
from ...parser.evaluate.percent import Json
from .registry import published_file
from .tables import markdown_table

__all__ = [
    "ARCS",
    "OVERALL",
    "Row",
    "arc_row",
    "cost_row",
    "figure",
    "overall_row",
    "published_rows",
    "score_table",
    "significance_table",
    "split_report",
]

Row = Mapping[str, float | int | str | None]

OVERALL = {"las": "LAS", "uas": "UAS", "lem": "LEM", "uem": "UEM"}
"""The columns of tables 2 and 4 of Kuhlmann & Nivre (2010)."""
ARCS = {
    "all_projective_p": "proj. P",
    "all_projective_r": "proj. R",
    "all_nonprojective_p": "non-proj. P",
    "all_nonprojective_r": "non-proj. R",
    "projective_projective_p": "in proj. trees: proj. P",
    "projective_projective_r": "proj. R",
    "projective_nonprojective_p": "non-proj. P",
    "nonprojective_projective_p": "in non-proj. trees: proj. P",
    "nonprojective_projective_r": "proj. R",
    "nonprojective_nonprojective_p": "non-proj. P",
    "nonprojective_nonprojective_r": "non-proj. R",
}
"""The columns of tables 3 and 5 of Kuhlmann & Nivre (2010); a projective tree has no non-projective arcs to recall."""


def overall_row(scores: Scores) -> dict[str, float | None]:
    """The row of a parser in tables 2 and 4 of Kuhlmann & Nivre (2010)."""
    return {key: getattr(scores, key) for key in OVERALL}


def arc_row(scores: Scores) -> dict[str, float | None]:
    """The row of a parser in tables 3 and 5 of Kuhlmann & Nivre (2010)."""
    row = {}
    for key in ARCS:
        sentences, arcs, side = key.split("_")
        of_sentences = getattr(getattr(scores, arcs), "all" if sentences == "all" else f"{sentences}_sentences")
        row[key] = of_sentences.unlabelled.precision if side == "p" else of_sentences.unlabelled.recall
    return row


def cost_row(costs: Sequence[Mapping[str, Any]], name: str) -> dict[str, Json]:
    """What a parser cost, from the costs of its cells (see :func:`~.parsing.parses`); name: of what was parsed."""
    seconds, words = (sum(own[key][name] for own in costs) for key in ("parse_cpu", "words"))
    return {
        "train_words": sum(own["train_words"] for own in costs),
        "train_cpu": sum(own["train_cpu"] for own in costs),
        "parse_cpu": seconds,
        "speed": round(words / seconds) if seconds else 0,
        "labels": max(own["labels"] for own in costs),
    }


def published_rows(paper: str, table: str, **where: str) -> list[dict[str, Any]]:
    """The rows of a published table whose columns have the given values."""
    text = published_file(paper).read_text("utf-8")
    rows = json.loads(text)["tables"][table]["rows"]
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def score_table(
    columns: Mapping[str, str],
    ours: Mapping[str, Row],
    theirs: Mapping[str, Row] | None = None,
    *,
    first: str = "parser",
    label: str = "published",
    difference: bool = False,
) -> str:
    """Rows of figures, each followed by the published ones of its name and, if asked for, by ours minus theirs."""
    rows = []
    for name, row in ours.items():
        rows.append([name, *(figure(row.get(key)) for key in columns)])
        other = (theirs or {}).get(name)
        if other is not None:
            rows.append([f"*{name}, {label}*", *(figure(other.get(key)) for key in columns)])
            if difference:
                rows.append([f"*{name}, difference*", *(_minus(row.get(key), other.get(key)) for key in columns)])
    return markdown_table([first, *columns.values()], rows)


def significance_table(tests: Mapping[str, Mapping[tuple[str, str], McNemar]]) -> str:
    """The pairwise tests as ``tests[score][first, second]``, a pair a row: who is better, beyond which level."""
    pairs = list(dict.fromkeys(pair for row in tests.values() for pair in row))
    rows = [[f"{first} : {second}", *(_verdict(first, second, row[first, second]) for row in tests.values())]
            for first, second in pairs]  # fmt: skip
    return markdown_table(["pair", *(score.upper() for score in tests)], rows)


def figure(value: Any) -> str:
    """A table cell: percentages and lengths with two decimals, counts as they are, a dash for what is undefined."""
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def split_report(
    heading: Sequence[str],
    columns: Mapping[str, str],
    figures: Mapping[str, Any],
    splits: Sequence[str],
    first: str,
) -> str:
    """A page with a :func:`score_table` for each split of each treebank, below the paragraphs of a heading."""
    tables = [
        f"## {name}, {split}\n\n{score_table(columns, own[split], first=first)}"
        for name, own in figures.items()
        for split in splits
    ]
    return "\n\n".join(heading) + "\n\n" + "\n".join(tables)


def _minus(ours: Any, theirs: Any) -> str:
    if ours is None or theirs is None:
        return "–"
    return f"{ours - theirs:+d}" if isinstance(ours, int) and isinstance(theirs, int) else f"{ours - theirs:+.2f}"


def _verdict(first: str, second: str, test: McNemar) -> str:
    counts = f"{test.c}:{test.b}"
    if test.winner is None:
        return f"– ({counts}, p = {test.p:.3f})"
    return f"{first if test.winner == 'first' else second} < {test.level:.2f} ({counts})"
