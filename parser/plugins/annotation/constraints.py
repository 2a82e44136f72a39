"""Constraints on the labels of trees, learned from the training treebank, and the repair of trees that violate them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...base.parameters import TEXT, whole
from ...base.shapes import ListOf, MapOf, Record, check_file, check_values
from ...base.text_files import read_text
from ...base.yaml_values import load_yaml
from ...models.steps import State, Step
from ...models.words import Words
from ...treebank import Sentence
from ...treebank.pairs import valid_sentences
from ...treebank.tree import FlatTrees

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Groups = Sequence[Sequence[str]]

NONE, LEARNED = "none", "learned"
SUBJECTS_AND_OBJECTS = (("nsubj", "csubj"), ("obj",))
"""Labels of Universal Dependencies of which a word has at most one dependent, if the training treebank agrees."""
MOST_REPEATED = 0.01
"""Maximum share of the words with dependents of a group that have several in training. In eighteen treebanks of UD 2.5
the shares are below 0.8 % or above 1 %."""
MOST_PAIRED = 0.2
"""Maximum share of the words with a subtype, other than nsubj:outer, that have a sibling of the same group."""
MIN_WORDS = 20
"""Minimum number of words with a label, and with a part of speech, for excluding the label from it."""
RARE = 0.0005
"""Maximum share of the words with a label that have an excluded part of speech or direction."""
PRIOR = 2.0
"""Weight of less specific counts, in words."""
FEATURES = ("Case=", "VerbForm=")
SIDES = ("root", "left", "right")
PLACES = ("leaf", "inner")
ONCE = ListOf(ListOf(TEXT, least=1))
OWN_FILE = Record({"once": ONCE})
"""The file of the config key ``constraints``."""
COUNTS = ListOf(Record({"arc": ListOf(TEXT, 5, 5), "labels": MapOf(whole(1))}))
CONSTRAINTS = Record({"once": ONCE, "counts": COUNTS})
"""The constraints of a model as JSON values."""


class ArcFacts(NamedTuple):
    """Facts about an arc that predict its label.

    side: "root" for an arc from node 0, "left" or "right" for a head on that side.
    tag: part of speech of the word.
    place: "inner" for a word with dependents, or else "leaf".
    feature: its case, or else its verb form, or "".
    head: part of speech of its head, "" for node 0.
    """

    side: str
    tag: str
    place: str
    feature: str
    head: str

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The keys of the counts for it, from the least to the most specific."""
        return self[:1], self[:3], self


class Columns(NamedTuple):
    """The columns that describe arcs: indices into values (int64, (words,)), and the values."""

    upos: tuple[Ints, Sequence[str]]
    feats: tuple[Ints, Sequence[str]]


