"""Adds Brown clusters of words to treebanks: ``python -m crossarc.experiments.word_clusters``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...parser.console.options import positive
from ...parser.errors import CrossarcError
from ...parser.text_files import read_text
from ...parser.treebank import read_sentences, write_sentences
from .brown import brown_clusters
from .columns import with_clusters

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Cluster the words of some text and write treebanks with their clusters; returns the exit status."""
    parser = argparse.ArgumentParser(prog="crossarc-word-clusters", description=__doc__)
    parser.add_argument("treebanks", nargs="+", help="CoNLL-U or CoNLL-X files to add clusters to")
    parser.add_argument(
        "--text", nargs="+", required=True, help="CoNLL files, or .txt files with a sentence of separate words a line"
    )
    parser.add_argument("--clusters", type=positive, default=64, help="how many")
    parser.add_argument("--words", type=positive, default=5000, help="the most frequent words, which get a cluster")
    parser.add_argument("--out", required=True, help="folder that the treebanks are written to, as NAME.conllup")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except CrossarcError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    names = [Path(file).name.partition(".")[0] for file in options.treebanks]
    if len(set(names)) < len(names):
        raise CrossarcError(f"treebanks: found two that are called alike; allowed: different names, of {names}")
    clusters = brown_clusters(_text(options.text), options.clusters, options.words)
    folder = Path(options.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrossarcError(f"{folder}: cannot be written: {error.strerror or error}") from error
    for name, file in zip(names, options.treebanks, strict=True):
        target = folder / f"{name}.conllup"
        write_sentences(with_clusters(read_sentences(file), clusters), target)
        print(f"wrote {target}: {len(set(clusters.values()))} clusters of {len(clusters)} words")
    return 0


def _text(files: Sequence[str]) -> Iterator[Sequence[str]]:
    for file in files:
        if file.endswith(".txt"):
            yield from (line.split() for line in read_text(file, "text").splitlines())
        else:
            yield from (sentence.column("form") for sentence in read_sentences(file))


if __name__ == "__main__":
    sys.exit(main())
