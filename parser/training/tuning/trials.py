"""Trials of tuning: training and scoring of a config, at most once and only if the time left suffices."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.text_files import utf8
from ...config.config import Config
from ...config.feature_files import load_features
from ...treebank import Sentence, conll_text
from ...treebank.tree import flat_trees, right_arcs, trees_of
from ..prepare import versions
from ..train import train

SECONDS_PER_WORD = 3e-4
"""Training time with the rich model: arc-standard on English-EWT took 61 CPU s for 204 577 words (project README)."""
EXPLORING = 4.0
"""Time of training with one round of exploration, relative to training without (configs/README.md)."""
GRAPH_EPOCH = 2.5
"""Time of one epoch of a graph-based parser relative to training with the rich model: 83 CPU s on English-EWT, where
training arc-standard takes 35 (project README)."""
CAUTION, STRANGE = 1.3, 2.0
"""Factors by which a trial may exceed the estimate from a similar trial, and from any other trial."""


class Budget:
    """Seconds from now on. now: a clock in seconds, of wall time or, for one job, of CPU time."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.now = now
        self._start = now()

    def left(self) -> float:
        """Seconds left; negative if the budget is exceeded."""
        return self.seconds - (self.now() - self._start)


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
        return 100 * float(self.right.sum()) / max(1, len(self.right))

    @property
    def uas(self) -> float:
        """Per cent; 0 if training failed."""
        return 100 * self.heads_right / max(1, len(self.right))

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        right = {"words": len(self.right), "right": np.packbits(self.right).tobytes().hex()}
        own = {"heads_right": self.heads_right, "seconds": round(self.seconds, 3), "failure": self.failure}
        return {"las": round(self.las, 3), **right, **own}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Outcome:
        """Restore an outcome. Raises KeyError, TypeError or ValueError for values that :meth:`to_json` cannot give."""
        bits = np.frombuffer(bytes.fromhex(values["right"]), dtype=np.uint8)
        right = np.unpackbits(bits, count=values["words"]).astype(np.bool_)
        return cls(right, int(values["heads_right"]), float(values["seconds"]), str(values["failure"]))


def better(outcome: Outcome, other: Outcome) -> bool:
    """Return whether ``outcome`` wins more words than it loses to ``other`` by more than one standard error.

    This is McNemar's statistic above 1. It is weaker than all usual levels of significance, so that small gains add up,
    but excludes most noise.
    """
    if outcome.failure or other.failure:
        return not outcome.failure and bool(other.failure)
    won = int(np.count_nonzero(outcome.right & ~other.right))
    lost = int(np.count_nonzero(~outcome.right & other.right))
    return won - lost > sqrt(won + lost)


def run_trial(splits: Sequence[Split], config: Config, now: Callable[[], float] = time.perf_counter) -> Outcome:
    """Train and parse on each split; the outcome covers all of them. If training fails, it states the reason.

    now: clock in seconds
    """
    start = now()
    right: list[NDArray[np.bool_]] = []
    heads_right = 0
    try:
        for split in splits:
            model = train(config, sentences=split.train)
            gold, parsed = (
                flat_trees(trees_of(own)) for own in (split.test, model.parse_chunk(split.test, retag=True))
            )
            arcs, heads = right_arcs(parsed, gold)
            heads_right += int(heads.sum())
            right.append(arcs)
    except CrossarcError as error:
        return Outcome(np.zeros(0, dtype=np.bool_), 0, now() - start, str(error))
    return Outcome(np.concatenate(right), heads_right, now() - start)


@dataclass(frozen=True)
class Data:
    """Training data, and the data that decides: development data or folds of the training data.

    dev: development sentences; None for folds
    folds: number of folds, to which the training sentences are dealt one by one
    unseen: if folds decide, development data on which their result is checked
    """

    train: Sequence[Sentence]
    dev: Sequence[Sentence] | None
    folds: int = 0
    unseen: Sequence[Sentence] = ()

    @cached_property
    def key(self) -> str:
        """A digest of the sentences and their division."""
        text = hashlib.sha256()
        for sentence in (*self.train, *(self.dev or ())):
            text.update(conll_text(sentence).encode("utf-8", "surrogateescape"))
        return f"{text.hexdigest()} {len(self.train)} {self.folds if self.dev is None else 'dev'}"

    def splits(self, step: int) -> list[Split]:
        """Every ``step``-th training sentence with the development data, or the same for each fold."""
        if self.dev is not None:
            return [Split(self.train[::step], self.dev)]
        return [
            Split(
                [sentence for number, sentence in enumerate(self.train) if number % self.folds != fold][::step],
                self.train[fold :: self.folds],
            )
            for fold in range(self.folds)
        ]

    @cached_property
    def all_words(self) -> int:
        """The number of words on which trials with all sentences train, in all folds together."""
        return sum(len(sentence) for split in self.splits(1) for sentence in split.train)


