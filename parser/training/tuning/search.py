"""Successive halving (Jamieson and Talwalkar 2016): many parsers on few sentences, the best of them on more.

Each round begins with parsers that differ in one or two respects from the best one so far. The winner of a round
replaces the best parser only if it is better on the whole training set by more than the standard error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...base.errors import CrossarcError
from ...base.locks import only_run
from ...base.progress import Progress, nothing, task
from ...config.config import RAW, WORDS, Config
from ...config.own_treebank import TreebankProfile, profile_of
from ...models.inputs import TAGS
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ..prepare import read_dev, read_train
from .files import Row, TuningResult, write_parser, write_report
from .space import graph_based, neighbours, recommended
from .trials import Budget, Data, Outcome, Split, Trials, better, run_trial

LEAST_WORDS = 5000
"""Minimum number of words of the first training sets, if the treebank has as many."""
ETA = 3
"""Factor by which training sets grow and the number of parsers shrinks."""
MOST_OPTIONS = 27
"""Maximum number of parsers in the first round, which tries all changes."""
MOST_LATER, PAIRS = 9, 2
"""The same for later rounds, and the number of second changes that each of these parsers is combined with."""
SHARE = 0.4
"""Share of the time left that one round may use."""
PATIENCE = 3
"""Number of rounds without a gain after which the search ends."""
DEFAULT_FOLDS = 5
"""Number of folds without a development treebank."""
FOLDS_BESIDE_DEV, SMALLER_DEV = 2, 3
"""Two folds decide if the development treebank has less than a third of the training words. Training on both halves
takes as long as on the whole treebank, and all its words are scored, so that chance gains are seldom accepted.
"""
WARMING = 10
"""Number of sentences to train on before timing, because the first compilation would distort later estimates."""
CLOSING, CLOSING_SHARE = 3.0, 0.1
"""Seconds for writing results, and the share of the budget that they may take at most."""


def tune(
    config: Config,
    folder: Path,
    minutes: float,
    *,
    folds: int = 0,
    jobs: int = 1,
    budget: Budget | None = None,
    progress: Progress = nothing,
    least_words: int = LEAST_WORDS,
    graph: bool = False,
) -> TuningResult:
    """Find a better parser than a config describes, on its development treebank or on folds of its training treebank.

    folder: folder for ``tuned.yaml``, ready to train, ``tuned.model`` trained on it, ``report.md`` and
        ``journal.jsonl``. Finished trials in the journal of an earlier run are not run again.
    minutes: wall time from the call (or as ``budget`` measures it); a trial begins only if it fits
    folds: number of folds of the training treebank that decide in place of the development treebank. 0 means 5 without
        a development treebank, 2 if it has less than a third of the training words, and none otherwise. If folds decide
        and there is a development treebank, a result that is worse on it is rejected.
    jobs: number of trials that run at the same time
    least_words: minimum number of words of the smallest training sets
    graph: whether to compare a graph-based parser as well, which parses about ten times more slowly

    The result depends on the treebank, the config and the number of trials that fit into the time.

    Raises CrossarcError for errors in the config or treebank, if the time is too short for one training, and if another
    run uses the folder.
    """
    budget = budget or Budget(60 * minutes)
    if not config.kind.knows("guide"):
        raise CrossarcError("tune: system graph has no guide to tune; use a transition system")
    if folder.exists() and not folder.is_dir():
        raise CrossarcError(f"{folder}: is not a folder")
    data = _data(config, folds, progress)
    with only_run(folder):
        trials = Trials(data, folder / "journal.jsonl", budget, jobs)
        words = WORDS if config.input == RAW else config.input  # trials parse words, so a tokenizer would be in vain
        search = Search(
            trials, replace(config, model="", treebank=replace(config.treebank, dev=""), input=words), progress
        )
        search.begin(minutes, least_words)
        with task(progress, "tuning", expected=budget.left()):
            facts = profile_of(data.train, config.treebank.train)
            search.run(facts, recommended(search.start, facts) | (graph_based(search.start) if graph else {}))
        best, trials = search.last_word(data.unseen) if data.unseen else (search.best, trials)
        outcomes = trials.result(search.start, 1), trials.result(best, 1)
        result = TuningResult(search.start, best, *outcomes, search.rows, trials.trained, search.trials.known)
        write_parser(folder, replace(best, treebank=config.treebank, input=config.input), data.train, *outcomes)
        write_report(folder, result, _decided_by(data, config))
        return result


class Search:
    """The best config so far, and the comparisons that led to it.

    start: the given config.
    steps: steps of the training sets from the smallest to the whole, see :class:`~.trials.Trials`; the last is 1
    """

    def __init__(self, trials: Trials, start: Config, progress: Progress, steps: Sequence[int] = (1,)) -> None:
        self.trials = trials
        self.start = self.best = start
        self.progress = progress
        self.steps = steps
        self.rows: list[Row] = []
        self.gains: dict[str, float] = {}

    def begin(self, minutes: float, least_words: int) -> None:
        """Choose the training sets, and train the given config on all sentences, as baseline of all comparisons."""
        trials = self.trials
        words, step = trials.data.words(1), 1
        while words >= ETA * step * least_words and len(self.steps) < 3:
            step *= ETA
            self.steps = (step, *self.steps)
        few = trials.data.train[:WARMING]
        run_trial([Split(few, few)], self.best)
        for step in self.steps:
            if not trials.attempt([self.best], step, self._closing()):
                needed = trials.estimate(self.best, words) / 60
                raise CrossarcError(
                    f"--minutes {minutes:g} is too short: training the config once takes about {needed:.2g} minutes; "
                    f"use {20 * needed:.2g} or more"
                )
            outcome = self.trials.result(self.best, step)
            if outcome.failure:
                raise CrossarcError(outcome.failure)
            self._row("the given config", step, outcome, outcome, step == 1)

    def run(self, facts: TreebankProfile, others: Mapping[str, Config]) -> None:
        """Run rounds until the time is used, nothing new is left, or some rounds brought no gain.

        facts: facts about the training treebank.
        others: configs for the first round by name, in addition to the neighbours of the given config.
        """
        without_gain, most = 0, MOST_OPTIONS
        seen = [self.best]
        while without_gain < PATIENCE:
            options = {name: own for name, own in others.items() if own not in seen}
            options |= self._promising(neighbours(self.best, facts))
            for name, own in list(options.items())[:MOST_LATER]:
                pairs = self._promising(neighbours(own, facts))
                options |= {f"{name}, {more}": other for more, other in list(pairs.items())[:PAIRS]}
            new: dict[str, Config] = {}
            for name, own in self._promising(options).items():
                if own not in seen and len(new) < min(most, self._affordable()):
                    seen.append(own)
                    new[name] = own
            if not new or self.trials.budget.left() < self._closing():
                return
            without_gain = 0 if self.race(new) else without_gain + 1
            others, most = {}, MOST_LATER

    def _promising(self, options: Mapping[str, Config]) -> dict[str, Config]:
        """Return the options, the most promising first: by the sum of the gains that their changes had last."""
        gains = {name: sum(self.gains.get(own, 0.0) for own in name.split(", ")) for name in options}
        return {name: options[name] for name in sorted(options, key=lambda name: -gains[name])}

    def race(self, options: Mapping[str, Config]) -> bool:
        """Compare configs on growing training sets, from which only the best advance.

        Returns whether one of them is the new best: it must win on the whole training set by more than the standard
        error.
        """
        left = dict(options)
        for step in self.steps:
            tried = self.trials.attempt(list(left.values()), step, self._closing())
            outcomes = {name: self.trials.result(own, step) for name, own in left.items() if own in tried}
            ranked = sorted(outcomes, key=lambda name: -outcomes[name].las)
            base = self.trials.result(self.best, step)
            self.gains |= {name: own.las - base.las for name, own in outcomes.items()}
            won = step == 1 and bool(ranked) and better(outcomes[ranked[0]], base)
            for place, name in enumerate(ranked):
                self._row(name, step, outcomes[name], base, won and not place)
            if won:
                self.best = left[ranked[0]]
                return True
            left = {name: left[name] for name in ranked[: -(-len(ranked) // ETA)]}
        return False

    def last_word(self, unseen: Sequence[Sentence]) -> tuple[Config, Trials]:
        """Return the best config, or the given one if it is better on unseen sentences; and the trials on these."""
        trials = self.trials.of(Data(self.trials.data.train, unseen))
        trials.attempt([self.start, self.best], 1, float("-inf"))
        given, found = trials.result(self.start, 1), trials.result(self.best, 1)
        worse = better(given, found)
        if self.best != self.start:
            self._row("the best config, on development data", 1, found, given, not worse)
        return (self.start if worse else self.best), trials

    def _affordable(self) -> int:
        """The number of configs in the next round."""
        cost = self.trials.estimate(self.best, self.trials.data.words(1)) * len(self.steps) / self.steps[0]
        left = SHARE * self.trials.jobs * (self.trials.budget.left() - self._closing())
        return max(ETA, min(MOST_OPTIONS, int(left / cost)))

    def _closing(self) -> float:
        """Seconds needed after the last trial: the final training and, for the check on unseen data, two more."""
        words = sum(map(len, self.trials.data.train))
        trainings = 3 if self.trials.data.unseen else 1
        seconds = min(CLOSING, CLOSING_SHARE * self.trials.budget.seconds)
        return seconds + trainings * self.trials.estimate(self.best, words)

    def _row(self, name: str, step: int, outcome: Outcome, base: Outcome, kept: bool) -> None:
        row = Row(name, len(self.trials.data.train[::step]), outcome, outcome.las - base.las, kept)
        self.rows.append(row)
        said = outcome.failure or f"LAS {outcome.las:.2f} ({row.gain:+.2f}){', taken' if kept else ''}"
        self.progress(f"{name}, {row.sentences} sentences: {said}")


def _data(config: Config, folds: int, progress: Progress = nothing) -> Data:
    options = config.treebank
    sentences, sha256 = read_train(options)
    train = [own for own in sentences if options.faulty == "refuse" or _is_tree(own)]
    if not train:
        raise CrossarcError(f"{options.train}: no sentences")
    if dev := read_dev(options, (train, sha256), TAGS, progress):
        small = sum(map(len, dev)) * SMALLER_DEV < sum(map(len, train))
        folds = folds or (FOLDS_BESIDE_DEV if small else 0)
        if not folds:
            return Data(train, dev)
    folds = folds or DEFAULT_FOLDS
    if len(train) < folds:
        raise CrossarcError(f"--folds {folds}: the training treebank has only {len(train)} sentences; use fewer folds")
    return Data(train, None, folds, dev)


def _is_tree(sentence: Sentence) -> bool:
    try:
        read_tree(sentence)
    except CrossarcError:
        return False
    return True


def _decided_by(data: Data, config: Config) -> str:
    if data.dev is not None:
        return f"{Path(config.treebank.dev).name} ({len(data.dev)} sentences)"
    folds = f"{data.folds} folds of {Path(config.treebank.train).name}"
    if not data.unseen:
        return folds
    name = Path(config.treebank.dev).name
    return f"{folds}; a result that is worse on {name} ({len(data.unseen)} sentences) is rejected"
