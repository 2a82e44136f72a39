"""Nilsson (2009), chapter 8: combining transition-based parsers; and the metrics of chapter 4 on them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .....parser.evaluate import (
    Scores,
    clustering_figure,
    depth_figure,
    error_reduction,
    length_figure,
    pairwise,
    position_figure,
    significance_json,
)
from ....harness.results import write_results, write_text
from ....harness.rows import Row, published_rows, significance_table
from ....harness.runner import run_cells
from ....harness.settings import Settings, available, load_settings
from ..measures.blends import (
    BACKWARD,
    BLEND_COLUMNS,
    FORWARD,
    SINGLE,
    Blended,
    Components,
    blend_of,
    components_of,
    joined_blends,
    mean_row,
    treebank_blends,
)
from ..measures.errors import analysis_of, pre_post_row, propagation_tables, root_table
from ..measures.outputs import TOGETHER, Keyed, elsewhere, summary
from ..measures.parses import parses_cell
from ..measures.tables import PAPER, beside, published_names, thesis_rows

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch8"
AVERAGE, MEAN = "average", "mean of the reductions"
THEIRS = "CoNLL 2007"
REVERSED, BLEND = "reversed", "blend"
PRE_POST = {
    "total": "total",
    "pre": "Pre",
    "post": "Post",
    "pre_reduction": "ER, Pre",
    "post_reduction": "ER, Post",
}


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md, results.json and the figures.

    ``weights`` in the YAML lists the weightings, the first of which is that of the error analysis; ``apart`` names
    parsers that are no components of the blends; ``baseline`` the component that is the thesis' single parser.
    """
    settings = load_settings(NAME, options.config, options.set, options.only)
    components = components_of(settings)
    entries = available(settings.treebanks, ("train", "dev", "test"), options.progress)
    folder = Path(options.out)
    cells = [
        parses_cell(
            f"{entry.name} {parser}", config, entry.part("train"), {key: entry.part(key) for key in ("dev", "test")}
        )
        for entry in entries
        for parser, config in settings.parsers.items()
    ]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    own = {entry.name: treebank_blends(entry, settings, components, results) for entry in entries}
    every = joined_blends(list(own.values()))
    rows = {by: _rows(own, every, by, components) for by in settings.values["weights"]}
    for name, svg in _figures(every, settings).items():
        write_text(folder, f"{name}.svg", svg)
    same = published_names(entries)
    write_text(folder, "report.md", "\n".join(_report(settings, components, own, every, rows, same)))
    write_results(folder, NAME, settings, entries, _results(settings, own, every, rows))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _rows(own: Mapping[str, Blended], every: Blended, by: str, components: Components) -> dict[str, Row]:
    """The rows of table 8.2 under a weighting, by treebank and at last for all of them."""
    rows = {name: part.row(by, components.baseline) for name, part in own.items()}
    mean = mean_row(list(rows.values()))
    return {**rows, AVERAGE: every.row(by, components.baseline), MEAN: mean}


def _analysed(every: Blended, settings: Settings) -> dict[str, Scores]:
    """The systems of the error analysis: the single parsers, those from right to left, and the blend."""
    names = {SINGLE: SINGLE, REVERSED: BACKWARD, BLEND: blend_of(settings.values["weights"][0])}
    return {name: every.scores[key] for name, key in names.items() if key in every.scores}


def _systems(every: Blended, settings: Settings) -> dict[str, Scores]:
    """All parsers and the blend of the error analysis."""
    return {name: every.scores[name] for name in (*settings.parsers, blend_of(settings.values["weights"][0]))}


def _figures(every: Blended, settings: Settings) -> dict[str, str]:
    """The figures as SVG, by the names of their files."""
    analysed, systems = _analysed(every, settings), _systems(every, settings)
    by_direction = {name: every.scores[name] for name in (FORWARD, BACKWARD) if name in every.scores}
    # a chart has eight lines at most, and the blend is the last one
    shown = dict(list(systems.items())[-8:])
    return {
        "figure4.1": clustering_figure("Normalised error clustering", shown),
        "figure8.2": clustering_figure("Normalised error clustering", analysed),
        "figure8.3": position_figure("Normalised error rate by position", by_direction),
        "figure8.4-depth": depth_figure("Labelled precision by depth", analysed),
        "figure8.4-length": length_figure("Labelled precision by arc length", analysed),
    }


