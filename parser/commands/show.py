"""The command that draws trees as text, SVG, TikZ or an HTML page."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..base.errors import CrossarcError
from ..console.options import add_reading, declare, read_input, refuse_overwriting
from ..console.outputs import file_name, short_names, terminal_width, write_text
from ..console.streams import tell
from ..drawing.arcs import Arc, arcs_against, arcs_of
from ..drawing.text_tree import draw_tree
from ..drawing.tikz import tikz_document, tikz_tree
from ..drawing.tree_svg import trees_svg
from ..drawing.treebank_page import treebank_page
from ..drawing.view import View, measure_names, selected_by, views
from ..drawing.word_line import WordLine, word_line
from ..treebank import Sentence, sentences_in
from ..treebank.pairs import pair_sentences
from ..treebank.tree import Tree

LEGEND = {
    "*": "* behind a deprel: a non-projective arc, drawn with double lines",
    "≠": "≠ behind a deprel: the head and deprel of the parsed file, where it differs",
}


def describe_show(parser: argparse.ArgumentParser) -> None:
    meaning = "CoNLL file, or - for standard input; further files: parses to compare with it"
    parser.add_argument("files", nargs="*", default=[], metavar="FILE", help=meaning)
    parser.set_defaults(files_are_optional=True)
    declare(
        parser, {"--model MODEL": "parse raw text, such as a sentence and an empty line that you type, with this model"}
    )
    add_reading(parser, columns=None)
    declare(
        parser.add_argument_group("choosing sentences (all given conditions must hold)"),
        {
            "--deprel DEPREL...": "sentences with this deprel; repeat for several",
            "--id ID...": "sentence with this sent_id or position in the file; repeat for several",
            "--where FILTER...": "sentences for which FILTER is true, such as 'nonprojective and las < 80'; names: "
            f"{', '.join(measure_names(1))}; a second parsed file adds las2, ... and differ",
        },
    )
    drawn = parser.add_argument_group("choosing a form (default: text)")
    declare(
        drawn.add_mutually_exclusive_group(),
        {
            "--html FILE": "write an HTML page for a browser",
            "--svg FOLDER": "write an SVG file for each sentence or step",
            "--tikz FILE": "write a LaTeX file (package tikz-dependency)",
        },
    )
    declare(
        drawn,
        {
            "--derivation GUIDE...": "draw derivations of an oracle (SYSTEM or SYSTEM:ORACLE) or a model; repeatable",
            "--below COLUMN...": "column under the words of SVG and TikZ (default: upos)",
            "--overlay": "add missed gold arcs to parsed trees (SVG and TikZ)",
        },
        below=None,
    )


def run_show(options: argparse.Namespace) -> int:
    """``crossarc show``."""
    files = options.files or ["-"]
    if repeated := next((name for name in files if files.count(name) > 1), None):
        raise CrossarcError(f"show: {repeated}: given twice; give each file once")
    selected = selected_by(options.id, options.deprel, options.where, len(files) - 1)
    derive = []
    if options.derivation:
        # imports numpy and the learners, which drawing trees does not need
        from .derivations import derivers, show_derivations

        derive = derivers(options)
    options.columns = options.columns or "gold"
    shown = _noted(views(_read(files, options), selected), bool(options.id or options.deprel or options.where))
    if options.derivation:
        show_derivations(shown, derive, files, options)
    elif options.html:
        refuse_overwriting(options.html, *files)
        write_text(options.html, treebank_page(shown, short_names(files)))
    elif options.svg:
        _write_svg(options.svg, shown, short_names(files), options)
    elif options.tikz:
        refuse_overwriting(options.tikz, *files)
        trees = [tikz_tree(*drawing) for view in shown for drawing in _drawings(view, options)]
        write_text(options.tikz, tikz_document(trees))
    else:
        _print(shown, short_names(files), terminal_width())
    return 0


def _noted(shown: Iterator[View], chosen: bool) -> Iterator[View]:
    """Yield the sentences; a message says that none of the file meets the conditions."""
    first = next(shown, None)
    if first is None and chosen:
        tell("show: no sentence meets the conditions")
    elif first is not None:
        yield first
        yield from shown


def _read(files: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[Sentence, ...]]:
    """Yield each sentence of the first file together with the same sentence of the other files."""
    if options.model:
        yield from ((sentence,) for sentence in _typed(files, options.model))
        return
    first = read_input(options, files[0])
    if len(files) == 1:
        yield from ((sentence,) for sentence in first)
        return
    gold = list(first)
    others = [pair_sentences(gold, read_input(options, name)) for name in files[1:]]
    for pairs in zip(*others, strict=True):
        yield pairs[0][0], *(parsed for _, parsed in pairs)


def _typed(files: Sequence[str], name: str) -> Iterator[Sentence]:
    """Yield the parsed sentences of raw text, each paragraph as soon as it is complete."""
    from ..models.files import load_model  # imports numpy, which drawing trees does not need
    from ..models.raw import raw_pieces, require_tokenizer, segmented

    model = load_model(name)
    tokenizer = require_tokenizer(model.tokenizer, name)
    for file in files:
        pieces = raw_pieces(segmented(tokenizer, file, at_once=True), file, 0)
        yield from model.parse((sentence for piece in pieces for sentence in sentences_in(piece)), stream=True)


def _drawings(view: View, options: argparse.Namespace) -> Iterator[tuple[WordLine, list[Arc]]]:
    """Yield the gold tree, then the parsed trees with their errors."""
    line = word_line(view.sentence, options.below)
    own, *parsed = view.trees
    yield line, arcs_of(own)
    for tree in parsed:
        yield line, arcs_against(own, tree, missed=options.overlay)


def _write_svg(folder: str, shown: Iterable[View], names: Sequence[str], options: argparse.Namespace) -> None:
    """Write one file per sentence. File names contain the number and the name of the sentence."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for view in shown:
        trees = [(name, *drawing) for name, drawing in zip(names, _drawings(view, options), strict=True)]
        if len(trees) == 1:
            trees = [("", *trees[0][1:])]
        output = Path(folder) / f"{file_name(view.number, view.sentence.id)}.svg"
        refuse_overwriting(output, *(options.files or ["-"]))
        write_text(output, trees_svg(trees, view.sentence.id))


