"""What training and parsing cost and reach on a treebank: ``python -m crossarc.experiments.benchmark``.

Every measurement is a process of its own with one thread, so that CPU seconds and peak memory are its own. Parsing is
measured in steady state: on several copies of the test file, after a first pass over one copy.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..parser.config.loading import load_config
from ..parser.console.options import positive
from ..parser.errors import CrossarcError
from ..parser.evaluate import score_sentences
from ..parser.models.files import load_model, save_model
from ..parser.models.pieces import PieceParser
from ..parser.training.train import train
from ..parser.treebank import (
    Sentence,
    read_pieces,
    read_sentences,
    read_treebank,
    write_parts,
    write_sentences,
)

__all__ = ["main"]

PAGE = Path(__file__).parent / "benchmark_page"
PEER = "a parser to measure beside it: its command, with {file} or {conllx}, and {out} (with --page)"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print one line a figure; returns the exit status."""
    parser = argparse.ArgumentParser(prog="crossarc-benchmark", description=__doc__)
    parser.add_argument("--treebank", help="folder with train.*, dev.*, test.*; English-EWT of $CROSSARC_TREEBANKS")
    ready = ["arc-standard", "swap", "arc-standard-small", "swap-small"]
    parser.add_argument("--configs", nargs="+", default=ready, help="ready configs or files")
    parser.add_argument("--copies", type=positive, default=8, help="of the test file, for timing")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="set any key of the configs")
    parser.add_argument("--page", metavar="FOLDER", nargs="?", const=str(PAGE), help="measure and write the page")
    parser.add_argument("--most", type=positive, default=10_000_000, help="tokens of the longest file, for the page")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help=PEER)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        if options.task:
            name, *words = json.loads(options.task)
            print(json.dumps(_TASKS[name](*words)))
        elif options.page:
            _page(options)
        else:
            _benchmark(options)
    except CrossarcError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


def _page(options: argparse.Namespace) -> None:
    from .benchmark_page.page import generate

    _, files = _treebank(options)
    peers = {name: command for name, _, command in (peer.partition("=") for peer in options.peer)}
    generate(Path(options.page), files, options.most, peers, lambda line: print(line, file=sys.stderr, flush=True))


def _treebank(options: argparse.Namespace) -> tuple[Path, dict[str, str]]:
    folder = Path(options.treebank or Path(os.environ.get("CROSSARC_TREEBANKS", "."), "English-EWT"))
    found = {part: next(iter(sorted(folder.glob(f"{part}.*"))), None) for part in ("train", "dev", "test")}
    if None in found.values():
        raise CrossarcError(f"{folder}: found no train.*, dev.* and test.*; name a folder with --treebank")
    return folder, {part: str(path) for part, path in found.items()}


def _benchmark(options: argparse.Namespace) -> None:
    folder, files = _treebank(options)
    for config in options.configs:
        load_config(config, options.set)
    print(f"{folder.name}, CPU seconds of one thread\n")
    reading = _run("read", files["train"])
    print(f"reading       {reading['words_per_second']:>9,.0f} words per CPU s")
    with tempfile.TemporaryDirectory() as scratch:
        for number, config in enumerate(options.configs):
            model = f"{scratch}/{number}.crossarc"
            training = _run("train", config, files["train"], model, settings=options.set)
            print(
                f"\n{config}\n  training    {training['seconds']:>9,.1f} CPU s, {training['memory']:,.0f} MB; "
                f"model {os.path.getsize(model) / 1e6:.1f} MB"
            )
            for kernel in ("numpy", "numba"):
                figures = _run("parse", model, files["test"], options.copies, kernel=kernel)
                print(
                    f"  {kernel:<11} {figures['parse']:>9,.0f} tokens per CPU s parsing, {figures['whole']:,.0f} "
                    f"with reading and writing, {figures['memory']:,.0f} MB"
                )
            print(f"  test        LAS {figures['las']:.2f}  UAS {figures['uas']:.2f}", flush=True)


def _run(*task: object, settings: Sequence[str] = (), kernel: str = "") -> dict[str, float]:
    """What a task prints, run as a process of its own. Raises CrossarcError with what it says if it fails."""
    command = [sys.executable, "-m", "crossarc.experiments.benchmark", "--task", json.dumps(task, default=str)]
    environment = {**os.environ, **ONE_THREAD, "CROSSARC_KERNEL": kernel, "CROSSARC_SETTINGS": json.dumps([*settings])}
    done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    if done.returncode:
        raise CrossarcError(f"{task[0]}: {(done.stderr.splitlines() or ['no message'])[-1]}")
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _memory() -> float:
    """Peak memory of this process so far in MB (ru_maxrss is in kB on Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _read(path: str) -> dict[str, float]:
    start = time.process_time()
    words = sum(len(sentence) for sentence in read_sentences(path))
    return {"words_per_second": words / (time.process_time() - start)}


def _train(system: str, path: str, out: str) -> dict[str, float]:
    config = load_config(system, json.loads(os.environ["CROSSARC_SETTINGS"]), {"treebank.train": path})
    start = time.process_time()
    save_model(train(config), out)
    return {"seconds": time.process_time() - start, "memory": _memory()}


def _parse(model: str, path: str, copies: int) -> dict[str, float]:
    parser = load_model(model)
    gold = read_treebank(path).sentences
    scores = score_sentences(gold, parser.parse(gold), breakdowns="no_punct")
    words = sum(map(len, gold)) * copies
    start = time.process_time()
    for _ in parser.parse(_repeat(gold, copies)):
        pass
    parsed = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        long = f"{scratch}/long.conllu"
        write_sentences(_repeat(gold, copies), long)
        begin = time.process_time()
        write_parts((own.data for own in map(PieceParser(parser), read_pieces(long))), f"{scratch}/out.conllu")
        whole = time.process_time() - begin
    return {
        "las": scores.las or 0.0,
        "uas": scores.uas or 0.0,
        "parse": words / (parsed - start),
        "whole": words / whole,
        "memory": _memory(),
    }


def _repeat(sentences: Sequence[Sentence], copies: int) -> Iterator[Sentence]:
    for _ in range(copies):
        yield from sentences


_TASKS: dict[str, Any] = {"read": _read, "train": _train, "parse": _parse}

if __name__ == "__main__":
    raise SystemExit(main())