@dataclass(frozen=True)
class Constraints(Step):
    """Constraints on labels, and the counts that choose other labels.

    once: groups of labels; a word has at most one dependent of each group.
    counts: numbers of the labels of arcs in training. A part of speech or direction that a frequent label (almost)
        never has is excluded.
    """

    kind: ClassVar[str] = "constraints"
    revises: ClassVar[bool] = True

    once: Groups
    counts: Mapping[ArcFacts, Mapping[str, int]]

    @classmethod
    def learn(cls, sentences: Sequence[Sentence], once: Groups | None = None) -> Self:
        """The constraints of a training treebank. once: the groups, instead of those that the treebank obeys."""
        counts: defaultdict[ArcFacts, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for arc, label in zip(arcs_of(sentence), sentence.deprels()[1:], strict=True):
                counts[arc][label] += 1
        groups = (_group(sentences, group) for group in SUBJECTS_AND_OBJECTS)
        ordered = {arc: dict(sorted(labels.items())) for arc, labels in sorted(counts.items())}
        return cls([group for group in groups if group] if once is None else once, ordered)

    def revised(self, words: Words, trees: FlatTrees, certainty: Floats, fixed: Bools | None) -> FlatTrees:
        return self.repaired(trees, Columns(words.values("upos"), words.values("feats")), certainty, fixed)

    def repaired(self, trees: FlatTrees, columns: Columns, certainty: Floats, fixed: Bools | None = None) -> FlatTrees:
        """The trees with other labels where they violate a constraint; heads stay.

        certainty: probabilities that head and label of each word are right, and its head (float64, (2, words)).
        fixed: the words that keep their labels (bool, (words,)); none by default.

        Of several dependents of a group, one keeps its label: the one that is expected to lose most by another label.
        """
        repair = _Repair(self, trees, columns)
        repair.exclude(fixed)
        repair.separate(certainty, fixed)
        return FlatTrees(trees.lengths, trees.heads, repair.labels, repair.names)

    @cached_property
    def totals(self) -> Counter[str]:
        """The number of training words with each label."""
        return sum((Counter(labels) for labels in self.counts.values()), Counter[str]())

    @cached_property
    def excluded(self) -> Mapping[str, Set[str]]:
        """The parts of speech and sides that each label does not have."""
        seen: Counter[tuple[str, str]] = Counter()
        sizes: Counter[str] = Counter(dict.fromkeys(SIDES, MIN_WORDS))
        for arc, labels in self.counts.items():
            sizes[arc.tag] += sum(labels.values())
            for name, count in labels.items():
                seen[name, arc.tag] += count
                seen[name, arc.side] += count
        frequent = [value for value, count in sizes.items() if count >= MIN_WORDS]
        return {
            name: {value for value in frequent if total >= MIN_WORDS and seen[name, value] <= RARE * total}
            for name, total in self.totals.items()
        }

    @cached_property
    def _levels(self) -> Mapping[tuple[str, ...], Counter[str]]:
        """The counts for all keys of arcs."""
        levels: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for arc, labels in self.counts.items():
            for key in arc.keys:
                levels[key].update(labels)
        return levels

    def probabilities(self, arc: ArcFacts) -> dict[str, float]:
        """The probabilities of the labels that an arc may have."""
        shares = dict.fromkeys(self._levels.get((arc.side,), ()), 0.0)
        for key in arc.keys:
            counts = self._levels.get(key, Counter())
            total = counts.total() + PRIOR
            shares = {name: (counts[name] + PRIOR * share) / total for name, share in shares.items()}
        return {name: share for name, share in shares.items() if not {arc.tag, arc.side} & self.excluded[name]}

    def state(self) -> State:
        """The JSON values, see :data:`CONSTRAINTS`; no arrays."""
        counts = [{"arc": list(arc), "labels": dict(labels)} for arc, labels in self.counts.items()]
        return {"once": [list(group) for group in self.once], "counts": counts}, {}

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, CONSTRAINTS)
        return cls(values["once"], {ArcFacts(*row["arc"]): row["labels"] for row in values["counts"]})


def learn_constraints(choice: str, sentences: Sequence[Sentence]) -> Constraints:
    """The constraints of a treebank. Sentences with invalid trees are left out.

    choice: ``learned``; or the path of a YAML file whose key ``once`` has groups of labels, of which a word may
        have one dependent. Frequencies of labels are learned from the sentences in both cases.

    Raises CrossarcError for a file that is unreadable or has a key other than ``once``.
    """
    valid = valid_sentences(sentences)
    if choice == LEARNED:
        return Constraints.learn(valid)
    values = load_yaml(read_text(choice, "constraints"), choice)
    check_file(values, OWN_FILE, choice)
    return Constraints.learn(valid, values["once"])


