"""Nivre & Nilsson (2005): loss by pseudo-projective transforms, and gain of a parser trained with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....parser.evaluate.percent import percentage
from ....parser.evaluate.scores import ArcScores, Scores
from ...harness import Cell, Experiment, ExperimentTreebank, Json, by_treebank, tests_json
from ...harness.parsing import lost_by
from ...harness.tables import lift_shares

TESTED = ("uas", "las", "uem", "lem", "uas, nonprojective", "las, nonprojective")


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the loss by transforms, and of the parsers (none for ``untrained`` treebanks)."""
    whole = [treebank.part(split) for split in treebank.values["transformed"]]
    transforms = treebank.values["transforms"]
    measured = [treebank.cell(f"{name} transform", lost_by, [spec], *whole) for name, spec in transforms.items()]
    return measured + treebank.each_fold()


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """Tables 3 to 6, and tests between parsers. Tables 5 and 6 leave out punctuation."""
    outputs = treebank.parsed(counted="no_punct")
    scores, tests = outputs.scores, outputs.tests(TESTED)
    lost: dict[str, Any] = {name: treebank[f"{name} transform"] for name in treebank.values["transforms"]}
    return {
        "lifts": lifts_row(next(iter(lost.values()))) if lost else {},
        "recovered": treebank.rows("table 4", lost),
        "overall": treebank.rows("table 5", scores),
        "arcs": {name: arc_row(score) for name, score in scores.items()},
        **tests_json(tests),
        "full": {"transforms": lost, "performance": {name: score.to_json() for name, score in scores.items()}},
    }


def lifts_row(counts: Mapping[str, Any]) -> dict[str, Json]:
    """A row of table 3. Arcs with 0 lifts have no column: they became projective because another arc was lifted."""
    arcs = counts["nonprojective_arcs"]
    return {
        "sentences": counts["sentences"],
        "nonprojective_sentences_percent": percentage(counts["nonprojective_sentences"], counts["sentences"]),
        "words": counts["words"],
        "nonprojective_arcs_percent": percentage(arcs, counts["words"]),
        **lift_shares(counts["lifts"], arcs),
    }


def arc_row(scores: Scores) -> dict[str, Json]:
    """A row of table 6, with the paper's F-measure. It is doubtful, see Kuhlmann & Nivre (2010, section 4.3)."""
    arcs: ArcScores = scores.nonprojective.all
    row: dict[str, Json] = {}
    for kind in ("unlabelled", "labelled"):
        precision, recall = getattr(arcs, kind).precision, getattr(arcs, kind).recall
        both = precision is not None and recall is not None and precision + recall > 0
        f = 2 * precision * recall / (precision + recall) if both else None
        row.update({f"{kind}_precision": precision, f"{kind}_recall": recall, f"{kind}_f": f})
    return row


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
