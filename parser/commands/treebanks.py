"""The commands that check, derive, transform and search the trees of a treebank, and check a transition system."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from ...transitions.registry import SYSTEMS
from ..analysis.arc_search import FIELDS, counted_arcs, found_arcs, parse_filter
from ..analysis.conformance import check_system
from ..analysis.oracle_report import oracle_report
from ..base.errors import CrossarcError, check_names, choices
from ..config.kinds import THREE_STEP
from ..console.options import ONE_OF, OUTPUT, Group, Options, option, print_json, refuse_overwriting
from ..console.progress import progress_of
from ..console.reading import INPUT, format_and_columns, read_input, reading
from ..console.streams import tell, warn
from ..transforms.distortion import distortion
from ..transforms.lifting.labels import from_malt, plain
from ..transforms.lifting.pseudo_projective import PseudoProjective
from ..transforms.registry import parse_transform
from ..transforms.transform import fit_all, invert_all
from ..treebank import Sentence, write_sentences
from ..treebank.check import check, format_report
from ..treebank.pairs import read_tree
from ..treebank.tree import Tree


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


CHECK: Options = {"FILE": INPUT, **reading(), "--json": "print JSON, with all faults"}


def run_check(options: argparse.Namespace) -> int:
    report = check(options.file, format_and_columns(options.format)[0])
    if options.json:
        print_json(report.to_json())
    else:
        print(format_report(report), end="")
    return 0 if report.ok else 1


LOST = "print the arcs lost by applying and undoing the transform, as JSON"
TRANSFORM: Options = {
    "TRANSFORM": "NAME or NAME:PARAMETER=VALUE,...; separate several by ' / '; see crossarc list transforms",
    "FILE": INPUT,
    **reading(),
    **OUTPUT,
    ONE_OF: Group({"--invert": "undo the transform", "--distortion": LOST}),
    "--malt-marks": "with --invert: labels have MaltParser's marks, | for ↑ and a final %% for ↓",
}


def run_transform(options: argparse.Namespace) -> int:
    if options.distortion and options.output != "-":
        raise CrossarcError("transform: --distortion prints figures and writes no trees; omit -o")
    if options.malt_marks and not options.invert:
        raise CrossarcError("transform: --malt-marks says how labels are read to undo a transform; add --invert")
    refuse_overwriting(options.output, options.file)
    transforms = [parse_transform(part) for part in options.transform.split(" / ")]
    sentences = list(read_input(options, options.file))
    trees = [
        read_tree(own, [name for name in own.format.names if name not in ("id", "head", "deprel")]) for own in sentences
    ]
    if options.distortion:
        print_json(distortion(trees, transforms))
        return 0
    if options.invert and any(isinstance(own, PseudoProjective) for own in transforms):
        if options.malt_marks:
            trees = [tree._replace(deprels=list(map(from_malt, tree.deprels))) for tree in trees]
        if all(plain(tree.deprels) for tree in trees):
            warn("no label has a mark (↑ or ↓), so no arc is restored; labels of MaltParser need --malt-marks")
    done = [invert_all(transforms, tree) for tree in trees] if options.invert else fit_all(transforms, trees)
    write_sentences(_with_trees(sentences, done), options.output)
    return 0


def _with_trees(sentences: list[Sentence], trees: list[Tree]) -> Iterator[Sentence]:
    for sentence, tree in zip(sentences, trees, strict=True):
        changed = {name: tuple(own) for name, own in tree.columns.items() if tuple(own) != sentence.column(name)}
        if changed:
            # words in another order cannot keep multiword tokens and empty nodes
            sentence = replace(sentence.with_columns(changed), extras=())
        yield sentence.with_tree(tree.heads, tree.deprels)


ARCS: Options = {
    "FILE": INPUT,
    "--where CONDITION...": "arcs whose FIELD has a VALUE: label=nsubj,obj or head.feats=Tense=Past or "
    "crossing=1 or 'distance>3' or lemma~^un (a regular expression); repeat for several conditions; fields: "
    f"{', '.join(FIELDS)}",
    "--count-by FIELDS": "print the number of arcs, and of crossing ones, for each value of label,upos,...",
    **reading(),
}


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


CHECK_SYSTEM: Options = {"SYSTEM": "name of a transition system, with --plugin one of your own"}


def run_check_system(options: argparse.Namespace) -> int:
    """``crossarc check-system``: one line per rule; status 1 if a rule is violated."""
    check_names("transition system", [options.system], SYSTEMS)
    violated = 0
    for rule, fault in check_system(options.system):
        violated += bool(fault)
        print(f"violated: {rule}: {fault}" if fault else f"ok: {rule}", flush=True)
    return int(violated > 0)
