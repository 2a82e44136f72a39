"""Calibration: from the margins of a parser to probabilities that its arcs are right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.parameters import real
from ...base.shapes import ListOf, Record, check_values, expect
from ...models.steps import Calibrator, State
from ...treebank.tree import FlatTrees, right_arcs

Floats = NDArray[np.float64]

CURVE = Record(
    {"weights": ListOf(real(), 8, 8), "points": ListOf(real(), 1), "probabilities": ListOf(real(least=0), 1)}
)
CALIBRATION = Record({"scale": real(above=0), "arcs": CURVE, "heads": CURVE})
"""The calibration of a model as JSON values."""
DIGITS = 6
"""Number of decimals of stored values, so that rounding errors of other processors do not change model files."""
USUAL = 95
"""Percentile of the margins that counts as certain; margins above it are equal."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Probabilities as a function of a word's score, a weighted sum of its :func:`_facts`.

    weights: weights of the facts (float64, (facts,)).
    points, probabilities: scores in ascending order and their probabilities, interpolated between them (float64).
    """

    weights: Floats
    points: Floats
    probabilities: Floats

    @classmethod
    def fit(cls, facts: Floats, right: NDArray[np.bool_]) -> Self:
        """The curve for words with these facts (float64, (facts, words)). right: whether their arcs are right."""
        from sklearn.isotonic import IsotonicRegression  # slow to import, and parsing does without
        from sklearn.linear_model import LogisticRegression

        weights = np.zeros(len(facts))
        if 0 < right.sum() < len(right):
            weights = LogisticRegression(max_iter=1000, fit_intercept=False).fit(facts.T, right).coef_[0].round(DIGITS)
        fitted = IsotonicRegression(y_min=0, y_max=1).fit(weights @ facts, right)
        return cls(weights, fitted.X_thresholds_.round(DIGITS), fitted.y_thresholds_.round(DIGITS))

    def __call__(self, facts: Floats) -> Floats:
        """The probability that the arc of each word is right (float64, (words,))."""
        return np.interp(self.weights @ facts, self.points, self.probabilities)

    def to_json(self) -> dict[str, Any]:
        """The curve as JSON values."""
        return {name: getattr(self, name).tolist() for name in ("weights", "points", "probabilities")}

    @classmethod
    def from_json(cls, values: Mapping[str, Any], name: str) -> Self:
        """The curve from :meth:`to_json`. Raises ShapeError, with ``name``, unless each point has a probability."""
        points, probabilities = values["points"], values["probabilities"]
        fault = f"found {len(points)}; expected {len(probabilities)}"
        expect(len(points) == len(probabilities), f"{name}.points", fault)
        return cls(np.array(values["weights"]), np.array(points), np.array(probabilities))


@dataclass(frozen=True)
class Calibration(Calibrator):
    """Calibrated probabilities of arcs, learned from a parsed development treebank.

    A logistic regression orders the words by their margins and the place of their arcs; isotonic regression turns this
    order into probabilities (Zadrozny & Elkan 2002).

    scale: the margin that counts as certain.
    arcs: probabilities that head and label are right.
    heads: probabilities that the head is right.
    """

    kind: ClassVar[str] = "calibration"

    scale: float
    arcs: Curve
    heads: Curve

    @classmethod
    def fit(cls, margins: Floats, trees: FlatTrees, gold: FlatTrees) -> Self:
        usual = np.percentile(margins[np.isfinite(margins)], USUAL) if np.isfinite(margins).any() else 1.0
        scale = round(max(float(usual), 10.0**-DIGITS), DIGITS)
        decided = gold.heads >= 0  # the others of partly annotated sentences teach nothing
        facts = _facts(margins / scale, trees)[:, decided]
        return cls(scale, *(Curve.fit(facts, right[decided]) for right in right_arcs(trees, gold)))

    def __call__(self, margins: Floats, trees: FlatTrees) -> Floats:
        facts = _facts(margins / self.scale, trees)
        arcs, heads = self.arcs(facts), self.heads(facts)
        return np.stack([np.minimum(arcs, heads), heads])

    def state(self) -> State:
        """The JSON values, see :data:`CALIBRATION`; no arrays."""
        return {"scale": self.scale, "arcs": self.arcs.to_json(), "heads": self.heads.to_json()}, {}

    @classmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, CALIBRATION)
        return cls(values["scale"], *(Curve.from_json(values[name], name) for name in ("arcs", "heads")))


def _facts(margins: Floats, trees: FlatTrees) -> Floats:
    """Facts about the arc of each word, up to about 1 (float64, (8, words)).

    They are its margin, from -1 on, since beams may choose arcs with negative ones; the root of the margin, 0 for
    negative ones; the root of its head's margin, 1 for node 0; the mean root of the sentence; the length of the arc, 0
    from node 0, and of the sentence as logarithms; whether the head is node 0; and 1.

    margins: margin of each word as a multiple of the scale (float64, (words,)).
    """
    facts = np.ones((8, len(margins)))
    if not len(margins):
        return facts
    starts = np.cumsum(trees.lengths) - trees.lengths
    first = np.repeat(starts, trees.lengths)
    word_as_head = trees.heads > 0
    facts[0] = np.clip(margins, -1, 1)
    facts[1] = np.sqrt(np.maximum(facts[0], 0))
    facts[2] = np.where(word_as_head, facts[1][np.where(word_as_head, first + trees.heads - 1, 0)], 1)
    full = trees.lengths[trees.lengths > 0]
    facts[3] = np.repeat(np.add.reduceat(facts[1], starts[trees.lengths > 0]) / full, full)
    distance = np.abs(np.arange(1, len(margins) + 1) - first - trees.heads)
    facts[4] = np.where(word_as_head, np.log2(distance) / 8, 0)
    facts[5] = np.repeat(np.log2(full) / 8, full)
    facts[6] = ~word_as_head
    return facts