def _report(
    settings: Settings,
    components: Components,
    own: Mapping[str, Blended],
    every: Blended,
    rows: Mapping[str, Mapping[str, Row]],
    same: Mapping[str, str],
) -> list[str]:
    by = settings.values["weights"][0]
    las: Keyed = {(name,): _las(part, settings) for name, part in {**own, AVERAGE: every}.items()}
    chosen = [f"{treebank}: {names[SINGLE]}" for treebank, names in every.chosen.items()]
    return [
        "# Nilsson (2009), chapter 8: combining transition-based parsers",
        "",
        f"{settings.origin}. The components are trained on the "
        "training sets and weighted by how they parse the development sets; all figures are of the test sets, "
        "punctuation included. Blended trees have a single root where all trees of the development set have. "
        f"Rows called {AVERAGE}, and what is called {TOGETHER}, are of the outputs for all treebanks one after "
        "another, as in the thesis. Published rows follow in italics.",
        "",
        "## Table 8.1: LAS of the parsers",
        "",
        beside(
            ("treebank",),
            {name: name for name in settings.parsers},
            las,
            thesis_rows("8.1", ("treebank",), "parser", {"las": ""}),
            same,
        ),
        f"McNemar's test, {TOGETHER}:",
        "",
        significance_table(_tests(every, settings)),
        "## Table 8.2: the blends",
        "",
        "Single: the component that is best on the test set of a treebank, by LAS. ER: error reduction on it in per "
        f"cent; on the baseline: on {components.baseline}, the thesis' single parser. p: McNemar's test against the "
        "single parser, * means that the blend is better with p < 0.01.",
        "",
        "ER is a share of the single parser's errors, as section 3.1 of the thesis defines it; what table 8.2 of the "
        "thesis prints are shares of the blend's errors. Those are in the columns as printed; in the published rows ER "
        "is computed from the scores.",
        "",
        *(line for by, table in rows.items() for line in _blend_table(by, table, same)),
        "## Table 8.3: accuracy up to the first error of a sentence and after it",
        "",
        f"Here and below, blend is the one weighted by {by}, single the best component of each treebank "
        f"({', '.join(chosen)}), {REVERSED} the best one from right to left. ER: error reduction on single.",
        "",
        _pre_post_table(every, settings),
        "## Table 8.4: labelled precision and recall of root and non-root words",
        "",
        root_table("8.4", THEIRS, _analysed(every, settings)),
        "## Figures",
        "",
        "Error clustering:\n\n![figure 8.2](figure8.2.svg)\n",
        "Error rate by position, of the best parsers of each direction:\n\n![figure 8.3](figure8.3.svg)\n",
        "Precision by depth and by arc length:\n\n![figure 8.4, left](figure8.4-depth.svg)\n"
        "![figure 8.4, right](figure8.4-length.svg)\n",
        "## The metrics of chapter 4",
        "",
        *propagation_tables(_systems(every, settings)),
        "![figure 4.1](figure4.1.svg)\n",
    ]


def _las(part: Blended, settings: Settings) -> Row:
    return {name: part.scores[name].las for name in settings.parsers}


def _tests(every: Blended, settings: Settings) -> Any:
    return pairwise({name: every.comparisons[name] for name in settings.parsers}, ("las",))


def _blend_table(by: str, rows: Mapping[str, Row], same: Mapping[str, str]) -> list[str]:
    ours: Keyed = {(name,): row for name, row in rows.items()}
    theirs = _published_blends() if by == "pos" else {}
    return [f"### Weighted by {by}", "", beside(("treebank",), BLEND_COLUMNS, ours, theirs, same)]


def _published_blends() -> Keyed:
    """Table 8.2 of the thesis, with the error reductions that follow from its scores besides the printed ones."""
    rows: dict[tuple[str, ...], Row] = {}
    for row in published_rows(PAPER, "8.2"):
        own = {key: row[key] for key in ("las_single", "las", "uas_single", "uas")}
        for key in ("las", "uas"):
            own[f"{key}_reduction"] = error_reduction(row[f"{key}_single"], row[key])
            own[f"{key}_printed_reduction"] = row[f"{key}_reduction"]
        rows[row["treebank"],] = own
    return rows


def _pre_post_table(every: Blended, settings: Settings) -> str:
    analysed = _analysed(every, settings)
    ours: Keyed = {
        (TOGETHER, key.upper(), name): pre_post_row(own, None if name == SINGLE else analysed[SINGLE], key)
        for key in ("las", "uas")
        for name, own in analysed.items()
    }
    theirs = thesis_rows("8.3", ("score", "system"), None, {key: key for key in PRE_POST})
    upper: Keyed = {(score.upper(), system): row for (score, system), row in theirs.items()}
    return beside(("treebanks", "score", "system"), PRE_POST, ours, elsewhere(THEIRS, upper))


def _results(
    settings: Settings, own: Mapping[str, Blended], every: Blended, rows: Mapping[str, Mapping[str, Row]]
) -> dict[str, Any]:
    by_treebank = {
        name: {
            "chosen": part.chosen[name],
            "blends": {by: table[name] for by, table in rows.items()},
            "scores": {system: summary(scores) for system, scores in part.scores.items()},
        }
        for name, part in own.items()
    }
    together = {
        "blends": {by: table[AVERAGE] for by, table in rows.items()},
        "means": {by: table[MEAN] for by, table in rows.items()},
        "scores": {system: summary(scores, full=True) for system, scores in every.scores.items()},
        "significance": significance_json(_tests(every, settings)),
    }
    analysed = {**_analysed(every, settings), settings.values["baseline"]: every.scores[settings.values["baseline"]]}
    return {"treebanks": by_treebank, "together": together, "analysis": analysis_of(analysed)}
