"""Facts about a treebank that decide how to train on it: format, roots, punctuation, columns, crossing arcs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

from ....transitions.trees import cycles
from ...base.errors import CrossarcError
from ...training.partial import decided_words, only_decided
from ...treebank import AUTO, EMPTY, Sentence, read_treebank
from ...treebank.sentence import is_punctuation
from ...treebank.statistics import statistics
from ...treebank.symbols import nameable_columns, treebank_column

NEARLY_ALL = 0.99
PARTED = re.compile(r"\||^\w+(\[\w+\])?=\w[\w,]*$")
"""Matches values with several parts, and attributes with values."""


class Column(NamedTuple):
    """A column that features may name.

    filled: percentage of words with a value.
    values: number of distinct values.
    length: number of characters of nearly all values; 0 if lengths differ or the values are attributes.
    whole: whether nearly all values are single, without attributes and bars, as positional tags are.
    """

    name: str
    filled: float
    values: int
    length: int = 0
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TreebankProfile:
    """Facts about a treebank that determine how to train on it.

    no_trees: number of sentences whose heads form a cycle; all other figures leave them out.
    partial: number of sentences in which some words have a head and others none; all other figures leave them out.
    single_root: number of sentences with exactly one dependent of node 0.
    root_labels: labels of arcs from node 0, most frequent first.
    elsewhere: number of other arcs with the first of these labels.
    punctuation: number of words that consist of punctuation characters.
    punctuation_labels: labels of these words, most frequent first.
    crossing: percentage of arcs that are non-projective.
    """

    path: str
    format: str
    sentences: int
    words: int
    no_trees: int
    partial: int
    single_root: int
    root_labels: tuple[str, ...]
    elsewhere: int
    punctuation: int
    punctuation_labels: tuple[str, ...]
    columns: tuple[Column, ...]
    labels: frozenset[str]
    forms: frozenset[str]
    crossing: float


def profile(path: str, format: str = AUTO, columns: str = "gold") -> TreebankProfile:
    """Return the profile of a file. Raises CrossarcError for a file that is unreadable or has no tree."""
    return profile_of(read_treebank(path, format, columns).sentences, path)


def profile_of(treebank: Sequence[Sentence], path: str, decided: str = AUTO) -> TreebankProfile:
    """Return the profile of sentences. Raises CrossarcError if none has a tree.

    path: name of the treebank for messages.
    decided: value of the key ``treebank.decided``; the trees are those of decided words.
    """
    treebank = only_decided(treebank, decided_words(decided, treebank))
    whole = [sentence for sentence in treebank if "_" not in sentence.column("head")]  # others are completed later
    heads_of = [sentence.heads() for sentence in whole]
    acyclic = [not cycles(heads) for heads in heads_of]
    trees = list(compress(whole, acyclic))
    if not any(map(len, trees)):
        raise CrossarcError(f"{path}: found no tree; use a treebank with a head for each word")
    roots, marks, labels = Counter[str](), Counter[str](), Counter[str]()
    single = 0
    for sentence, (_, *heads) in zip(trees, compress(heads_of, acyclic), strict=True):
        deprels = sentence.deprels()[1:]
        labels.update(deprels)
        roots.update(label for head, label in zip(heads, deprels, strict=True) if head == 0)
        forms = sentence.column("form")
        marks.update(label for form, label in zip(forms, deprels, strict=True) if is_punctuation(form))
        single += heads.count(0) == 1
    root_labels = _by_frequency(roots)
    return TreebankProfile(
        path=path,
        format=trees[0].format.name,
        sentences=len(trees),
        words=sum(map(len, trees)),
        no_trees=len(whole) - len(trees),
        partial=sum({"_"} < {*sentence.column("head")} for sentence in treebank),
        single_root=single,
        root_labels=root_labels,
        elsewhere=labels[root_labels[0]] - roots[root_labels[0]],
        punctuation=marks.total(),
        punctuation_labels=_by_frequency(marks),
        columns=tuple(_columns(trees)),
        labels=frozenset(labels),
        forms=frozenset(form for sentence in trees for form in sentence.column("form")),
        crossing=statistics(trees)["nonprojective_arcs_percent"] or 0.0,
    )


def _columns(sentences: Sequence[Sentence]) -> list[Column]:
    columns = []
    words = sum(map(len, sentences))
    for name in nameable_columns(sentences[0].format.index):
        if treebank_column(name) != name or any(name not in sentence.format.index for sentence in sentences):
            continue
        values = Counter(value for sentence in sentences for value in sentence.column(name) if value not in EMPTY)
        filled = values.total()
        lengths = Counter[int]()
        for value in (part for part in values if "=" not in part):
            lengths[len(value)] += values[value]
        length, usual = max(lengths.items(), key=lambda entry: entry[1], default=(0, 0))
        same = length if usual >= NEARLY_ALL * filled else 0
        whole = sum(count for feats, count in values.items() if not PARTED.search(feats))
        columns.append(Column(name, 100 * filled / words, len(values), same, whole >= NEARLY_ALL * filled > 0))
    return columns


def _by_frequency(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))
