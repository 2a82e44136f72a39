"""A trial: a parser trained on some sentences, and its accuracy on others."""

from __future__ import annotations

import hashlib
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....features.template import FeatureModel, parse_template
from ...base.errors import CrossarcError
from ...base.text_files import utf8
from ...config.config import Config
from ...config.kinds import nodes
from ...models.files import model_bytes
from ...treebank import Sentence
from ..train import train


@dataclass(frozen=True, slots=True)
class Candidate:
    """A parser that may be trained: a config, and the templates that replace the features that the config names."""

    config: Config
    templates: tuple[str, ...]

    def feature_model(self) -> FeatureModel:
        sources = nodes(self.config.first_system)
        return FeatureModel(tuple(parse_template(line, "feature model", None, sources) for line in self.templates))

    def with_guide(self, **parameters: Any) -> Candidate:
        """The candidate with other parameters of its learner."""
        return replace(self, config=replace(self.config, guide={**self.config.guide, **parameters}))

    def identity(self) -> dict[str, Any]:
        """Everything that affects training on given sentences, as JSON values."""
        return {**self.config.to_json(), "features": list(self.templates)}

    def digest(self) -> str:
        """A digest that is equal for equal candidates."""
        text = json.dumps(self.identity(), ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(utf8(text)).hexdigest()


class Split(NamedTuple):
    """Sentences to train on, and others to parse."""

    train: Sequence[Sentence]
    test: Sequence[Sentence]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a trial.

    right: bool (words,), whether each word of the development data has the correct head and label
    heads_right: number of words with correct head
    seconds: time of training and parsing, by the budget's clock
    failure: reason why there is no parser, or ""
    """

    right: NDArray[np.bool_]
    heads_right: int
    seconds: float
    failure: str = ""

    @property
    def las(self) -> float:
        """Per cent; 0 if training failed."""
        return 100 * float(np.mean(self.right)) if len(self.right) else 0.0

    @property
    def uas(self) -> float:
        """Per cent; 0 if training failed."""
        return 100 * self.heads_right / len(self.right) if len(self.right) else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "las": round(self.las, 3),
            "words": len(self.right),
            "right": b64encode(np.packbits(self.right).tobytes()).decode(),
            "heads_right": self.heads_right,
            "seconds": round(self.seconds, 3),
            "failure": self.failure,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Outcome:
        """Restore an outcome. Raises KeyError, TypeError or ValueError for values that :meth:`to_json` cannot give."""
        bits = np.frombuffer(b64decode(values["right"]), dtype=np.uint8)
        right = np.unpackbits(bits, count=values["words"]).astype(np.bool_)
        if len(right) != values["words"]:
            raise ValueError("fewer words than it states")
        return cls(right, int(values["heads_right"]), float(values["seconds"]), str(values["failure"]))


def better(outcome: Outcome, other: Outcome) -> bool:
    """Whether ``outcome`` wins more words than it loses to ``other`` by more than the standard error of the difference.

    This is McNemar's statistic above 1. It is weaker than all usual levels of significance, so that small gains add up,
    but excludes most noise.
    """
    if outcome.failure or other.failure:
        return not outcome.failure and bool(other.failure)
    won = int(np.count_nonzero(outcome.right & ~other.right))
    lost = int(np.count_nonzero(~outcome.right & other.right))
    return won - lost > sqrt(won + lost)


def run_trial(
    splits: Sequence[Split], candidate: Candidate, keep: bool = False, now: Callable[[], float] = time.perf_counter
) -> tuple[Outcome, bytes]:
    """Train and parse on each split; the outcome covers all of them.

    keep: whether the model file of the last split's parser is returned, too
    now: clock in seconds

    If training fails, the outcome states the reason.
    """
    start = now()
    content = b""
    right: list[bool] = []
    heads_right = 0
    try:
        features = candidate.feature_model()
        for split in splits:
            model = train(candidate.config, sentences=split.train, features=features)
            for gold, parsed in zip(split.test, model.parse_chunk(split.test, retag=True), strict=True):
                heads = [own == found for own, found in zip(gold.column("head"), parsed.column("head"), strict=True)]
                labels = [own == found for own, found in zip(gold.deprels()[1:], parsed.deprels()[1:], strict=True)]
                heads_right += sum(heads)
                right += [head and label for head, label in zip(heads, labels, strict=True)]
            content = model_bytes(model) if keep else b""
    except CrossarcError as error:
        return Outcome(np.zeros(0, dtype=np.bool_), 0, now() - start, str(error)), b""
    return Outcome(np.array(right, dtype=np.bool_), heads_right, now() - start), content
