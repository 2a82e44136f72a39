"""The cost of predicted tags in LAS, measured with two small parsers: one with gold tags, one with words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...transitions.trees import cycles
from ..base.progress import Progress, nothing, task
from ..config.config import Config, TagOptions
from ..config.loading import load_config
from ..evaluate.align import score_sentences
from ..models.inputs import has_values
from ..training.train import train
from ..treebank import TAGGED, ReadingLimits, Sentence, read_treebank

MOST_TRAINED, MOST_SCORED = 1000, 500
"""Maximum number of sentences for training and for scoring; enough for an estimate in about half a minute."""
SYSTEM = "arc-standard-small"


class TagCost(NamedTuple):
    """LAS with gold and with predicted tags, and the number of sentences for training and for scoring."""

    gold: float
    predicted: float
    trained: int
    scored: int


def tag_cost(
    train_file: str,
    dev_file: str,
    format: str,
    columns: str = "gold",
    limits: ReadingLimits | None = None,
    progress: Progress = nothing,
) -> TagCost | None:
    """Measure the LAS of a small parser with gold tags and with words alone, on sentences spread over both treebanks.

    Returns None if a treebank has no tags, or if there are fewer sentences than folds.
    """
    config = load_config(SYSTEM)
    files = ((train_file, MOST_TRAINED), (dev_file, MOST_SCORED))
    taught, gold = (
        _spread(read_treebank(name, format, columns, limits or ReadingLimits()).sentences, most) for name, most in files
    )
    told = [name for name in TAGGED if has_values(taught, name)]
    if not told or not all(has_values(gold, name) for name in told) or len(taught) < config.tags.folds:
        return None
    with task(progress, "measuring the cost of predicted tags", "parsers", 2) as advance:
        exact = _las(config, taught, gold)
        advance(1)
        predicted = _las(replace(config, tags=TagOptions(columns="auto")), taught, gold)
        advance(1)
    return TagCost(exact, predicted, len(taught), len(gold))


def _las(config: Config, taught: Sequence[Sentence], gold: Sequence[Sentence]) -> float:
    model = train(config, sentences=taught)
    return score_sentences(gold, model.parse_chunk(gold, retag=True)).las or 0.0


def _spread(sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """Return at most ``most`` sentences at equal distances, without invalid trees."""
    count = min(most, len(sentences))
    spread = (sentences[number * len(sentences) // count] for number in range(count))
    return [own for own in spread if not cycles(own.heads())]
