"""The command ``arcs``: a search for arcs, as a table of arcs or of counts."""

from __future__ import annotations

import argparse

from ..analysis.arc_search import FIELDS, counted_arcs, found_arcs, parse_filter
from ..base.errors import check_names
from ..console.options import declare
from ..console.reading import INPUT, read_input, reading
from ..console.streams import tell


def describe_arcs(parser: argparse.ArgumentParser) -> None:
    declare(
        parser,
        {
            "FILE": INPUT,
            "--where CONDITION...": "arcs whose FIELD has a VALUE: label=nsubj,obj or head.feats=Tense=Past or "
            "crossing=1 or 'distance>3' or lemma~^un (a regular expression); repeat for several conditions; fields: "
            f"{', '.join(FIELDS)}",
            "--count-by FIELDS": "print the number of arcs, and of crossing ones, for each value of label,upos,...",
            **reading(),
        },
    )


def run_arcs(options: argparse.Namespace) -> int:
    """``crossarc arcs``."""
    fields = options.count_by.split(",") if options.count_by else []
    check_names("--count-by: unknown field", fields, FIELDS)
    rows = found_arcs(read_input(options, options.file), [parse_filter(text) for text in options.where])
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
