"""A table of the words of parsed files: the gold arc of each, and the arc of each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...transitions.trees import nonprojective_arcs
from ..treebank import Sentence
from ..treebank.pairs import read_tree

GOLD = ("sent_id", "word", "form", "head", "deprel", "crossing")
"""Columns of the gold file. crossing: 1 for a non-projective gold arc."""


def word_rows(gold: Sequence[Sentence], parsed: Mapping[str, Sequence[Sentence]]) -> Iterator[list[object]]:
    """The heading, then one row per word.

    After :data:`GOLD`, each parsed file has its head, its deprel, and whether both are right (1 or 0).

    parsed: for each file the same sentences in the same order.

    Raises CrossarcError for invalid heads and cycles.
    """
    yield [*GOLD, *(f"{column}:{name}" for name in parsed for column in ("head", "deprel", "right"))]
    for number, sentence in enumerate(gold):
        heads, deprels, _ = read_tree(sentence)
        crossing = nonprojective_arcs(heads)
        others = [read_tree(own[number]) for own in parsed.values()]
        for word, form in enumerate(sentence.column("form"), 1):
            right = heads[word], deprels[word]
            row: list[object] = [sentence.id, word, form, *right, int(crossing[word])]
            for own in others:
                found = own.heads[word], own.deprels[word]
                row += [*found, int(found == right)]
            yield row
