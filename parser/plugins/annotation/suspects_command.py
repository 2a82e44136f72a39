"""The command ``suspects``."""

from __future__ import annotations

import argparse

from ...config.loading import load_config
from ...config.ready import LEVELS, SIMPLEST
from ...console.options import Options, refuse_overwriting
from ...console.outputs import form_of, short_names, write_text
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...training.partial import completed
from ...training.train import train
from ...treebank.pairs import read_tree
from ..drawing.treebank_page import treebank_page
from ..drawing.view import views
from .suspects import suspects

HEADING = ("sent_id", "word", "form", "head", "deprel", "suggested_head", "suggested_deprel", "confidence", "reason")
DRAWN = 100
"""Number of suspects whose sentences are on the page."""


PAGE = f"also write a page (FILE.html) with the gold tree and the parsed tree of the first {DRAWN} suspects"
SUSPECTS: Options = {"FILE": INPUT, **reading(), "-o, --output FILE": PAGE}


def run_suspects(options: argparse.Namespace) -> int:
    """``crossarc suspects``."""
    if form_of(options.output, ".html"):
        refuse_overwriting(options.output, options.file)
    sentences = list(read_input(options, options.file))
    for sentence in sentences:
        read_tree(sentence, partial=True)
    decided = {
        (sentence.line, word)
        for sentence in sentences
        for word, head in enumerate(sentence.column("head"), 1)
        if head != "_"
    }
    with progress_of(options) as progress:
        if (words := sum(map(len, sentences))) > len(decided):
            progress(f"{len(decided)} of {words} words have a head; the others are not ranked")
            sentences = completed(sentences, train, progress)
        ranked, trees = suspects(
            sentences,
            lambda rest: load_config("fast" if "fast" in LEVELS else SIMPLEST, sentences=rest),
            progress=progress,
        )
    print(*HEADING, sep="\t")
    ranked = [suspect for suspect in ranked if (sentences[suspect.sentence].line, suspect.word) in decided]
    for suspect in ranked:
        sentence = sentences[suspect.sentence]
        form, sure = sentence.column("form")[suspect.word - 1], f"{suspect.confidence:.4f}"
        print(sentence.id, suspect.word, form, *suspect.gold, *suspect.suggestion, sure, suspect.reason, sep="\t")
    if options.output:
        shown = dict.fromkeys(suspect.sentence for suspect in ranked[:DRAWN])
        pairs = [(sentences[place], sentences[place].with_tree(*trees[place][:2])) for place in shown]
        names = [*short_names([options.file]), "parsers of the other parts"]
        write_text(options.output, treebank_page(views(pairs, lambda view: True), names))
    return 0