@dataclass(slots=True)
class Trials:
    """Outcomes of configs trained on every ``step``-th sentence; step 1 is the whole training treebank.

    journal: file with a JSON line for each finished trial and a key of everything that affects its outcome. Incomplete
        lines, which a killed run may leave behind, are ignored.
    run: function that runs a trial, for tests
    trained, known: number of trials run, and of those that the journal contained
    """

    data: Data
    journal: Path
    budget: Budget
    jobs: int = 1
    run: Callable[[Sequence[Split], Config], Outcome] | None = None
    trained: int = 0
    known: int = 0
    _outcomes: dict[str, Outcome] = field(default_factory=dict)
    _costs: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            lines = self.journal.read_bytes() if self.journal.exists() else b""
        except OSError as error:
            raise CrossarcError(f"{self.journal}: {error.strerror or error}") from error
        for line in lines.decode("utf-8", "replace").splitlines():
            try:
                entry = json.loads(line)
                self._outcomes[entry["key"]] = Outcome.from_json(entry)
            except (ValueError, KeyError, TypeError):
                continue
        self.known = len(self._outcomes)

    def outcome(self, config: Config, step: int) -> Outcome | None:
        """Return the outcome of a config; None if it was not tried."""
        outcome = self._outcomes.get(_key(config, self.data.key, step))
        if outcome is not None:
            cost = outcome.seconds * step / (self.data.all_words * _work(config))
            self._costs[_kind(config)] = self._costs[""] = cost
        return outcome

    def result(self, config: Config, step: int) -> Outcome:
        """Return the outcome of a config that was tried."""
        outcome = self.outcome(config, step)
        assert outcome is not None
        return outcome

    def attempt(self, configs: Sequence[Config], step: int, reserve: float) -> list[Config]:
        """Run the trials of configs, and return those that have an outcome.

        reserve: seconds to leave of the budget. A trial begins only if it is expected to end before.
        """
        waiting = [own for own in configs if self.outcome(own, step) is None]
        run = partial(self.run or partial(run_trial, now=self.budget.now), self.data.splits(step))
        with Parallel(n_jobs=self.jobs) as parallel:
            while waiting:
                left = self.budget.left() - reserve
                batch = [own for own in waiting if self.estimate(own, step) <= left][: self.jobs]
                if not batch:
                    break
                for config, outcome in zip(batch, parallel(delayed(run)(own) for own in batch), strict=True):
                    self._add(config, step, outcome)
                waiting = waiting[waiting.index(batch[-1]) + 1 :]
        return [own for own in configs if self.outcome(own, step) is not None]

    def estimate(self, config: Config, step: int) -> float:
        """Return the estimated seconds of a trial, based on earlier trials."""
        work = self.data.all_words / step * _work(config)
        if _kind(config) in self._costs:
            return CAUTION * work * self._costs[_kind(config)]
        return STRANGE * work * self._costs.get("", SECONDS_PER_WORD)

    def _add(self, config: Config, step: int, outcome: Outcome) -> None:
        """Write a finished trial to disk immediately."""
        key = _key(config, self.data.key, step)
        self._outcomes[key] = outcome
        self.trained += 1
        entry = {"key": key, "step": step, **outcome.to_json(), "trained": config.to_json()}
        try:
            with open(self.journal, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write("\n" + json.dumps(entry, ensure_ascii=False))  # after a line that a killed run left
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise CrossarcError(f"{self.journal}: {error.strerror or error}") from error
        self.outcome(config, step)


@cache
def _libraries() -> str:
    return " ".join(f"{name} {own}" for name, own in versions().items())


def _key(config: Config, data: str, step: int) -> str:
    """A digest of everything that affects the outcome of a trial, also of the content of feature files."""
    try:
        lines = load_features(config.features_name, config.first_system, None).lines()
        own = json.dumps([config.to_json(), lines], ensure_ascii=False, sort_keys=True)
    except CrossarcError as error:  # the trial will fail with this message
        own = str(error)
    return hashlib.sha256(utf8(f"{_libraries()} {data} {step} {own}")).hexdigest()


def _work(config: Config) -> float:
    """The time of a training relative to one without exploration and without graphs."""
    if config.kind.knows("graph"):
        return GRAPH_EPOCH * config.graph.epochs
    return 1 + (EXPLORING - 1) * config.explore


def _kind(config: Config) -> str:
    """What determines the cost of a config per unit of work."""
    return f"{config.system} {config.features_name} {config.guide.get('learner')} {bool(config.transforms)}"
