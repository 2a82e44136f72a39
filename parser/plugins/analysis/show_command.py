"""The command that draws trees and derivations as text, SVG, TikZ or an HTML page."""

from __future__ import annotations

import argparse
import io
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from ...base.errors import CrossarcError, did_you_mean
from ...console.options import OptionGroup, Options, option, refuse_overwriting, refuse_repeated
from ...console.outputs import FOLDER, form_of, plain, short_names, terminal_width, write_pictures, write_text
from ...console.reading import read_input, reading
from ...console.streams import tell, warn
from ...treebank import AUTO, TAGGED, WORD_FORMATS, Sentence, sentences_in
from ...treebank.pairs import same_sentences
from ...treebank.tree import Tree
from ..drawing.arcs import Arc, arcs_against, arcs_of
from ..drawing.derivation_page import derivation_page
from ..drawing.derivation_svg import derivation_svgs
from ..drawing.derivation_text import derivation_text
from ..drawing.text_tree import draw_tree
from ..drawing.tikz import tikz_derivation, tikz_document, tikz_tree
from ..drawing.tree_svg import trees_svg
from ..drawing.treebank_page import treebank_page
from ..drawing.view import View, measure_names, selected_by, views
from ..drawing.word_line import WordLine, word_line

if TYPE_CHECKING:
    from .derivation import Deriver

LEGEND = {
    "*": "* behind a deprel: a non-projective arc, drawn with double lines",
    "≠": "≠ behind a deprel: the head and deprel of the parsed file, where it differs",
}
MOST_SENTENCES = 200
"""Maximum number of sentences with derivations in one file; one takes tens of kilobytes with the reasons of a model."""


FILES = "CoNLL file, or - for standard input; further files: parses to compare with it"
CHOICE: Options = {
    "--id ID...": "sentence with this sent_id or position in the file; repeat for several",
    "--where CONDITION...": 'sentences for which CONDITION is true, such as "nonprojective and las < 80"; names: '
    f"{', '.join(measure_names(1))}; a second parsed file adds las2, ... and differ; misc_KEY: words with KEY in MISC",
}
DRAWING: Options = {
    "--derivation GUIDE...": "draw derivations of an oracle (SYSTEM or SYSTEM:ORACLE), or of a model with the "
    "reasons for each transition; repeatable",
    "--moves LIST": 'with --derivation SYSTEM and one sentence: take these moves ("SHIFT, LEFT-ARC(nsubj)"); each is '
    "judged by the gold tree",
    "-o, --output FILE": "write a page for a browser (FILE.html), LaTeX (FILE.tex, package tikz-dependency), "
    "a picture of one sentence (FILE.svg), or into a folder one SVG file for each sentence or step",
    "--below COLUMN...": option(
        "columns, or keys of MISC, under the words of SVG and LaTeX (default: upos)", default=None
    ),
}
WORDS = "parse raw text, instead of FILE or from standard input, with this model (trained with input=text)"
SHOW: Options = {
    "[FILE]...": option(FILES, default=[]),
    "--model MODEL": WORDS,
    **reading(*WORD_FORMATS),
    "choosing sentences (all given conditions must hold)": OptionGroup(CHOICE),
    "choosing a drawing (default: trees as text)": OptionGroup(DRAWING),
}