def _print(shown: Iterable[View], names: Sequence[str], width: int) -> None:
    marks: set[str] = set()
    for view in shown:
        own, *parsed = view.trees
        notes = _notes(own, parsed, names[1:])
        drawing = draw_tree(own.heads, own.deprels, view.sentence.column("form"), notes=notes, width=width)
        marks |= {"*"} if view.measures["nonprojective"] else set()
        marks |= {"≠"} if any(notes) else set()
        scores = [
            f"{name}: LAS {view.measures[f'las{number}' if number > 1 else 'las']:.2f}"
            for number, name in enumerate(names[1:], 1)
        ]
        print("\n".join(["# " + view.sentence.id, *(f"# {score}" for score in scores), drawing, ""]))
    for mark in sorted(marks):
        print(textwrap.fill(LEGEND[mark], width or 99))


def _notes(own: Tree, parsed: Sequence[Tree], names: Sequence[str]) -> list[str]:
    """Return the parsed heads and deprels of each word that differ from the gold tree.

    If there are several parsed files, the notes name them.
    """
    notes = []
    for word in range(1, len(own.heads)):
        wrong = [
            f"≠ {f'{name}: ' if len(names) > 1 else ''}{tree.heads[word]} {tree.deprels[word]}"
            for name, tree in zip(names, parsed, strict=True)
            if (tree.heads[word], tree.deprels[word]) != (own.heads[word], own.deprels[word])
        ]
        notes.append("  ".join(wrong))
    return notes if parsed else []
