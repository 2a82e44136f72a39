"""Comparison of static oracles, dynamic oracles with exploration, and beams, with several seeds.

If exploration reduces error propagation, fewer words are wrong after the first error of a sentence, and long sentences
gain most (Goldberg & Nivre 2012). The measures Pre and Post are those of Nilsson (2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from ....parser.base.errors import CrossarcError, check_names
from ....parser.evaluate.comparison import Ints, Mask
from ....parser.evaluate.percent import percentage
from ....parser.evaluate.resampling import SentenceCounts, randomization
from ....transitions.registry import SYSTEMS
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Settings, TreebankPart, by_treebank, over, parses
from ...harness.parsing import cost_row, seeded


def check(settings: Settings) -> None:
    """Raise CrossarcError for unknown systems and invalid seeds."""
    check_names("systems: found", settings.values["systems"], SYSTEMS)
    seeds = settings.values["seeds"]
    if not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds) or len(set(seeds)) < len(seeds):
        raise CrossarcError(f"seeds: found {seeds}; allowed: different whole numbers, 0 or more")


def parts(treebank: ExperimentTreebank) -> tuple[TreebankPart, TreebankPart]:
    """(part to train on, part to parse). Generated treebanks are used completely."""
    values, entry = treebank.values, treebank.entry
    if entry.name in values["generated"]:
        return treebank.part("train"), treebank.part("test")
    train = replace(treebank.part("train"), limit=entry.sentences or values["sentences"])
    return train, replace(treebank.evaluated, limit=values["parsed"])


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each transition system, way of training (a parser of the settings) and seed."""
    train, test = parts(treebank)
    features = treebank.values["features"]
    seeds = {
        f"{system} {way} seed {seed}": replace(seeded(config, seed), system=system, features=features)
        for system in treebank.values["systems"]
        for way, config in treebank.parsers.items()
        for seed in treebank.values["seeds"]
    }
    return treebank.each(seeds, parses, train, {"test": test})


def figures(treebank: ExperimentTreebank) -> Json:
    """By way of training and system, the means over seeds, and comparisons with the first way.

    - ``gain``: difference in LAS.
    - ``p``: of the randomization test on the numbers of words right in each sentence, summed over seeds.
    - ``better``: number of seeds with a higher LAS.
    """
    seeds, (_, test) = treebank.values["seeds"], parts(treebank)
    base, *others = treebank.parsers
    by_way: dict[str, dict[str, Any]] = {way: {} for way in treebank.parsers}
    for system in treebank.values["systems"]:
        names = {way: [f"{system} {way} seed {seed}" for seed in seeds] for way in by_way}
        outputs = treebank.outputs(test, "test", [cell for cells in names.values() for cell in cells])
        for way, cells in names.items():
            runs = []
            for cell in cells:
                right = outputs.comparisons[cell].token_right("las"), outputs.comparisons[cell].lengths
                places = {"length": by_length(*right), "after": after_first_error(*right)}
                costs = cost_row([treebank[cell]["cost"]], "test")
                runs.append({**treebank.measured("parser", outputs.scores[cell]), **places, **costs})
            las_range = float(np.ptp([run["las"] for run in runs]))
            by_way[way][system] = over(runs, fmean) | {"las_range": las_range, "gain": None, "p": None, "better": None}
        counts = {way: outputs.counts(cells) for way, cells in names.items()}
        sums = {
            way: SentenceCounts(*(part.sum(axis=1, keepdims=True) for part in counts_of_way))
            for way, counts_of_way in counts.items()
        }
        for way in others:
            gains = (counts[way].correct - counts[base].correct).sum(axis=0)
            by_way[way][system] |= {
                "gain": percentage(int(gains.sum()), int(sums[way].gold.sum())),
                "p": float(randomization(sums[base], sums[way])[0]),
                "better": int((gains > 0).sum()),
            }
    return dict(by_way)


LENGTHS = {"1-10": (1, 10), "11-20": (11, 20), "21-30": (21, 30), "31-": (31, np.inf)}
"""Bins of sentences by number of words, each with its least and greatest."""
AFTER = {"1": (1, 1), "2": (2, 2), "3-4": (3, 4), "5-8": (5, 8), "9-16": (9, 16), "17-": (17, np.inf)}
"""Bins of words by their distance in words from the first wrong word of the sentence before them."""


def by_length(right: Mask, lengths: Ints) -> dict[str, float | None]:
    """The percentage of right words (bool (words,)) by the length of their sentences (int64 (sentences,))."""
    return _shares(right, np.repeat(lengths, lengths), LENGTHS)


def after_first_error(right: Mask, lengths: Ints) -> dict[str, float | None]:
    """The percentage of *wrong* words by distance from the first wrong word. Parameters are those of ``by_length``."""
    ends = np.cumsum(lengths)
    places = np.arange(len(right))
    first = np.full(len(lengths), len(right))
    wrong = np.flatnonzero(~right)
    np.minimum.at(first, np.searchsorted(ends, wrong, side="right"), wrong)
    return _shares(~right, places - np.repeat(first, lengths), AFTER)


def _shares(counted: Mask, sizes: Ints, bins: Mapping[str, tuple[int, float]]) -> dict[str, float | None]:
    inside = {name: (sizes >= least) & (sizes <= most) for name, (least, most) in bins.items()}
    return {name: percentage(int(counted[mask].sum()), int(mask.sum())) for name, mask in inside.items()}


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures), check=check)
