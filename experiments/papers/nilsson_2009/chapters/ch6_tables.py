"""The tables and figures of chapter 6 of Nilsson (2009) in their form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .....parser.drawing.line_chart import line_chart
from .....parser.evaluate import McNemar
from .....parser.evaluate.percent import percentage
from ....harness.results import write_text
from ....harness.rows import Row, figure
from ....harness.settings import Settings, TreebankEntry
from ....harness.tables import markdown_table
from ..measures.choice import COORDINATION, VERB_GROUPS
from ..measures.lengths import length_chart, mean_length, ratio_chart
from ..measures.tables import beside, published_names, thesis_rows
from ..measures.transforms import NONE, attachment_rows, attachment_table, significance_lines, split_of
from .ch6_outcome import Outcome, WordsOutcome

__all__ = ["report_lines"]

Keyed = Mapping[tuple[str, ...], Row]
Outcomes = Mapping[str, Outcome]
WORDS = {
    "tokens": "#T(k)",
    "sentences": "#S(k)",
    "conjuncts": "%C",
    "separators": "%S",
    "auxiliaries": "%VG",
}
COMBINED = {
    "transforms": "transforms",
    "none_dev": "None: Dev",
    "dev": "Dev",
    "none_test": "None: Test",
    "test": "Test",
    "p": "p (Test)",
    "nivre": "Niv",
    "mcdonald": "McD",
}
PARSED_WORDS = {
    "transform": "transform",
    "precision_none": "P: None",
    "precision": "P: Tr",
    "recall_none": "G: None",
    "recall": "G: Tr",
}
PUBLISHED = ("c", "c+", "c*", "c+*", "v")
SIDES = ("precision", "recall")
PARTS = ("pre", "post")
BEST = {"none": "None", "coordination": "Coord", "verb groups": "VG"}


def report_lines(
    name: str,
    entries: Sequence[TreebankEntry],
    settings: Settings,
    kinds: Mapping[str, str],
    outcomes: Outcomes,
    folder: Path,
) -> list[str]:
    """The lines of report.md; writes the figures. kinds: of the parsers that appear, in their order."""
    same = published_names(entries)
    split = split_of(settings)
    return [
        "# Nilsson (2009), chapter 6: coordination and verb groups",
        "",
        f"{settings.origin}. Tables 6.1 and 6.2 are of the training "
        f"sets, all tokens counted; the parsers are scored on the split {split}, without punctuation unless said "
        "otherwise, as in the thesis. Transforms are chosen by LAS on the development sets. Published figures are in "
        "italics.",
        "",
        *_training_lines(kinds, settings.values["profiles"], outcomes, same),
        *_parsing_lines(split, kinds, outcomes, same),
        *_combined_lines(kinds, outcomes, same),
        *_words_lines(outcomes, same),
        *_propagation_lines(outcomes, same),
        *_length_lines(kinds, outcomes, folder),
        *_clustering_lines(outcomes, folder),
        *significance_lines(
            "Significance (McNemar's test, without punctuation)", {key: own.tests for key, own in outcomes.items()}
        ),
    ]


def _of_chapter(kinds: Mapping[str, str]) -> dict[str, str]:
    """The columns of tables 6.2 and 6.3: the thesis' own, and more parsers of ours."""
    names = [*PUBLISHED, *(name for name, kind in kinds.items() if kind in (COORDINATION, VERB_GROUPS))]
    return {name: name for name in names}


def _training_lines(
    kinds: Mapping[str, str], profiles: Mapping[str, str], outcomes: Outcomes, same: Mapping[str, str]
) -> list[str]:
    words: Keyed = {(name,): _words_row(own.words) for name, own in outcomes.items()}
    lost: Keyed = {
        (name,): {key: figures["uas"] for key, figures in own.lost.items()} for name, own in outcomes.items()
    }
    return [
        "## Table 6.1: conjuncts, separators and auxiliary verbs of the training sets",
        "",
        "Thousands of tokens and of sentences; % of the tokens that are conjuncts (all of a coordination), separators "
        "(conjunctions and commas between conjuncts) and auxiliary verbs, as the treebank's profile has them: "
        f"{', '.join(f'{name} {profiles[name]}' for name in outcomes)}.",
        "",
        beside(("treebank",), WORDS, words, thesis_rows("6.1", ("treebank",), None, {key: key for key in WORDS}), same),
        "## Table 6.2: distortion",
        "",
        "UAS after transform and inverse against the original trees.",
        "",
        beside(
            ("treebank",), _of_chapter(kinds), lost, thesis_rows("6.2", ("treebank",), "encoding", {"uas": ""}), same
        ),
    ]


