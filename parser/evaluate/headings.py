"""Meanings of table headings; each is explained once, below the first table that has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..drawing.report_page import Table

HEADINGS: Mapping[str, str] = {
    "LAS": "labelled attachment score: % of tokens with the right head and label",
    "UAS": "unlabelled attachment score: % of tokens with the right head",
    "LA": "label accuracy: % of tokens with the right label",
    "LEM": "labelled exact match: % of sentences without a wrong head or label",
    "UEM": "unlabelled exact match: % of sentences without a wrong head",
    "accuracy": "% of tokens with the gold value, of the columns in which the files differ",
    "LAS-p": "LAS without punctuation",
    "UAS-p": "UAS without punctuation",
    "P": "precision: % of the parser's arcs of the class that are right (their head, if not labelled)",
    "R": "recall: % of the gold arcs of the class that the parser has",
    "labelled P": "precision where the label must be right too",
    "labelled R": "recall where the label must be right too",
    "predicted": "how many arcs of the class the parsed trees have; P is a share of them",
    "gold": "how many arcs of the class the gold trees have; R is a share of them",
    "non-projective": "an arc over a word that its head does not dominate: it crosses another arc, or the root. P is "
    "of arcs that are so in the parsed tree, R of those that are so in the gold tree. These are different sets: an "
    "arc may be right and yet cross nothing in the parsed tree, where what it crosses is attached elsewhere. So P can "
    "be 0 beside an R of 4, and there is no F",
    "np P": "precision of non-projective arcs: % of those in the parsed trees whose head is right",
    "np R": "recall of non-projective arcs: % of those in the gold trees whose head the parser found; other arcs than "
    "those of np P, for an arc may cross another one in one tree only: np P can be 0 beside an np R of 4",
    "Pre": "LAS error rate, % of tokens, up to and with the first wrong token of each sentence (Nilsson 2009, 4.2.1)",
    "Post": "LAS error rate after it: much higher than Pre where errors cause errors",
    "McNemar's test": "A : B, two parsers on the same tokens (LAS, UAS) or sentences (LEM, UEM)",
    "b": "how many only B has right",
    "c": "how many only A has right",
    "Z": "(|b - c| - 1) / root of b + c; - where there are so few that the exact test was used",
    "p": "how probable so large a difference is if both are equally good",
    "level": "0.01 or 0.05: the strictest level at which the difference is significant; -: at none",
    "better": "which of the two is, if the difference is significant",
    "missed": "an example: SENTENCE:WORD, counted from 1, of a gold arc of the class that the parser did not find",
    "spurious": "an example of an arc of the class that the parser has and the gold tree has not",
    "arc length": "words from head to dependent, neighbours 1; in the parsed tree for P, in the gold tree for R",
    "depth": "arcs from the root node to the token",
    "gold arcs": "the tokens by what their gold arc is; left: the dependent stands left of its head",
    "head+label P": "precision of the deprel: % of the tokens that the parser gives it whose head and label are right",
    "head+label R": "recall of the deprel: % of the tokens with it in the gold tree whose head and label are right",
    "label P": "precision of the label, whatever the head is",
    "label R": "recall of the label, whatever the head is",
    "error rate (normalised)": "% of tokens that are wrong; in brackets as % of the total, so that 100 is the average",
    "% in Pre": "% of tokens that stand before the first error of their sentence or are it",
    "cluster 1": "error rate of tokens right behind a wrong one, or first in their sentence",
    "deprel confused": "gold deprel as what the parser gave instead",
    "head right": "how many of these tokens have the right head nevertheless",
}
"""By heading, or by what begins the name of a row."""


def explained(tables: Iterable[Table]) -> Iterator[Table]:
    """The tables with notes on their headings and rows, each heading where it comes first."""
    done: set[str] = set()
    for table in tables:
        names = [*table.header, *(row[0] for row in table.rows)]
        notes = [(name, meaning) for name, meaning in meanings(names) if name not in done]
        done.update(name for name, _ in notes)
        yield table._replace(notes=notes)


def meanings(names: Sequence[str]) -> list[tuple[str, str]]:
    """The meanings of the names that are explained here, in the order of :data:`HEADINGS`."""
    found = {name if name in HEADINGS else name.partition(",")[0] for name in names}
    return [(name, meaning) for name, meaning in HEADINGS.items() if name in found]
