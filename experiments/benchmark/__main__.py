"""Measure training and parsing with files on a treebank: ``python -m crossarc.experiments.benchmark``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ... import CrossarcError, Sentence, load_config, read_sentences, read_treebank, score_sentences
from ...parser.console.options import positive
from ...parser.treebank import checksum
from ..harness.costs import Tool, cost, crossarc, maltparser, throughput, udpipe, write_conll
from ..harness.results import rounded, versions, write_text
from ..harness.tables import markdown_table

LOOPS = ("numba", "numpy")
INSTALLED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Modules are kept compiled, as those of installed packages are."""
COLUMNS = {
    "las": ("LAS", 2),
    "train": ("training, CPU s", 1),
    "train_memory": ("training, MB", 0),
    "model": ("model, MB", 1),
    "speed": ("tokens per CPU s", 0),
    "memory": ("parsing, MB", 0),
    "start": ("one sentence, CPU s", 2),
}
"""The title and the decimals of each figure."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one table, a row for each parser and kind of loops; return the exit status."""
    parser = argparse.ArgumentParser(prog="crossarc-benchmark", description=__doc__)
    parser.add_argument(
        "--treebank", help="folder with train.* and test.*; default: English-EWT of $CROSSARC_TREEBANKS"
    )
    ready = ["arc-standard", "swap", "arc-standard-small", "swap-small"]
    parser.add_argument("--configs", nargs="*", default=ready, help="ready configs or files")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="set any key of the configs")
    parser.add_argument("--copies", type=positive, default=10, help="copies of the test file to parse (default: 10)")
    parser.add_argument("--malt", metavar="JAR", help="measure MaltParser, too; needs Java")
    parser.add_argument("--udpipe", action="store_true", help="measure UDPipe 1, too; needs the package ufal.udpipe")
    parser.add_argument("--out", metavar="FOLDER", help="write results.json there")
    options = parser.parse_args(arguments)
    try:
        folder = Path(options.treebank or Path(os.environ.get("CROSSARC_TREEBANKS", "."), "English-EWT"))
        files = {part: next(iter(sorted(folder.glob(f"{part}.*"))), None) for part in ("train", "test")}
        for config in options.configs:
            load_config(config, options.set)
        if not all(files.values()):
            raise CrossarcError(f"{folder}: found no train.* and test.*; name a folder with --treebank")
        tools = [crossarc(config, options.set) for config in options.configs]
        tools += [maltparser(options.malt)] if options.malt else []
        tools += [udpipe()] if options.udpipe else []
        train, test = (read_treebank(str(path)).sentences for path in files.values())
        figures = {}
        for tool in tools:
            print(f"measuring {tool.name}", file=sys.stderr, flush=True)
            figures[tool.name] = dict(_measured(tool, train, test, options.copies, own=tool.name in options.configs))
        if options.out:
            sources = {part: {"file": path.name, "sha256": checksum(str(path))} for part, path in files.items() if path}
            setting = {"set": options.set, "copies": options.copies, "cores": os.cpu_count()}
            document: dict[str, Any] = {"experiment": "benchmark", "versions": versions(), "setting": setting}
            document |= {"treebanks": {folder.name: sources}, "figures": rounded(figures)}
            Path(options.out).mkdir(parents=True, exist_ok=True)
            write_text(Path(options.out), "results.json", document)
    except CrossarcError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    rows = [
        [name, loops, *("–" if own[key] is None else f"{own[key]:.{digits}f}" for key, (_, digits) in COLUMNS.items())]
        for name, kinds in figures.items()
        for loops, own in kinds.items()
    ]
    print(markdown_table(["parser", "loops", *(title for title, _ in COLUMNS.values())], rows, left=2), end="")
    return 0


def _measured(
    tool: Tool, train: Sequence[Sentence], test: Sequence[Sentence], copies: int, *, own: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The figures of a parser by its loops: our own is measured with compiled ones and without."""
    words = sum(map(len, test))
    with TemporaryDirectory() as scratch:
        model, parsed, treebank, first, once, many = (Path(scratch, f"{name}.conll") for name in "mptfoc")
        write_conll(train, treebank, conllx=tool.conllx)
        for file, sentences, number in ((first, test[:1], 1), (once, test, 1), (many, test, copies)):
            write_conll(sentences, file, number, conllx=tool.conllx)
        trained = cost(tool.train(treebank, model), INSTALLED)
        for loops in LOOPS if own else ("own",):
            forced, usual = {"CROSSARC_KERNEL": loops}, {"CROSSARC_KERNEL": loops.replace("numba", "")}
            cost(tool.parse(model, once, parsed), {**INSTALLED, **forced})  # compiles code, which later processes load
            scores = score_sentences(test, read_sentences(str(parsed)))
            short, long = (cost(tool.parse(model, file, parsed), {**INSTALLED, **forced}) for file in (once, many))
            yield (
                loops,
                {
                    "las": scores.las,
                    "train": trained.cpu,
                    "train_memory": trained.memory,
                    "model": tool.model(model).stat().st_size / 1e6,
                    "speed": throughput((words, short), (words * copies, long)),
                    "memory": long.memory,
                    "start": cost(tool.parse(model, first, parsed), {**INSTALLED, **usual}).cpu,
                },
            )


if __name__ == "__main__":
    sys.exit(main())
