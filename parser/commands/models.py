"""The commands that parse with models, and say what they are."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..base.cluster import on_cluster
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, nothing, task
from ..console.options import (
    add_backend,
    add_input,
    add_output,
    check_backend,
    positive,
    print_json,
    read_input,
    refuse_overwriting,
)
from ..console.progress import add_quiet, progress_of
from ..console.streams import warn
from ..models.files import load_model
from ..models.inputs import FIRST, InputCheck
from ..models.k_best import parse_k_best
from ..models.model import ParserModel
from ..models.pieces import PieceParser
from ..models.transition_model import TransitionModel, with_derivations
from ..models.workers import REMOTE_SIZE, parse_pieces, piece_size
from ..treebank import (
    Sentence,
    read_pieces,
    words_in,
    write_parts,
    write_sentences,
)

__all__ = ["describe_info", "describe_parse", "run_info", "run_parse"]


def describe_parse(parser: argparse.ArgumentParser) -> None:
    """Parse a CoNLL file with a model."""
    parser.add_argument("model", help="a model that crossarc train wrote")
    add_input(parser, "file", optional=True, columns=None)
    add_output(parser)
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (1)")
    add_backend(parser)
    parser.add_argument("--beam", type=positive, metavar="N", help="derivations to follow at a time; 1 is greedy")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--k-best", type=positive, metavar="N", help="write the N best trees of each sentence")
    kind.add_argument("--scores", action="store_true", help="write the confidence in each arc to MISC (CoNLL-U)")
    kind.add_argument(
        "--explain", action="store_true", help="print why each transition was taken, instead of the trees"
    )
    parser.add_argument("--stream", action="store_true", help="answer each sentence as soon as it is complete")
    parser.add_argument(
        "--allow-empty-columns", action="store_true", help="parse although the tags that the model reads are missing"
    )
    add_quiet(parser)


def run_parse(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.model, options.file)
    check_backend(options)
    if options.scheduler and (options.stream or options.k_best or options.explain):
        raise CrossarcError("--backend dask: parses whole files; allowed: without --stream, --k-best, --explain")
    model = load_model(options.model)
    if options.beam:
        model = _with_derivations(model, options).with_beam(options.beam)
    options.columns = options.columns or model.annotation
    if options.explain:
        return _explain(model, options)
    with progress_of(options, output=options.output) as progress:
        _parse(model, options, progress)
    return 0


def _parse(model: ParserModel, options: argparse.Namespace, progress: Progress) -> None:
    if options.stream:
        _stream(model, options, progress)
        return
    counts = Counter[str]()
    start = time.monotonic()
    total = None if options.quiet else words_in(options.file)
    with task(progress, "parsing", "words", total) as advance:
        if options.k_best:
            sentences = _check(model, options, progress).sentences(read_input(options, options.file))
            own = _with_derivations(model, options)
            parsed = parse_k_best(own, sentences, options.k_best, options.jobs, advance=advance)
            write_sentences(_counted(parsed, counts), options.output)
        else:
            with on_cluster(options.scheduler):
                write_parts(_parsed_pieces(model, options, counts, progress, advance), options.output)
    if counts["long"]:
        progress(f"sentences of more than {model.longest} words, parsed by the scores of edges alone: {counts['long']}")
    seconds = time.monotonic() - start
    progress(f"parsed {counts['sentences']} sentences, {counts['words']} words in {seconds:.1f} s")


def _with_derivations(model: ParserModel, options: argparse.Namespace) -> TransitionModel:
    refusal = f"{options.model}: a {model.kind} has no derivations; allowed: without --beam, --k-best"
    return with_derivations(model, refusal)


def _check(model: ParserModel, options: argparse.Namespace, progress: Progress, hold: int = FIRST) -> InputCheck:
    """What checks the input. hold: as of :class:`~..models.inputs.InputCheck`."""
    return InputCheck(model, options.allow_empty_columns, warn, progress, hold)


def _explain(model: ParserModel, options: argparse.Namespace) -> int:
    from ..analysis.explanation import explained  # takes long to import, and parsing does without

    if options.output != "-":
        raise CrossarcError("--explain: prints to standard output; allowed: without -o")
    for sentence in _check(model, options, nothing, hold=1).sentences(read_input(options, options.file)):
        for line in explained(model, sentence):
            print(line)
    return 0


def _stream(model: ParserModel, options: argparse.Namespace, progress: Progress) -> None:
    """Parse for a program that waits for each tree before it sends the next sentence."""
    if options.output != "-" or options.jobs > 1 or options.k_best:
        raise CrossarcError(
            "--stream: writes a tree at a time to standard output; allowed: without -o, --jobs, --k-best"
        )
    for sentence in _check(model, options, progress, hold=1).sentences(read_input(options, options.file)):
        write_sentences(model.parse_chunk([sentence], options.scores), "-")


def _parsed_pieces(
    model: ParserModel, options: argparse.Namespace, counts: Counter[str], progress: Progress, advance: Advance
) -> Iterator[bytes]:
    size = REMOTE_SIZE if options.scheduler else piece_size(options.file, options.jobs)
    read = read_pieces(options.file, options.format, options.columns, size, options.limits)
    pieces = _check(model, options, progress).pieces(read)
    parser = PieceParser(model, options.scores)
    if options.scheduler:
        from ..models.remote import ModelFile, parse_remotely  # imports what parsing here does without

        file = ModelFile(Path(options.model).read_bytes(), options.model, options.beam or 0, options.scores)
        results = parse_remotely(file, pieces)
    else:
        results = parse_pieces(parser, pieces, options.jobs, parser.warm)
    for parsed in results:
        counts.update(sentences=parsed.sentences, words=parsed.words, long=parsed.long)
        advance(parsed.words)
        yield parsed.data


def _counted(sentences: Iterable[Sentence], counts: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        counts.update(sentences=1, words=len(sentence))
        yield sentence


def describe_info(parser: argparse.ArgumentParser) -> None:
    """Say what a model is: system, features, labels, where it came from, how it scored."""
    parser.add_argument("model", help="a model that crossarc train wrote")
    parser.add_argument("--json", action="store_true", help="everything, as JSON")


def run_info(options: argparse.Namespace) -> int:
    model = load_model(options.model)
    size = os.path.getsize(options.model)
    if options.json:
        print_json({"bytes": size, "kind": model.kind, **model.to_json()})
    else:
        print(f"{model.to_text()}\n{'size':<12} {size / 1e6:.1f} MB")
    return 0
