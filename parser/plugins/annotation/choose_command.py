"""The command that chooses the next sentences to annotate."""

from __future__ import annotations

import argparse

from ...base.errors import CrossarcError
from ...console.options import OUTPUT, Options, option, refuse_overwriting
from ...console.progress import progress_of
from ...console.reading import INPUT, read_input, reading
from ...treebank import WORD_FORMATS, read_sentences, write_sentences
from .choose import RULES, choose

WORDS, SEED = 1000, 1
RULE = (
    "order in which sentences are taken: random; uncertain: the least certain first (needs parse --scores); varied: as "
    "uncertain, without near repetitions and sentences of unusual length; words: those with the most frequent words "
    "that are not annotated yet (default: random)"
)
CHOOSE: Options = {
    "FILE": INPUT,
    **reading(*WORD_FORMATS),
    "--batch N": option(f"number of words of the batch (default: {WORDS})", default=WORDS, type=int),
    "--rule RULE": option(RULE, choices=tuple(RULES), default="random"),
    "--without FILE...": "annotated sentences, which are not chosen again; repeat for several files",
    "--seed N": option(f"random seed (default: {SEED})", default=SEED, type=int),
    **OUTPUT,
}


def run_choose(options: argparse.Namespace) -> int:
    """Run ``crossarc choose``; return its exit status."""
    refuse_overwriting(options.output, options.file, *options.without)
    if options.batch < 1:
        raise CrossarcError(f"--batch: found {options.batch}, expected 1 or more")
    if options.seed < 0:
        raise CrossarcError(f"--seed: found {options.seed}, expected 0 or more")
    with progress_of(options, output=options.output) as progress:
        sentences = list(read_input(options, options.file))
        annotated = [sentence for file in options.without for sentence in read_sentences(file)]
        batch = choose(sentences, options.batch, options.rule, annotated, options.seed)
        if not batch:
            raise CrossarcError(f"{options.file}: found no sentence that is not annotated yet")
        write_sentences(batch, options.output)
        told = f"{len(batch)} of {len(sentences)} sentences, {sum(map(len, batch))} words, by the rule {options.rule}"
        progress(f"chosen: {told}")
    return 0
