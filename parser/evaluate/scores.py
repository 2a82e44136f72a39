"""The named results of an evaluation. Percentages are floats from 0 to 100; a share of nothing is None."""

from __future__ import annotations

from dataclasses import dataclass

from .percent import Json, percentage
from .propagation import Propagation

__all__ = [
    "Accuracy",
    "ArcScores",
    "Confusion",
    "CrossingScores",
    "DeprelScores",
    "PrecisionRecall",
    "Scores",
    "SentenceClasses",
    "Totals",
]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Attachment scores of a class of tokens (by a property that does not depend on the predicted tree)."""

    tokens: int
    las_correct: int
    uas_correct: int
    la_correct: int

    @property
    def las(self) -> float | None:
        """Labelled attachment score: percentage of tokens with the right head and label."""
        return percentage(self.las_correct, self.tokens)

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score: percentage of tokens with the right head."""
        return percentage(self.uas_correct, self.tokens)

    @property
    def la(self) -> float | None:
        """Label accuracy: percentage of tokens with the right label."""
        return percentage(self.la_correct, self.tokens)

    def to_json(self) -> dict[str, Json]:
        """las, uas, la and their counts."""
        return {
            "las": self.las,
            "uas": self.uas,
            "la": self.la,
            "tokens": self.tokens,
            "las_correct": self.las_correct,
            "uas_correct": self.uas_correct,
            "la_correct": self.la_correct,
        }


@dataclass(frozen=True, slots=True)
class Totals:
    """Attachment scores and exact match of a set of tokens and the sentences they stand in."""

    attachment: Accuracy
    sentences: int
    lem_correct: int
    uem_correct: int

    @property
    def las(self) -> float | None:
        """Labelled attachment score."""
        return self.attachment.las

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score."""
        return self.attachment.uas

    @property
    def la(self) -> float | None:
        """Label accuracy."""
        return self.attachment.la

    @property
    def lem(self) -> float | None:
        """Labelled exact match: percentage of sentences with all heads and labels right."""
        return percentage(self.lem_correct, self.sentences)

    @property
    def uem(self) -> float | None:
        """Unlabelled exact match: percentage of sentences with all heads right."""
        return percentage(self.uem_correct, self.sentences)

    def to_json(self) -> dict[str, Json]:
        """las, uas, la, lem, uem and their counts."""
        return {
            "las": self.las,
            "uas": self.uas,
            "la": self.la,
            "lem": self.lem,
            "uem": self.uem,
            **{key: value for key, value in self.attachment.to_json().items() if key not in ("las", "uas", "la")},
            "sentences": self.sentences,
            "lem_correct": self.lem_correct,
            "uem_correct": self.uem_correct,
        }


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision and recall of a class of arcs that each tree defines for itself.

    The correct arcs may differ in number on the two sides (Kuhlmann & Nivre 2010, section 4.3), so there is no F1.
    """

    predicted: int
    predicted_correct: int
    gold: int
    gold_correct: int

    @property
    def precision(self) -> float | None:
        """Percentage of correct arcs out of those of the class in the predicted trees."""
        return percentage(self.predicted_correct, self.predicted)

    @property
    def recall(self) -> float | None:
        """Percentage of correct arcs out of those of the class in the gold trees."""
        return percentage(self.gold_correct, self.gold)

    def to_json(self) -> dict[str, Json]:
        """precision, recall and their counts."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "predicted": self.predicted,
            "predicted_correct": self.predicted_correct,
            "gold": self.gold,
            "gold_correct": self.gold_correct,
        }


@dataclass(frozen=True, slots=True)
class ArcScores:
    """Precision and recall of a class of arcs, correct meaning the head (unlabelled) or head and label (labelled)."""

    unlabelled: PrecisionRecall
    labelled: PrecisionRecall

    def to_json(self) -> dict[str, Json]:
        """unlabelled and labelled."""
        return {"unlabelled": self.unlabelled.to_json(), "labelled": self.labelled.to_json()}


@dataclass(frozen=True, slots=True)
class CrossingScores:
    """Precision and recall of the non-projective arcs of one class.

    Precision is over the arcs that are of the class, and non-projective, in the predicted tree, recall over those in
    the gold tree (Kuhlmann & Nivre 2010, section 4.3). missed, spurious: SENTENCE:WORD, numbers from 1, of the first
    arc that was not found, or found and not in the gold tree; "" where there is none.
    """

    arcs: ArcScores
    missed: str
    spurious: str

    def to_json(self) -> dict[str, Json]:
        """unlabelled, labelled, missed and spurious."""
        return {**self.arcs.to_json(), "missed": self.missed, "spurious": self.spurious}


@dataclass(frozen=True, slots=True)
class SentenceClasses:
    """Arc scores over all sentences and over those whose gold tree is projective or non-projective.

    Kuhlmann & Nivre's (2010) tables 3 and 5 class a sentence by its gold tree for precision and for recall alike: the
    projective parser P0 has a precision in "non-projective analyses" although it never predicts one, its precision
    and recall in "projective analyses" agree, and the others have precision on non-projective arcs in "projective
    analyses", which by the predicted tree could not exist.
    """

    all: ArcScores
    projective_sentences: ArcScores
    nonprojective_sentences: ArcScores

    def to_json(self) -> dict[str, Json]:
        """all, projective_sentences, nonprojective_sentences."""
        return {
            "all": self.all.to_json(),
            "projective_sentences": self.projective_sentences.to_json(),
            "nonprojective_sentences": self.nonprojective_sentences.to_json(),
        }


@dataclass(frozen=True, slots=True)
class DeprelScores:
    """Scores of one deprel: tokens that bear it in the predicted (precision) or in the gold tree (recall)."""

    head: PrecisionRecall
    head_label: PrecisionRecall
    label: PrecisionRecall

    def to_json(self) -> dict[str, Json]:
        """head, head_label and label: what must be right."""
        return {"head": self.head.to_json(), "head_label": self.head_label.to_json(), "label": self.label.to_json()}


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the gold deprel was predicted as another, and how often with the right head nevertheless."""

    gold: str
    predicted: str
    tokens: int
    head_right: int

    def to_json(self) -> dict[str, Json]:
        """The four fields."""
        return {
            "gold": self.gold,
            "predicted": self.predicted,
            "tokens": self.tokens,
            "head_right": self.head_right,
        }