def run_show(options: argparse.Namespace) -> int:
    """``crossarc show``."""
    files = options.file = options.file or ["-"]
    if options.model:
        if options.format != AUTO:
            raise CrossarcError("show: --model parses raw text; omit --format")
        files = options.file = [" ".join(files)]
    refuse_repeated("show", files)
    if options.derivation and len(files) > 1:
        raise CrossarcError(f"show: --derivation: found {len(files)} files; allowed: one")
    form = form_of(options.output, ".html", ".tex", *([] if options.derivation else [".svg"]), FOLDER)
    if form in (".html", ".tex", ".svg"):
        refuse_overwriting(options.output, *files)
    selected = selected_by(options.id, options.where, len(files) - 1)
    derive = _derivers(options)
    if options.below is not None and (derive or form not in (".tex", ".svg", FOLDER)):
        raise CrossarcError("show: --below is for trees in SVG and LaTeX; give -o FILE.svg, FILE.tex or a folder")
    columns = next((derivation.columns for derivation in derive if derivation.columns), "gold")
    shown = _noted(views(_read(files, options, columns), selected), options)
    if options.moves is not None:
        shown = iter([_only(shown, "show: --moves")])
    if derive:
        _show_derivations(shown, derive, form, options)
    elif form == ".html":
        write_text(options.output, treebank_page(shown, short_names(files)))
    elif form == ".tex":
        trees = [tikz_tree(*drawing) for view in shown for drawing in _drawings(view, options)]
        write_text(options.output, tikz_document(trees))
    elif form == ".svg":
        write_text(options.output, _picture(_only(shown, f"-o {options.output}"), short_names(files), options))
    elif form == FOLDER:
        pictures = ((_file_name(view), _picture(view, short_names(files), options)) for view in shown)
        write_pictures(options.output, pictures, *files)
    else:
        _print(shown, short_names(files), terminal_width())
    return 0


def _derivers(options: argparse.Namespace) -> list[Deriver]:
    """What derives each sentence, as ``--derivation`` and ``--moves`` ask for."""
    if options.moves is not None and len(options.derivation) != 1:
        raise CrossarcError("show: --moves needs one --derivation SYSTEM")
    if not options.derivation:
        return []
    from .derivation import Deriver, deriver  # imports numpy and the learners, which drawing trees does not need
    from .replay import moves_in, replayed

    if options.moves is None:
        titles = short_names(options.derivation)
        return [deriver(*pair, cache(warn)) for pair in zip(options.derivation, titles, strict=True)]
    moves = moves_in(options.moves)
    return [Deriver(lambda sentence: replayed(sentence, options.derivation[0], moves))]


def _only(shown: Iterator[View], where: str) -> View:
    """The only sentence. Raises CrossarcError, with ``where`` before its message, for several and for none."""
    some = list(islice(shown, 2))
    if len(some) != 1:
        fault = "several sentences" if some else "no sentence"
        raise CrossarcError(f"{where}: found {fault}, expected one; choose it, e.g. with --id")
    return some[0]


def _noted(shown: Iterator[View], options: argparse.Namespace) -> Iterator[View]:
    """Yield the sentences; a message says that none meets the conditions, or which names and keys of MISC none has."""
    absent = list(dict.fromkeys(options.id))
    keys = [name for name in _below(options) or () if name[:1].isupper()]
    some = False
    for view in shown:
        some = True
        absent = [name for name in absent if name not in (view.sentence.id, str(view.number))]
        keys = [key for key in keys if not view.words_with(key)]
        yield view
    if not some:
        if options.id or options.where:
            tell("show: no sentence meets the conditions")
        return
    if absent:
        tell(f"show: no sentence that meets the conditions is called {', '.join(absent)}")
    for key in keys:
        tell(f"show: --below: no word has the key {key} in MISC{did_you_mean(key, (*TAGGED, 'misc'))}")


def _below(options: argparse.Namespace) -> list[str] | None:
    """The names of ``--below``; None without it."""
    return None if options.below is None else [name for names in options.below for name in names.split(",")]


def _read(files: Sequence[str], options: argparse.Namespace, columns: str) -> Iterator[tuple[Sentence, ...]]:
    """Yield each sentence of the first file together with the same sentence of the other files."""
    first = _typed(files[0], options.model) if options.model else read_input(options, files[0], columns)
    others = (read_input(options, name) for name in files[1:])
    yield from same_sentences(list(first) if files[1:] else first, *others)


