"""Comparison of techniques for crossing arcs; transition-based parsers have the same features and learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from statistics import median
from typing import Any

from ....parser.config.config import Config, ParserConfig
from ....parser.evaluate.mcnemar import holm
from ....parser.evaluate.resampling import bootstrap, randomization
from ....parser.treebank.tree import trees_of
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, TreebankPart, count_part, over
from ...harness.charts import ENDS
from ...harness.costs import trained_apart
from ...harness.parsing import pack, parse_all, timed

BASE = "projective"
CONTROL = "control"
"""In tests of gains, the name of the technique's control: a projective parser with the same features and learner."""
RESAMPLES, INTERVAL_RESAMPLES = 100_000, 2_000
"""With Holm's correction over some 700 tests, the smallest p is below 0.01."""


def cells(treebank: ExperimentTreebank, *, last: bool) -> list[Cell]:
    """Cells of a treebank.

    last: whether to return the cells of the slow parsers in the setting ``last``, which are computed after those of all
        treebanks; otherwise all other cells.
    """
    test, slow = treebank.evaluated, treebank.values["last"]
    train = replace(treebank.part("train"), limit=treebank.entry.sentences or treebank.values["sentences"])
    parsers = {name: parser for name, parser in treebank.parsers.items() if (name in slow) == last}
    compared = treebank.each(parsers, measure, train, test)
    if last:
        return compared
    return [treebank.cell("statistics", count_part, train), *treebank.coverage(derived(treebank)), *compared]


def derived(treebank: ExperimentTreebank) -> dict[str, Config]:
    """The parsers that have an oracle."""
    return {name: parser for name, parser in treebank.parsers.items() if isinstance(parser, Config)}


def measure(config: ParserConfig, train: TreebankPart, test: TreebankPart) -> Json:
    """Train in a separate process, then parse.

    The result has the trees and, in ``cost``, CPU seconds and peak memory in MB of training (``train_cpu``,
    ``megabytes``) and parsed words per CPU second (``speed``).
    """
    parser, spent = trained_apart(config, train.sentences())
    sentences = list(test.sentences())
    parse_all(parser, sentences)  # loads compiled functions
    parsed, seconds = timed(parse_all, parser, sentences)
    costs = {"train_cpu": spent["cpu"], "megabytes": spent["megabytes"], "speed": sum(map(len, parsed)) / seconds}
    return {"parts": {"test": pack(trees_of(parsed))}, "cost": {**costs}}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """By treebank, rows of the techniques and tests of LAS; in ``cost`` medians over treebanks.

    The tests ``las`` compare techniques with their controls, ``pairs`` all pairs of parsers: randomization tests over
    sentences. Holm's correction covers all treebanks.
    """
    compared = {treebank.name: outputs_of(treebank) for treebank in treebanks}
    ps = {(name, *pair): p for name, tests_of_parser in compared.items() for pair, p in tested(tests_of_parser).items()}
    controls = treebanks[0].values["controls"]
    gains = {key: p for key, p in ps.items() if controls.get(key[2]) == key[1]}
    tests = {"las": holm(gains), "pairs": holm({key: p for key, p in ps.items() if key[1] < key[2]})}
    medians = {name: over([treebank[name]["cost"] for treebank in treebanks], median) for name in treebanks[0].parsers}
    by_treebank = {treebank.name: measured(treebank, compared[treebank.name], tests) for treebank in treebanks}
    return {**by_treebank, "cost": medians, **overview(by_treebank, controls)}


def overview(figures: Mapping[str, Any], controls: Mapping[str, str]) -> dict[str, Json]:
    """Gains of techniques over their controls.

    ``by_treebank`` has each gain with its interval; treebanks with most crossing arcs in training come first. Two of
    them stand out, Ancient Greek and Gothic: ``overview`` has for each technique the control, and the lowest and the
    highest gain on all others.

    figures: figures by treebank.
    controls: by technique, the parser without it.
    """
    shares = {
        name: treebank_found["statistics"]["nonprojective_arcs_percent"] or 0.0
        for name, treebank_found in figures.items()
    }
    gains: dict[str, dict[str, Any]] = {}
    for name in sorted(shares, key=lambda name: -shares[name]):
        rows = {technique_name: row for technique_name, row in figures[name]["rows"].items() if "gain" in row}
        ends = {f"{technique_name} {end}": row[f"gain_{end}"] for technique_name, row in rows.items() for end in ENDS}
        gains[name] = {**{technique_name: row["gain"] for technique_name, row in rows.items()}, **ends}
    ranges: dict[str, Json] = {}
    for technique, control in controls.items():
        known = [gain for row in [*gains.values()][2:] if (gain := row.get(technique)) is not None]
        ranges[technique] = {"control": control, "range": f"{min(known):.2f} to {max(known):.2f}" if known else None}
    return {
        "overview": ranges,
        "by_treebank": {f"{name} ({shares[name]:.2f} %)": gains_of for name, gains_of in gains.items()},
    }


