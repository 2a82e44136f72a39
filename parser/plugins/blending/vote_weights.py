"""Weights of the votes in a blend, learned on held-out sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import CrossarcError, check_names
from ...base.parameters import TEXT, real
from ...base.shapes import ListOf, MapOf, Record, check_file
from ...treebank.tree import Tree
from .config import WEIGHTINGS

WEIGHTS = Record({"by": TEXT, "overall": ListOf(real(least=0)), "special": ListOf(MapOf(real(least=0)))})
"""The weights as JSON values, which ``to_json`` writes."""
PRIOR = 5
"""Smoothing of the counts of each pair of ``pos+deprel``, in words of overall accuracy; many pairs are rare.

How it was chosen is not on record. Tried since, with the parsers of ``six-parsers`` with small features trained on the
first 500 sentences, weights from one half of the development set scored on the other and the other way round: LAS of
73.76, 73.79, 73.78, 73.73, 73.60 on Gothic and of 76.78, 76.83, 76.88, 76.91, 76.88 on Danish with 0, 1, 5, 20, 100.
How the weighting itself was chosen, with test sets in view, is on the page of findings on Nilsson (2009)."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the votes of several parsers (Sagae & Lavie 2006; Nilsson 2009, sections 7.1 and 8.2).

    by: the kind of weights, see below.
    overall: one weight for each parser.
    special: for each parser, weights of parts of speech, deprels or pairs; others have the overall weight.

    Kinds: ``equal``; ``accuracy`` (labelled attachment score); ``pos`` (the same for each part of speech of the
    dependent, the UPOS column); ``deprel`` (labelled precision of each predicted deprel); ``pos+deprel`` (labelled
    precision of each predicted deprel for each part of speech, which is not in the papers).
    """

    by: str
    overall: tuple[float, ...]
    special: tuple[Mapping[str, float], ...] = ()

    def of(self, parser: int, upos: Sequence[str], deprels: Sequence[str]) -> list[float]:
        """The weight of the parser's arc to each word. upos: parts of speech. deprels: predicted deprels."""
        overall = self.overall[parser]
        if not self.special:
            return [overall] * len(deprels)
        table = self.special[parser]
        return [table.get(key, overall) for key in _keys(self.by, upos, deprels)]

    def among(self, chosen: Sequence[int]) -> Weights:
        """The weights of some of the parsers."""
        special = tuple(self.special[parser] for parser in chosen) if self.special else ()
        return Weights(self.by, tuple(self.overall[parser] for parser in chosen), special)

    def to_json(self) -> dict[str, Any]:
        """The weights as JSON values."""
        return {"by": self.by, "overall": list(self.overall), "special": [dict(unit) for unit in self.special]}


def equal_weights(parsers: int) -> Weights:
    """Weights of 1 for every vote."""
    return Weights("equal", (1.0,) * parsers)


def learn_weights(
    by: str, gold: Sequence[Tree], votes: Sequence[Sequence[Tree]], upos: Sequence[Sequence[str]]
) -> Weights:
    """The weights of parsers from their trees of held-out sentences, ``votes[parser][sentence]``.

    All words count that have a head in the gold trees.
    """
    check_names("weights: found", [by], WEIGHTINGS)
    if by == "equal":
        return equal_weights(len(votes))
    overall, special = [], []
    for trees in votes:
        right: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for sentence, vote, tags in zip(gold, trees, upos, strict=True):
            keys = enumerate(_keys(by, tags, vote.deprels[1:]), 1)
            counted = [(word, key) for word, key in keys if sentence.heads[word] >= 0]
            seen.update(key for _, key in counted)
            right.update(
                key
                for word, key in counted
                if vote.heads[word] == sentence.heads[word] and vote.deprels[word] == sentence.deprels[word]
            )
        if not seen:
            raise CrossarcError("weights: no held-out words to learn from; give held-out sentences")
        accuracy, prior = right.total() / seen.total(), PRIOR if by == "pos+deprel" else 0
        overall.append(accuracy)
        special.append({key: (right[key] + prior * accuracy) / (count + prior) for key, count in sorted(seen.items())})
    return Weights(by, tuple(overall), tuple(special) if by != "accuracy" else ())


def _keys(by: str, upos: Sequence[str], deprels: Sequence[str]) -> Sequence[str]:
    if by == "pos+deprel":
        return [f"{tag} {deprel}" for tag, deprel in zip(upos, deprels, strict=True)]
    return upos if by == "pos" else deprels


def weights_from_json(document: Any, where: str, parsers: int) -> Weights:
    """The weights from ``to_json``. Raises CrossarcError for invalid weights or another number of parsers."""
    check_file(document, WEIGHTS, f"{where}: not weights of a blend")
    by, overall = document["by"], tuple(map(float, document["overall"]))
    special = tuple({key: float(value) for key, value in unit.items()} for unit in document["special"])
    check_names(f"{where}: by: found", [by], WEIGHTINGS)
    if len(overall) != parsers:
        raise CrossarcError(
            f"{where}: found weights of {len(overall)} parsers; expected {parsers}, one for each parser of the blend"
        )
    if len(special) != (expected := 0 if by in ("equal", "accuracy") else parsers):
        raise CrossarcError(
            f"{where}: special: found weights of {len(special)} parsers; expected {expected} for weights by {by}"
        )
    return Weights(by, overall, special)