class _Repair:
    """The trees of a repair. names: their labels and those of training. labels: indices of the words' labels."""

    def __init__(self, constraints: Constraints, trees: FlatTrees, columns: Columns) -> None:
        self.names = tuple(dict.fromkeys([*trees.names, *constraints.totals]))
        self.labels = trees.labels.copy()
        self._own = constraints
        self._columns = columns
        first = np.repeat(np.cumsum(trees.lengths) - trees.lengths, trees.lengths)
        words = np.arange(len(first))
        self._above = np.where(trees.heads > 0, first + trees.heads - 1, -1)
        self._ends = np.stack([first, first + np.repeat(trees.lengths, trees.lengths)])
        self._known: dict[ArcFacts, Floats] = {}
        self._side = np.where(trees.heads > 0, np.where(trees.heads <= words - first, 1, 2), 0)
        groups = {name: place for place, group in enumerate(constraints.once) for name in group}
        self._group = np.array([groups.get(name, -1) for name in self.names])

    def exclude(self, fixed: Bools | None) -> None:
        """Change labels that are excluded from the part of speech or direction of their words."""
        tags, values = self._columns.upos
        out = [self._own.excluded.get(name, frozenset()) for name in self.names]
        no_tag = np.array([[value in tags_out for value in values] for tags_out in out], dtype=np.bool_)
        no_side = np.array([[side in sides_out for side in SIDES] for sides_out in out], dtype=np.bool_)
        wrong = no_tag[self.labels, tags] | no_side[self.labels, self._side]
        for word in np.flatnonzero(wrong if fixed is None else wrong & ~fixed).tolist():
            self.labels[word] = self._other(word)[2]

    def separate(self, certainty: Floats, fixed: Bools | None) -> None:
        """Leave one dependent of each group to each word. certainty: see :meth:`Constraints.repaired`."""
        words = np.flatnonzero((self._group[self.labels] >= 0) & (self._above >= 0))
        keys = self._above[words] * len(self._own.once) + self._group[self.labels[words]]
        values, counts = np.unique(keys, return_counts=True)
        for value in values[counts > 1]:
            free, kept = [], 0
            for word in words[keys == value].tolist():
                if fixed is not None and fixed[word]:
                    kept = 1
                    continue
                now, then, label = self._other(word)
                arc, head = certainty[:, word]
                free.append((arc - (head - arc) * then / (1 - now + PRIOR / 100), word, label))
            for _, word, label in sorted(free)[: len(free) - 1 + kept]:
                self.labels[word] = label

    def _other(self, word: int) -> tuple[float, float, int]:
        """(the probability of the label of a word, that of its best other label, the other label).

        The other label is of no group that the siblings of the word, or the word, have.
        """
        start, end = self._ends[:, word]
        label = int(self.labels[word])
        taken = np.zeros(len(self._own.once) + 1, dtype=np.bool_)
        if self._above[word] >= 0:
            taken[self._group[self.labels[start:end][self._above[start:end] == self._above[word]]]] = True
        taken[-1] = False  # labels of no group, whose number is -1
        arc = self._arc(word)
        if arc not in self._known:
            known_shares = self._own.probabilities(arc)
            self._known[arc] = np.array([known_shares.get(name, 0.0) for name in self.names])
        shares = self._known[arc]
        others = np.where(taken[self._group], 0, shares)
        others[label] = 0
        best = int(np.argmax(others))
        return float(shares[label]), float(others[best]), best if others[best] > 0 else label

    def _arc(self, word: int) -> ArcFacts:
        tags, names = self._columns.upos
        feats, values = self._columns.feats
        above = self._above[word]
        start, end = self._ends[:, word]
        place = PLACES[int((self._above[start:end] == word).any())]
        head = names[tags[above]] if above >= 0 else ""
        return ArcFacts(SIDES[self._side[word]], names[tags[word]], place, feature_of(values[feats[word]]), head)


def feature_of(feats: str) -> str:
    """The case, or else the verb form, in a value of FEATS; "" without.

    >>> feature_of("Gender=Masc|VerbForm=Part"), feature_of("_")
    ('VerbForm=Part', '')
    """
    entries = feats.split("|")
    return next((entry for wanted in FEATURES for entry in entries if entry.startswith(wanted)), "")


def arcs_of(sentence: Sentence) -> list[ArcFacts]:
    """The arcs of the words of a sentence, described by its columns."""
    tags, features = sentence.column("upos"), [feature_of(feats) for feats in sentence.column("feats")]
    heads = sentence.heads()
    inner = set(heads)
    sides = [SIDES[0 if not head else 1 if head < word else 2] for word, head in enumerate(heads[1:], 1)]
    tops = [tags[head - 1] if head else "" for head in heads[1:]]
    places = [PLACES[word in inner] for word in range(1, len(heads))]
    return [ArcFacts(*facts) for facts in zip(sides, tags, places, features, tops, strict=True)]


def _group(sentences: Iterable[Sentence], labels: Sequence[str]) -> list[str]:
    """The given labels and their subtypes, if words have at most one dependent with them in training; or else none."""
    siblings: list[list[str]] = []
    for sentence in sentences:
        siblings_of: defaultdict[int, list[str]] = defaultdict(list)
        for head, label in zip(sentence.heads()[1:], sentence.deprels()[1:], strict=True):
            if head and label.partition(":")[0] in labels:
                siblings_of[head].append(label)
        siblings += siblings_of.values()
    counts = Counter(label for sibling in siblings for label in sibling)
    paired = Counter(label for sibling in siblings if len(sibling) > 1 for label in sibling)
    group = sorted(name for name in counts if ":" not in name or paired[name] <= MOST_PAIRED * counts[name])
    sizes = [sum(label in group for label in sibling) for sibling in siblings]
    several = sum(size > 1 for size in sizes)
    return group if len(sizes) >= MIN_WORDS and several <= MOST_REPEATED * len(sizes) else []
