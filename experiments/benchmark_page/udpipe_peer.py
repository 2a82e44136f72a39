"""UDPipe 1 as a command, for ``--peer``, where its Python package ``ufal.udpipe`` is installed.

``python -m crossarc.experiments.benchmark_page.udpipe_peer train TREEBANK MODEL`` trains a parser with UDPipe's default
sizes for one iteration: what it costs to parse does not depend on how well. ``... parse MODEL FILE OUT`` parses.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ...parser.errors import CrossarcError
from ...parser.treebank import conll_text, read_sentences

__all__ = ["main"]

OPTIONS = "iterations=1;embedding_form=50;embedding_upostag=20;embedding_feats=20;embedding_deprel=20;hidden_layer=200"
"""Of the parser; the others are UDPipe's defaults."""


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    try:
        match arguments:
            case ["train", treebank, model]:
                _train(treebank, model)
            case ["parse", model, source, target]:
                _parse(model, source, target)
            case _:
                raise CrossarcError("expected: train TREEBANK MODEL, or parse MODEL FILE OUT")
    except CrossarcError as error:
        print(f"udpipe_peer: {error}", file=sys.stderr)
        return 1
    return 0


def _package() -> Any:
    try:
        return import_module("ufal.udpipe")
    except ImportError as error:
        raise CrossarcError("needs the package ufal.udpipe: pip install ufal.udpipe") from error


def _train(treebank: str, path: str) -> None:
    udpipe = _package()
    reader, sentences = udpipe.InputFormat.newConlluInputFormat(), udpipe.Sentences()
    reader.setText("".join(map(conll_text, read_sentences(treebank))))
    error = udpipe.ProcessingError()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    none = udpipe.Trainer.NONE
    model = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), none, none, OPTIONS, error)
    if error.occurred():
        raise CrossarcError(f"{treebank}: {error.message}")
    Path(path).write_bytes(model)


def _parse(path: str, source: str, target: str) -> None:
    udpipe = _package()
    model = udpipe.Model.load(path)
    if not model:
        raise CrossarcError(f"{path}: UDPipe cannot load it")
    pipeline = udpipe.Pipeline(model, "conllu", udpipe.Pipeline.NONE, udpipe.Pipeline.DEFAULT, "conllu")
    error = udpipe.ProcessingError()
    parsed = pipeline.process(Path(source).read_text("utf-8"), error)
    if error.occurred():
        raise CrossarcError(f"{source}: {error.message}")
    Path(target).write_text(parsed, "utf-8")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
