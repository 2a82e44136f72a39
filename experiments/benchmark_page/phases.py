"""Where the time of parsing goes, and how far it is from what memory allows."""

from __future__ import annotations

import io
import time
from typing import Any

import numpy as np

from ...features.extractor import ABSENT
from ...parser.config.feature_files import feature_columns
from ...parser.learners.key_index import NO_ROW
from ...parser.learners.linear.model import LinearModel
from ...parser.models.files import load_model
from ...parser.models.pieces import PieceParser
from ...parser.models.transition_model import TransitionModel
from ...parser.search.compiled import compiled_loop
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

    Of the first stage of a parser with a linear learner: rows of weights that a configuration's features have, and the
    bytes of them as compiled loops keep them, in long rows and short ones; bytes of all weights; GB a second at which
    such rows are read, as many of each kind, drawn at random; tokens a second at that rate, with two transitions for
    each.
    """
    parser = load_model(model)
    assert isinstance(parser, TransitionModel)
    stage = parser.stages[0]
    learner = stage.learner
    assert isinstance(learner, LinearModel)
    loop = compiled_loop(stage.guide({}))
    assert loop is not None
    long = len(loop.weights.weights)
    met = []

    def count(step: Step) -> None:
        keys = step.decision.keys
        assert keys is not None
        rows = learner.index_.rows(np.where(keys < 0, ABSENT, keys))
        met.append(((rows != NO_ROW).sum(), ((rows != NO_ROW) & (rows < long)).sum(), len(rows)))

    columns = [feature_columns(sentence, parser.columns, parser.reads) for sentence in sentences]
    parser.derive(columns, np.array(list(map(len, sentences))), [count, *[None] * (len(parser.stages) - 1)])
    all_rows, long_rows, configurations = (float(number) for number in np.sum(met, axis=0))
    tables = loop.weights.weights, loop.weights.short
    counts = long_rows / configurations, (all_rows - long_rows) / configurations
    sizes = [number * table.shape[1] * table.itemsize for number, table in zip(counts, tables, strict=True)]
    seconds = sum(
        size / _rate(np.zeros((max(1, len(table)), table.shape[1]), table.dtype))
        for size, table in zip(sizes, tables, strict=True)
    )
    return {
        "rows": sum(counts),
        "long rows": counts[0],
        "bytes": sum(sizes),
        "weights": float(sum(table.nbytes for table in tables)),
        "rate": sum(sizes) / seconds / 1e9,
        "bound": 1 / (2 * seconds),
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
