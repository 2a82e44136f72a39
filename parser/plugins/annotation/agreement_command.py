"""The command that measures how far two annotators agree."""

from __future__ import annotations

import argparse

from ...base.progress import task
from ...console.options import JSON, Options, print_json
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...evaluate.report import Table, format_table
from .agreement import PAIRS, agreement

AGREEMENT: Options = {"FIRST": INPUT, "SECOND": "the same sentences by another annotator", **reading(), **JSON}


def run_agreement(options: argparse.Namespace) -> int:
    first, second = (list(read_input(options, name)) for name in (options.first, options.second))
    with progress_of(options) as progress, task(progress, "comparing", "trees", len(first) + PAIRS) as advance:
        found = agreement(first, second, advance)
    if options.json:
        print_json(found.to_json())
        return 0
    figures = {"LAS": found.las, "UAS": found.uas, "label": found.la, "equal trees": found.same}
    rows = [[name, "-" if value is None else f"{value:.2f}"] for name, value in figures.items()]
    rows.append(["alpha", "-" if found.alpha is None else f"{found.alpha:.4f}"])
    counted = f"{found.sentences} sentences, {found.words} words"
    print(format_table(Table(["agreement", counted], rows)))
    if found.left_out:
        print(f"left out: {found.left_out} sentences that are not annotated completely by both\n")
    labels = [
        [name, str(own.first), str(own.second), str(own.both), "-" if own.f1 is None else f"{own.f1:.2f}"]
        for name, own in found.labels.items()
    ]
    print(format_table(Table(["label", "first", "second", "head and label by both", "F1"], labels)))
    print("alpha: 1 for equal trees, 0 for agreement by chance (Skjærholt 2014: edit distance of trees).")
    print(f'the disagreements as a page: crossarc show {options.first} {options.second} --where "errors" -o page.html')
    return 0
