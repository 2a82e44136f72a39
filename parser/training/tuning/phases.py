"""All phases of tuning: technique, graph-based parsing, parameters, exploration, features."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...base.errors import CrossarcError
from ...base.locks import only_run
from ...base.progress import Progress, nothing, task
from ...config.config import Config, TrainingOptions
from ...models.inputs import TAGS, has_values
from ...treebank import Sentence, checksum
from ...treebank.pairs import read_tree
from ...treebank.statistics import statistics
from ...treebank.symbols import nameable_columns, treebank_column
from ..empty import require_tags
from ..train import read_part, warn_of_equal
from .budget import Budget, first_step
from .files import write_parser
from .report import write_report
from .search import Option, Row, Search
from .techniques import candidate_of, explored, full_templates, graph_options, parameter_options, technique_options
from .templates import additions, pieces_of_feats, removals
from .trial import Candidate, Outcome, Split, better, run_trial
from .trials import Data, Journal, Trials

LEAST_WORDS = 5000
"""Minimum number of words of the first training sets, if the treebank has as many."""
SHARES = {"technique": 0.35, "parameters": 0.5, "exploration": 0.8, "features": 1.0}
"""Share of the budget that may be used by the end of each phase."""
SHARES_BESIDE_GRAPH = {"technique": 0.3, "graph": 0.65, "parameters": 0.75, "exploration": 0.9, "features": 1.0}
GRAPH_EPOCHS = (4, 10)
"""Epochs of the graph-based parser: for the comparison with other parsers, and as in the ready config, if time is left.
"""
DEFAULT_FOLDS = 5
"""Number of folds without a development treebank."""
FOLDS_BESIDE_DEV, SMALLER_DEV = 2, 3
"""Two folds decide if the development treebank has less than a third of the training words. Training on both halves
takes as long as on the whole treebank, and all its words are scored, so that chance gains are seldom accepted.
"""
WARMING = 10
"""Number of sentences to train on before timing, because the first compilation would distort later estimates."""


@dataclass(frozen=True, slots=True)
class TuningResult:
    """The result of tuning.

    start, best: the given and the best candidate, with their outcomes on the whole training set
    rows: all comparisons
    trained: number of trials run
    known: number of finished trials that the journal already contained
    """

    start: Candidate
    best: Candidate
    start_outcome: Outcome
    best_outcome: Outcome
    rows: Sequence[Row]
    trained: int
    known: int


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

    folder: folder for ``tuned.yaml`` with ``features.yaml``, ready to train, ``tuned.model`` trained on it,
        ``report.md``, ``report.html`` and ``journal.jsonl``. Finished trials in the journal of an earlier run are not
        run again.
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
    columns = nameable_columns(data.train[0].format.index)
    with only_run(folder):
        journal = Journal(folder / "journal.jsonl")
        known = len(journal)
        trials = Trials(data, journal, budget, folder / "models", jobs)
        words = data.words(1)
        step = first_step(words, minutes, jobs, least_words)
        steps = (step, 1) if step > 1 else (1,)
        percent = statistics(data.train)["nonprojective_arcs_percent"] or 0.0
        small = len(data.train[::step])
        progress(f"{len(data.train)} sentences, {percent:.2f} % of the arcs cross; first trials on {small}")
        start = candidate_of(config, columns)
        search = Search(trials, start, steps, progress)
        with task(progress, "tuning", expected=budget.left()):
            _begin(search, minutes)
            _phases(search, config, percent, columns, graph)
        best = search.best
        if data.unseen:
            best, trials = _last_word(search, start, data.unseen, journal)
        start_outcome, best_outcome = trials.result(start, 1), trials.result(best, 1)
        kept = trials.model_file(best)
        shown = replace(best.config, treebank=config.treebank)
        write_parser(folder, shown, best, best_outcome, start_outcome, kept if kept.is_file() else None, data.train)
        shutil.rmtree(trials.models, ignore_errors=True)
        result = TuningResult(start, best, start_outcome, best_outcome, search.rows, len(journal) - known, known)
        write_report(folder, result.rows, start_outcome, best_outcome, percent, _decided_by(data, config))
        return result


def _phases(search: Search, config: Config, percent: float, columns: Sequence[str], graph: bool) -> None:
    """Run the phases in order; each begins with the result of the phase before.

    Phases after graph-based parsing concern the guides of transition-based parsers.
    """
    shares = SHARES_BESIDE_GRAPH if graph else SHARES
    search.race("technique", technique_options(config, percent, columns), shares["technique"])
    others = search.ranked
    few, more = GRAPH_EPOCHS
    if graph and search.race("graph-based parsing", graph_options(config, columns, few), shares["graph"]):
        search.race("parameters", graph_options(config, columns, more), 1.0)
        return
    for name in ("C", "min_count", "k"):
        if options := parameter_options(search.best, name):
            search.race("parameters", options, shares["parameters"])
    options = [own for other in (Option("best", search.best), *others) for own in explored(other)]
    search.race("exploration", options[:2], shares["exploration"])
    train = search.trials.data.train
    filled = [name for name in columns if has_values(train, treebank_column(name))]
    _features(search, [*filled, *pieces_of_feats(train)], shares)


def _features(search: Search, columns: Sequence[str], shares: Mapping[str, float]) -> None:
    """Remove templates, then add some; results on few sentences are compared on all.

    Templates are compared without exploration, which would take most of the time.
    """
    before = search.best
    search.reserve([before])
    middle = (shares["exploration"] + shares["features"]) / 2
    light = replace(before, config=replace(before.config, training=TrainingOptions()))
    full = full_templates(before.config.first_system, columns)
    fewer = search.greedy("features, backward", removals(light.templates), light, middle)
    more = search.greedy("features, forward", additions(fewer.templates, columns, full), fewer, shares["features"])
    search.reserve([])
    added = [line for line in more.templates if line not in fewer.templates]
    found = [
        Option("all changes", replace(before, templates=more.templates)),
        Option("templates left out only", replace(before, templates=fewer.templates)),
        Option("templates added only", replace(before, templates=(*before.templates, *added))),
    ]
    distinct = {own.candidate.digest(): own for own in reversed(found) if own.candidate != before}
    if distinct:
        steps, search.steps = search.steps, (1,)
        search.race("features", [*distinct.values()][::-1], shares["features"], finalists=3)
        search.steps = steps


def _last_word(
    search: Search, start: Candidate, unseen: Sequence[Sentence], journal: Journal
) -> tuple[Candidate, Trials]:
    """Return the result, or the given config if it is better on the unseen sentences; and their trials."""
    before = search.trials
    trials = Trials(Data(before.data.train, unseen), journal, before.budget, before.models)
    trials.run([start, search.best], 1, float("inf"))
    given, found = trials.result(start, 1), trials.result(search.best, 1)
    worse = better(given, found)
    if search.best != start:
        sizes = len(search.best.templates), len(start.templates)
        row = Row("development data", "what was found", len(before.data.train), found, given, *sizes, not worse)
        search.rows.append(row)
        search.progress(f"development data: LAS {found.las:.2f} ({row.gain:+.2f}){', not taken' if worse else ''}")
    return (start if worse else search.best), trials


def _begin(search: Search, minutes: float) -> None:
    """Train the given config on all sentences, as baseline of all comparisons."""
    trials = search.trials
    few = trials.data.train[:WARMING]
    run_trial([Split(few, few)], search.best)
    for step in search.steps:
        trials.run([search.best], step, trials.budget.left())
        outcome = trials.outcome(search.best, step)
        if outcome is None:
            needed = trials.estimate(search.best, 1) / 60
            raise CrossarcError(
                f"--minutes {minutes:g} is too short: training the config once takes about {needed:.2g} minutes; "
                f"use {20 * needed:.2g} or more"
            )
        if outcome.failure:
            raise CrossarcError(outcome.failure)
        sentences, templates = len(trials.data.train[::step]), len(search.best.templates)
        search.rows.append(Row("start", "the config", sentences, outcome, outcome, templates, templates, step == 1))
        search.progress(f"start: the config, {sentences} sentences: LAS {outcome.las:.2f}")


def _data(config: Config, folds: int, progress: Progress = nothing) -> Data:
    options = config.treebank
    if not options.train:
        raise CrossarcError("treebank.train is empty; name a file in the config or with --train")
    train = [own for own in read_part(options, options.train) if options.faulty == "refuse" or _is_tree(own)]
    if not train:
        raise CrossarcError(f"{options.train}: no sentences")
    dev = read_part(options, options.dev) if options.dev else None
    if dev is not None:
        if not [read_tree(own) for own in dev]:
            raise CrossarcError(f"{options.dev}: no sentences")
        warn_of_equal(options, checksum(options.train), progress)
        require_tags(options.dev, dev, train, TAGS)
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
    return f"{folds}; scored on {name} ({len(data.unseen)} sentences), which had the last word and no other"
