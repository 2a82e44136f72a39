"""A config for a new treebank, with a comment that gives the reason for each key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

import yaml

from ..base.errors import CrossarcError
from ..config.config import GOLD
from ..config.levels import choose
from ..config.loading import path_in_config
from ..config.own_treebank import TreebankProfile
from ..config.ready import LEVELS
from ..treebank import FORMATS

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
        found, expected = FORMATS[dev.format], FORMATS[train.format]
        raise CrossarcError(f"{dev.path}: found {found}, expected {expected} like {train.path}")
    values, reasons = choose(level, train)
    own = {key: values.pop(key) for key in ("root", "treebank")}
    own["treebank"] = _files(train, dev, folder, columns) | own["treebank"]
    if input != GOLD:
        place = values.setdefault("shared", {}) if "components" in values else values
        place["input"] = input
    lines = [*_heading(level, train, dev, cost)]
    for line in reasons:
        lines += _commented(f"- {line}.")
    lines += ["", *_yaml(values), ""]
    lines += [*_commented(*_roots(train)), *_yaml({"root": own["root"]}), ""]
    lines += [*_commented(*_treebank(train)), *_yaml({"treebank": own["treebank"]}), ""]
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
    yield from _commented(f"Level {level}; the others are {', '.join(own for own in LEVELS if own != level)}.")


def _roots(train: TreebankProfile) -> Iterator[str]:
    several = train.sentences - train.single_root
    label, *others = train.root_labels
    shown = ", ".join(others[:SHOWN]) + (", ..." if len(others) > SHOWN else "")
    also = f", others {shown}" if others else ""
    elsewhere = f"; {train.elsewhere} other arcs have it, too" if train.elsewhere else "; no other arcs have it"
    counted = f"{several} of {train.sentences} sentences have none or several" if several else "each sentence has one"
    yield f"Dependents of the root: {counted}; their label is {label}{also}{elsewhere}."


def _treebank(train: TreebankProfile) -> Iterator[str]:
    filled = [own for own in train.columns if own.values]
    shown = ", ".join(f"{own.name.upper()} ({own.values} values{_partly(own.filled)})" for own in filled)
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


def _name(own: TreebankProfile) -> str:
    return f"{Path(own.path).name}: {own.sentences} sentences, {own.words} words, {FORMATS[own.format]}"


def _partly(percent: float) -> str:
    return "" if percent > 99.5 else f" in {percent:.0f} % of the words" if percent >= 1 else " in few words"


def _commented(*sentences: str) -> Iterator[str]:
    for line in wrap(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"


def _yaml(values: Mapping[str, Any]) -> list[str]:
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=WIDTH).rstrip("\n").split("\n")
