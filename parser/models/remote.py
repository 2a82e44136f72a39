"""Parsing on several machines: the workers of a cluster receive pieces of a file and the bytes of the model."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from ..base import __version__
from ..base.cluster import client, require_version, workers
from ..base.errors import CrossarcError
from ..treebank import Piece
from .files import model_in
from .pieces import AHEAD, REMOTE_SIZE, Parsed, PieceParser, in_order, texts


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The data that a worker needs to parse like this machine.

    content: bytes of the model file.
    name: name of the model file, for messages.
    beam: number of derivations in the beam; 0 for that of the model.
    confidences, retag, keep_deps: as in :meth:`.model.ParserModel.parse`.
    version: version of crossarc.
    """

    content: bytes
    name: str
    beam: int = 0
    confidences: bool = False
    retag: bool = False
    keep_deps: bool = False
    version: str = __version__


def parse_remotely(model: ModelFile, pieces: Iterable[Piece]) -> Iterator[Parsed]:
    """The parsed pieces, in their order, computed by the workers of the current cluster.

    An error, a CrossarcError as in local parsing, is raised after all earlier results are returned.
    """
    there = client()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        # a task: when a worker ends, the scheduler repeats tasks, but loses scattered data
        model_there = there.submit(_same, model, pure=False)
    results = in_order(lambda piece: there.submit(_parsed, model_there, piece, pure=False), pieces, AHEAD * workers())
    for result in results:
        if isinstance(result, Exception):
            raise result
        yield result


def _same(model: ModelFile) -> ModelFile:
    return model


def _parsed(model: ModelFile, piece: Piece) -> Parsed | CrossarcError:
    try:
        require_version(model.version)
        return _parser(model)(piece)
    except CrossarcError as error:
        return error


@lru_cache(maxsize=1)
def _parser(file: ModelFile) -> PieceParser:
    model = model_in(file.content, file.name)
    if file.beam:
        model = model.with_beam(file.beam)
    model.hint_workload(REMOTE_SIZE)
    flags = file.retag, file.keep_deps
    return PieceParser(model, partial(texts, model, *flags, confidences=True) if file.confidences else None, *flags)
