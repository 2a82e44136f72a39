"""Named results of an evaluation. Percentages are floats from 0 to 100, or None if nothing was counted.

- las, uas, la: percentage of tokens with the right head and label, the right head, the right label.
- lem, uem: percentage of sentences without a wrong head or label, without a wrong head.
"""

from __future__ import annotations

from dataclasses import dataclass

from .percent import Json, Result, Share, percentage


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Errors among tokens. The rate is a percentage, or None if there are no tokens."""

    errors: int
    tokens: int

    rate = Share("errors", "tokens")

    def normalised(self, total: ErrorRate) -> float | None:
        """Return the rate as a percentage of the overall error rate; None if either is undefined or the latter is 0."""
        if self.rate is None or not total.rate:
            return None
        return 100.0 * self.rate / total.rate

    def against(self, total: ErrorRate) -> dict[str, Json]:
        """Return as JSON the rate, the normalised rate, the share of all tokens, and the counts."""
        return {
            "rate": self.rate,
            "normalised": self.normalised(total),
            "share": percentage(self.tokens, total.tokens),
            "errors": self.errors,
            "tokens": self.tokens,
        }


@dataclass(frozen=True, slots=True)
class Propagation(Result):
    """Pre, Post and error clustering for one definition of a right token.

    pre: tokens up to and including the first wrong token of their sentence; all tokens of a sentence without errors.
    post: tokens after the first wrong token.
    clusters: ``clusters[k - 1]`` contains tokens whose latest preceding error is k steps to the left. The position
        before the sentence counts as an error. The last entry contains all greater distances.

    All rates are micro-averages over tokens. Every token is in pre or post, and in one cluster. So dividing by the rate
    of ``total`` normalises them (100 is the average).
    """

    total: ErrorRate
    pre: ErrorRate
    post: ErrorRate
    clusters: tuple[ErrorRate, ...]

    def to_json(self) -> dict[str, Json]:
        """Return total, pre, post, and the clusters under ``1`` … ``7`` and ``>7``."""
        last = len(self.clusters) - 1
        names = [*map(str, range(1, last + 1)), f">{last}"]
        return {
            "total": self.total.against(self.total),
            "pre": self.pre.against(self.total),
            "post": self.post.against(self.total),
            "clusters": {name: cluster.against(self.total) for name, cluster in zip(names, self.clusters, strict=True)},
        }


@dataclass(frozen=True, slots=True)
class Accuracy(Result):
    """Attachment scores of a class of tokens; the class does not depend on the predicted tree."""

    tokens: int
    las_correct: int
    uas_correct: int
    la_correct: int

    las = Share("las_correct", "tokens")
    uas = Share("uas_correct", "tokens")
    la = Share("la_correct", "tokens")


@dataclass(frozen=True, slots=True)
class Totals(Accuracy):
    """Attachment scores and exact match of a set of tokens and their sentences."""

    sentences: int
    lem_correct: int
    uem_correct: int

    lem = Share("lem_correct", "sentences")
    uem = Share("uem_correct", "sentences")


@dataclass(frozen=True, slots=True)
class PrecisionRecall(Result):
    """Precision and recall of a class of arcs; each tree determines which of its arcs are in the class.

    precision: share of the predicted arcs of the class that are right.
    recall: share of the gold arcs of the class that were found.

    The numbers of right arcs may differ in the two trees (Kuhlmann & Nivre 2010, section 4.3), so there is no F1.
    """

    predicted: int
    predicted_correct: int
    gold: int
    gold_correct: int

    precision = Share("predicted_correct", "predicted")
    recall = Share("gold_correct", "gold")


@dataclass(frozen=True, slots=True)
class ArcScores(Result):
    """Precision and recall of a class of arcs.

    unlabelled: an arc is right if its head is.
    labelled: an arc is right if its head and label are.
    """

    unlabelled: PrecisionRecall
    labelled: PrecisionRecall


@dataclass(frozen=True, slots=True)
class CrossingScores(ArcScores):
    """Precision and recall of the non-projective arcs of one class.

    missed: first non-projective gold arc of the class that was not found, as SENTENCE:WORD, numbers from 1; "" if none.
    spurious: first non-projective predicted arc of the class that is not in the gold tree, likewise.

    Precision counts arcs that belong to the class and are non-projective in the predicted tree, recall those that do
    and are in the gold tree (Kuhlmann & Nivre 2010, section 4.3).
    """

    missed: str
    spurious: str


@dataclass(frozen=True, slots=True)
class SentenceClasses(Result):
    """Arc scores over all sentences, and over sentences with a projective or a non-projective gold tree.

    Tables 3 and 5 of Kuhlmann & Nivre (2010) classify a sentence by its gold tree, for precision as for recall. Their
    figures show this: the projective parser P0 has a precision in "non-projective analyses"; its precision and recall
    in "projective analyses" are equal; and other parsers have a precision of non-projective arcs in "projective
    analyses".
    """

    all: ArcScores
    projective_sentences: ArcScores
    nonprojective_sentences: ArcScores


@dataclass(frozen=True, slots=True)
class DeprelScores(Result):
    """Scores of one deprel, by what must be right: the head, head and label, or the label.

    Precision counts tokens with the deprel in the predicted tree, recall tokens with it in the gold tree.
    """

    head: PrecisionRecall
    head_label: PrecisionRecall
    label: PrecisionRecall


@dataclass(frozen=True, slots=True)
class ColumnAccuracy(Result):
    """Number of tokens with the gold value of a column."""

    tokens: int
    correct: int

    accuracy = Share("correct", "tokens")


@dataclass(frozen=True, slots=True)
class Confusion(Result):
    """Number of times that a gold deprel was predicted as another one, and how often the head was right."""

    gold: str
    predicted: str
    tokens: int
    head_right: int


@dataclass(frozen=True, slots=True)
class Scores(Result):
    """All scores of :func:`.metrics.score_comparison`, which defines them. ``las`` to ``uem`` are those of ``all``.

    >>> import crossarc
    >>> gold = list(crossarc.read_sentences("test.conllu"))
    >>> scores = crossarc.score_sentences(gold, gold)
    >>> isinstance(scores, crossarc.Scores), scores.uas, scores.lem, scores.by_deprel["nsubj"].head_label.recall
    (True, 100.0, 100.0, 100.0)
    """

    all: Totals
    no_punct: Totals
    punctuation: str
    breakdowns: str
    projective: SentenceClasses
    nonprojective: SentenceClasses
    gold_arcs: dict[str, Accuracy]
    root: ArcScores
    nonroot: ArcScores
    by_deprel: dict[str, DeprelScores]
    by_upos: dict[str, Accuracy]
    by_arc_length: dict[str, ArcScores]
    by_arc_length_bin: dict[str, ArcScores]
    by_depth: dict[str, ArcScores]
    crossing: dict[str, dict[str, CrossingScores]]
    by_position: dict[str, Accuracy]
    by_sentence_length: dict[str, Totals]
    confusions: tuple[Confusion, ...]
    propagation: dict[str, Propagation]
    columns: dict[str, ColumnAccuracy]

    las = Share("all.las_correct", "all.tokens")
    uas = Share("all.uas_correct", "all.tokens")
    la = Share("all.la_correct", "all.tokens")
    lem = Share("all.lem_correct", "all.sentences")
    uem = Share("all.uem_correct", "all.sentences")

    def _repr_html_(self) -> str:
        """The main scores as a table, for notebooks."""
        values = {"LAS": self.las, "UAS": self.uas, "label": self.la, "LAS per sentence": self.lem}
        head = "".join(f"<th>{name}</th>" for name in values)
        row = "".join(f"<td>{'-' if value is None else f'{value:.2f}'}</td>" for value in values.values())
        caption = f"{self.all.sentences} sentences, {self.all.tokens} words"
        return f"<table><caption>{caption}</caption><tr>{head}</tr><tr>{row}</tr></table>"

    def to_json(self) -> dict[str, Json]:
        """Return scores and counts of ``all`` at the top level, then one key per table.

        The key of ``crossing`` is ``nonprojective_by``.
        """
        inner = Result.to_json(self)
        del inner["all"]
        names = {"crossing": "nonprojective_by"}
        return {**self.all.to_json(), **{names.get(name, name): value for name, value in inner.items()}}
