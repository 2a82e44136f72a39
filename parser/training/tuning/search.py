"""Successive halving (Jamieson and Talwalkar 2016): many parsers on few sentences, the best of them on more.

Each round begins with parsers that differ in one or two respects from the best one so far. The winner of a round
replaces the best parser only if it is better on the whole training set by more than the standard error.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ...base.errors import CrossarcError
from ...base.locks import only_run
from ...base.progress import Progress, nothing, task
from ...base.text_files import utf8
from ...config.config import RAW, WORDS, Config
from ...config.own_treebank import TreebankProfile, profile_of
from ...models.files import save_model
from ...models.inputs import TAGS
from ...treebank import Sentence, atomic_output
from ...treebank.pairs import valid_sentences
from ..prepare import read_dev, read_train
from ..train import score_on, train
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


CONFIG, MODEL, JOURNAL = "tuned.yaml", "tuned.model", "journal.jsonl"
"""Names of the files that tuning writes."""


class Row(NamedTuple):
    """A comparison.

    name: difference from the best parser at that time.
    sentences: number of training sentences.
    gain: difference of LAS to the best parser at that time, on the same sentences.
    kept: whether the parser became the best one.
    """

    name: str
    sentences: int
    gain: float
    kept: bool


@dataclass(frozen=True, slots=True)
class TuningResult:
    """The result of tuning.

    start, best: the given and the best config, with their outcomes on the whole training set
    rows: all comparisons
    trained: number of trials run
    known: number of finished trials that the journal already contained
    """

    start: Config
    best: Config
    start_outcome: Outcome
    best_outcome: Outcome
    rows: Sequence[Row]
    trained: int
    known: int


def tune(
    config: Config,
    folder: Path,
    budget: Budget,
    *,
    folds: int = 0,
    jobs: int = 1,
    progress: Progress = nothing,
    graph: bool = False,
) -> TuningResult:
    """Find a better parser than a config describes, on its development treebank or on folds of its training treebank.

    folder: folder for ``tuned.yaml``, ready to train, ``tuned.model`` trained on it, and ``journal.jsonl``, one line
        per trial. Finished trials in the journal of an earlier run are not run again.
    budget: the time; a trial begins only if it fits
    folds: number of folds of the training treebank that decide in place of the development treebank. 0 means 5 without
        a development treebank, 2 if it has less than a third of the training words, and none otherwise. If folds decide
        and there is a development treebank, a result that is worse on it is rejected.
    jobs: number of trials that run at the same time
    graph: whether to compare a graph-based parser as well, which parses about ten times more slowly

    The result depends on the treebank, the config and the number of trials that fit into the time.

    Raises CrossarcError for errors in the config or treebank, if the time is too short for one training, and if another
    run uses the folder.
    """
    if not config.kind.knows("guide"):
        raise CrossarcError("tune: system graph has no guide to tune; use a transition system")
    if folder.exists() and not folder.is_dir():
        raise CrossarcError(f"{folder}: is not a folder")
    data = _data(config, folds, progress)
    with only_run(folder):
        words = WORDS if config.input == RAW else config.input  # trials parse words, so a tokenizer would be in vain
        start = replace(config, techniques=(), model="", treebank=replace(config.treebank, dev=""), input=words)
        search = Search(Trials(data, folder / JOURNAL, budget, jobs), start, progress)
        search.begin()
        with task(progress, "tuning", expected=budget.left()):
            facts = profile_of(data.train, config.treebank.train)
            search.run(facts, recommended(start, facts) | (graph_based(start) if graph else {}))
        best, given, found = search.last_word()
        write_parser(folder, replace(best, treebank=config.treebank, input=config.input), data.train, given, found)
        return TuningResult(start, best, given, found, search.rows, search.trials.trained, search.trials.known)


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

    def begin(self) -> None:
        """Choose the training sets, and train the given config on all sentences, as baseline of all comparisons."""
        trials, step = self.trials, 1
        while trials.data.all_words >= ETA * step * LEAST_WORDS and len(self.steps) < 3:
            step *= ETA
            self.steps = (step, *self.steps)
        few = trials.data.train[:WARMING]
        run_trial([Split(few, few)], self.best)
        for step in self.steps:
            if not trials.attempt([self.best], step, self._closing()):
                needed = trials.estimate(self.best, 1) / 60
                raise CrossarcError(
                    f"--minutes {trials.budget.seconds / 60:g} is too short: training the config once takes about "
                    f"{needed:.2g} minutes; use {20 * needed:.2g} or more"
                )
            outcome = trials.result(self.best, step)
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
            options = {**others, **self._promising(neighbours(self.best, facts))}
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

    def last_word(self) -> tuple[Config, Outcome, Outcome]:
        """Return (result, outcome of the given config, outcome of the result).

        The result is the best config, or the given one if it is better on unseen sentences, whose outcomes then count.
        """
        trials, configs = self.trials, (self.start, self.best)
        if not trials.data.unseen:
            return self.best, trials.result(self.start, 1), trials.result(self.best, 1)
        unseen = [Split(trials.data.train, trials.data.unseen)]
        given, found = (run_trial(unseen, own, trials.budget.now) for own in configs)
        worse = better(given, found)
        if self.best != self.start:
            self._row("the best config, on development data", 1, found, given, not worse)
        return (self.start, given, given) if worse else (self.best, given, found)

    def _affordable(self) -> int:
        """The number of configs in the next round."""
        cost = self.trials.estimate(self.best, self.steps[0]) * len(self.steps)
        left = SHARE * self.trials.jobs * (self.trials.budget.left() - self._closing())
        return max(ETA, min(MOST_OPTIONS, int(left / cost)))

    def _closing(self) -> float:
        """Seconds needed after the last trial: the final training and, for the check on unseen data, two more."""
        trainings = 3 if self.trials.data.unseen else 1
        seconds = min(CLOSING, CLOSING_SHARE * self.trials.budget.seconds)
        return seconds + trainings * self.trials.estimate(self.best, 1)

    def _row(self, name: str, step: int, outcome: Outcome, base: Outcome, kept: bool) -> None:
        row = Row(name, len(self.trials.data.train[::step]), outcome.las - base.las, kept)
        self.rows.append(row)
        said = outcome.failure or f"LAS {outcome.las:.2f} ({row.gain:+.2f}){', taken' if kept else ''}"
        self.progress(f"{name}, {row.sentences} sentences: {said}")


def _data(config: Config, folds: int, progress: Progress = nothing) -> Data:
    options = config.treebank
    sentences, sha256 = read_train(options)
    train = sentences if options.faulty == "refuse" else valid_sentences(sentences)
    if not train:
        raise CrossarcError(f"{options.train}: no sentences")
    if dev := read_dev(options, (train, sha256), TAGS, progress):
        small = sum(map(len, dev)) * SMALLER_DEV < sum(map(len, train))
        folds = folds or (FOLDS_BESIDE_DEV if small else 0)
        if not folds:
            progress(f"decided by {options.dev}, {len(dev)} sentences")
            return Data(train, dev)
    folds = folds or DEFAULT_FOLDS
    if len(train) < folds:
        raise CrossarcError(f"--folds {folds}: the training treebank has only {len(train)} sentences; use fewer folds")
    progress(f"decided by {folds} folds of {options.train}{f', checked on {options.dev}' if dev else ''}")
    return Data(train, None, folds, dev)


def write_parser(folder: Path, config: Config, sentences: Sequence[Sentence], start: Outcome, best: Outcome) -> None:
    """Write the best config, and the model that is trained with it on the sentences.

    config: the best config, which names the files of the treebank.
    start, best: outcomes of the given and the best config.
    """
    text = yaml.safe_dump(config_values(config, folder), sort_keys=False, allow_unicode=True, width=110)
    first = f"# The best result of crossarc tune: LAS {best.las:.2f}; given config: {start.las:.2f}."
    with atomic_output(folder / CONFIG) as out:
        out.write(utf8(f"{first}\n{text}"))
    model = train(config, sentences=sentences)
    if config.treebank.dev:
        model, _ = score_on(model, config.treebank)
    save_model(model, folder / MODEL)


def config_values(config: Config, folder: Path) -> dict[str, Any]:
    """A config as YAML in ``folder``: sections that differ from the defaults, and file names relative to the folder."""
    defaults = Config().to_json()
    values = {key: own for key, own in config.to_json().items() if own != defaults.get(key)}
    if config.features.endswith(".yaml"):
        values["features"] = os.path.relpath(config.features, folder)
    files = {name: getattr(config.treebank, name) for name in ("train", "dev")}
    treebank = {name: os.path.relpath(path, folder) for name, path in files.items() if path}
    treebank |= values.pop("treebank", {})
    return {"system": config.system, **values, "treebank": treebank, "model": MODEL}
