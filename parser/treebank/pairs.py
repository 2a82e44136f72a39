"""Corresponding sentences of a gold file and predicted files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import tee, zip_longest

from ...transitions.trees import cycles
from ..base.errors import CrossarcError
from .sentence import Sentence, only_sentences
from .symbols import nfc
from .tree import Tree


class DifferentWordsError(CrossarcError):
    """Two files do not have the same words in the same sentences."""


def pair_sentences(gold: Iterable[Sentence], predicted: Iterable[Sentence]) -> Iterator[tuple[Sentence, Sentence]]:
    """The pairs of sentences of two files, read in parallel.

    Raises CrossarcError at the first difference in forms, numbers of words or numbers of sentences. The message names
    file and line of the sentence's first row on both sides.
    """
    before: tuple[Sentence, Sentence] | None = None
    sides = only_sentences(gold, "gold "), only_sentences(predicted, "predicted ")
    for number, (left, right) in enumerate(zip_longest(*sides)):
        if left is None or right is None:
            raise DifferentWordsError(_unpaired(left, right, number, before))
        _same_words(left, right)
        before = (left, right)
        yield before


def same_sentences(first: Iterable[Sentence], *others: Iterable[Sentence]) -> Iterator[tuple[Sentence, ...]]:
    """Each sentence of a file with the same sentence of others, read in parallel; see :func:`pair_sentences`."""
    copy, *sides = tee(first, len(others) + 1)
    pairs = [pair_sentences(side, other) for side, other in zip(sides, others, strict=True)]
    groups = zip(copy, *pairs, strict=True)
    return ((sentence, *(other for _, other in rest)) for sentence, *rest in groups)


def read_tree(sentence: Sentence, columns: Iterable[str] = (), partial: bool = False) -> Tree:
    """The tree of a sentence with the named columns. partial: whether words without a head ("_") are allowed: -1, "".

    Raises CrossarcError, with file and line, if heads are invalid or form a cycle.
    """
    heads = sentence.heads(partial)
    if loops := cycles(heads):
        words = " ".join(map(str, loops[0]))
        raise CrossarcError(f"{sentence.source}:{sentence.line}: not a tree, words {words} form a cycle")
    deprels = [label if head >= 0 else "" for head, label in zip(heads, sentence.deprels(), strict=True)]
    return Tree(heads, deprels, {name: sentence.column(name) for name in columns})


def valid_sentences(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences with valid trees."""
    valid = []
    for sentence in sentences:
        with suppress(CrossarcError):
            read_tree(sentence)
            valid.append(sentence)
    return valid


def _same_words(left: Sentence, right: Sentence) -> None:
    forms, others = left.column("form"), right.column("form")
    if forms == others or tuple(map(nfc, forms)) == tuple(map(nfc, others)):
        return
    pairs = enumerate(zip(forms, others, strict=False), 1)
    different = ((word, a, b) for word, (a, b) in pairs if nfc(a) != nfc(b))
    difference = next((f"word {word} of the sentence is {a!r}, but {b!r}" for word, a, b in different), None)
    difference = difference or f"the sentence has {len(left)} words, but {len(right)}"
    raise DifferentWordsError(f"{left.source}:{left.line}: {difference} at {right.source}:{right.line}")


def _unpaired(
    left: Sentence | None, right: Sentence | None, number: int, before: tuple[Sentence, Sentence] | None
) -> str:
    longer, place, side = (left, 1, "predicted") if left is not None else (right, 0, "gold")
    assert longer is not None
    shorter = before[place].source if before else f"the {side} file"
    count = f"{number} sentence" if number == 1 else f"{number} sentences"
    return f"{longer.source}:{longer.line}: sentence {number + 1} has no counterpart, {shorter} has only {count}"
