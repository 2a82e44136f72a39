"""Gain of techniques for crossing arcs over the same parser without them, by parser, technique and crossing arcs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from ....parser.config.config import Config, ParserConfig
from ....parser.evaluate.align import score_sentences
from ....parser.training.train import train
from ....parser.treebank import Sentence
from ....parser.treebank.statistics import statistics
from ....transitions.trees import is_projective
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart
from ...harness.parsing import parse_all, timed
from ...harness.runner import once_warm

NATURAL, CONTROL, GRAPH, DIRECT = "natural", "control", "graph ", "direct"
"""Parts of the names of cells, and the technique of systems that derive crossing arcs themselves."""
BEAM = 4
RESAMPLES = 10_000


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the natural treebank, and of samples in which only a share of its crossing sentences is left."""
    values, parts = treebank.values, (treebank.part("train"), treebank.evaluated)
    rows: list[tuple[Any, ...]] = [(f"{name} {NATURAL}", name, values["words"], None, 0) for name in treebank.parsers]
    if treebank.name in values["dosed"]:
        drawn = product(values["dosed_parsers"], values["doses"], range(values["resamples"]))
        rows += [(f"{name} {dose} {seed}", name, values["dose_words"], dose, seed) for name, dose, seed in drawn]
    return [treebank.cell(cell, measure, treebank.parsers[name], *how, *parts) for cell, name, *how in rows]


def measure(
    config: ParserConfig, words: int, dose: float | None, seed: int, train_part: TreebankPart, test: TreebankPart
) -> Json:
    """Train on a sample and parse the test set; a transition-based parser does so greedily and with a beam.

    words, dose, seed: see :func:`sampled`; without a dose, the first sentences with so many words are the sample.

    The result has by base the LAS and the F1 of labelled crossing arcs, the statistics of the sample, and the CPU
    seconds of training.
    """
    sentences = list(train_part.sentences())
    sample = first_words(sentences, words) if dose is None else sampled(sentences, words, dose, seed)
    once_warm()
    model: Any
    model, seconds = timed(lambda: train(config, sentences=sample))
    gold = list(test.sentences())
    derives = isinstance(config, Config)
    bases = {"greedy": model, "beam": model.with_beam(BEAM)} if derives else {"graph": model}
    scores_of: dict[str, Json] = {}
    for base, parser in bases.items():
        scores = score_sentences(gold, parse_all(parser, gold))
        crossing = scores.nonprojective.all.labelled
        scores_of[base] = {"las": scores.las, "crossing": harmonic_mean(crossing.precision, crossing.recall)}
    return {"bases": scores_of, "sample": statistics(sample), "cpu": seconds}


def harmonic_mean(precision: float | None, recall: float | None) -> float | None:
    """F1 of arcs that are in a class by the predicted or by the gold tree; None without gold arcs."""
    if recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def first_words(sentences: Sequence[Sentence], words: int) -> list[Sentence]:
    """The first sentences that have ``words`` words together, or all."""
    ends = np.cumsum(list(map(len, sentences)))
    return list(sentences[: int(np.searchsorted(ends, words)) + 1])