@dataclass(frozen=True, slots=True)
class Scores:
    """Everything :func:`.metrics.evaluate` measures; see there for the definitions.

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

    @property
    def las(self) -> float | None:
        """Labelled attachment score over all tokens."""
        return self.all.las

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score over all tokens."""
        return self.all.uas

    @property
    def la(self) -> float | None:
        """Label accuracy over all tokens."""
        return self.all.la

    @property
    def lem(self) -> float | None:
        """Labelled exact match over all tokens."""
        return self.all.lem

    @property
    def uem(self) -> float | None:
        """Unlabelled exact match over all tokens."""
        return self.all.uem

    def to_json(self) -> dict[str, Json]:
        """The whole result as JSON values: las, uas, la, lem, uem and counts at the top, then one key per table."""
        return {
            **self.all.to_json(),
            "no_punct": self.no_punct.to_json(),
            "punctuation": self.punctuation,
            "breakdowns": self.breakdowns,
            "projective": self.projective.to_json(),
            "nonprojective": self.nonprojective.to_json(),
            "gold_arcs": {name: accuracy.to_json() for name, accuracy in self.gold_arcs.items()},
            "root": self.root.to_json(),
            "nonroot": self.nonroot.to_json(),
            "by_deprel": {name: deprel.to_json() for name, deprel in self.by_deprel.items()},
            "by_upos": {name: accuracy.to_json() for name, accuracy in self.by_upos.items()},
            "by_arc_length": {name: arcs.to_json() for name, arcs in self.by_arc_length.items()},
            "by_arc_length_bin": {name: arcs.to_json() for name, arcs in self.by_arc_length_bin.items()},
            "by_depth": {name: arcs.to_json() for name, arcs in self.by_depth.items()},
            "nonprojective_by": {
                kind: {name: own.to_json() for name, own in rows.items()} for kind, rows in self.crossing.items()
            },
            "by_position": {name: accuracy.to_json() for name, accuracy in self.by_position.items()},
            "by_sentence_length": {name: totals.to_json() for name, totals in self.by_sentence_length.items()},
            "confusions": [confusion.to_json() for confusion in self.confusions],
            "propagation": {name: metrics.to_json() for name, metrics in self.propagation.items()},
        }
