"""Comparison of parsers over folds and seeds (Nilsson 2009, sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, stdev
from typing import Any

from ....parser.config.config import ParserConfig
from ....parser.evaluate.mcnemar import holm, significance_json
from ....parser.evaluate.over_sentences import sentence_tests
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, by_treebank, joined
from ...harness.figures import over
from ...harness.parsing import seeded
from ...harness.settings import Settings


def runs(treebank: ExperimentTreebank) -> dict[str, dict[str, ParserConfig]]:
    """For each parser, its config by run: one for each of the setting ``seeds``, or its own config."""
    seeds, parsers = treebank.values["seeds"], treebank.parsers
    if not seeds:
        return {name: {name: config} for name, config in parsers.items()}
    return {name: {f"{name} seed {seed}": seeded(config, seed) for seed in seeds} for name, config in parsers.items()}


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of all parsers for each seed and fold."""
    return [cell for cells in runs(treebank).values() for cell in treebank.each_fold(parsers=cells)]


def figures(treebank: ExperimentTreebank) -> Json:
    """Means and deviations of measures over folds and seeds; means over seeds of scores of all folds, with tests."""
    names = runs(treebank)
    folds = treebank.of_folds([run for cells in names.values() for run in cells])
    measured: dict[str, list[dict[str, Any]]] = {
        name: [treebank.measured("spread", fold.scores[run]) for run in names_of_runs for fold in folds]
        for name, names_of_runs in names.items()
    }
    pooled = joined(folds)
    together = {name: [pooled.scores[run] for run in cells] for name, cells in names.items()}
    single = not treebank.values["seeds"]
    return {
        "spread": {
            name: {key: spread([row[key] for row in rows]) for key in rows[0]} for name, rows in measured.items()
        },
        "together": {
            name: over([treebank.measured("together", score) for score in scores], mean)
            for name, scores in together.items()
        },
        "tests": tests(pooled, {name: list(cells) for name, cells in names.items()}),
        **({"significance": significance_json(pooled.tests())} if single else {}),
        "full": {
            "folds": {
                name: [fold.scores[run].to_json() for run in cells for fold in folds] for name, cells in names.items()
            },
            "together": {name: [score.to_json() for score in scores] for name, scores in together.items()},
        },
    }


def tests(pooled: Outputs, names: Mapping[str, Sequence[str]]) -> Json:
    """By score, a test of each pair of parsers over all seeds and folds together.

    - ``difference``: of the means over seeds, the second less the first.
    - ``p``: of the randomization test over sentences on the numbers right in each sentence, summed over seeds,
      corrected by Holm's method for the number of all tests.
    """
    runs_of = {name: [pooled.comparisons[run] for run in cells] for name, cells in names.items()}
    by_score = sentence_tests(runs_of, SCORES)
    ps = {(score, *pair): test.p for score in SCORES for pair, test in by_score[score].items()}
    differences = {(score, *pair): test.difference for score in SCORES for pair, test in by_score[score].items()}
    corrected = holm(ps)
    return {
        name: [
            {"first": first, "second": second, "difference": differences[score, first, second], "p": p}
            for (score, first, second), p in ((key, corrected[key]) for key in ps)
            if score == name
        ]
        for name in SCORES
    }


def notes(settings: Settings) -> list[str]:
    """One sentence that says what the tests of the report are."""
    seeds = settings.values["seeds"]
    of_runs = f"the means over the seeds {', '.join(map(str, seeds))}" if seeds else "the parsers"
    pairs = len(settings.parsers) * (len(settings.parsers) - 1) // 2
    return [
        f"tests compare {of_runs}, all folds together: paired randomization over sentences, for each treebank "
        f"corrected by Holm's method for its {len(SCORES) * pairs} tests"
    ]


def spread(values: Sequence[float | None]) -> dict[str, Json]:
    """The mean and the sample standard deviation of a measure over runs; None if fewer than two runs have it."""
    known = [value for value in values if value is not None]
    few = len(known) < 2
    return {"mean": None if few else mean(known), "deviation": None if few else stdev(known)}


SCORES = ("las", "uas", "lem", "uem")
EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures), notes=notes)
