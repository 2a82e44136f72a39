"""Static against dynamic oracles against beams: every system that has all three, over seeds, with significance.

Where do gains come from? If exploration cures error propagation, fewer words are wrong after the first error of a
sentence, and long sentences gain most (Goldberg & Nivre 2012; the measures Pre and Post are those of Nilsson 2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....parser.base.errors import CrossarcError
from ....parser.config.config import Config
from ....parser.evaluate.percent import Json
from ....transitions.registry import SYSTEMS
from ...harness.experiment import Experiment, Treebank, by_treebank
from ...harness.parsing import Part, parses
from ...harness.rows import cost_row
from ...harness.runner import Cell
from ...harness.settings import Settings, check_names
from .measures import figures_of, mean_figures, sign_flip


def check(settings: Settings) -> None:
    """Raise CrossarcError for systems that there are not, and for seeds that are none."""
    check_names("systems: found", settings.values["systems"], SYSTEMS)
    seeds = settings.values["seeds"]
    if not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds) or len(set(seeds)) < len(seeds):
        raise CrossarcError(f"seeds: found {seeds}; allowed: different whole numbers, 0 or more")


def parts(treebank: Treebank) -> tuple[Part, Part]:
    """(what to train on, what to parse); generated treebanks are parsed whole."""
    values, entry = treebank.values, treebank.entry
    if entry.name in values["generated"]:
        return treebank.part("train"), treebank.part("test")
    train = replace(treebank.part("train"), limit=entry.sentences or values["sentences"])
    return train, replace(treebank.part(values["split"]), limit=values["parsed"])


def cells(treebank: Treebank) -> list[Cell]:
    """Every system in every way with every seed."""
    train, test = parts(treebank)
    seeds = {
        f"{system} {way} seed {seed}": seeded(treebank.values, config, system, seed)
        for system in treebank.values["systems"]
        for way, config in treebank.settings.parsers.items()
        for seed in treebank.values["seeds"]
    }
    return treebank.each(seeds, parses, train, {"test": test})


def seeded(values: Mapping[str, Any], config: Config, system: str, seed: int) -> Config:
    """The way's config for a system: all draw by the seed."""
    explore = replace(config.training.explore, seed=seed)
    training, guide = replace(config.training, explore=explore), {**config.guide, "seed": seed}
    return replace(config, system=system, features=values["features"], guide=guide, training=training)


def figures(treebank: Treebank) -> Json:
    """By way and system the means over seeds, and for the ways after the first the difference from it.

    ``gain``: of LAS; ``p`` of :func:`.measures.sign_flip` on the words right in each sentence, summed over the seeds;
    ``better``: with how many of the seeds the LAS is higher.
    """
    seeds, (_, test) = treebank.values["seeds"], parts(treebank)
    base, *others = treebank.settings.parsers
    found: dict[str, dict[str, Json]] = {way: {} for way in treebank.settings.parsers}
    for system in treebank.values["systems"]:
        names = {way: [f"{system} {way} seed {seed}" for seed in seeds] for way in found}
        cells = {cell: (cell, "test") for own in names.values() for cell in own}
        outputs = treebank.outputs(test, cells)
        words = sum(len(tree.heads) - 1 for tree in treebank.gold(test))
        for way, own in names.items():
            runs = []
            for cell in own:
                cost = cost_row([treebank[cell]["cost"]], "test")
                row = figures_of(outputs.scores[cell], outputs.comparisons[cell])
                runs.append({**row, **{key: cost[key] for key in ("train_cpu", "speed")}})
            found[way][system] = {**mean_figures(runs), **dict.fromkeys(("gain", "p", "better"))}
        for way in others:
            pairs = zip(names[base], names[way], strict=True)
            gains = [outputs.words_right(second) - outputs.words_right(first) for first, second in pairs]
            compared = found[way][system]
            assert isinstance(compared, dict)
            compared["gain"] = 100 * float(sum(own.sum() for own in gains)) / (words * len(seeds)) if words else None
            compared["p"] = sign_flip(np.sum(gains, axis=0))
            compared["better"] = sum(int(own.sum() > 0) for own in gains)
    return dict(found)


EXPERIMENT = Experiment(
    title="Static oracles, exploration, beams",
    note="Features {features}, training sentences {sentences} (0: all), {split} split ({parsed} sentences, 0: all), "
    "means over the seeds {seeds}; all tokens counted. Gain: LAS above that of the first way; p: randomization over "
    "sentences; seeds: with how many of them the LAS is higher. Pre and Post: per cent of words wrong up to the first "
    "wrong one of a sentence, and after it.",
    splits=lambda values: ("train", values["split"]),
    cells=(cells,),
    figures=by_treebank(figures),
    check=check,
)
