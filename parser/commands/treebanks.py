"""The commands that check and transform the trees of a treebank."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from ..base.errors import CrossarcError
from ..console.options import ONE_OF, OUTPUT, OptionGroup, Options, option, print_json, refuse_overwriting
from ..console.reading import INPUT, format_and_columns, read_input, reading
from ..console.streams import warn
from ..transforms.distortion import distortion
from ..transforms.lifting.labels import from_malt, plain
from ..transforms.lifting.pseudo_projective import PseudoProjective
from ..transforms.registry import parse_transform
from ..transforms.transform import fit_all, invert_all
from ..treebank import Sentence, write_sentences
from ..treebank.check import check, format_report
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
    if options.invert and any(isinstance(transform, PseudoProjective) for transform in transforms):
        if options.malt_marks:
            trees = [tree._replace(deprels=list(map(from_malt, tree.deprels))) for tree in trees]
        if all(plain(tree.deprels) for tree in trees):
            warn("no label has a mark (↑ or ↓), so no arc is restored; labels of MaltParser need --malt-marks")
    if options.invert and (lost := [transform.name for transform in transforms if not transform.restores]):
        raise CrossarcError(
            f"transform: the inverse of {lost[0]} needs what it learned from the trees before, which a model has and "
            "a file has not; --distortion measures both"
        )
    done = [invert_all(transforms, tree) for tree in trees] if options.invert else fit_all(transforms, trees)
    write_sentences(_with_trees(sentences, done), options.output)
    return 0


def _with_trees(sentences: list[Sentence], trees: list[Tree]) -> Iterator[Sentence]:
    """The sentences with these trees; those whose tree and words are as before stay as they are."""
    lost = 0
    for sentence, tree in zip(sentences, trees, strict=True):
        changed = {
            name: tuple(column) for name, column in tree.columns.items() if tuple(column) != sentence.column(name)
        }
        if changed:
            # words in another order cannot keep multiword tokens and empty nodes
            lost += bool(sentence.extras)
            sentence = replace(sentence.with_columns(changed), extras=())
        same = list(tree.heads[1:]) == sentence.heads()[1:] and list(tree.deprels[1:]) == sentence.deprels()[1:]
        yield sentence if same and not changed else sentence.with_tree(tree.heads, tree.deprels)
    if lost:
        warn(f"{lost} sentences with words in another order lose their multiword tokens and empty nodes")