def _typed(text: str, name: str) -> Iterator[Sentence]:
    """Yield the parsed sentences of a text, or of standard input (-), each paragraph as soon as it is complete."""
    from ...models.files import load_model  # imports numpy, which drawing trees does not need
    from ...models.raw import raw_pieces, require_segmenter, segmented

    model = load_model(name)
    segmenter = require_segmenter(model.segmenter, name)
    if text == "-" and sys.stdin.isatty():
        tell("Type text. An empty line ends a paragraph; Ctrl-D ends the text.")
    source = text if text == "-" else io.BytesIO(text.encode(errors="surrogateescape"))
    pieces = raw_pieces(segmented(segmenter, source, at_once=True), source, 0)
    return model.parse((sentence for piece in pieces for sentence in sentences_in(piece)), stream=True)


def _show_derivations(shown: Iterator[View], derive: Sequence[Deriver], form: str, options: argparse.Namespace) -> None:
    """Draw derivations. Those of several oracles or models are beside each other on a page, and follow elsewhere."""
    derivations = ((view, [derivation_of(view.sentence) for derivation_of in derive]) for view in shown)
    if form == FOLDER:
        steps = (
            (f"{_file_name(view)}-{plain(derivation.name)}-{step:03}", picture)
            for view, derived in derivations
            for derivation in derived
            for step, picture in enumerate(derivation_svgs(derivation))
        )
        write_pictures(options.output, steps, *options.file)
    elif form:
        first = list(islice(derivations, MOST_SENTENCES))
        if next(shown, None) is not None:
            raise CrossarcError(
                f"show: --derivation: more than {MOST_SENTENCES} sentences for one file; choose some, e.g. with --id"
            )
        if form == ".html":
            page = derivation_page(first, " · ".join(short_names(options.derivation)))
        else:
            page = tikz_document(
                [step for _, derived in first for derivation in derived for step in tikz_derivation(derivation)]
            )
        write_text(options.output, page)
    else:
        for view, derived in derivations:
            print(f"# {view.sentence.id}")
            for derivation in derived:
                print(derivation_text(derivation, terminal_width()), end="\n\n")


def _drawings(view: View, options: argparse.Namespace) -> Iterator[tuple[WordLine, list[Arc]]]:
    """Yield the gold tree, then the parsed trees with their errors."""
    line = word_line(view.sentence, _below(options))
    gold, *parsed = view.trees
    yield line, arcs_of(gold)
    for tree in parsed:
        yield line, arcs_against(gold, tree)


def _picture(view: View, names: Sequence[str], options: argparse.Namespace) -> str:
    headings = names if len(names) > 1 else [""]
    trees = [(name, *drawing) for name, drawing in zip(headings, _drawings(view, options), strict=True)]
    return trees_svg(trees, view.sentence.id)


def _file_name(view: View) -> str:
    return f"{view.number:05}-{plain(view.sentence.id)}"


def _print(shown: Iterable[View], names: Sequence[str], width: int) -> None:
    marks: set[str] = set()
    for view in shown:
        gold, *parsed = view.trees
        notes = _notes(gold, parsed, names[1:])
        drawing = draw_tree(view.sentence, notes=notes, width=width)
        marks |= {"*"} if view.measures["nonprojective"] else set()
        marks |= {"≠"} if any(notes) else set()
        scores = [
            f"{name}: LAS {view.measures[f'las{number}' if number > 1 else 'las']:.2f}"
            for number, name in enumerate(names[1:], 1)
        ]
        print("\n".join(["# " + view.sentence.id, *(f"# {score}" for score in scores), drawing, ""]))
    for mark in sorted(marks):
        print(textwrap.fill(LEGEND[mark], width or 99))


def _notes(gold: Tree, parsed: Sequence[Tree], names: Sequence[str]) -> list[str]:
    """Return the parsed heads and deprels of each word that differ from the gold tree.

    If there are several parsed files, the notes name them.
    """
    notes = []
    for word in range(1, len(gold.heads)):
        wrong = [
            f"≠ {f'{name}: ' if len(names) > 1 else ''}{tree.heads[word]} {tree.deprels[word]}"
            for name, tree in zip(names, parsed, strict=True)
            if (tree.heads[word], tree.deprels[word]) != (gold.heads[word], gold.deprels[word])
        ]
        notes.append("  ".join(wrong))
    return notes if parsed else []
