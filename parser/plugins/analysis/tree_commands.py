"""The commands that derive and search the trees of a treebank, and that check a transition system."""

from __future__ import annotations

import argparse

from ....transitions.registry import SYSTEMS
from ...base.errors import check_names, choices
from ...config.config import THREE_STEP
from ...console.options import Options, option, print_json
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...console.streams import tell
from .arc_search import FIELDS, MOST_NAMED, arc_condition, check_fields, counted_arcs, found_arcs
from .conformance import checked_rules
from .oracle_report import oracle_report


def _system_and_oracle(text: str) -> tuple[str, str]:
    system, _, oracle = text.partition(":")
    if system not in (*SYSTEMS, THREE_STEP):
        raise argparse.ArgumentTypeError(f"invalid choice: {choices(system, (*SYSTEMS, THREE_STEP))}")
    return system, oracle


NAMES = (
    f"transition system: {', '.join((*SYSTEMS, THREE_STEP))}; "
    "an oracle may follow, such as swap:eager or arc-eager:dynamic (default: the first of the system)"
)
ORACLE: Options = {
    "SYSTEM": option(NAMES, type=_system_and_oracle, metavar="SYSTEM[:ORACLE]"),
    "FILE": INPUT,
    **reading(),
    "--single-root": "allow only one dependent of node 0",
    "--json": "print JSON, with all derivations and underived trees",
}


def run_oracle(options: argparse.Namespace) -> int:
    """Run ``crossarc oracle``; return its exit status."""
    sentences = list(read_input(options, options.file))
    system, oracle = options.system
    with progress_of(options) as progress:
        report = oracle_report(
            system, sentences, oracle=oracle or None, single_root=options.single_root, progress=progress
        )
    if options.json:
        print_json(report.to_json())
    else:
        print(report.to_text())
    return 0


ARCS: Options = {
    "FILE": INPUT,
    "--where CONDITION...": 'arcs for which CONDITION is true, such as "label=nsubj,obj and distance > 3", '
    "head.feats=Tense=Past or lemma~^un (a regular expression); repeat for several; fields: "
    f"{', '.join(FIELDS)}, conf, misc.KEY and head.misc.KEY (entries of MISC)",
    "--count-by FIELDS": "print the number of arcs, and of crossing ones, for each value of label,upos,..., and "
    f"the first {MOST_NAMED} sentences",
    **reading(),
}


def run_arcs(options: argparse.Namespace) -> int:
    """``crossarc arcs``."""
    fields = options.count_by.split(",") if options.count_by else []
    check_fields("--count-by: unknown field", fields)
    rows = found_arcs(read_input(options, options.file), [arc_condition(text) for text in options.where])
    number = 0
    if fields:
        print(*fields, "arcs", "crossing", "sent_ids", sep="\t")
        for values, arcs, crossing, names in counted_arcs(rows, fields):
            print(*values, arcs, crossing, ",".join(names), sep="\t")
            number += arcs
    else:
        print(*FIELDS, sep="\t")
        for row in rows:
            print(*(row[name] for name in FIELDS), sep="\t")
            number += 1
    if not options.quiet:
        tell(f"arcs found: {number}")
    return 0


CHECK_SYSTEM: Options = {"SYSTEM": "name of a transition system, with --plugin one of your own"}


def run_check_system(options: argparse.Namespace) -> int:
    """``crossarc check-system``: one line per rule; status 1 if a rule is violated."""
    check_names("transition system", [options.system], SYSTEMS)
    violated = 0
    for rule, fault in checked_rules(options.system):
        violated += bool(fault)
        print(f"violated: {rule}: {fault}" if fault else f"ok: {rule}", flush=True)
    return int(violated > 0)
