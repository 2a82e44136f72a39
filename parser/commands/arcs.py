"""The command ``arcs``: a search for arcs, as a table of arcs or of counts."""

from __future__ import annotations

import argparse

from ..analysis.arc_search import FIELDS, counted_arcs, found_arcs, parse_filter
from ..base.errors import check_names
from ..console.options import INPUT, add_reading, declare, read_input
from ..console.streams import tell


def describe_arcs(parser: argparse.ArgumentParser) -> None:
    declare(
        parser,
        {
            "FILE": INPUT,
            "--crossing": "arcs over a word that their head does not dominate",
            "--where CONDITION...": "arcs whose FIELD has a VALUE: label=nsubj,obj or head.feats=Tense=Past or "
            "'distance>3' or lemma~^un (a regular expression); repeat for several conditions; fields: "
            f"{', '.join(FIELDS)}",
            "--count-by FIELD,...": "print the number of arcs, and of crossing ones, for each value",
        },
    )
    add_reading(parser)


def run_arcs(options: argparse.Namespace) -> int:
    """``crossarc arcs``."""
    fields = options.count_by.split(",") if options.count_by else []
    check_names("--count-by: unknown field", fields, FIELDS)
    conditions = [*options.where, *(["crossing=1"] if options.crossing else [])]
    rows = found_arcs(read_input(options, options.file), [parse_filter(text) for text in conditions])
    number = 0
    if fields:
        print(*fields, "arcs", "crossing", sep="\t")
        for values, arcs, crossing in counted_arcs(rows, fields):
            print(*values, arcs, crossing, sep="\t")
            number += arcs
    else:
        print(*FIELDS, sep="\t")
        for row in rows:
            print(*(row[name] for name in FIELDS), sep="\t")
            number += 1
    if not options.quiet:
        tell(f"arcs found: {number}")
    return 0
