"""The command that blends parsed files and learns weights for their votes."""

from __future__ import annotations

import argparse
import json
from itertools import chain

from ...base.errors import CrossarcError
from ...base.progress import Progress, counted
from ...base.text_files import read_text
from ...console.options import OUTPUT, Options, refuse_overwriting
from ...console.outputs import write_text
from ...console.progress import progress_of
from ...console.reading import read_input, reading
from ...treebank import write_sentences
from ...treebank.pairs import pair_sentences
from ...treebank.tree import trees_of
from .blend import blend_sentences
from .vote_weights import Weights, equal_weights, learn_weights, weights_from_json

BLEND: Options = {
    "FILE...": "two or more CoNLL files with the same words",
    **OUTPUT,
    "--weights FILE": "file with the weights of the parsers, in their order (default: equal weights)",
    "--single-root": "allow only one dependent of node 0",
    "--learn FILE": "learn weights by part of speech from this gold file, and write them instead of trees",
    **reading(),
}


def run_blend(options: argparse.Namespace) -> int:
    """``crossarc blend``."""
    if len(options.file) < 2:
        raise CrossarcError(f"blend: found one file, {options.file[0]}; expected two or more")
    if options.file.count("-") > 1:
        raise CrossarcError("blend: found - several times; allowed: once")
    refuse_overwriting(options.output, *options.file, options.weights or "", options.learn or "")
    if options.learn:
        if options.weights or options.single_root:
            raise CrossarcError("blend: --learn writes weights and no trees; omit --weights and --single-root")
        with progress_of(options) as progress:
            weights = _learned(options, progress)
        write_text(options.output, json.dumps(weights.to_json(), ensure_ascii=False, indent=1) + "\n")
        return 0
    weights = _weights(options.weights, len(options.file)) if options.weights else equal_weights(len(options.file))
    files = [read_input(options, file) for file in options.file]
    blended = blend_sentences(files, weights, options.single_root)
    with progress_of(options, output=options.output) as progress:
        write_sentences(counted(blended, progress, "blending", "words", size=len), options.output)
    return 0


def _learned(options: argparse.Namespace, progress: Progress) -> Weights:
    gold = list(read_input(options, options.learn))
    files = counted(options.file, progress, "reading", "files", len(options.file))
    votes = [trees_of(sentence for _, sentence in pair_sentences(gold, read_input(options, file))) for file in files]
    upos = [sentence.column("upos") for sentence in gold]
    if not any(chain.from_iterable(upos)):
        raise CrossarcError(f"{options.learn}: no words to learn weights from")
    return learn_weights("pos", trees_of(gold), votes, upos)


def _weights(path: str, parsers: int) -> Weights:
    text = read_text(path, "weights")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CrossarcError(f"{path}: not JSON: {error}") from error
    return weights_from_json(document, path, parsers)