def _words_row(counts: Mapping[str, int]) -> Row:
    row: dict[str, float | None] = {key: counts[key] / 1000 for key in ("tokens", "sentences")}
    for key in ("conjuncts", "separators", "auxiliaries"):
        row[key] = percentage(counts[key], counts["tokens"]) if counts[key] else None
    return row


def _parsing_lines(split: str, kinds: Mapping[str, str], outcomes: Outcomes, same: Mapping[str, str]) -> list[str]:
    rows = {key: row for name, own in outcomes.items() for key, row in attachment_rows(name, own.scores).items()}
    return [
        f"## Table 6.3: the parsers on the split {split}",
        "",
        attachment_table("6.3", {NONE: "None", **_of_chapter(kinds)}, rows, same),
    ]


def _combined_lines(kinds: Mapping[str, str], outcomes: Outcomes, same: Mapping[str, str]) -> list[str]:
    rows: dict[tuple[str, ...], Row] = {}
    for name, own in outcomes.items():
        for score, test in own.combined_tests.items():
            rows[name, score.upper()] = {
                "transforms": ", ".join(own.choice.combined) or NONE,
                "p": _p(test),
                **{
                    f"{key}{split}": getattr(scores.no_punct, score)
                    for split, pair in own.combined.items()
                    for key, scores in zip(("none_", ""), pair, strict=True)
                },
            }
    theirs = thesis_rows(
        "6.4", ("treebank", "score"), None, {key: key for key in ("transforms", "dev", "test", "nivre", "mcdonald")}
    )
    reached = [
        [name, *(figure(own.dev[key].no_punct.las) if key in own.dev else "–" for key in kinds),
         ", ".join(own.choice.combined) or NONE]
        for name, own in outcomes.items()
    ]  # fmt: skip
    return [
        "## Table 6.4: combined transforms",
        "",
        "The best coordination, verb group and pseudo-projective transform, each only if it is better than none by LAS "
        "on the development set (the table below), in the order in which they are applied to training trees; published "
        "ones as printed. Niv, McD: Nivre et al. (2006) and the best parser of the shared task, on the test sets. "
        "p: McNemar's test against None on the test set, * better with p < 0.01.",
        "",
        beside(("treebank", "score"), COMBINED, rows, theirs, same),
        "LAS on the development sets:",
        "",
        markdown_table(["treebank", *("None" if key == NONE else key for key in kinds), "chosen"], reached),
    ]


def _p(test: McNemar) -> str:
    return f"{test.p:.2g}" + (" *" if test.winner == "second" and test.level == 0.01 else "")


def _words_lines(outcomes: Outcomes, same: Mapping[str, str]) -> list[str]:
    ours: Keyed = {
        (name, kind): _parsed_words_row(row)
        for name, own in outcomes.items()
        for kind, row in own.kinds_of_words.items()
    }
    return [
        "## Table 6.5: unlabelled precision (P) and recall (G) of conjuncts and auxiliary verbs",
        "",
        "Right is a word with the right head (section 3.1). Tr: the best transform. * a "
        "significant difference from None (McNemar's test, p < 0.01; of precision, over the words that are of the "
        "kind in both parsers' trees).",
        "",
        beside(("treebank", "words"), PARSED_WORDS, ours, _published_words(), same),
    ]


def _parsed_words_row(own: WordsOutcome) -> Row:
    row: dict[str, str | float | None] = {"transform": own.transform}
    for side in SIDES:
        row[f"{side}_none"] = getattr(own.before, side)
        row[side] = figure(getattr(own.after, side)) + ("*" if own.tests[side].level == 0.01 else "")
    return row


def _published_words() -> Keyed:
    columns = {key: key for key in (*PARSED_WORDS, "significant")}
    rows = thesis_rows("6.5", ("treebank", "words"), None, columns)
    for row in rows.values():
        for side in SIDES:
            if row["significant"] in ("both", side):
                row[side] = f"{figure(row[side])}*"
    return rows


