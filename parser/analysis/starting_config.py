"""A config for a treebank that nobody has trained on yet, with a comment on why each key is as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import yaml

from ..base.errors import CrossarcError
from ..config.loading import load_config
from ..treebank import FORMATS
from .own_treebank import Cost, TreebankProfile, expected_cost

WIDTH = 110
FOLLOWED = ("lemma", "upos", "xpos", "feats")
"""Columns that the ready feature models look at beside the form."""
SHOWN = 4
MODEL = "my.model"
FREQUENT = 0.75
"""Per cent of the arcs from which on they are worth a technique. Of nine treebanks the four with 0.85 per cent and more
gained by pseudo-projective parsing with the verified search (0.19 to 1.10 LAS), of the five with 0.66 and less four
lost 0.02 to 0.20 and one gained 0.06, which is not significant (experiments/papers/kuhlmann_nivre_2010/README.md,
tables 1 and 4). The threshold is the geometric mean of 0.66 and 0.85."""
VERY_FREQUENT = 6.0
"""From here on swap: it was better with 12.08 per cent (by 1.09 LAS), worse with 2.82 (by 0.53) and 1.15 (by 1.24), and
as good with 0.85. Six is the geometric mean of the first two; nothing between them was measured."""
DEEP = 50.0
"""Per cent of the crossing arcs that need two lifts or more. Generated ones of two lifts are found again by 28 per cent
of pseudo-projective labels, and by swap all (experiments/studies/controlled_nonprojectivity/README.md, depth)."""


class Recommendation(NamedTuple):
    """config: a ready one. reason: in a sentence, with the table that it comes from."""

    config: str
    reason: str


def recommended(percent: float, deep: float = 0.0) -> Recommendation:
    """For a treebank with so many per cent of crossing arcs, of which ``deep`` per cent need two lifts or more.

    >>> [recommended(percent).config for percent in (0.5, 1.1, 12.0)]
    ['arc-standard', 'pseudo-projective', 'swap']
    """
    table = "table 4 of experiments/papers/kuhlmann_nivre_2010/README.md"
    if percent < FREQUENT:
        reason = (
            f"too few to count on a technique: below {FREQUENT} % pseudo-projective parsing was nowhere significantly "
            f"better ({table})"
        )
        return Recommendation("arc-standard", reason)
    if percent >= VERY_FREQUENT:
        reason = f"so many that online reordering pays: with 12 % it had the best LAS ({table})"
        return Recommendation("swap", reason)
    if deep >= DEEP:
        reason = (
            "many of them deep, which pseudo-projective labels cannot tell and online reordering can "
            "(experiments/studies/controlled_nonprojectivity/README.md, depth)"
        )
        return Recommendation("swap", reason)
    reason = f"enough for pseudo-projective parsing: with 1 to 3 % it had the highest LAS ({table})"
    return Recommendation("pseudo-projective", reason)


def starting_config(
    train: TreebankProfile, dev: TreebankProfile | None = None, folder: Path = Path(), columns: str = "gold"
) -> str:
    """The YAML text of a config for the treebank, to be put into ``folder``, on which the paths of its files depend.

    columns: "gold" or "predicted" ones of CoNLL-2009. Raises CrossarcError for files whose names a config cannot have,
    and for a development treebank of another format.
    """
    if dev is not None and dev.format != train.format:
        found, expected = FORMATS[dev.format], FORMATS[train.format]
        raise CrossarcError(f"{dev.path}: found {found}, expected {expected} like {train.path}")
    lines = [*_heading(train, dev), ""]
    for comments, values in (
        _technique(train),
        _features(train),
        _guide(train),
        _roots(train),
        _files(train, dev, folder, columns),
    ):
        lines += [*_commented(*comments), *_yaml(values), ""]
    lines += [*_commented("What training writes. Other keys: configs/README.md."), *_yaml({"model": MODEL})]
    return "\n".join(lines) + "\n"


def _heading(train: TreebankProfile, dev: TreebankProfile | None) -> Iterator[str]:
    yield from _commented(f"Written by crossarc init for {_name(train)}.")
    if dev is not None:
        unknown, shares = len(dev.labels - train.labels), 100 * len(dev.forms - train.forms) / len(dev.forms)
        labels = f"; {unknown} of its labels are not in training" if unknown else ""
        yield from _commented(
            f"Development data: {_name(dev)}; {shares:.1f} % of its different forms are not in training{labels}."
        )
    crossing = recommended(train.crossing, train.deep).config != "arc-standard"
    cost = expected_cost(train.words, crossing)
    yield from _commented(
        f"Training will take about {_time(cost)} of CPU time and {_memory(cost)} of memory: "
        "by its words, after table cost of experiments/studies/tuning/README.md.",
        "crossarc train CONFIG trains it; crossarc tune CONFIG --minutes 20 --out tuned looks for something better.",
    )


def _technique(train: TreebankProfile) -> tuple[list[str], dict[str, Any]]:
    advice = recommended(train.crossing, train.deep)
    config = load_config(advice.config)
    values: dict[str, Any] = {"system": config.system}
    if config.oracle != "auto":
        values["oracle"] = config.oracle
    if config.transforms:
        values["transforms"] = list(config.transforms)
    deep = f", {train.deep:.0f} % of them by two lifts or more" if train.crossing else ""
    comments = [
        f"{train.crossing:.2f} % of the arcs cross, in {train.crossing_sentences:.1f} % of the sentences{deep}: "
        f"{advice.reason}. This is the ready config {advice.config}."
    ]
    return comments, values


def _features(train: TreebankProfile) -> tuple[list[str], dict[str, Any]]:
    filled = {own.name: own for own in train.columns if own.values}
    said = ", ".join(f"{name.upper()} ({filled[name].values} values{_partly(filled[name].filled)})" for name in filled)
    empty = [name.upper() for name in FOLLOWED if name not in filled]
    own = [name for name in filled if name not in ("form", *FOLLOWED)]
    comments = [f"Columns with values: {said}. The ready features look at FORM, LEMMA, UPOS, XPOS and FEATS."]
    if empty:
        comments.append(
            f"Without a value: {', '.join(empty)}. What looks at them finds nothing, or what stands for them."
        )
    if own:
        comments.append(f"A feature model of your own may name {', '.join(own)}, too.")
    if "feats" in filled:
        comments.append(
            "full in place of auto is slower; it also looks at single values in FEATS, and had a higher LAS on the six "
            "development sets that it was tried on (experiments/studies/most_accurate/README.md)."
        )
    return comments, {"features": "auto"}


def _guide(train: TreebankProfile) -> tuple[list[str], dict[str, Any]]:
    guide = load_config(recommended(train.crossing, train.deep).config).guide
    comments = ["Linear SVM; C as in the ready configs (experiments/studies/learners/README.md, table cost)."]
    return comments, {"guide": dict(guide)}


def _roots(train: TreebankProfile) -> tuple[list[str], dict[str, Any]]:
    several = train.sentences - train.single_root
    label, *others = train.root_labels
    shown = ", ".join(others[:SHOWN]) + (", ..." if len(others) > SHOWN else "")
    also = f", others {shown}" if others else ""
    elsewhere = f"; {train.elsewhere} other arcs have it, too" if train.elsewhere else "; no other arcs have it"
    counted = f"{several} of {train.sentences} sentences have none or several" if several else "each sentence has one"
    comments = [f"Words that hang on the root: {counted}; their label is {label}{also}{elsewhere}."]
    return comments, {"root": {"single": not several, "label": label}}


def _files(
    train: TreebankProfile, dev: TreebankProfile | None, folder: Path, columns: str
) -> tuple[list[str], dict[str, Any]]:
    treebank = {"train": _path(train.path, folder)}
    if dev is not None:
        treebank["dev"] = _path(dev.path, folder)
    treebank["format"] = train.format
    if train.format == "conll09":
        treebank["columns"] = columns
    comments = []
    if train.punctuation:
        labels = ", ".join(train.punctuation_labels[:SHOWN])
        share = 100 * train.punctuation / train.words
        comments.append(
            f"{share:.1f} % of the words are punctuation (label {labels}); crossarc evaluate counts without it, too."
        )
    else:
        comments.append("No word is punctuation.")
    if train.no_trees:
        comments.append(f"{train.no_trees} sentences are no trees and are left out; crossarc check names them.")
        treebank["faulty"] = "skip"
    return comments, {"treebank": treebank}


def _name(own: TreebankProfile) -> str:
    return f"{Path(own.path).name}: {own.sentences} sentences, {own.words} words, {FORMATS[own.format]}"


def _partly(percent: float) -> str:
    return "" if percent > 99.5 else f" in {percent:.0f} % of the words" if percent >= 1 else " in few words"


def _time(cost: Cost) -> str:
    low, high = cost.seconds
    if high < 100:
        return f"{max(low, 1):.0f} to {max(high, 2):.0f} seconds"
    return f"{low / 60:.1f} to {high / 60:.1f} minutes"


def _memory(cost: Cost) -> str:
    return " to ".join(f"{own / 1e9:.1f}" for own in cost.memory) + " GB"


def _path(path: str, folder: Path) -> str:
    """A file as a config in ``folder`` has it; the loader fills in ``~`` and ``$``."""
    if "$" in path:
        raise CrossarcError(f"{path}: a config would take $ in a name for an environment variable; rename the file")
    if os.path.isabs(path):
        return path
    relative = os.path.relpath(path, folder)
    return f"./{relative}" if relative.startswith("~") else relative


def _commented(*sentences: str) -> Iterator[str]:
    for line in wrap(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"


def _yaml(values: Mapping[str, Any]) -> list[str]:
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=WIDTH).rstrip("\n").split("\n")