def sampled(sentences: Sequence[Sentence], words: int, dose: float, seed: int) -> list[Sentence]:
    """Sentences with ``words`` words together, at random without replacement.

    dose: share of sentences with crossing arcs, as a multiple of their share among all sentences.

    Raises ValueError if there are too few sentences.
    """
    order = np.random.default_rng(seed).permutation(len(sentences)).tolist()
    crosses = [not is_projective(sentence.heads()) for sentence in sentences]
    share = dose * sum(crosses) / len(sentences)
    waiting = {kind: [number for number in order if crosses[number] == kind] for kind in (True, False)}
    chosen: list[int] = []
    taken = total = 0
    while total < words:
        kind = taken < share * (len(chosen) + 1) - 0.5
        if not waiting[kind]:
            raise ValueError(f"found {total} words, expected {words}")
        chosen.append(waiting[kind].pop())
        taken += kind
        total += len(sentences[chosen[-1]])
    return [sentences[number] for number in sorted(chosen)]


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """Gains of LAS and of the F1 of crossing arcs over the control.

    ``treebanks``: gains by treebank, those with most crossing arcs in training first. ``summary``: means over treebanks
    with interval and p. ``slopes``: change of the gain with ten times as many crossing arcs. ``doses``: means by dose,
    and gains with all crossing arcs minus gains with none (``effect``). ``model``: a mixed model (None without
    statsmodels). ``cpu``: CPU seconds of all trainings. ``rows``: all gains, one per parser and sample. A dose is
    the share of the crossing arcs that a training sample keeps.
    """
    rows = [row for treebank in treebanks for row in gains(treebank)]
    natural, dosed = ([row for row in rows if (row["dose"] is None) == whole] for whole in (True, False))
    arcs: dict[str, Any] = {}
    for (name,), treebank_rows in by(natural, "treebank").items():
        arcs[name] = {"arcs": treebank_rows[0]["crossing_arcs"], "percent": treebank_rows[0]["percent"]}
        arcs[name] |= {f"{row['base']} {row['technique']}": row["gain"] for row in treebank_rows}
    parsers = by(natural, "base", "technique")
    return {
        "treebanks": dict(sorted(arcs.items(), key=lambda entry: -entry[1]["arcs"])),
        "summary": {" ".join(key): summary(rows) for key, rows in parsers.items()},
        "slopes": {" ".join(key): slope(rows) for key, rows in parsers.items()},
        "doses": {
            f"{base} {technique} {dose:g}": summary(rows)
            for (base, technique, dose), rows in by(dosed, "base", "technique", "dose").items()
        }
        | {f"{' '.join(key)} effect": summary(effects(rows)) for key, rows in by(dosed, "base", "technique").items()},
        "model": {"natural": mixed_model(natural)},
        "cpu": sum(result["cpu"] for bank in treebanks for result in results(bank).values()),
        "rows": {str(number): dict(row) for number, row in enumerate(rows)},
    }


def results(treebank: ExperimentTreebank) -> dict[str, Any]:
    """The results of the cells of a treebank, by parser and sample."""
    begin = f"{treebank.name} "
    return {name.removeprefix(begin): value for name, value in treebank.results.items() if name.startswith(begin)}


def gains(treebank: ExperimentTreebank) -> Iterator[dict[str, Any]]:
    """The gain of each technique over its control on each sample: rows of one table."""
    measured_results = results(treebank)
    for name, result in measured_results.items():
        technique, *sample = name.removeprefix(GRAPH).split(" ")
        if technique == CONTROL:
            continue
        control = measured_results[" ".join([f"{GRAPH if name.startswith(GRAPH) else ''}{CONTROL}", *sample])]
        for base, scores in result["bases"].items():
            other = control["bases"][base]
            yield {
                "treebank": treebank.name,
                "base": base,
                "technique": technique,
                "dose": None if sample == [NATURAL] else float(sample[0]),
                "sample": " ".join(sample),
                "crossing_arcs": result["sample"]["nonprojective_arcs"],
                "percent": result["sample"]["nonprojective_arcs_percent"],
                "gain": scores["las"] - other["las"],
                "crossing_gain": None if scores["crossing"] is None else scores["crossing"] - other["crossing"],
            }


