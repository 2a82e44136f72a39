"""A config for a new treebank, with a comment that gives the reason for each key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import yaml

from ....transitions.trees import cycles
from ...base.errors import CrossarcError
from ...base.progress import Progress, nothing, task
from ...config.config import GOLD, RAW, ParserConfig
from ...config.loading import load_config, path_in_config
from ...config.ready import LEVELS
from ...evaluate.align import score_sentences
from ...evaluate.conll18 import evaluate_conll18
from ...models.inputs import has_values
from ...training.train import train
from ...treebank import AUTO, FORMATS, TAGGED, Sentence, read_treebank
from ..raw_text.raw_text import gold_text
from ..tagging.training import FOLDS
from .choice import choose
from .profile import TreebankProfile

WIDTH = 110
SHOWN = 4
MODEL = "my.model"


def starting_config(
    level: str,
    train: TreebankProfile,
    dev: TreebankProfile | None = None,
    folder: Path = Path(),
    columns: str = "gold",
    cost: str = "",
    input: str = GOLD,
) -> str:
    """Return the YAML text of the config of a level.

    level: level of effort.
    train, dev: facts about the treebanks.
    folder: folder that the config will be written to; paths in the config are relative to it.
    columns: "gold" or "predicted" columns of CoNLL-2009.
    cost: sentence on the cost of predicted tags or of raw text, if measured.
    input: value of the key ``input``.

    Raises CrossarcError for file names that a config cannot contain, and for a development treebank of another format.
    """
    if dev is not None and dev.format != train.format:
        dev_format, expected = FORMATS[dev.format], FORMATS[train.format]
        raise CrossarcError(f"{dev.path}: found {dev_format}, expected {expected} like {train.path}")
    values, reasons = choose(level, train)
    sections = {key: values.pop(key) for key in ("root", "treebank")}
    skipping = {"faulty": "skip"} if train.no_trees else {}
    sections["treebank"] = _files(train, dev, folder, columns) | sections["treebank"] | skipping
    if input != GOLD:
        place = values.setdefault("shared", {}) if "components" in values else values
        place["input"] = input
    lines = [*_heading(level, train, dev, cost)]
    for line in reasons:
        lines += _commented(f"- {line}.")
    lines += ["", *_yaml(values), ""]
    lines += [*_commented(*_roots(train)), *_yaml({"root": sections["root"]}), ""]
    lines += [*_commented(*_treebank(train)), *_yaml({"treebank": sections["treebank"]}), ""]
    lines += [*_commented("The file that training writes. Other keys: crossarc list keys."), *_yaml({"model": MODEL})]
    return "\n".join(lines) + "\n"


def _heading(level: str, train: TreebankProfile, dev: TreebankProfile | None, cost: str) -> Iterator[str]:
    yield from _commented(f"Written by crossarc init for {_name(train)}.")
    if dev is not None:
        unknown, shares = len(dev.labels - train.labels), 100 * len(dev.forms - train.forms) / len(dev.forms)
        labels = f"; {unknown} of its labels are not in training" if unknown else ""
        yield from _commented(
            f"Development data: {_name(dev)}; {shares:.1f} % of its different forms are not in training{labels}."
        )
    yield from _commented(cost)
    yield from _commented(f"Level {level}; the others are {', '.join(other for other in LEVELS if other != level)}.")


def _roots(train: TreebankProfile) -> Iterator[str]:
    several = train.sentences - train.single_root
    label, *others = train.root_labels
    shown = ", ".join(others[:SHOWN]) + (", ..." if len(others) > SHOWN else "")
    also = f", others {shown}" if others else ""
    elsewhere = f"; {train.elsewhere} other arcs have it, too" if train.elsewhere else "; no other arcs have it"
    counted = f"{several} of {train.sentences} sentences have none or several" if several else "each sentence has one"
    yield f"Dependents of the root: {counted}; their label is {label}{also}{elsewhere}."


def _treebank(train: TreebankProfile) -> Iterator[str]:
    filled = [column for column in train.columns if column.values]
    shown = ", ".join(f"{column.name.upper()} ({column.values} values{_partly(column.filled)})" for column in filled)
    yield f"Columns with values: {shown}."
    if train.punctuation:
        labels = ", ".join(train.punctuation_labels[:SHOWN])
        share = 100 * train.punctuation / train.words
        yield f"{share:.1f} % of the words are punctuation (label {labels}); crossarc evaluate also scores without it."
    if train.no_trees:
        yield f"{train.no_trees} sentences are not trees and are left out; crossarc check names them."


def _files(train: TreebankProfile, dev: TreebankProfile | None, folder: Path, columns: str) -> dict[str, Any]:
    files = {"train": path_in_config(train.path, folder)}
    if dev is not None:
        files["dev"] = path_in_config(dev.path, folder)
    return files | ({"columns": columns} if train.format == "conll09" else {})


def _name(profile: TreebankProfile) -> str:
    return f"{Path(profile.path).name}: {profile.sentences} sentences, {profile.words} words, {FORMATS[profile.format]}"


def _partly(percent: float) -> str:
    return "" if percent > 99.5 else f" in {percent:.0f} % of the words" if percent >= 1 else " in few words"


def _commented(*sentences: str) -> Iterator[str]:
    for line in wrap(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"


def _yaml(values: Mapping[str, Any]) -> list[str]:
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=WIDTH).rstrip("\n").split("\n")


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
        list(filter(_has_tree, read_treebank(name, "conllu").sentences[:most]))
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


def _las(config: ParserConfig, training: Sequence[Sentence], gold: Sequence[Sentence]) -> float:
    model = train(config, sentences=training)
    return score_sentences(gold, model.parse_chunk(gold, retag=True)).las or 0.0


def _spread(sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """At most ``most`` sentences at equal distances; those with invalid or partial trees are left out."""
    count = min(most, len(sentences))
    spread = (sentences[number * len(sentences) // count] for number in range(count))
    return list(filter(_has_tree, spread))


def _has_tree(sentence: Sentence) -> bool:
    return "_" not in sentence.column("head") and not cycles(sentence.heads())
