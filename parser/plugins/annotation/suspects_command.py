"""The command ``suspects``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...config.config import ParserConfig
from ...config.loading import load_config
from ...config.ready import fast_config
from ...console.options import Options, refuse_overwriting
from ...console.outputs import form_of, short_names, write_text
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...training.partial import completed, decided_by_marks
from ...training.train import train
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ..drawing.treebank_page import treebank_page
from ..drawing.view import views
from .suspects import CHANGED, Suspect, expected_errors, suspects

HEADING = ("sent_id", "word", "form", "head", "deprel", "suggested_head", "suggested_deprel", "confidence", "reason")
DRAWN = 100
"""Number of suspects whose sentences are on the page."""


PAGE = f"also write a page (FILE.html) on which the first {DRAWN} suspects are marked, with gold and parsed trees"
SUSPECTS: Options = {"FILE": INPUT, **reading(), "-o, --output FILE": PAGE}


def run_suspects(options: argparse.Namespace) -> int:
    """``crossarc suspects``."""
    if form_of(options.output, ".html"):
        refuse_overwriting(options.output, options.file)
    sentences = decided_by_marks(list(read_input(options, options.file)))
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
        ranked, trees = suspects(sentences, _config, progress=progress)

        def listed(suspect: Suspect) -> bool:
            return (sentences[suspect.sentence].line, suspect.word) in decided

        ranked = list(filter(listed, ranked))
        ranked, expected = expected_errors(sentences, ranked, _config, progress=progress, listed=listed)
        told = ", ".join(f"{round(number)} of the first {most}" for most, number in expected.items())
        if told:
            progress(f"if {CHANGED:g} % of the words are wrong, these suspects are, or more: {told}")
    print(*HEADING, sep="\t")
    for suspect in ranked:
        sentence = sentences[suspect.sentence]
        form, sure = sentence.column("form")[suspect.word - 1], f"{suspect.confidence:.4f}"
        print(sentence.id, suspect.word, form, *suspect.gold, *suspect.suggestion, sure, suspect.reason, sep="\t")
    if options.output:
        shown = dict.fromkeys(suspect.sentence for suspect in ranked[:DRAWN])
        pairs = [(sentences[place], sentences[place].with_tree(*trees[place][:2])) for place in shown]
        names = [*short_names([options.file]), "parsers of the other parts"]
        notes: dict[int, dict[int, str]] = {place: {} for place in shown}
        for rank, suspect in enumerate(ranked[:DRAWN], 1):
            head, deprel = suspect.suggestion
            note = f"{rank}: {head} {deprel}? ({suspect.reason}, wrong with {100 * suspect.confidence:.0f} %)"
            notes[suspect.sentence][suspect.word] = note
        page = treebank_page(views(pairs, lambda view: True), names, notes=list(notes.values()))
        write_text(options.output, page)
    return 0


def _config(sentences: Sequence[Sentence]) -> ParserConfig:
    return load_config(fast_config(), sentences=sentences)
