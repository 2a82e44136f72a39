"""Execution of trials: in parallel, within the budget, and once each, even across runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from joblib import Parallel, delayed

from ...base.cluster import call_shipped, is_remote, ship
from ...base.errors import CrossarcError
from ...treebank import Sentence, atomic_output, conll_text
from ..train import versions
from .budget import Budget, Costs
from .trial import Candidate, Outcome, Split, run_trial

Result: TypeAlias = tuple[Outcome, bytes]
"""The outcome of a trial, and the content of its model file if it is kept."""
CLOSING, CLOSING_SHARE = 3.0, 0.1
"""Seconds for what follows the last trial, parsing the development data once more and writing, and the share of the
budget that they may take at most."""


class Data:
    """Training data, and the data that decides: development data or folds of the training data.

    dev: development sentences; None for folds
    folds: number of folds, to which the training sentences are dealt one by one
    unseen: if folds decide, development data on which their result is checked
    """

    def __init__(
        self,
        train: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
        folds: int = 0,
        unseen: Sequence[Sentence] | None = None,
    ) -> None:
        self.train = train
        self.dev = dev
        self.folds = folds
        self.unseen = unseen
        text = hashlib.sha256()
        for sentence in (*train, *(dev or ())):
            text.update(conll_text(sentence).encode("utf-8", "surrogateescape"))
        self.key = f"{text.hexdigest()} {len(train)} {folds if dev is None else 'dev'}"
        self.splits, self.words = cache(self._splits), cache(self._words)

    def _splits(self, step: int) -> list[Split]:
        """Every ``step``-th training sentence with the development data, or the same for each fold."""
        if self.dev is not None:
            return [Split(self.train[::step], self.dev)]
        numbered = list(enumerate(self.train))
        return [
            Split(
                [sentence for number, sentence in numbered if number % self.folds != fold][::step],
                [sentence for number, sentence in numbered if number % self.folds == fold],
            )
            for fold in range(self.folds)
        ]

    def _words(self, step: int) -> int:
        """The number of words on which trials with this step train, in all folds together."""
        return sum(len(sentence) for split in self.splits(step) for sentence in split.train)


class Journal:
    """A file of JSON lines, one per finished trial, with a key of everything that affects its outcome.

    Incomplete lines, which a killed run may leave behind, are ignored. Raises CrossarcError if the file cannot be read
    or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._outcomes: dict[str, Outcome] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_bytes() if path.exists() else b""
            if lines and not lines.endswith(b"\n"):
                with open(path, "ab") as file:
                    file.write(b"\n")
        except OSError as error:
            raise CrossarcError(f"{path}: {error.strerror or error}") from error
        for line in lines.decode("utf-8", "replace").splitlines():
            try:
                entry = json.loads(line)
                self._outcomes[entry["key"]] = Outcome.from_json(entry)
            except (ValueError, KeyError, TypeError):
                continue

    def __len__(self) -> int:
        return len(self._outcomes)

    def get(self, key: str) -> Outcome | None:
        return self._outcomes.get(key)

    def add(self, key: str, candidate: Candidate, outcome: Outcome) -> None:
        """Write a finished trial to disk immediately."""
        self._outcomes[key] = outcome
        entry = {"key": key, **outcome.to_json(), "trained": candidate.identity()}
        try:
            with open(self.path, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise CrossarcError(f"{self.path}: {error.strerror or error}") from error


class Trials:
    """Outcomes of candidates trained on every ``step``-th sentence; step 1 is the whole training treebank.

    models: folder for the parsers of trials on the whole training and development data, which need not be trained again
    run: function that runs a trial, for tests
    """

    def __init__(
        self,
        data: Data,
        journal: Journal,
        budget: Budget,
        models: Path,
        jobs: int = 1,
        run: Callable[[Sequence[Split], Candidate, bool], Result] | None = None,
    ) -> None:
        self.data = data
        self.budget = budget
        self.models = models
        self.costs = Costs()
        self.trained = 0
        self._journal = journal
        self._jobs = jobs
        self._run = run or partial(run_trial, now=budget.now)
        self._versions = " ".join(f"{name} {own}" for name, own in versions().items())
        self._seen: set[str] = set()

    def outcome(self, candidate: Candidate, step: int) -> Outcome | None:
        """The outcome of a candidate; None if it was not tried."""
        key = self._key(candidate, step)
        outcome = self._journal.get(key)
        if outcome is not None and key not in self._seen:
            self._seen.add(key)
            self.costs.add(candidate, self.data.words(step), outcome.seconds)
        return outcome

    def result(self, candidate: Candidate, step: int) -> Outcome:
        """The outcome of a candidate that was tried."""
        outcome = self.outcome(candidate, step)
        assert outcome is not None
        return outcome

    def run(self, candidates: Sequence[Candidate], step: int, seconds: float) -> list[Candidate]:
        """Run the candidates as far as ``seconds`` from now allow; return those that have an outcome.

        A trial does not begin if its estimate exceeds the time left.
        """
        end = self.budget.left() - seconds
        after = float(self.data.dev is None)  # with folds, the final training follows
        waiting = list({own.digest(): own for own in candidates if self.outcome(own, step) is None}.values())
        with Parallel(n_jobs=self._jobs) as parallel:
            while waiting:
                left = self.budget.left() - end
                waiting = [own for own in waiting if self.estimate(own, step) + after * self._training(own) <= left]
                batch = waiting[: self._jobs]
                kept = step == 1 and self.data.dev is not None
                run = partial(self._run, self.data.splits(step))
                done = parallel(_call(run, own, kept) for own in batch)
                for candidate, (outcome, model) in zip(batch, done, strict=True):
                    if model:
                        self.models.mkdir(parents=True, exist_ok=True)
                        with atomic_output(self.model_file(candidate)) as out:
                            out.write(model)
                    self._journal.add(self._key(candidate, step), candidate, outcome)
                    self.trained += 1
                    self.outcome(candidate, step)
                waiting = waiting[len(batch) :]
        return [own for own in candidates if self.outcome(own, step) is not None]

    def estimate(self, candidate: Candidate, step: int) -> float:
        """Estimated seconds of a trial, based on other trials."""
        return self.costs.estimate(candidate, self.data.words(step))

    def closing(self, candidate: Candidate) -> float:
        """Seconds needed after the last trial if this candidate is the best.

        They include writing files and, if no trial has kept its parser, training it; for the final check, also the
        parser that it is compared with.
        """
        kept = self.data.dev is not None and self.model_file(candidate).is_file()
        closing = min(CLOSING, CLOSING_SHARE * self.budget.seconds)
        trainings = 2 if self.data.unseen else 1
        return closing if kept else closing + trainings * self._training(candidate)

    def model_file(self, candidate: Candidate) -> Path:
        """File for the parser of a trial on the whole training and development data."""
        return self.models / f"{self._key(candidate, 1)[:24]}.model"

    def _training(self, candidate: Candidate) -> float:
        return self.costs.estimate(candidate, sum(map(len, self.data.train)))

    def _key(self, candidate: Candidate, step: int) -> str:
        return hashlib.sha256(f"{self._versions} {self.data.key} {step} {candidate.digest()}".encode()).hexdigest()


def _call(run: Callable[[Candidate, bool], Result], candidate: Candidate, kept: bool) -> Any:
    """A call for joblib; to other machines, with the files that training reads."""
    if not is_remote():
        return delayed(run)(candidate, kept)
    train = candidate.config.treebank.train
    return delayed(call_shipped)(run, ship((candidate, kept), [train] if train else []))
