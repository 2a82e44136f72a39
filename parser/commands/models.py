"""The commands ``parse``, ``tokenize``, ``tag`` and ``info``."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from ..base.cluster import on_cluster
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, nothing, task
from ..config.config import RAW
from ..console.options import JOBS, add_backend, add_input, add_output, declare, print_json, refuse_overwriting
from ..console.progress import progress_of
from ..console.streams import warn
from ..models.files import load_model
from ..models.inputs import FIRST, InputCheck
from ..models.model import ParserModel
from ..models.pieces import LARGEST, REMOTE_SIZE, Parsed, PieceParser, SentencesToText, parse_pieces, piece_size, texts
from ..models.raw import raw_pieces, require_tokenizer, segmented
from ..models.taggers import tagged
from ..models.transition_model import TransitionModel, best_texts
from ..treebank import WORD_FORMATS, Piece, Sentence, read_pieces, words_in, write_parts
from ..treebank.source import source_name
from .annotation.score_table import HEADING, score_rows

MODEL = "model file written by crossarc train"
RETAG = {"--retag": "replace the tags of the input by those that the model predicts"}


def describe_parse(parser: argparse.ArgumentParser) -> None:
    declare(parser, {"MODEL": MODEL})
    add_input(parser, optional=True, columns=None, words=True)
    add_output(parser)
    beam = "number of derivations in the beam; 1 is greedy (default: that of the model)"
    declare(parser, {"--jobs N": JOBS, "--beam N": beam}, jobs=1)
    add_backend(parser)
    declare(
        parser.add_mutually_exclusive_group(),
        {
            "--k-best N": "write the N best trees of each sentence",
            "--scores": "write calibrated probabilities of each arc to MISC (CoNLL-U)",
            "--explain": "print the reasons for each transition instead of trees",
        },
    )
    declare(
        parser,
        {
            "--tsv": "with --scores: write a table with one row per word",
            "--stream": "parse and write each sentence as soon as it is complete",
            **RETAG,
            **_raw(" (with --format text)"),
            "--keep WHICH": "keep arcs, and complete the trees: given: those with a head other than _; marked: those "
            "with Keep=Yes in MISC",
            "--keep-deps": "keep DEPS of the input (CoNLL-X: PHEAD and PDEPREL); otherwise write _",
            "--allow-empty-columns": "parse even if all tags that the model reads are missing",
        },
    )


def _raw(condition: str = "") -> dict[str, str]:
    """Return the options of raw text. condition: when they apply."""
    return {
        "--presegmented": f"read one sentence of raw text per line{condition}",
        "--ranges": f"write the places of tokens in the raw text to MISC (TokenRange){condition}",
    }


def run_parse(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.model, options.file)
    if options.backend and (options.stream or options.k_best or options.explain):
        raise CrossarcError("--backend dask parses whole files; omit --stream, --k-best and --explain")
    model = load_model(options.model)
    if options.tsv and (not options.scores or options.backend):
        raise CrossarcError("--tsv writes a table of scores in this process; add --scores, and omit --backend")
    if options.keep and (options.k_best or options.explain or options.backend):
        raise CrossarcError("--keep is for parsing in this process; omit --k-best, --explain and --backend")
    if options.retag and not model.taggers:
        raise CrossarcError(f"--retag: {options.model} predicts no tags; train with --set tags=auto, or omit --retag")
    if options.beam:
        model = _with_derivations(model, options).with_beam(options.beam)
    options.columns = options.columns or model.annotation
    if options.explain and options.output != "-":
        raise CrossarcError("--explain prints to standard output; omit -o")
    if options.stream and not options.explain and (options.jobs > 1 or options.k_best):
        raise CrossarcError("--stream parses one sentence at a time in one process; omit --jobs and --k-best")
    with progress_of(options, output=options.output) as progress:
        if options.explain or options.stream:
            found = _parsed_pieces(model, options, nothing if options.explain else progress)
            _write_at_once(chain(_heading(options), (own.data for own in found)), options.output)
        else:
            _parse(model, options, progress)
    return 0


def _write_at_once(parts: Iterable[bytes], output: str) -> None:
    if output != "-":
        write_parts(parts, output)
        return
    for part in parts:
        write_parts([part], "-")  # which flushes


def _parse(model: ParserModel, options: argparse.Namespace, progress: Progress) -> None:
    counts = Counter[str]()
    start = time.monotonic()
    total = None if options.quiet or options.format in (*WORD_FORMATS, RAW) else words_in(options.file)
    with task(progress, "parsing", "words", total) as advance, on_cluster(options.backend):
        parts: Iterable[bytes] = _counted(_parsed_pieces(model, options, progress), counts, advance)
        if options.keep:
            parts = list(parts)  # so that nothing is written if later arcs are in conflict
        write_parts(chain(_heading(options), parts), options.output)
    if counts["long"]:
        progress(f"sentences of more than {model.longest} words, parsed with first-order scores: {counts['long']}")
    seconds = time.monotonic() - start
    progress(f"parsed {counts['sentences']} sentences, {counts['words']} words in {seconds:.1f} s")


def _with_derivations(model: ParserModel, options: argparse.Namespace) -> TransitionModel:
    refusal = f"{options.model}: a {model.kind} has no derivations; omit --beam and --k-best"
    return TransitionModel.of(model, refusal)


def _parsed_pieces(model: ParserModel, options: argparse.Namespace, note: Progress) -> Iterator[Parsed]:
    at_once = options.explain or options.stream
    size = 0 if at_once else REMOTE_SIZE if options.backend else piece_size(options.file, options.jobs)
    read = _pieces(model, options, size, at_once)
    check = InputCheck(model, options.allow_empty_columns, warn, note, 1 if at_once else FIRST, options.retag)
    parser = PieceParser(model, _writing(model, options), options.retag, options.keep_deps, scores=options.scores)
    if options.backend:
        from ..models.remote import Remote, parse_remotely  # imports modules that local parsing does not need

        flags = options.retag, options.keep_deps, options.scores
        remote = Remote(Path(options.model).absolute(), options.beam or 0, *flags)
        return parse_remotely(remote, check.pieces(read))
    return parse_pieces(parser, check.pieces(read), 1 if at_once else options.jobs, parser.warm)


def _pieces(model: ParserModel, options: argparse.Namespace, size: int, at_once: bool) -> Iterator[Piece]:
    if options.format == RAW:
        tokenizer = require_tokenizer(model.tokenizer, options.model)
        parts = segmented(tokenizer, options.file, at_once, options.presegmented, options.ranges)
        return raw_pieces(parts, options.file, size)
    if options.presegmented or options.ranges:
        raise CrossarcError(f"--{'presegmented' if options.presegmented else 'ranges'}: needs --format text")
    return read_pieces(options.file, options.format, options.columns, size)


def _writing(model: ParserModel, options: argparse.Namespace) -> SentencesToText | None:
    flags = options.retag, options.keep_deps
    if options.k_best:
        return partial(best_texts, _with_derivations(model, options), options.k_best, *flags)
    if options.explain:
        return partial(_explained, model, options.retag)
    if options.keep and not options.tsv:
        return partial(texts, model, *flags, options.scores, keep=options.keep)
    return partial(score_rows, model, options.retag, options.keep) if options.tsv else None


def _explained(model: ParserModel, retag: bool, sentences: Iterable[Sentence]) -> Iterator[str]:
    from ..analysis.explanation import explained  # takes long to import, and parsing does without

    return (f"{line}\n" for own in tagged(sentences, model, retag) for line in explained(model, own))


def _heading(options: argparse.Namespace) -> list[bytes]:
    return [HEADING.encode()] if options.tsv else []


def _counted(results: Iterable[Parsed], counts: Counter[str], advance: Advance) -> Iterator[bytes]:
    for parsed in results:
        counts.update(sentences=parsed.sentences, words=parsed.words, long=parsed.long)
        advance(parsed.words)
        yield parsed.data


def describe_tokenize(parser: argparse.ArgumentParser) -> None:
    declare(parser, {"MODEL": "model file, trained with input=text"})
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="text in UTF-8, or - for standard input")
    parser.set_defaults(file_is_optional=True)
    add_output(parser)
    declare(parser, {**_raw(), "--stream": "write each paragraph as soon as it is complete"})


def run_tokenize(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.model, options.file)
    model = load_model(options.model)
    tokenizer = require_tokenizer(model.tokenizer, options.model)
    raw = options.stream, options.presegmented, options.ranges
    sentences = segmented(tokenizer, options.file, *raw, model.looked_at.get("form"), warn)
    start = time.monotonic()
    with (
        progress_of(options, output=options.output) as progress,
        task(progress, "tokenizing", "sentences", None) as advance,
    ):
        parts = (sentence.encode() for sentence in _told(sentences, options.file, advance))
        (_write_at_once if options.stream else write_parts)(parts, options.output)
        progress(f"tokenized in {time.monotonic() - start:.1f} s")
    return 0


def _told(sentences: Iterable[str], name: str, advance: Advance) -> Iterator[str]:
    empty = True
    for sentence in sentences:
        empty = False
        advance(1)
        yield sentence
    if empty:
        raise CrossarcError(f"{source_name(name)}:1: empty file, expected at least one sentence")


def describe_tag(parser: argparse.ArgumentParser) -> None:
    declare(parser, {"MODEL": "model file, trained with tags=auto or input=text"})
    add_input(parser, optional=True, columns=None, words=True)
    add_output(parser)
    stream = "write each sentence as soon as it is complete"
    declare(parser, {"--stream": stream, **RETAG, **_raw(" (with --format text)")})


def run_tag(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, options.model, options.file)
    model = load_model(options.model)
    if not model.taggers:
        raise CrossarcError(f"tag: {options.model} predicts no tags; train with --set tags=auto")
    options.columns = options.columns or model.annotation
    counts = Counter[str]()
    start = time.monotonic()
    with progress_of(options, output=options.output) as progress, task(progress, "tagging", "words", None) as advance:
        pieces = _pieces(model, options, 0 if options.stream else LARGEST, options.stream)
        tagged_pieces = map(PieceParser(model, retag=options.retag, trees=False), pieces)
        parts = _counted(tagged_pieces, counts, advance)
        (_write_at_once if options.stream else write_parts)(parts, options.output)
        seconds = time.monotonic() - start
        progress(f"tagged {counts['sentences']} sentences, {counts['words']} words in {seconds:.1f} s")
    return 0


def describe_info(parser: argparse.ArgumentParser) -> None:
    declare(parser, {"MODEL": MODEL, "--json": "print JSON"})


def run_info(options: argparse.Namespace) -> int:
    model = load_model(options.model)
    size = os.path.getsize(options.model)
    if options.json:
        print_json({"bytes": size, "kind": model.kind, **model.to_json()})
    else:
        print(f"{model.to_text()}\n{'size':<12} {size / 1e6:.1f} MB")
    return 0
