"""Parsing on several machines: the workers of a cluster read the model file and receive pieces of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..base.errors import CrossarcError
from ..treebank import Piece
from .files import load_model
from .pieces import REMOTE_SIZE, Parsed, PieceParser


class Remote(NamedTuple):
    """A parser on the workers of a cluster.

    path: absolute path of the model file.
    beam: number of derivations in the beam; 0 for that of the model.
    retag, keep_deps, scores: as in :meth:`.model.ParserModel.parse`.
    """

    path: Path
    beam: int = 0
    retag: bool = False
    keep_deps: bool = False
    scores: bool = False


def parse_remotely(remote: Remote, pieces: Iterable[Piece]) -> Iterator[Parsed]:
    """The parsed pieces, in their order. An error, as in local parsing, is raised after all earlier results."""
    from joblib import Parallel, delayed

    with Parallel(n_jobs=-1, return_as="generator", pre_dispatch="2 * n_jobs") as parallel:
        for result in parallel(delayed(_parsed)(remote, piece) for piece in pieces):
            if isinstance(result, Exception):
                raise result
            yield result


def _parsed(remote: Remote, piece: Piece) -> Parsed | CrossarcError:
    try:
        return _parser(remote)(piece)
    except CrossarcError as error:
        return error


@lru_cache(maxsize=1)
def _parser(remote: Remote) -> PieceParser:
    model = load_model(remote.path)
    if remote.beam:
        model = model.with_beam(remote.beam)
    model.hint_workload(REMOTE_SIZE)
    return PieceParser(model, None, remote.retag, remote.keep_deps, scores=remote.scores)
