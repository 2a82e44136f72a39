"""The command that learns word classes."""

from __future__ import annotations

import argparse

from ...base.errors import CrossarcError
from ...console.options import Options, option, refuse_overwriting
from ...console.progress import progress_of
from ...models.files import check_writable, load_model
from ...models.raw import require_segmenter
from ...treebank import FORMATS, WORD_FORMATS
from .clustering import CLASSES as USUAL
from .learning import ROWS, SEED, classes_from_vectors, learn_classes
from .step import save_classes

RAW = "text"
FORMS = (RAW, *WORD_FORMATS, *FORMATS)
CLASSES: Options = {
    "[RAW]...": "raw texts in UTF-8, compressed or not; - for standard input",
    "-o, --output FILE": "file to write the classes to",
    "--format FORMAT": option(f"format of the texts: {', '.join(FORMS)} (default: {RAW})", choices=FORMS),
    "--tokenizer MODEL": "model trained with input=text, which finds the tokens (default: a simple rule)",
    "--vectors FILE": "make the classes from word vectors instead: word2vec, fastText or GloVe, possibly in gzip",
    "--rows N": option(f"number of vectors that are read (default: {ROWS})", type=int),
    "--classes N": option(f"number of classes (default: {USUAL})", default=USUAL, type=int),
    "--seed N": option(f"random seed (default: {SEED})", default=SEED, type=int),
}


def run_classes(options: argparse.Namespace) -> int:
    """Run ``crossarc classes``; return its exit status."""
    if bool(options.raw) == bool(options.vectors):
        raise CrossarcError("classes: give raw texts, or --vectors FILE")
    if not options.output:
        raise CrossarcError("classes: no file to write the classes to; give one with -o FILE")
    for name, misplaced, needs in (
        ("--rows", options.rows is not None and not options.vectors, "--vectors FILE"),
        ("--format", options.format and options.vectors, "raw texts"),
        ("--tokenizer", options.tokenizer and (options.vectors or (options.format or RAW) != RAW), "raw texts"),
    ):
        if misplaced:
            raise CrossarcError(f"classes: {name} is for {needs}; omit it")
    options.format, options.rows = options.format or RAW, ROWS if options.rows is None else options.rows
    for name in ("rows", "classes"):
        if getattr(options, name) < 2:
            raise CrossarcError(f"--{name}: found {getattr(options, name)}, expected 2 or more")
    refuse_overwriting(options.output, *options.raw, *filter(None, (options.vectors, options.tokenizer)))
    check_writable(options.output)
    segmenter = None
    if options.tokenizer:
        segmenter = require_segmenter(load_model(options.tokenizer).segmenter, options.tokenizer)
    with progress_of(options, output=options.output) as progress:
        if options.vectors:
            classes = classes_from_vectors(
                options.vectors, rows=options.rows, seed=options.seed, classes=options.classes, progress=progress
            )
        else:
            classes, _ = learn_classes(
                options.raw,
                format=options.format,
                segmenter=segmenter,
                seed=options.seed,
                classes=options.classes,
                progress=progress,
            )
        save_classes(classes, options.output)
        source = f"{classes.tokens} tokens" if classes.tokens else classes.source
        progress(f"wrote {options.output}: {len(classes.cuts)} classes of {len(classes.words)} words, from {source}")
    return 0
