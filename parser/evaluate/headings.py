"""Meanings of table headings. Each heading is explained once, below the first table that contains it."""

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
    "P": "precision: % of the parsed arcs of the class that are right (only the head, unless labelled)",
    "R": "recall: % of the gold arcs of the class that the parser found",
    "labelled P": "precision; the label must be right, too",
    "labelled R": "recall; the label must be right, too",
    "predicted": "number of arcs of the class in the parsed trees; P is a share of them",
    "gold": "number of arcs of the class in the gold trees; R is a share of them",
    "non-projective": "an arc over a word that its head does not dominate: it crosses another arc, or the root. P "
    "counts arcs that are non-projective in the parsed tree, R those that are in the gold tree. These sets differ: a "
    "right arc crosses nothing in the parsed tree if the arc that it should cross is attached elsewhere. So P can be 0 "
    "while R is 4, and there is no F score",
    "np P": "precision of non-projective arcs: % of those in the parsed trees with the right head",
    "np R": "recall of non-projective arcs: % of those in the gold trees whose head the parser found. An arc may be "
    "non-projective in one of the two trees only, so np P can be 0 while np R is 4",
    "Pre": "LAS error rate up to and including the first wrong token of each sentence (Nilsson 2009, 4.2.1)",
    "Post": "LAS error rate after that token: much higher than Pre if errors cause further errors",
    "McNemar's test": "A : B, two parsers on the same tokens (LAS, UAS) or sentences (LEM, UEM)",
    "b": "number of items that only B has right",
    "c": "number of items that only A has right",
    "Z": "(|b - c| - 1) / square root of (b + c); -: b + c was small, so the exact test was used",
    "p": "probability of such a difference, or a larger one, if both parsers are equally good",
    "level": "strictest level, 0.01 or 0.05, at which the difference is significant; -: not significant",
    "better": "the better parser, if the difference is significant",
    "missed": "an example: SENTENCE:WORD, counted from 1, of a gold arc of the class that the parser did not find",
    "spurious": "an example: SENTENCE:WORD of a parsed arc of the class that is not in the gold tree",
    "arc length": "words from head to dependent (neighbours: 1); in the parsed tree for P, in the gold tree for R",
    "depth": "number of arcs from node 0 to the token",
    "gold arcs": "the tokens by the kind of their gold arc; left: the dependent is left of its head",
    "head+label P": "precision: % of the tokens with this parsed deprel whose head and label are right",
    "head+label R": "recall: % of the tokens with this gold deprel whose head and label are right",
    "label P": "precision of the label, regardless of the head",
    "label R": "recall of the label, regardless of the head",
    "error rate (normalised)": "% of tokens that are wrong; in brackets: % of the total rate (100 is the average)",
    "% in Pre": "% of tokens up to and including the first error of their sentence",
    "cluster 1": "error rate of tokens directly after a wrong one, or first in their sentence",
    "deprel confused": "gold deprel as parsed deprel",
    "head right": "number of these tokens that have the right head",
}
"""Meanings by heading, or by the beginning of a row's name."""


def explained(tables: Iterable[Table]) -> Iterator[Table]:
    """Yield the tables with notes. Each heading and row name is explained below the first table that has it."""
    done: set[str] = set()
    for table in tables:
        names = [*table.header, *(row[0] for row in table.rows)]
        notes = [(name, meaning) for name, meaning in meanings(names) if name not in done]
        done.update(name for name, _ in notes)
        yield table._replace(notes=notes)


def meanings(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names with an entry in :data:`HEADINGS` and their meanings, in the order of the entries."""
    found = {name if name in HEADINGS else name.partition(",")[0] for name in names}
    return [(name, meaning) for name, meaning in HEADINGS.items() if name in found]
