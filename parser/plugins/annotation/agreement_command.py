"""The command that measures how far two annotators agree."""

from __future__ import annotations

import argparse

from ...base.progress import task
from ...console.options import JSON, Options, print_json
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...evaluate.report import ReportTable, format_table
from .agreement import PAIRS, agreement

AGREEMENT: Options = {"FIRST": INPUT, "SECOND": "the same sentences by another annotator", **reading(), **JSON}


def run_agreement(options: argparse.Namespace) -> int:
    """Run ``crossarc agreement``; return its exit status."""
    first, second = (list(read_input(options, name)) for name in (options.first, options.second))
    with progress_of(options) as progress, task(progress, "comparing", "trees", len(first) + PAIRS) as advance:
        measured = agreement(first, second, advance)
    if options.json:
        print_json(measured.to_json())
        return 0
    figures = {"LAS": measured.las, "UAS": measured.uas, "label": measured.la, "equal trees": measured.same}
    rows = [[name, "-" if value is None else f"{value:.2f}"] for name, value in figures.items()]
    rows.append(["alpha", "-" if measured.alpha is None else f"{measured.alpha:.4f}"])
    counted = f"{measured.sentences} sentences, {measured.words} words"
    print(format_table(ReportTable(["agreement", counted], rows)))
    if measured.left_out:
        print(f"left out: {measured.left_out} sentences that are not annotated completely by both\n")
    labels = [
        [name, str(label.first), str(label.second), str(label.both), "-" if label.f1 is None else f"{label.f1:.2f}"]
        for name, label in measured.labels.items()
    ]
    print(format_table(ReportTable(["label", "first", "second", "head and label by both", "F1"], labels)))
    print("alpha: 1 for equal trees, 0 for agreement by chance (Skjærholt 2014: edit distance of trees).")
    print(f'the disagreements as a page: crossarc show {options.first} {options.second} --where "errors" -o page.html')
    return 0