def _propagation_lines(outcomes: Outcomes, same: Mapping[str, str]) -> list[str]:
    rates: dict[tuple[str, ...], Row] = {}
    reductions: dict[tuple[str, ...], Row] = {}
    for name, own in outcomes.items():
        found = {called: own.propagation(parser) for called, parser in own.choice.shown().items()}
        rates[name,] = {f"{called} {part}": row[part] for called, row in found.items() for part in PARTS}
        reductions[name,] = {
            f"{called} {part}": row[f"{part}_reduction"] for called, row in found.items() for part in PARTS
        }
    columns = {f"{called} {part}": f"{part.title()}: {short}" for part in PARTS for called, short in BEST.items()}
    reduced = {key: called for key, called in columns.items() if not key.startswith("none")}
    published = {
        suffix: thesis_rows("6.6", ("treebank",), "encoding", {f"{part}{suffix}": part for part in PARTS})
        for suffix in ("", "_reduction")
    }
    return [
        "## Table 6.6: accuracy up to the first error of a sentence (Pre) and after it (Post)",
        "",
        "UAS over all tokens, without transforms, with the best coordination transform and with verb groups; below, "
        "the error reductions against None.",
        "",
        beside(("treebank",), columns, rates, published[""], same),
        beside(("treebank",), reduced, reductions, published["_reduction"], same),
    ]


def _called(own: Outcome) -> dict[str, str]:
    """The parsers of the figures, by what they are called there."""
    return {"None" if parser == NONE else parser: parser for parser in own.choice.shown().values()}


def _length_lines(kinds: Mapping[str, str], outcomes: Outcomes, folder: Path) -> list[str]:
    lines = ["## Figure 6.8: unlabelled precision and recall by arc length", ""]
    for name, own in outcomes.items():
        scores = {called: own.scores[parser] for called, parser in _called(own).items()}
        lines += _drawn(folder, f"figure6.8-{name}.svg", name, length_chart(name, scores))
    lines += [
        "## Figure 6.9: arcs by length in the transformed training sets, relative to the untransformed",
        "",
    ]
    for name, own in outcomes.items():
        changed = {parser: own.lengths[parser] for parser in _called(own).values() if parser in own.lengths}
        lines += _drawn(folder, f"figure6.9-{name}.svg", name, ratio_chart(name, changed))
    rows = [[name, *_means(own.lengths, list(_of_chapter(kinds)))] for name, own in outcomes.items()]
    return [
        *lines,
        "Mean length of the arcs between words, in parentheses in % of the untransformed:",
        "",
        markdown_table(["treebank", "None", *_of_chapter(kinds)], rows),
        "Published for PDT (section 6.5.4): 2.3; coordination 2.12 (92.2); verb groups 2.25 (98.0).",
        "",
    ]


def _means(lengths: Mapping[str, Mapping[str, Mapping[str, int]]], names: Sequence[str]) -> list[str]:
    before: Any = next((mean_length(own["before"]) for own in lengths.values()), None)
    cells = [figure(before)]
    for name in names:
        after = mean_length(lengths[name]["after"]) if name in lengths else None
        cells.append(f"{after:.2f} ({100 * after / before:.1f})" if after is not None and before else "–")
    return cells


def _clustering_lines(outcomes: Outcomes, folder: Path) -> list[str]:
    lines = [
        "## Figure 6.10: error clustering",
        "",
        "Error rate of UAS, over all tokens, by the distance to the error before, in % of the overall error rate; 8: "
        "more than 7.",
        "",
    ]
    for name, own in outcomes.items():
        series = {}
        for called, parser in _called(own).items():
            errors = own.scores[parser].propagation["uas"]
            series[called] = [(float(k), bin.normalised(errors.total)) for k, bin in enumerate(errors.clusters, 1)]
        chart = line_chart(
            series, title=name, x_label="tokens since the error before", y_label="% of the overall error rate"
        )
        lines += _drawn(folder, f"figure6.10-{name}.svg", name, chart)
    return lines


def _drawn(folder: Path, file: str, title: str, chart: str) -> list[str]:
    write_text(folder, file, chart)
    return [f"![{title}]({file})", ""]
