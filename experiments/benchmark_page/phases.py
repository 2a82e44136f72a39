"""Where the time of parsing goes, and how far it is from what memory allows."""

from __future__ import annotations

import io
import time
from typing import Any

import numpy as np

from ...features.extractor import ABSENT
from ...parser.learners.key_index import NO_ROW
from ...parser.learners.linear_model import LinearModel
from ...parser.models.files import load_model
from ...parser.models.pieces import PieceParser
from ...parser.models.transition_model import TransitionModel
from ...parser.treebank import Sentence, block_of, conll_text, read_pieces
from ...transitions.step import Step

__all__ = ["phases", "traffic"]

GATHERED = 2**22
"""Rows that are read to measure how fast memory gives rows."""
ROWS = 2**14
WARM = 64
"""So many times the sentences are said to come, so that the compiled loop is worth loading."""


def phases(model: str, sentences: list[Sentence]) -> dict[str, float]:
    """Microseconds a token of parsing these sentences, by what they are spent on."""
    data = "".join(map(conll_text, sentences)).encode()
    parse = PieceParser(load_model(model))
    parse.warm(list(read_pieces(io.BytesIO(data))) * WARM)
    for piece in read_pieces(io.BytesIO(data)):  # once without looking at the clock: code is loaded, memory is there
        parse(piece)
    clock = [time.process_time()]
    pieces = list(read_pieces(io.BytesIO(data)))
    clock.append(time.process_time())
    blocks = [block for piece in pieces if (block := block_of(piece)) is not None]
    for block in blocks:
        block.values(1, block.place("head") - 1)
    clock.append(time.process_time())
    for block in blocks:
        words = int(block.lengths.sum())
        block.with_trees(np.arange(words) % 30, np.arange(words) % 40, [str(label) for label in range(40)])
    clock.append(time.process_time())
    for piece in pieces:
        parse(piece)
    clock.append(time.process_time())
    read, fields, write, whole = np.diff(clock) * 1e6 / sum(map(len, sentences))
    return {
        "reading bytes": read,
        "finding fields": fields,
        "value ids, features, scores, transitions": whole - fields - write,
        "writing": write,
    }


def traffic(model: str, sentences: list[Sentence]) -> dict[str, float]:
    """What scoring must read of the weights, and how fast memory gives it.

    Of the first stage of a parser with a linear learner: rows and bytes of weights that a configuration's features
    have; bytes of all weights; GB a second at which rows drawn at random are read; tokens a second at that rate, with
    two transitions for each.
    """
    parser = load_model(model)
    assert isinstance(parser, TransitionModel)
    stage = parser.stages[0]
    learner = stage.learner
    assert isinstance(learner, LinearModel)
    found = []

    def count(step: Step) -> None:
        keys = step.decision.keys
        assert keys is not None
        found.append(np.count_nonzero(learner.index_.rows(np.where(keys < 0, ABSENT, keys)) != NO_ROW, axis=1))

    columns = [
        {name: sentence.column(parser.reads.get(name, name)) for name in parser.columns if name != "morph"}
        | ({"morph": sentence.column("feats")} if "morph" in parser.columns else {})
        for sentence in sentences
    ]
    parser.derive(columns, np.array(list(map(len, sentences))), [count, *[None] * (len(parser.stages) - 1)])
    rows = float(np.concatenate(found).mean())
    weights = learner.quantized_
    width = weights.shape[1] * weights.itemsize
    rate = _rate(np.zeros((max(1, len(weights)), weights.shape[1]), dtype=weights.dtype))
    return {
        "rows": rows,
        "bytes": rows * width,
        "weights": float(weights.shape[0] * width),
        "rate": rate / 1e9,
        "bound": rate / (2 * rows * width),
    }


def _rate(table: np.ndarray[Any, Any]) -> float:
    """Bytes a CPU second at which numpy reads rows of a table, drawn at random, and puts them side by side."""
    table += 1  # so that all of it is there
    drawn = np.random.default_rng(1).integers(0, len(table), (GATHERED // ROWS, ROWS))
    place = np.empty((ROWS, table.shape[1]), dtype=table.dtype)
    begin = time.process_time()
    for rows in drawn:
        np.take(table, rows, axis=0, out=place, mode="clip")
    return drawn.size * table.shape[1] * table.itemsize / (time.process_time() - begin)