def tested(outputs: Outputs) -> dict[tuple[str, str], float]:
    """The p of each pair of parsers, in both orders, for their difference in LAS: randomization over sentences."""
    pairs = list(combinations(outputs.trees, 2))
    first, second = (outputs.counts(side) for side in zip(*pairs, strict=True))
    p_values = dict(zip(pairs, randomization(first, second, RESAMPLES).tolist(), strict=True))
    return {**p_values, **{(second, first): p for (first, second), p in p_values.items()}}


def outputs_of(treebank: ExperimentTreebank) -> Outputs:
    """The trees of each parser; the base is the first."""
    return treebank.outputs(treebank.evaluated, "test", sorted(treebank.parsers, key=lambda name: name != BASE))


def measured(
    treebank: ExperimentTreebank, outputs: Outputs, tests: Mapping[str, Mapping[tuple[str, str, str], float]]
) -> Json:
    """The figures of a treebank. tests: corrected p by kind of test, treebank and pair.

    The parser ``best`` has the highest LAS; those in ``equals`` are not significantly worse.
    """
    las = {name: 100 * comparison.token_right("las").mean().item() for name, comparison in outputs.comparisons.items()}
    best = max(las, key=las.__getitem__)
    outcomes: dict[str, Any] = {
        kind: [outcome(pair, p, las) for (name, *pair), p in p_values.items() if name == treebank.name]
        for kind, p_values in tests.items()
    }
    worse = {pair["second"] for pair in outcomes["pairs"] if pair["first"] == best and pair["winner"]}
    worse |= {pair["first"] for pair in outcomes["pairs"] if pair["second"] == best and pair["winner"]}
    rows: dict[str, Any] = {name: row(treebank, outputs, name) for name in las}
    for comparison in outcomes["las"]:
        rows[comparison["second"]] |= {
            "p": comparison["p"],
            **gain_over(outputs, comparison["first"], comparison["second"]),
        }
        comparison["first"] = CONTROL
    equals = ", ".join(name for name in las if name != best and name not in worse) or "–"
    return {
        "statistics": treebank["statistics"],
        "best": best,
        "equals": equals,
        "rows": rows,
        "significance": outcomes,
    }


def outcome(pair: Sequence[str], p: float, las: Mapping[str, float]) -> Json:
    """The corrected test of a pair, in the form that tables read. las: LAS by parser."""
    first, second = pair
    winner = ("second" if las[second] > las[first] else "first") if p < 0.05 else None
    return {"first": first, "second": second, "p": p, "winner": winner}


def gain_over(outputs: Outputs, control: str, technique: str) -> dict[str, Json]:
    """The gain in LAS over the control, and the ends of its 95 % interval (bootstrap over sentences)."""
    first, second = outputs.counts([control]), outputs.counts([technique])
    gains = second._replace(correct=second.correct - first.correct)
    ((low, high),) = bootstrap(gains, INTERVAL_RESAMPLES).tolist()
    return {"gain": 100 * float(gains.correct.sum() / gains.gold.sum()), "gain_low": low, "gain_high": high}


def row(treebank: ExperimentTreebank, outputs: Outputs, name: str) -> dict[str, Json]:
    """The scores, costs and coverage of a technique; without an oracle it has no coverage."""
    scores = outputs.scores[name]
    ((low, high),) = bootstrap(outputs.counts([name]), INTERVAL_RESAMPLES).tolist()
    crossing = scores.nonprojective.all.unlabelled
    values: dict[str, Json] = {"las": scores.las, "low": low, "high": high, **treebank[name]["cost"]}
    values |= {"precision": crossing.precision, "recall": crossing.recall}
    if name in derived(treebank):
        reached = treebank.of_coverage([name])[name]
        values |= {"sentences": reached.lem, "arcs": reached.las}
    return values


EXPERIMENT = Experiment(cells=(partial(cells, last=False), partial(cells, last=True)), figures=figures)
