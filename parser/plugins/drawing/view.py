"""Sentences with gold and parsed trees, measures of these trees, and the selection of sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ....transitions.configuration import NONE
from ....transitions.trees import depths, lifts, nonprojective_arcs
from ...base.errors import check_names
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ...treebank.sentence import misc_entries
from ...treebank.tree import Tree
from .arcs import crossing_arcs
from .where import Kind, parse_condition

OF_TREES = {
    "number": "number of the sentence in the file, from 1",
    "length": "words",
    "nonprojective": "1 if an arc spans a word that its head does not dominate, else 0",
    "crossing": "number of non-projective arcs",
    "lifts": "maximum number of lifts that an arc needs to become projective",
    "depth": "maximum number of arcs between node 0 and a word",
    "arc": "length of the longest arc, in words",
    "roots": "number of dependents of node 0",
    "multiword": "number of multiword tokens",
    "empty": "number of empty nodes",
    "conf": "mean probability that head and label of a word are right, Conf in MISC; 1 without",
}
"""The measures of the sentence's own tree."""
MISC_KEY = re.compile(r"\bmisc_(\w+)")
SCORE = re.compile(r"0\.\d+|[01]")
"""A probability as ``parse --scores`` writes it."""
OF_PARSES = {
    "las": "percentage of words with the right head and deprel",
    "uas": "percentage of words with the right head",
    "la": "percentage of words with the right deprel",
    "errors": "number of words with a wrong head or deprel",
    "missed": "number of non-projective gold arcs that were not found",
    "spurious": "number of non-projective parsed arcs that are not in the gold tree",
}
"""Measures of a parsed tree. For the second parsed file their names end in 2, and so on."""
DIFFER = {"differ": "number of words whose head or deprel differs between the parsed files"}
"""The measure of several parsed files together."""


@dataclass(frozen=True)
class View:
    """A sentence with its number in the file, and the same sentence in the parsed files.

    Its trees raise CrossarcError if heads are out of range or form a cycle.
    """

    sentence: Sentence
    parsed: tuple[Sentence, ...] = ()
    number: int = 1

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The tree of the sentence itself, in which words may lack a head (-1) unless there are parsed trees; those."""
        return (read_tree(self.sentence, partial=not self.parsed), *map(read_tree, self.parsed))

    @cached_property
    def measures(self) -> dict[str, float]:
        """The values of the measures in :func:`measure_names`."""
        heads = self.trees[0].heads
        multiword = len([*self.sentence.multiword_tokens()])
        crossing = crossing_arcs(heads)
        attached = [NONE, *(max(head, 0) for head in heads[1:])]  # words without a head hang from node 0
        values: dict[str, float] = {
            "number": self.number,
            "length": len(heads) - 1,
            "nonprojective": int(any(crossing)),
            "crossing": sum(crossing),
            "lifts": max(lifts(heads)) if any(crossing) else 0,
            "depth": max(depths(attached)),
            "arc": max((abs(head - word) for word, head in enumerate(heads) if head > 0), default=0),
            "roots": heads.count(0),
            "multiword": multiword,
            "empty": len(self.sentence.extras) - multiword,
            "conf": self._confidence(),
        }
        for suffix, parse in zip(suffixes(len(self.parsed)), self.trees[1:], strict=True):
            scores = _against(self.trees[0], crossing, parse)
            values |= {f"{name}{suffix}": value for name, value in scores.items()}
        if len(self.parsed) > 1:
            values["differ"] = _differing(self.trees[1:])
        return values

    def words_with(self, key: str) -> int:
        """The number of words with an entry of this key in MISC."""
        return sum(key in entries for entries in self._misc())

    def _confidence(self) -> float:
        """The mean of ``Conf``; words without it, which a person may have decided, count as certain."""
        scores = [entries.get("Conf", "") for entries in self._misc()]
        sure = [float(score) if SCORE.fullmatch(score) else 1.0 for score in scores]
        return sum(sure) / len(sure) if sure else 1.0

    def _misc(self) -> list[dict[str, str]]:
        """The entries of MISC of each word; empty for a format without MISC."""
        if "misc" not in self.sentence.format.index:
            return []
        return list(map(misc_entries, self.sentence.column("misc")))


def selected_by(ids: Collection[str] = (), where: Sequence[str] = (), parsed: int = 0) -> Callable[[View], bool]:
    """Return a test of whether a sentence meets all conditions.

    ids: sentence names or numbers; one must match.
    where: conditions over :func:`measure_names`, and over ``misc_KEY``, the number of words with that key in MISC.
    parsed: number of parsed files.

    Raises CrossarcError for invalid conditions.
    """
    keys = sorted({key for text in where for key in MISC_KEY.findall(text)})
    names = [*measure_names(parsed), *(f"misc_{key}" for key in keys)]

    def kind_of(name: str) -> Kind:
        check_names("name", [name], names)
        return "number"

    conditions = [parse_condition(text, kind_of) for text in where]

    def holds(view: View) -> bool:
        if ids and view.sentence.id not in ids and str(view.number) not in ids:
            return False
        values = view.measures | {f"misc_{key}": view.words_with(key) for key in keys} if conditions else {}
        return all(condition(values.__getitem__) for condition in conditions)

    return holds


def measure_names(parsed: int) -> dict[str, str]:
    """Return the names of measures with their meanings, for this number of parsed files."""
    names = dict(OF_TREES)
    for suffix in suffixes(parsed):
        names |= {f"{name}{suffix}": meaning for name, meaning in OF_PARSES.items()}
    return names | DIFFER if parsed > 1 else names


def views(sentences: Iterable[tuple[Sentence, ...]], holds: Callable[[View], bool]) -> Iterator[View]:
    """Return the sentences for which a condition holds, each with the same sentence of the parsed files."""
    numbered = enumerate(sentences, 1)
    return filter(holds, (View(sentence, tuple(parsed), number) for number, (sentence, *parsed) in numbered))


def suffixes(parsed: int) -> list[str]:
    """The ends of the names of measures of each parsed file: "" for the first, then numbers."""
    return ["" if number == 1 else str(number) for number in range(1, parsed + 1)]


def _differing(trees: Sequence[Tree]) -> int:
    """Return the number of words on which the trees differ."""
    arcs = [list(zip(tree.heads, tree.deprels, strict=True)) for tree in trees]
    return sum(len(set(sides)) > 1 for sides in zip(*arcs, strict=True))


def _against(gold: Tree, crossing: Sequence[bool], parsed: Tree) -> dict[str, float]:
    """Return the measures of a parsed tree, see ``OF_PARSES``."""
    n = len(gold.heads) - 1
    head_right = [left == right for left, right in zip(gold.heads[1:], parsed.heads[1:], strict=True)]
    label_right = [left == right for left, right in zip(gold.deprels[1:], parsed.deprels[1:], strict=True)]
    both = sum(head and label for head, label in zip(head_right, label_right, strict=True))
    found_crossing = nonprojective_arcs(parsed.heads)
    return {
        "las": 100.0 * both / max(n, 1),
        "uas": 100.0 * sum(head_right) / max(n, 1),
        "la": 100.0 * sum(label_right) / max(n, 1),
        "errors": n - both,
        "missed": sum(crosses and not right for crosses, right in zip(crossing[1:], head_right, strict=True)),
        "spurious": sum(crosses and not right for crosses, right in zip(found_crossing[1:], head_right, strict=True)),
    }
