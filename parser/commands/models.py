"""The commands ``parse`` and ``info``, and what commands that stop before the trees share with the first."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.progress import Progress, task
from ..console.options import JOBS, JSON, ONE_OF, OptionGroup, Options, option, print_json, refuse_overwriting
from ..console.progress import progress_of
from ..console.reading import format_and_columns, reading
from ..console.streams import tell
from ..models.files import load_model
from ..models.inputs import FIRST, InputCheck, Untagged, beyond_pairs, columns_text, needed_tags
from ..models.model import ParserModel
from ..models.pieces import (
    HEADING,
    REMOTE_SIZE,
    ParsedPiece,
    PieceParser,
    SentencesToText,
    parse_pieces,
    parse_remotely,
    parse_together,
    piece_size,
    score_rows,
)
from ..models.steps import Step
from ..models.transition_model import TransitionModel, best_texts
from ..models.words import KEEPERS
from ..treebank import WORD_FORMATS, Piece, compression_named, output, read_pieces, size_of
from ..treebank.reader import SAMPLE

MODEL = "model file written by crossarc train"
RAW, LINES = "text", "lines"
"""Formats of raw text; in the second, each line is a sentence."""
SEVERAL: Options = {
    "-o, --output FILE": option("file to write, or folder for several FILEs (default: standard output)", default="-")
}
RANGES: Options = {"--ranges": "write the places of tokens in raw text to MISC (TokenRange)"}
STREAM: Options = {"--stream": "write each sentence, of raw text each paragraph, as soon as it is complete"}
RETAG: Options = {"--retag": "replace the tags of the input by those that the model predicts"}
LIKE: Options = {"--like NAME": "treebank to parse like, of those that the model learned from (default: the first)"}
DEPS = "deps"
"""What ``--keep`` names beside decided words: columns that describe the replaced tree."""
KILO = 1000
SMALL, BATCH = 1 << 16, 1 << 20
"""Sizes in bytes: of the largest file that is parsed together with its neighbours, and of all of these together."""
FILES = "one or more {}, or - for standard input (default: -)"
CONLL: Options = {
    "MODEL": MODEL,
    "[FILE]...": FILES.format("CoNLL files"),
    **reading(*WORD_FORMATS, RAW, LINES),
    **SEVERAL,
    **JOBS,
}
TREES: Options = {
    "--k-best N": "write the N best trees of each sentence",
    "--scores": "write calibrated probabilities of each arc to MISC (CoNLL-U); with -o FILE.tsv: a table of words",
}
KEEP = (
    "part of the input to keep: given: words whose head is not _; marked: words with Keep=Yes in MISC, or the columns "
)
KEEP += "that Keep=head,upos names; deps: DEPS (CoNLL-X: PHEAD and PDEPREL) and Conf in MISC; repeat for several"
PARSE: Options = {
    **CONLL,
    ONE_OF: OptionGroup(TREES),
    "--beam N": "number of derivations in the beam; 1 is greedy (default: that of the model)",
    **STREAM,
    **RETAG,
    **LIKE,
    **RANGES,
    "--keep WHICH...": option(KEEP, choices=(*KEEPERS, DEPS)),
    "--allow-empty-columns": "parse even if all tags that the model reads are missing",
}
INFO: Options = {"MODEL": MODEL, **JSON}


def _inputs(options: argparse.Namespace) -> list[argparse.Namespace]:
    """Return the options for each input: its ``file``, and its ``output`` in a folder if there are several.

    Raises CrossarcError for a result that would replace an input, the model or another result.
    """
    files = options.file or ["-"]
    outputs = [options.output]
    if len(files) > 1 or os.path.isdir(options.output):
        if "-" in (options.output, *files):
            raise CrossarcError("several files need a folder for the results: -o FOLDER; none can be standard input")
        Path(options.output).mkdir(parents=True, exist_ok=True)
        plain = options.format in (*WORD_FORMATS, RAW, LINES)
        unpacked = [name.removesuffix(Path(name).suffix) if compression_named(name) else name for name in files]
        names = [Path(name).stem + ".conllu" for name in unpacked] if plain else [Path(name).name for name in files]
        outputs = [os.path.join(options.output, name) for name in names]
        if twice := next((name for name, count in Counter(outputs).items() if count > 1), ""):
            raise CrossarcError(f"{twice}: is the result of two files; write them to different folders")
    refuse_overwriting(outputs, options.model, *files)
    both = zip(files, outputs, strict=True)
    return [argparse.Namespace(**{**vars(options), "file": file, "output": output}) for file, output in both]


def run_parse(options: argparse.Namespace) -> int:
    """Run ``crossarc parse``; return its exit status."""
    options = argparse.Namespace(**({"trees": True, "done": "parsed", "steps_of": None} | vars(options)))
    kept = [which for which in KEEPERS if which in options.keep]
    if len(kept) > 1:
        raise CrossarcError("--keep: found given and marked, expected one of them: which words has a person decided?")
    options.keep_deps, options.keep = DEPS in options.keep, next(iter(kept), None)
    inputs = _inputs(options)
    remote = isinstance(options.jobs, str)
    if options.stream and (options.jobs != 1 or options.k_best):
        other = "--jobs" if options.jobs != 1 else "--k-best"
        raise CrossarcError(f"--stream treats one sentence at a time in one process; omit {other}")
    if remote and (options.k_best or _is_table(options)):
        raise CrossarcError("--jobs dask=ADDRESS parses whole files; omit --k-best and -o FILE.tsv")
    if options.keep and (options.k_best or remote):
        raise CrossarcError("--keep is for parsing in this process; omit --k-best and --jobs dask=ADDRESS")
    model = load_model(options.model)
    if options.like:
        if remote:
            raise CrossarcError("--like is for parsing without --jobs dask=ADDRESS; omit one of them")
        model = model.like(options.like)
    if options.retag and options.trees and not model.filled:
        remedy = "omit --retag, or use crossarc train --set tags=auto"
        raise CrossarcError(f"{options.model} predicts no tags; {remedy}")
    if options.beam:
        model = _with_derivations(model, options).with_beam(options.beam)
    steps = model.steps if options.steps_of is None else tuple(options.steps_of(model))
    options.steps = steps
    if options.k_best and any(step.revises for step in steps):
        warn(f"{options.model} has constraints, which are not applied to the trees of --k-best")
    alone = options.jobs != 1 or options.k_best or options.keep or options.stream
    faulty = 0
    for batch in [[input_options] for input_options in inputs] if alone else _batches(inputs):
        if len(batch) > 1 and _parse_together(model, options, batch):
            continue
        for input_options in batch:
            try:
                _parse(model, argparse.Namespace(**vars(input_options), steps=steps), several=len(inputs) > 1)
            except CrossarcError as error:
                if len(inputs) == 1:
                    raise
                tell(f"crossarc: {error}")
                faulty += 1
    if faulty:
        raise CrossarcError(f"{faulty} of {len(inputs)} files failed, see above; the results of the others are written")
    return 0


def run_steps(options: argparse.Namespace, done: str, steps_of: Callable[[ParserModel], Sequence[Step]]) -> int:
    """Run a command that stops before the trees; return its exit status.

    done: past tense of the command, for its message.
    steps_of: the steps of a model that it runs. May raise CrossarcError.
    """
    defaults: dict[str, Any] = {  # options of crossarc parse that the command may lack
        "beam": None,
        "k_best": None,
        "scores": False,
        "keep": [],
        "like": None,
        "allow_empty_columns": True,
    }
    defaults |= {"trees": False, "jobs": 1, "retag": False, "done": done, "steps_of": steps_of}
    return run_parse(argparse.Namespace(**(defaults | vars(options))))


def _batches(inputs: Iterable[argparse.Namespace]) -> Iterator[list[argparse.Namespace]]:
    """The options of small files in batches, those of each other file alone."""
    batch: list[argparse.Namespace] = []
    total = 0
    for input_options in inputs:
        size = size_of(input_options.file) or BATCH
        if batch and (size > SMALL or total + size > BATCH):
            yield batch
            batch, total = [], 0
        batch.append(input_options)
        total += size
    yield batch


def _parse_together(model: ParserModel, options: argparse.Namespace, batch: Sequence[argparse.Namespace]) -> bool:
    """Parse small files in one go, which takes a fraction of the time. False if they must be parsed one by one."""
    if any(map(_is_table, batch)):
        return False
    start = time.monotonic()
    warnings: list[str] = []
    try:
        files = []
        for input_options in batch:
            told: list[str] = []
            check = InputCheck(model, options.allow_empty_columns, told.append, retag=options.retag)
            files.append(list(check.pieces(_pieces(model, input_options, REMOTE_SIZE))))
            warnings += [f"{input_options.file}: {text}" for text in told]
        parser = PieceParser(replace(model, steps=options.steps), **_piece_options(options))
        together = parse_together(parser, files)
        if together is None:
            return False
        for input_options, data in zip(batch, together.data, strict=True):
            with output(input_options.output) as write:
                write(data)
    except CrossarcError:  # told for its file when each is parsed alone
        return False
    for text in warnings:
        warn(text)
    with progress_of(options, output=batch[0].output) as progress:
        size = f"{len(batch)} files, {together.sentences} sentences, {together.words} words"
        progress(f"{options.done} {size} in {time.monotonic() - start:.1f} s")
    return True


def _parse(model: ParserModel, options: argparse.Namespace, several: bool = False) -> None:
    """Parse a file. several: whether warnings name it, since it is one of several."""
    counts = Counter[str]()
    untagged: list[Untagged] = []
    place = f"{options.file}: " if several else ""
    start = time.monotonic()
    # converted to rows: the number of their bytes does not say how much of the file is parsed
    converted = options.format in (*WORD_FORMATS, RAW, LINES)
    needed = needed_tags(model) if not options.allow_empty_columns else set()
    # a refusal of a later sentence must not leave a part of the output behind
    whole = bool(options.keep or needed) and not options.stream
    with progress_of(options, output=options.output) as progress:
        total = None if converted else size_of(options.file)
        with task(progress, "parsing", "words" if converted else "kB", total and total / KILO) as advance:
            results = _parsed_pieces(model, options, lambda text: warn(place + text))
            with output(options.output, whole=whole, at_once=options.stream) as write:
                if _is_table(options):
                    write(HEADING.encode())
                for parsed in results:
                    counts.update(sentences=parsed.sentences, words=parsed.words, long=parsed.long)
                    advance(parsed.words if converted else parsed.read / KILO)
                    untagged += [parsed.untagged] if parsed.untagged else []
                    if untagged and options.stream:  # otherwise all sentences without tags are counted
                        break
                    write(parsed.data)
                if untagged:
                    raise Untagged(sum(part.number for part in untagged), untagged[0].place).refused(needed)
        if counts["long"]:
            warn(place + beyond_pairs(model.longest, counts["long"]))
        size = f"{counts['sentences']} sentences, {counts['words']} words"
        progress(f"{options.done} {size} in {time.monotonic() - start:.1f} s")


def _with_derivations(model: ParserModel, options: argparse.Namespace) -> TransitionModel:
    refusal = f"{options.model}: a {model.kind} has no derivations; omit --beam and --k-best"
    return TransitionModel.of(model, refusal)


def _parsed_pieces(model: ParserModel, options: argparse.Namespace, warn: Progress) -> Iterator[ParsedPiece]:
    remote = isinstance(options.jobs, str)
    size = 0 if options.stream else REMOTE_SIZE if remote else piece_size(options.file, options.jobs)
    read = _pieces(model, options, size)
    check = InputCheck(
        model,
        options.allow_empty_columns,
        warn,
        hold=1 if options.stream else FIRST,
        retag=options.retag,
        keep=bool(options.keep),
    )
    piece_options = _piece_options(options)
    if remote:
        place = Path(options.model).absolute()
        return parse_remotely(check.pieces(read), options.jobs, place, options.beam or 0, **piece_options)
    write: SentencesToText | None = None
    if options.k_best:
        write = partial(best_texts, _with_derivations(model, options), options.k_best, options.retag, options.keep_deps)
    elif _is_table(options):
        write = partial(score_rows, model, options.retag, options.keep)
    parser = PieceParser(replace(model, steps=options.steps), write, **piece_options)
    return parse_pieces(parser, check.pieces(read), options.jobs, parser.warm)


def _piece_options(options: argparse.Namespace) -> dict[str, Any]:
    names = "retag", "keep_deps", "scores", "keep", "trees"
    return {name: getattr(options, name) for name in names} | {"allow_empty": options.allow_empty_columns}


def _pieces(model: ParserModel, options: argparse.Namespace, size: int) -> Iterator[Piece]:
    if options.format in (RAW, LINES):
        from ..models.raw import raw_pieces, require_segmenter, segmented

        segmenter = require_segmenter(model.segmenter, options.model)
        raw = not size, options.format == LINES, options.ranges
        return raw_pieces(segmented(segmenter, options.file, *raw), options.file, size)
    if options.ranges:
        raise CrossarcError("--ranges needs the places of tokens in raw text; use --format text, or omit --ranges")
    sample = SAMPLE if size else 1  # --stream waits for no second sentence
    return read_pieces(options.file, *format_and_columns(options.format, model.annotation), size, sample=sample)


def _is_table(options: argparse.Namespace) -> bool:
    return bool(options.scores and options.output.endswith(".tsv"))


def run_info(options: argparse.Namespace) -> int:
    """Run ``crossarc info``; return its exit status."""
    model = load_model(options.model)
    size = os.path.getsize(options.model)
    if options.json:
        print_json({"bytes": size, "kind": model.kind, **model.to_json()})
    else:
        print(*_card(model, size), "", model.to_text(), sep="\n")
    return 0


def _from_text(dev: Mapping[str, Any]) -> dict[str, str]:
    """The line with the scores from raw text, if there are any."""
    if not (f1 := dev.get("from_text")):
        return {}
    shown = ", ".join(f"{unit.upper() if unit in ('upos', 'uas', 'las') else unit} {f1[unit]:.2f}" for unit in f1)
    return {"from text": f"{shown} (CoNLL 2018, development treebank)"}


def _card(model: ParserModel, size: int) -> list[str]:
    """The lines that state what a model was trained on, what it reads, how good it is, and its limits."""
    told = model.provenance
    train, dev = told.get("train"), told.get("dev")
    low, high = dev["las_interval"] if dev else (0.0, 0.0)
    tags = set(model.filled)
    read_columns = f"{columns_text(model.looked_at.keys() - tags)}, taken as given"
    several = told.get("treebanks", [])
    treebank = ", ".join(several) or " ".join(told[name] for name in ("name", "version") if name in told)
    counted = f"{train['sentences']} sentences, {train['words']} words" if train else "not recorded"
    lines = {
        "trained on": f"{treebank}: {counted}" if treebank else counted,
        "licence": told.get("licence", "not recorded; that of the training treebank applies"),
        "size": f"{size / 1e6:.1f} MB",
        "input": ("raw text, or " if model.segmenter else "") + read_columns,
        "predicts": ", ".join(["heads and labels", *([columns_text(tags)] if tags else [])]),
        "scores": f"LAS {dev['las']:.2f} (95 % interval: {low:.2f} to {high:.2f}), UAS {dev['uas']:.2f} on the "
        "development treebank"
        if dev
        else "none; train with --dev",
        **_from_text(dev or {}),
        "limits": "text like that of the training treebank; trees only",
    }
    if several:
        lines["parses like"] = f"{several[0]}, or another treebank with --like NAME"
    if segmentation := told.get("segmentation"):
        parts = ", ".join(f"{unit} {f1:.2f}" for unit, f1 in sorted(segmentation.items()))
        lines["segmentation"] = f"F1 of {parts} on the development treebank"
    return [f"{name:<12} {value}" for name, value in lines.items()]
