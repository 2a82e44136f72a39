"""The commands that check and transform the trees of a treebank."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..base.errors import CrossarcError
from ..console.options import ONE_OF, OUTPUT, OptionGroup, Options, option, print_json, refuse_overwriting
from ..console.reading import INPUT, format_and_columns, read_input, reading
from ..console.streams import warn
from ..transforms.distortion import distortion
from ..transforms.lifting.deprojectivize import ENCODINGS
from ..transforms.lifting.labels import from_malt, plain
from ..transforms.lifting.pseudo_projective import PseudoProjective
from ..transforms.registry import parse_transform
from ..transforms.transform import Transform, fit_all, invert_all, word_order
from ..treebank import Sentence, write_sentences
from ..treebank.check import check, format_report
from ..treebank.formats import DERIVED
from ..treebank.pairs import read_tree
from ..treebank.tree import Tree
from ..treebank.universal import LEVELS

CHECK: Options = {
    "FILE": INPUT,
    **reading(),
    "--ud LANGUAGE": "also check with the official validator of Universal Dependencies; a code such as fr",
    "--level N": option("last level of the validator, from 1 to 5 (default: 5)", choices=LEVELS),
    "--json": "print JSON, with all faults",
}


def run_check(options: argparse.Namespace) -> int:
    """Run ``crossarc check``; return its exit status."""
    if options.level and not options.ud:
        raise CrossarcError("check: --level is one of the validator; add --ud LANGUAGE")
    level = options.level or LEVELS[-1]
    report = check(options.file, format_and_columns(options.format)[0], options.ud or "", level)
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
    ONE_OF: OptionGroup({"--invert": "undo the transform", "--distortion": LOST}),
    "--malt-marks": "with --invert: labels have MaltParser's marks, | for ↑ and a final %% for ↓",
}


def run_transform(options: argparse.Namespace) -> int:
    """Run ``crossarc transform``; return its exit status."""
    if options.distortion and options.output != "-":
        raise CrossarcError("transform: --distortion prints figures and writes no trees; omit -o")
    if options.malt_marks and not options.invert:
        raise CrossarcError("transform: --malt-marks says how labels are read to undo a transform; add --invert")
    refuse_overwriting(options.output, options.file)
    transforms = [parse_transform(part) for part in options.transform.split(" / ")]
    sentences = list(read_input(options, options.file))
    trees = [
        read_tree(sentence, [name for name in sentence.format.names if name not in ("id", "head", "deprel")])
        for sentence in sentences
    ]
    if options.distortion:
        print_json(distortion(trees, transforms))
        return 0
    lifting = [transform for transform in transforms if isinstance(transform, PseudoProjective)]
    if options.invert and lifting:
        if options.malt_marks:
            trees = [tree._replace(deprels=list(map(from_malt, tree.deprels))) for tree in trees]
        if all(plain(tree.deprels) for tree in trees):
            warn("no label has a mark (↑ or ↓), so no arc is restored; labels of MaltParser need --malt-marks")
        _check_marks({label for tree in trees for label in tree.deprels}, lifting)
    if options.invert and (lost := [transform.name for transform in transforms if not transform.restores]):
        raise CrossarcError(
            f"transform: the inverse of {lost[0]} needs what it learned from the trees before, which a model has and "
            "a file has not; --distortion measures both"
        )
    done = [invert_all(transforms, tree) for tree in trees] if options.invert else fit_all(transforms, trees)
    write_sentences(_with_trees(sentences, done, transforms), options.output)
    return 0


def _check_marks(labels: Collection[str], transforms: Sequence[PseudoProjective]) -> None:
    """Raise CrossarcError for labels with marks that an encoding cannot have written: their arcs would stay lifted."""
    for transform in transforms:
        for label in sorted(labels):
            if not transform.writes(label):
                others = [name for name in ENCODINGS if all(map(PseudoProjective(encoding=name).writes, labels))]
                remedy = f"; write {transform.name}:encoding={' or '.join(others)}" if others else ""
                fault = f"label {label!r}: the encoding {transform.encoding} does not write it"
                raise CrossarcError(f"transform: {fault}{remedy}")


def _with_trees(
    sentences: Sequence[Sentence], trees: Sequence[Tree], transforms: Sequence[Transform]
) -> Iterator[Sentence]:
    """The sentences with these trees; those whose tree and words are as before stay as they are."""
    ranges = former = 0
    for sentence, tree in zip(sentences, trees, strict=True):
        changed = {
            name: tuple(column) for name, column in tree.columns.items() if tuple(column) != sentence.column(name)
        }
        moved = sentence
        if changed:
            # words in another order cannot keep multiword tokens and empty nodes
            ranges += bool(sentence.extras)
            order = word_order(transforms, np.array([len(sentence)])).tolist()
            moved = _with_numbers_of(replace(sentence.with_columns(changed), extras=()), order)
        same = list(tree.heads[1:]) == moved.heads()[1:] and list(tree.deprels[1:]) == moved.deprels()[1:]
        result = moved if same and not changed else moved.with_tree(tree.heads, tree.deprels)
        derived = [name for name in DERIVED if name in moved.format.index and moved.column(name) != result.column(name)]
        former += bool(derived) or len(result.extras) < len(moved.extras)
        yield result
    if ranges:
        warn(f"{ranges} sentences with words in another order lose their multiword tokens and empty nodes")
    if former:
        warn(f"{former} sentences lose DEPS, PHEAD, PDEPREL and empty nodes, which belong to their former trees")


def _with_numbers_of(sentence: Sentence, order: Sequence[int]) -> Sentence:
    """A sentence of CoNLL-2009 whose rows have been put in an order: PHEAD and APREDs, which count words, follow.

    order: the former place of each word, from 0
    """
    if sentence.format.name != "conll09":
        return sentence
    place = {former + 1: number for number, former in enumerate(order, 1)}
    heads = tuple(str(place.get(int(head), head)) if head.isdigit() else head for head in sentence.column("phead"))
    predicates = [former for former, value in zip(order, sentence.column("pred"), strict=True) if value != "_"]
    arguments = [name for name in sentence.format.names if name.startswith("apred")]
    if len(arguments) != len(predicates):
        return sentence.with_columns({"phead": heads})
    sources = [sorted(predicates).index(former) for former in predicates]
    columns = {name: sentence.column(arguments[source]) for name, source in zip(arguments, sources, strict=True)}
    return sentence.with_columns({"phead": heads, **columns})
