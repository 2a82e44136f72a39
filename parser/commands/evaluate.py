"""The command ``evaluate``: scores of one parsed file, or scores and significance tests of several."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from ..base.progress import counted, task
from ..console.options import (
    JSON,
    ONE_OF,
    OptionGroup,
    Options,
    option,
    print_json,
    refuse_overwriting,
    refuse_repeated,
)
from ..console.outputs import FOLDER, form_of, short_names, write_rows, write_text
from ..console.progress import progress_of
from ..console.reading import INPUT, PREDICTED, read_input, reading
from ..console.streams import tell
from ..evaluate.align import score_decided, scored_tree, word_rows
from ..evaluate.comparison import compare
from ..evaluate.conll18 import METRICS, Conll18Scores, evaluate_conll18, universal_las
from ..evaluate.mcnemar import McNemar, holm, pairwise, significance_json
from ..evaluate.metrics import score_comparison
from ..evaluate.over_sentences import SentenceTest, sentence_tests
from ..evaluate.reliability import score_reliability
from ..evaluate.report import (
    ReportTable,
    breakdown_tables,
    comparison_table,
    csv_of,
    format_scores,
    format_table,
    latex_of,
    over_sentences_table,
    score_tables,
    significance_table,
)
from ..evaluate.resampling import bootstrap, randomization
from ..evaluate.scores import Scores
from ..models.inputs import columns_text
from ..training.partial import decided_by_marks, require_decided
from ..treebank import AUTO, Sentence, read_sentences
from ..treebank.pairs import DifferentWordsError, pair_sentences

TAGS = ("upos", "xpos", "feats")
TESTED = ("las", "uas", "lem", "uem")
CONLL18_TESTED = ("Words", "UPOS", "LAS", "MLAS", "BLEX")
"""Metrics of the CoNLL 2018 shared task whose p-values are printed; JSON has all."""
REPORTS: Mapping[str, Callable[..., None]] = Lazy(__package__, {}, "REPORTS")
"""Functions that write reports of own scores, by the suffix of the output; plugins declare them.

