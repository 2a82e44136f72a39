"""Values that a person has decided: read from sentences, checked, and fixed in trees."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.spanning_tree import maximum_spanning_tree
from ....transitions.trees import cycles, is_tree, roots
from ...base.data_warnings import warn
from ...base.errors import CrossarcError, choices
from ...models.words import Decisions
from ...treebank import TAGGED, Sentence
from ...treebank.symbols import DECIDABLE
from ...treebank.tree import FlatTrees

GIVEN, MARKED = "given", "marked"
MARK = re.compile(r"(?:^|\|)(keep)=([^|]*)", re.IGNORECASE)
YES = "Yes"
EMPTY = "_"
NEAR = 1e-3
"""Score of a new arc per word of its length, among arcs that score 1 if the parser has them."""


@dataclass(frozen=True)
class KeptValues(Decisions):
    """The decided values of the words of sentences.

    names: name of each sentence, for messages.
    lengths: number of words of each sentence (int64, (sentences,)).
    heads: heads, numbered within the sentence, -1 for words without a decided head (int64, (words,)).
    labels: deprels, "_" for any.
    tags: by column, the words with a decided tag or lemma (bool, (words,)).
    """

    names: list[str]
    lengths: NDArray[np.int64]
    heads: NDArray[np.int64]
    labels: list[str]
    tags: Mapping[str, NDArray[np.bool_]]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], which: str) -> Self:
        """The decided values, which are not "_".

        which: ``given`` or ``marked``, as in :meth:`~crossarc.ParserModel.parse`.

        Raises CrossarcError for invalid heads, invalid marks, and marks that name a head where there is
        none.
        """
        names, heads, labels = [], [], []
        tags: dict[str, list[bool]] = {name: [] for name in TAGGED}
        for sentence in sentences:
            name = f"{sentence.source}:{sentence.line}"
            own_heads = sentence.heads(partial=True)[1:]
            if which == GIVEN:
                decided: list[Collection[str]] = [DECIDABLE if head >= 0 else ("deprel",) for head in own_heads]
            else:
                decided = [
                    _decided(misc, f"{name}: word {word}") for word, misc in enumerate(sentence.column("misc"), 1)
                ]
            for word, (columns, head) in enumerate(zip(decided, own_heads, strict=True), 1):
                if head < 0 and "head" in columns and columns is not DECIDABLE:
                    fault = f"word {word} has Keep={','.join(columns)}, but no head"
                    raise CrossarcError(f"{name}: {fault}; give it one, or remove the mark")
            names.append(name)
            heads += [head if "head" in names else -1 for names, head in zip(decided, own_heads, strict=True)]
            deprels = sentence.column("deprel")
            labels += [label if "deprel" in names else EMPTY for names, label in zip(decided, deprels, strict=True)]
            for column, fixed in tags.items():
                values = sentence.column(column) if column in sentence.format.index else (EMPTY,) * len(sentence)
                fixed += [
                    column in names and value not in (EMPTY, "") for names, value in zip(decided, values, strict=True)
                ]
        return cls(
            names,
            np.array(list(map(len, sentences)), np.int64),
            np.array(heads, np.int64),
            labels,
            {column: np.array(flags, np.bool_) for column, flags in tags.items()},
        )

    @property
    def labelled(self) -> NDArray[np.bool_]:
        return np.array([label != EMPTY for label in self.labels], dtype=np.bool_)

    def warn_of(self, misplaced: NDArray[np.bool_]) -> None:
        numbers = np.flatnonzero(misplaced)
        if numbers.size:
            ends = np.cumsum(self.lengths)
            sentence = int(np.searchsorted(ends, numbers[0], side="right"))
            word = int(numbers[0] - (ends[sentence] - self.lengths[sentence])) + 1
            place = "below a word" if self.heads[numbers[0]] else "at node 0"
            fault = f"word {word} keeps the label {self.labels[numbers[0]]}, which training never has {place}"
            others = f"; {numbers.size - 1} other words keep labels in wrong places" if numbers.size > 1 else ""
            warn(f"{self.names[sentence]}: {fault}{others}")

    def check(self, single_root: bool) -> None:
        for name, heads_of in zip(self.names, np.split(self.heads, np.cumsum(self.lengths)[:-1]), strict=True):
            heads = [-1, *heads_of.tolist()]
            if loops := cycles(heads):
                words = " ".join(map(str, loops[0]))
                raise CrossarcError(f"{name}: the arcs to keep of words {words} form a cycle; change one of them")
            if single_root and len(several := roots(heads)) > 1:
                fault = f"the arcs to keep of words {' '.join(map(str, several))} are from node 0"
                raise CrossarcError(f"{name}: {fault}, which has one dependent; change all but one of them")

    def fixed(self, trees: FlatTrees, single_root: bool) -> FlatTrees:
        """The trees with the decided heads and labels, and with as many of their other arcs as possible.

        Arcs that must be added come from the former head of the head, or else from a near word. Words with another head
        than before keep their labels, unless another one is decided.
        """
        heads = np.where(self.heads >= 0, self.heads, trees.heads)
        names = list(dict.fromkeys([*trees.names, *self.labels]))
        number = {name: place for place, name in enumerate(names)}
        labels_fixed = np.array([number[label] for label in self.labels], dtype=np.int64)
        labels = np.where(self.labelled, labels_fixed, trees.labels)
        changed = np.unique(trees.sentences[heads != trees.heads])
        ends = np.cumsum(self.lengths)
        for end, length in zip(ends[changed].tolist(), self.lengths[changed].tolist(), strict=True):
            part = slice(end - length, end)
            tree = [-1, *heads[part].tolist()]
            if not is_tree(tree) or (single_root and len(roots(tree)) != 1):
                heads[part] = _nearest(trees.heads[part], self.heads[part], single_root)
        return FlatTrees(trees.lengths, heads, labels, names)


def given_values(sentences: Sequence[Sentence]) -> KeptValues:
    """The values of the words with a HEAD other than "_"."""
    return KeptValues.of(sentences, GIVEN)


def marked_values(sentences: Sequence[Sentence]) -> KeptValues:
    """The values of the words with ``Keep=`` in MISC."""
    return KeptValues.of(sentences, MARKED)


def _decided(misc: str, place: str) -> Collection[str]:
    """The columns that the mark of a word names: :data:`DECIDABLE` for ``Keep=Yes``; empty without a mark.

    place: beginning of messages.
    """
    marks = MARK.findall(misc)
    if not marks:
        return ()
    key, value = marks[0]
    if len(marks) > 1 or key != "Keep":
        raise CrossarcError(f"{place}: found {misc!r}, expected one entry Keep=Yes or Keep= with names of columns")
    if value == YES:
        return DECIDABLE
    columns = value.split(",")
    if wrong := [column for column in columns if column not in DECIDABLE]:
        raise CrossarcError(f"{place}: Keep={value}: found {choices(wrong[0], (YES, *DECIDABLE))}")
    return columns


def _nearest(parsed: NDArray[np.int64], decided: NDArray[np.int64], single_root: bool) -> list[int]:
    """The heads of a tree with the given arcs and as many of the found ones as possible, for the words 1 to n."""
    nodes = np.arange(len(parsed) + 1)
    old, words = np.concatenate([[0], parsed]), nodes[1:]
    scores = -NEAR * np.abs(nodes[:, None] - nodes).astype(np.float64)
    scores[0] = -NEAR * len(nodes)
    scores[old[old[words]], words] = 0.5
    scores[old[words], words] = 1
    kept = words[decided >= 0]
    scores[:, kept] = -np.inf
    scores[decided[decided >= 0], kept] = 1
    return maximum_spanning_tree(scores, single_root)[1:]
