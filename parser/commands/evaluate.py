"""The command ``evaluate``: scores of one parsed file, or scores and significance tests of several."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from ..base.errors import CrossarcError
from ..base.progress import counted, task
from ..console.options import INPUT, add_reading, declare, print_json, read_input, refuse_overwriting
from ..console.outputs import short_names, write_text
from ..console.progress import progress_of
from ..console.streams import tell
from ..drawing.report_page import Chart, Heading, Part, Text, report_page
from ..evaluate.align import score_sentences, scored_tree
from ..evaluate.comparison import Comparison, compare
from ..evaluate.conll18 import universal_las
from ..evaluate.error_figures import error_charts, error_figures
from ..evaluate.mcnemar import McNemar, pairwise, significance_json
from ..evaluate.metrics import score_comparison
from ..evaluate.report import (
    breakdown_tables,
    comparison_table,
    format_scores,
    format_table,
    score_tables,
    significance_table,
)
from ..evaluate.scores import Scores
from ..evaluate.significance_figure import arrows, significance_figure
from ..evaluate.word_rows import word_rows
from ..models.inputs import columns_text
from ..treebank import Sentence, words_in
from ..treebank.pairs import DifferentWordsError, pair_sentences
from .annotation.reliability import print_calibration
from .conll18 import print_conll18

TAGS = ("upos", "xpos", "feats")
TESTED = ("las", "uas", "lem", "uem")
MOST_LINES = 8
Tests: TypeAlias = Mapping[str, Mapping[tuple[str, str], McNemar]]


def describe_evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", help=INPUT)
    parser.add_argument("predicted", metavar="PARSED", nargs="+", help="one or more parsed files; one may be -")
    declare(
        parser,
        {
            "--punctuation WORDS": "words that count as punctuation: unicode, upos:TAG,... or deprel:LABEL,... "
            "(default: unicode)",
            "--plot FOLDER": "write charts of the errors (SVG) to this folder",
            "--html FILE": "write an HTML page with all tables and charts",
        },
        punctuation="unicode",
    )
    declare(
        parser.add_mutually_exclusive_group(),
        {
            "--full": "print scores by deprel, length, depth and more; several files side by side",
            "--json": "print JSON",
            "--tsv": "print one row per word (--scores conll18: per metric)",
        },
    )
    declare(parser, {"--calibration": "judge the scores of parse --scores: calibration error, errors found"})
    meaning = (
        "own: LAS with subtypes of labels, for equal words, with and without punctuation; conll18: scores of the CoNLL "
        "2018 shared task, also for different words, labels without subtypes; unlike there, several roots and cycles "
        "are no errors. fast with gold tags on English-GUM: 82.22, 82.16 without punctuation, conll18 82.38 "
        "(default: own)"
    )
    parser.add_argument("--scores", choices=("own", "conll18"), default="own", metavar="SCORES", help=meaning)
    add_reading(parser)


def run_evaluate(options: argparse.Namespace) -> int:
    """``crossarc evaluate``."""
    files = [options.gold, *options.predicted]
    if files.count("-") > 1:
        raise CrossarcError("evaluate: found - several times; allowed: once")
    if options.scores == "conll18":
        if options.plot or options.html or options.full:
            raise CrossarcError("--scores conll18 prints tables, --json or --tsv; omit --plot, --html and --full")
        return print_conll18(options)
    try:
        if options.calibration:
            return print_calibration(options)
        if options.tsv:
            return _print_words(options)
        return _compare(options) if len(files) > 2 else _evaluate(options, *files)
    except DifferentWordsError as error:
        raise CrossarcError(f"{error}; compare files with different words by --scores conll18") from error


def _check_different(options: argparse.Namespace) -> None:
    """Raise CrossarcError if two of the files are the same."""
    files = options.predicted
    if repeated := next((name for name in files if files.count(name) > 1), None):
        raise CrossarcError(f"evaluate: {repeated}: given twice; give each file once")
    if options.gold in files:
        raise CrossarcError(f"evaluate: {options.gold}: is both the gold file and a parsed file")


def _print_words(options: argparse.Namespace) -> int:
    if options.plot or options.html:
        raise CrossarcError("--tsv prints one table; omit --plot and --html")
    _check_different(options)
    gold = list(read_input(options, options.gold))
    names = short_names([options.gold, *options.predicted])[1:]
    parsed = {
        short: [own for _, own in pair_sentences(gold, read_input(options, name))]
        for short, name in zip(names, options.predicted, strict=True)
    }
    for row in word_rows(gold, parsed):
        print(*row, sep="\t")
    return 0


def _evaluate(options: argparse.Namespace, gold_file: str, parsed_file: str) -> int:
    gold = list(read_input(options, gold_file))
    predicted = read_input(options, parsed_file)
    total = None if options.quiet else words_in(parsed_file)
    with progress_of(options) as progress, task(progress, "evaluating"):
        read = list(counted(predicted, progress, "reading", "words", total, size=len))
        scores = score_sentences(gold, read, punctuation=options.punctuation)
    right = [name for name in TAGS if name in scores.columns and scores.columns[name].accuracy == 100]
    same = [] if options.columns == "predicted" else right
    note = f"the parsed file has the gold values of {columns_text(same)}; the scores assume that input has them"
    if options.plot:
        _write(options.plot, error_figures({parsed_file: scores}), [gold_file, parsed_file])
    if options.html:
        refuse_overwriting(options.html, gold_file, parsed_file)
        gold_name, name = short_names([gold_file, parsed_file])
        title = f"{name} against {gold_name}"
        parts = [Heading(1, title), *([Text(note)] if same else []), *_tables(scores, 2), *_charts({name: scores})]
        write_text(options.html, report_page(title, parts))
    if options.json:
        print_json({**scores.to_json(), "gold_columns": same})
    else:
        print(format_scores(scores, full=options.full), end="")
        print(f"\n{_meaning(gold, read)}")
    if same and not options.quiet:
        tell(note)
    return 0


def _meaning(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> str:
    """One line on what LAS counts; for CoNLL-U with the CoNLL 2018 LAS beside it."""
    if gold[0].format.name != "conllu":
        return "LAS counts whole labels, and punctuation"
    universal = universal_las(gold, parsed)
    return f"LAS counts label subtypes, and punctuation; CoNLL 2018 LAS, without subtypes: {universal:.2f}"


def _compare(options: argparse.Namespace) -> int:
    files = options.predicted
    _check_different(options)
    if (options.plot or options.html) and len(files) > MOST_LINES:
        option = "--plot" if options.plot else "--html"
        raise CrossarcError(f"evaluate: {option}: found {len(files)} files; allowed: {MOST_LINES} or fewer")
    gold = list(read_input(options, options.gold))
    right = [scored_tree(sentence) for sentence in gold]
    comparisons: dict[str, Comparison] = {}
    with progress_of(options) as progress:
        for name in counted(files, progress, "evaluating", "files", len(files)):
            pairs = pair_sentences(gold, read_input(options, name))
            comparisons[name] = compare(
                right, [scored_tree(predicted) for _, predicted in pairs], punctuation=options.punctuation
            )
    scores = {name: score_comparison(comparison) for name, comparison in comparisons.items()}
    tests = pairwise(comparisons, TESTED)
    if options.plot:
        drawn = {**error_figures(scores), "significance": _significance(files, tests)}
        _write(options.plot, drawn, [options.gold, *files])
    if options.html:
        refuse_overwriting(options.html, options.gold, *files)
        write_text(options.html, _comparison_page(options.gold, scores, tests))
    if options.json:
        print_json(
            {"scores": {name: own.to_json() for name, own in scores.items()}, "significance": significance_json(tests)}
        )
        return 0
    print(format_table(comparison_table(scores)), end="")
    if options.full:
        for table in breakdown_tables(dict(zip(short_names([options.gold, *files])[1:], scores.values(), strict=True))):
            print(f"\n{table.title}\n{format_table(table)}", end="")
    for score in ("las", "uas"):
        print(f"\n{score.upper()}\n{format_table(significance_table(tests[score], notes=score == 'uas'))}", end="")
    return 0


def _charts(scores: Mapping[str, Scores]) -> list[Part]:
    return [Heading(2, "Where the errors are"), *error_charts(scores)]


def _tables(scores: Scores, level: int) -> list[Part]:
    return [part for table in score_tables(scores) for part in (Heading(level, table.title), table)]


def _significance(files: Sequence[str], tests: Tests) -> str:
    """Draw figure 4 of Kuhlmann & Nivre (2010) for the files."""
    panels = {"": {score.upper(): arrows(tests[score]) for score in TESTED}}
    return significance_figure(files, panels)


def _comparison_page(gold: str, scores: Mapping[str, Scores], tests: Tests) -> str:
    """Return a page with scores, tests and charts of all files, and the tables of each file."""
    gold, *names = short_names([gold, *scores])
    short = dict(zip(scores, names, strict=True))
    scores = {short[name]: own for name, own in scores.items()}
    tests = {score: {(short[a], short[b]): own for (a, b), own in row.items()} for score, row in tests.items()}
    title = f"Parsed files against {gold}"
    parts: list[Part] = [Heading(1, title), Heading(2, "Scores"), comparison_table(scores)]
    better = [
        f"{arrow.better} is better than {arrow.worse} in {score.upper()} (p < {arrow.level})"
        for score in TESTED
        for arrow in arrows(tests[score])
    ]
    caption = "Significant differences by McNemar's test: an arrow leads to the better parser"
    drawn = _significance(list(scores), tests)
    parts += [Heading(2, "Significance"), Chart(drawn, caption, f"{caption}. {'; '.join(better) or 'No arrow'}")]
    for score in TESTED:
        parts += [Heading(3, score.upper()), significance_table(tests[score], notes=score == TESTED[-1])]
    parts += _charts(scores)
    for name, own in scores.items():
        parts += [Heading(2, name), *_tables(own, 3)]
    return report_page(title, parts)


def _write(folder: str, figures: Mapping[str, str], read: Sequence[str]) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in figures:
        refuse_overwriting(Path(folder) / f"{name}.svg", *read)
    for name, svg in figures.items():
        write_text(Path(folder) / f"{name}.svg", svg)