Each gets the name of the output, those of the gold and the parsed files, scores and tests, and a note, or "".
"""
TABLES = {".csv": csv_of, ".tex": latex_of}
"""Functions that write tables, by the suffix of the output."""
KINDS = ("own", "conll18", "calibration")
MOST_LINES = 8
"""Maximum number of parsers in a chart."""
SentenceTests: TypeAlias = Mapping[str, Mapping[tuple[str, str], SentenceTest]]
Tests: TypeAlias = Mapping[str, Mapping[tuple[str, str], McNemar]]


SCORED = (
    "own: LAS with and without punctuation, labels with subtypes, both files with equal words; conll18: scores of "
    "the CoNLL 2018 shared task, labels without subtypes, words may differ, several roots and cycles are allowed; "
    "calibration: how well the probabilities of parse --scores fit the share of right arcs (default: own)"
)
OWN, UNICODE = "own", "unicode"
PUNCTUATION = "words that count as punctuation: unicode, upos:TAG,... or deprel:LABEL,... (default: unicode)"
EVALUATE: Options = {
    "GOLD": INPUT,
    "PARSED...": "one or more parsed files; one may be -; a folder has the files of several runs of one parser",
    "--scores SCORES": option(SCORED, choices=KINDS, default=OWN),
    "--punctuation WORDS": option(PUNCTUATION, default=UNICODE),
    "-o, --output FILE": "also write all tables and charts (FILE.html), all tables (FILE.csv, FILE.tex for LaTeX), one "
    "row per word (FILE.tsv; conll18: per score), or charts into a folder",
    ONE_OF: OptionGroup(
        {"--full": "print scores by deprel, length, depth and more; several files side by side", **JSON}
    ),
    **reading(),
}


def run_evaluate(options: argparse.Namespace) -> int:
    """``crossarc evaluate``."""
    files = [options.gold, *options.parsed]
    refuse_repeated("evaluate", files if options.gold == "-" else options.parsed)
    suffixes = {"own": (".tsv", *TABLES, *REPORTS), "conll18": (".tsv", *TABLES), "calibration": ()}[options.scores]
    form = form_of(options.output, *suffixes)
    if form not in ("", FOLDER):
        refuse_overwriting(options.output, *files)
    without_effect = {
        "--full": options.scores != OWN and options.full,
        "--punctuation": options.scores != OWN and options.punctuation != UNICODE,
        "--format": options.scores == "conll18" and options.format not in (AUTO, "conllu"),
    }
    if option_given := next((name for name, ignored in without_effect.items() if ignored), None):
        raise CrossarcError(f"evaluate: --scores {options.scores} does not use {option_given}; omit it")
    if options.scores == "conll18":
        return print_conll18(options, form)
    try:
        if options.scores == "calibration":
            return print_calibration(options)
        gold = decided_by_marks(list(read_input(options, options.gold)))
        runs = {name: _runs(name) for name in options.parsed}
        single = all(len(files_of_runs) == 1 for files_of_runs in runs.values())
        if form not in ("", *TABLES) and not single:
            raise CrossarcError(
                f"-o {options.output}: several runs of a parser are for .csv and .tex; name single files"
            )
        parsed: dict[str, list[list[Sentence]]] = {name: [] for name in runs}
        with progress_of(options) as progress:
            every = [(name, file) for name, files_of_runs in runs.items() for file in files_of_runs]
            for name, file in counted(every, progress, "reading", "files", len(every)):
                parsed[name].append([sentence for _, sentence in pair_sentences(gold, read_input(options, file))])
    except DifferentWordsError as error:
        raise CrossarcError(f"{error}; compare files with different words by --scores conll18") from error
    if form in REPORTS and len(parsed) > MOST_LINES:
        raise CrossarcError(f"evaluate: found {len(parsed)} files for charts; allowed: {MOST_LINES} or fewer")
    if any("_" in sentence.column("head") for sentence in gold):
        return print_partial(gold, parsed, options)
    right = list(map(scored_tree, gold))
    with progress_of(options) as progress, task(progress, "evaluating"):
        comparisons = {
            name: [compare(right, list(map(scored_tree, run)), punctuation=options.punctuation) for run in of_runs]
            for name, of_runs in parsed.items()
        }
        scores = {}
        for name, of_runs in parsed.items():
            pooled = comparisons[name][0]
            if len(of_runs) > 1:
                trees = [scored_tree(sentence) for run in of_runs for sentence in run]
                pooled = compare(right * len(of_runs), trees, punctuation=options.punctuation)
                pooled = replace(pooled, in_file=len(right))
            scores[name] = score_comparison(pooled)
        several = len(parsed) > 1
        of_one_run = {name: of_runs[0] for name, of_runs in comparisons.items() if len(of_runs) == 1}
        tests = pairwise(of_one_run, TESTED) if len(of_one_run) > 1 else {}
        over = sentence_tests(comparisons, TESTED) if several else {}
    same = [] if several or options.format == PREDICTED else _same(scores[options.parsed[0]])
    note = f"the parsed file has the gold values of {columns_text(same)}; the scores assume that input has them"
    if form == ".tsv":
        first_runs = [run for (run,) in parsed.values()]
        write_rows(options.output, word_rows(gold, dict(zip(short_names(files)[1:], first_runs, strict=True))))
    elif form in TABLES and form not in REPORTS:
        write_text(options.output, TABLES[form](_all_tables(options.gold, scores, tests, over)))
    elif form:
        REPORTS[form](options.output, files, scores, tests, note if same else "")
    if options.json:
        print_json(_json(scores, tests, over, same))
    elif several:
        _print_comparison(scores, tests, over, options)
    else:
        print(format_scores(*scores.values(), full=options.full), end="")
        print(f"\n{_meaning(gold, parsed[options.parsed[0]])}")
    if same and not options.quiet:
        tell(note)
    return 0


def _runs(name: str) -> list[str]:
    """The files of the runs of a parser: those of a folder, or the file itself."""
    if not os.path.isdir(name):
        return [name]
    files = sorted(str(path) for path in Path(name).iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise CrossarcError(f"{name}: the folder has no files; expected the parsed files of several runs")
    return files


def _all_tables(gold: str, scores: Mapping[str, Scores], tests: Tests, over: SentenceTests) -> list[ReportTable]:
    """Return all tables of one parsed file, or those that compare several."""
    if not over:
        return score_tables(*scores.values())
    named = dict(zip(short_names([gold, *scores])[1:], scores.values(), strict=True))
    compared = [
        over_sentences_table(test)._replace(title=f"Test over sentences, {name.upper()}") for name, test in over.items()
    ]
    compared += [
        significance_table(test)._replace(title=f"McNemar's test, {name.upper()}") for name, test in tests.items()
    ]
    return [comparison_table(named)._replace(title="Scores"), *breakdown_tables(named), *compared]


def _same(scores: Scores) -> list[str]:
    """Return the tag columns in which the parsed file has the gold values."""
    return [name for name in TAGS if name in scores.columns and scores.columns[name].accuracy == 100]


def _json(scores: Mapping[str, Scores], tests: Tests, over: SentenceTests, same: Sequence[str]) -> dict[str, Any]:
    if not over:
        (single,) = scores.values()
        return {**single.to_json(), "gold_columns": same}
    return {
        "scores": {name: score.to_json() for name, score in scores.items()},
        "over_sentences": {
            score: [{"first": first, "second": second, **test.to_json()} for (first, second), test in row.items()]
            for score, row in over.items()
        },
        "significance": significance_json(tests),
    }


def _meaning(gold: Sequence[Sentence], parsed: Sequence[Sequence[Sentence]]) -> str:
    """One line on what LAS counts; for CoNLL-U with the CoNLL 2018 LAS beside it."""
    if gold[0].format.name != "conllu":
        return "LAS counts whole labels, and punctuation"
    universal = fmean(universal_las(gold, run) for run in parsed)
    return f"LAS counts label subtypes, and punctuation; CoNLL 2018 LAS, without subtypes: {universal:.2f}"


def _print_comparison(
    scores: Mapping[str, Scores], tests: Tests, over: SentenceTests, options: argparse.Namespace
) -> None:
    print(format_table(comparison_table(scores)), end="")
    if options.full:
        named = dict(zip(short_names([options.gold, *scores])[1:], scores.values(), strict=True))
        for table in breakdown_tables(named):
            print(f"\n{table.title}\n{format_table(table)}", end="")
    for score in ("las", "uas"):
        print(f"\n{score.upper()}\n{format_table(over_sentences_table(over[score], notes=score == 'uas'))}", end="")
        if tests:
            print(f"\n{format_table(significance_table(tests[score], notes=score == 'uas'))}", end="")


def print_partial(
    gold: Sequence[Sentence], parsed: Mapping[str, Sequence[Sequence[Sentence]]], options: argparse.Namespace
) -> int:
    """Print the scores of the words that have a head in a gold file that is annotated in part."""
    if options.output or options.full or options.punctuation != UNICODE:
        wanted = "-o, --full and --punctuation"
        raise CrossarcError(f"{options.gold}: annotated in part: {wanted} need a head for each word")
    scores = {
        name: score_decided(gold, [sentence for run in runs for sentence in run]) for name, runs in parsed.items()
    }
    if options.json:
        print_json({"scores": {name: score._asdict() for name, score in scores.items()}})
        return 0
    rows = [
        [name, *("-" if value is None else f"{value:.2f}" for value in score[:3]), str(score.words)]
        for name, score in scores.items()
    ]
    print(format_table(ReportTable(["", "LAS", "UAS", "LA", "words"], rows)), end="")
    words = sum(map(len, gold))
    print(f"\nThe gold file is annotated in part: only words with a decided head count, of {words} words in it.")
    return 0


def print_calibration(options: argparse.Namespace) -> int:
    """``crossarc evaluate --scores calibration``."""
    if len(options.parsed) > 1:
        raise CrossarcError(f"--scores calibration: found {len(options.parsed)} parsed files; allowed: one")
    gold = list(read_input(options, options.gold))
    require_decided(gold)
    reliabilities = score_reliability(gold, read_input(options, options.parsed[0]))
    if options.json:
        bins = {
            key: {**reliability._asdict(), "bins": [part._asdict() for part in reliability.bins]}
            for key, reliability in reliabilities.items()
        }
        print_json(bins)
        return 0
    titles = {"Conf": "head and label", "ConfHead": "head"}
    for key, reliability in reliabilities.items():
        rows = [
            [f"{part.low:.1f} to {part.high:.1f}", str(part.words), f"{part.mean:.1f}", f"{part.right:.1f}"]
            for part in reliability.bins
        ]
        print(format_table(ReportTable([f"{key}: {titles[key]}", "words", "mean %", "right %"], rows)))
        print(f"expected calibration error: {reliability.error:.2f} %")
        texts = {share: "-" if value is None else f"{value:.1f} %" for share, value in reliability.found.items()}
        shares = ", ".join(f"{text} in {share} %" for share, text in texts.items())
        print(f"errors among the least certain words: {shares}\n")
    return 0


def print_conll18(options: argparse.Namespace, form: str) -> int:
    """Print the scores of parsed files against a gold file, with intervals and, for several files, p-values."""
    gold = list(read_sentences(options.gold, "conllu"))
    require_decided(gold)
    scores: dict[str, Conll18Scores] = {}
    with progress_of(options) as progress:
        for name in counted(options.parsed, progress, "evaluating", "files", len(options.parsed)):
            scores[name] = evaluate_conll18(gold, read_sentences(name, "conllu"))
    intervals = {name: bootstrap(score.counts).tolist() for name, score in scores.items()}
    pairs = {(a, b): randomization(scores[a].counts, scores[b].counts).tolist() for a, b in combinations(scores, 2)}
    for place in range(len(METRICS)):
        for pair, p in holm({pair: ps[place] for pair, ps in pairs.items()}).items():
            pairs[pair][place] = p
    tables = _conll18_tables(scores, intervals, pairs)
    if form == ".tsv":
        write_rows(options.output, _conll18_rows(scores, intervals))
    elif form:
        write_text(options.output, TABLES[form](tables))
    if options.json:
        print_json(
            {
                "scores": {name: score.to_json() for name, score in scores.items()},
                "intervals": {name: dict(zip(METRICS, interval, strict=True)) for name, interval in intervals.items()},
                "correction": "holm",
                "p": [{"files": pair, **dict(zip(METRICS, p_values, strict=True))} for pair, p_values in pairs.items()],
            }
        )
    else:
        for table in tables:
            print(format_table(table))
        print("Relations count without subtypes, and every word counts. Intervals: 95 %, bootstrap over sentences.")
    if not options.quiet and not next(iter(scores.values())).counts.gold[:, METRICS.index("CLAS")].any():
        unknown = "the gold file has no content relations of Universal Dependencies, such as nsubj and obj"
        tell(f"{unknown}: CLAS, MLAS and BLEX count nothing")
    return 0


def _conll18_rows(
    scores: Mapping[str, Conll18Scores], intervals: Mapping[str, list[list[float]]]
) -> Iterator[list[str]]:
    yield ["file", "metric", "precision", "recall", "f1", "aligned", "low", "high"]
    for name, score in scores.items():
        for metric, (low, high) in zip(METRICS, intervals[name], strict=True):
            values = score.precision[metric], score.recall[metric], score.f1[metric], score.aligned[metric], low, high
            yield [name, metric, *("" if value is None else f"{value:.2f}" for value in values)]


def _conll18_tables(
    scores: Mapping[str, Conll18Scores],
    intervals: Mapping[str, list[list[float]]],
    pairs: Mapping[tuple[str, str], list[float]],
) -> list[ReportTable]:
    if len(scores) == 1:
        rows = [[*cells[:5], f"{cells[5]} to {cells[6]}"] for _, *cells in list(_conll18_rows(scores, intervals))[1:]]
        header = ["metric", "precision", "recall", "F1", "aligned", "interval of F1"]
        return [ReportTable(header, rows, title="CoNLL 2018")]
    short = dict(zip(scores, short_names(list(scores)), strict=True))
    rows = [[metric, *(f"{score.f1[metric]:.2f}" for score in scores.values())] for metric in METRICS]
    tests = [
        [f"{short[a]}, {short[b]}", *(f"{p[METRICS.index(name)]:.4f}" for name in CONLL18_TESTED)]
        for (a, b), p in pairs.items()
    ]
    note = "paired randomization over sentences" + (
        f"; Holm's correction for {len(pairs)} pairs" if len(pairs) > 1 else ""
    )
    tested = ReportTable(["p", *CONLL18_TESTED], tests, notes=[("p", note)], title=f"p of the {note}")
    return [ReportTable(["F1", *short.values()], rows, title="F1"), tested]