def by(rows: Sequence[Mapping[str, Any]], *keys: str) -> dict[tuple[Any, ...], list[Mapping[str, Any]]]:
    """The rows by the values of some keys."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    """Mean gains over treebanks (samples of a treebank count as their mean), with a 95 % interval and p.

    The interval is a bootstrap over treebanks. p is the share of all assignments of signs to the treebanks' gains whose
    sum is at least as far from 0 (10 000 random ones from 14 treebanks on).
    """
    means = np.array([np.mean([row["gain"] for row in group]) for group in by(rows, "treebank").values()])
    dice, count = np.random.default_rng(1), len(means)
    drawn = means[dice.integers(0, count, (RESAMPLES, count))].mean(axis=1)
    if count < 14:
        signs = np.array([*product((-1, 1), repeat=count)])
    else:  # with the given signs as one of the assignments
        signs = np.concatenate([np.ones((1, count)), dice.choice((-1, 1), (RESAMPLES, count))])
    far = np.abs(signs @ means) >= abs(means.sum()) - 1e-9
    crossing = [row["crossing_gain"] for row in rows if row["crossing_gain"] is not None]
    low, high = np.percentile(drawn, [2.5, 97.5]).tolist()
    return {
        "treebanks": count,
        "gain": means.mean().item(),
        "low": low,
        "high": high,
        "above": int((means > 0).sum()),
        "p": float(far.mean()),
        "crossing_gain": float(np.mean(crossing)) if crossing else None,
    }


def slope(rows: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    """Slope of a regression line of the gain on the logarithm (base 10) of one more than the number of crossing arcs.

    rows: one per treebank. With a 95 % interval, a bootstrap over treebanks; None if the numbers of arcs do not differ.
    """
    x, y = np.log10([row["crossing_arcs"] + 1 for row in rows]), np.array([row["gain"] for row in rows])
    if np.ptp(x) == 0:
        return {"gain": None, "low": None, "high": None}
    picks = np.random.default_rng(1).integers(0, len(x), (RESAMPLES, len(x)))
    picks = np.concatenate([np.arange(len(x))[None], picks[np.ptp(x[picks], axis=1) > 0]])
    x, y = (values[picks] - values[picks].mean(axis=1, keepdims=True) for values in (x, y))
    slopes = (x * y).sum(axis=1) / (x * x).sum(axis=1)
    low, high = np.percentile(slopes[1:], [2.5, 97.5]).tolist()
    return {"gain": slopes[0].item(), "low": low, "high": high}


def effects(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Mean gain of a parser with all crossing arcs minus that with none, by treebank."""
    effects_of = []
    for (treebank,), treebank_rows in by(rows, "treebank").items():
        least, *_, most = [
            [row["gain"] for row in by(treebank_rows, "dose")[key]] for key in sorted(by(treebank_rows, "dose"))
        ]
        effects_of.append({"treebank": treebank, "gain": np.mean(most) - np.mean(least), "crossing_gain": None})
    return effects_of


def mixed_model(rows: Sequence[Mapping[str, Any]]) -> Json:
    """Wald tests of a mixed model of the gain, with a random intercept for each treebank.

    None without statsmodels, and with fewer than three treebanks, too few for a variance. The result has by term
    ``chi2``, ``df`` and ``p`` (``terms``). Its terms are ``arcs``, the logarithm of crossing arcs in training (base 10,
    of one more than their number), ``base`` and ``technique``, with their interactions. Swap and the approximation are
    one technique, ``direct``, as no base has both.
    """
    try:
        import pandas
        from statsmodels.formula.api import mixedlm
    except ImportError:
        return None
    if len(by(rows, "treebank")) < 3:
        return None
    table = pandas.DataFrame([*rows])
    table["arcs"] = np.log10(table["crossing_arcs"] + 1)
    table["technique"] = table["technique"].replace(dict.fromkeys(("swap", "approximation"), DIRECT))
    with catch_warnings():
        simplefilter("ignore")  # a variance of 0 between treebanks is possible, and a warning of statsmodels
        mixed = mixedlm("gain ~ arcs * C(base) * C(technique)", table, groups=table["treebank"])
        model = mixed.fit(method="powell")  # without gradients, which fail near a variance of 0
    tests = model.wald_test_terms(scalar=True).table
    return {
        "terms": {
            name.replace("C(", "").replace(")", "").replace(":", " x "): {  # arcs:C(base) is "arcs x base"
                "chi2": float(row["statistic"]),
                "df": int(row["df_constraint"]),
                "p": float(row["pvalue"]),
            }
            for name, row in tests.iterrows()
            if name != "Intercept"
        }
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
