"""Measure with small parsers how much LAS predicted tags cost, and how much raw text costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...transitions.trees import cycles
from ..base.progress import Progress, nothing, task
from ..config.config import RAW, Config
from ..config.loading import load_config
from ..evaluate.align import score_sentences
from ..evaluate.conll18 import evaluate_conll18
from ..models.inputs import has_values
from ..tokenizer.raw_text import gold_text
from ..training.taggers import FOLDS
from ..training.train import train
from ..treebank import AUTO, TAGGED, Sentence, read_treebank

MOST_TRAINED, MOST_SCORED = 1000, 500
"""Maximum number of sentences for training and for scoring; an estimate takes about half a minute."""
CONFIG = "arc-standard-small"


def tag_cost(train_file: str, dev_file: str, format: str, columns: str = "gold", progress: Progress = nothing) -> str:
    """Return a sentence with the LAS of a small parser with gold tags and with predicted tags.

    Sentences are taken at equal distances from both treebanks. Returns "" if a treebank lacks tags, or if there are
    fewer training sentences than folds for predicting tags.
    """
    config = load_config(CONFIG)
    files = ((train_file, MOST_TRAINED), (dev_file, MOST_SCORED))
    training, gold = (_spread(read_treebank(name, format, columns).sentences, most) for name, most in files)
    tags = [name for name in TAGGED if has_values(training, name)]
    if not tags or not all(has_values(gold, name) for name in tags) or len(training) < FOLDS:
        return ""
    with task(progress, "measuring the cost of predicted tags", "parsers", 2) as advance:
        exact = _las(config, training, gold)
        advance(1)
        predicted = _las(replace(config, tags=AUTO), training, gold)
        advance(1)
    return (
        f"Predicted tags (key tags: auto) cost {exact - predicted:.1f} LAS: {exact:.1f} with gold tags, "
        f"{predicted:.1f} from words alone. {_measured(training, gold)}; more training data lower the cost."
    )


def text_cost(train_file: str, dev_file: str, progress: Progress = nothing) -> str:
    """Return a sentence with the LAS of a small parser from words and from raw text, on the first CoNLL-U sentences.

    Returns "" for fewer training sentences than folds for predicting tags.
    """
    training, gold = (
        [own for own in read_treebank(name, "conllu").sentences[:most] if not cycles(own.heads())]
        for name, most in ((train_file, MOST_TRAINED), (dev_file, MOST_SCORED))
    )
    if len(training) < FOLDS:
        return ""
    with task(progress, "measuring the cost of raw text", "parsers", 1) as advance:
        model = train(replace(load_config(CONFIG), input=RAW), sentences=training)
        words = evaluate_conll18(gold, model.parse_chunk(gold, retag=True)).f1
        text = evaluate_conll18(gold, model(gold_text(gold).text)).f1
        advance(1)
    return (
        f"Raw text (key input: text) costs {words['LAS'] - text['LAS']:.1f} CoNLL 2018 LAS: {words['LAS']:.1f} from "
        f"words, {text['LAS']:.1f} from raw text; F1 of words {text['Words']:.1f}, of sentences "
        f"{text['Sentences']:.1f}. {_measured(training, gold)}."
    )


def _measured(training: Sequence[Sentence], gold: Sequence[Sentence]) -> str:
    return f"Measured with {CONFIG}, trained on {len(training)} and scored on {len(gold)} sentences"


def _las(config: Config, training: Sequence[Sentence], gold: Sequence[Sentence]) -> float:
    model = train(config, sentences=training)
    return score_sentences(gold, model.parse_chunk(gold, retag=True)).las or 0.0


def _spread(sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """At most ``most`` sentences at equal distances; sentences with invalid trees are left out."""
    count = min(most, len(sentences))
    spread = (sentences[number * len(sentences) // count] for number in range(count))
    return [own for own in spread if not cycles(own.heads())]
