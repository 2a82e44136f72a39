"""Choice of the technique for crossing arcs: parsers that train fast learn from half a treebank and parse the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...oracles.registry import DYNAMIC_ORACLES
from ..base.progress import Progress, nothing
from ..config.config import GOLD, Config, RootOptions, TreebankOptions
from ..config.loading import load_config
from ..config.ready import ready_features
from ..evaluate.align import score_sentences
from ..models.trained import TrainedParser
from ..treebank import Sentence
from .exploration import folds_of

SEED = 1
"""Seed of the division into halves."""
MAX_WORDS = 40_000
"""Maximum number of words, in sentences that are evenly spread over the treebank."""
FEW_SENTENCES = 30
"""Minimum number of sentences for a comparison; with fewer, the first technique is taken."""
LEAST_GAIN = 0.5
"""Minimum gain of another technique over the first, in LAS: a smaller one may be chance, or less than what exploration
gains (experiments/studies/levels/README.md), which the compared parsers lack and swap never has."""
GUIDE = {"learner": "svm", "C": 0.05}
"""Guide of the parsers that are compared."""


def choose_technique(
    config: Config, sentences: Sequence[Sentence], train: Callable[..., TrainedParser], progress: Progress
) -> tuple[Config, dict[str, float]]:
    """Return the config with the best of its techniques, and the LAS of each, in percent.

    sentences: training sentences with valid trees.
    train: function that trains a config on sentences.

    The config keeps its features and guide, and its exploration if the system has a dynamic oracle. Another technique
    than the first is taken if it gains :data:`LEAST_GAIN` or more. There are no figures for fewer than
    :data:`FEW_SENTENCES` sentences.
    """
    parsers = {name: _with_technique(config, name) for name in config.techniques}
    some = sentences[:: -(-sum(map(len, sentences)) // MAX_WORDS)]
    if len(some) < FEW_SENTENCES:
        return next(iter(parsers.values())), {}
    learned, held_out = ([some[number] for number in half] for half in folds_of(len(some), 2, SEED))
    las = {}
    for name, own in parsers.items():
        parsed = train(_fast(own), nothing, learned).parse_chunk(held_out)
        las[name] = round(score_sentences(held_out, parsed).las or 0.0, 2)
    first, best = config.techniques[0], max(las, key=las.__getitem__)
    best = best if las[best] - las[first] >= LEAST_GAIN else first
    shown = ", ".join(f"{name} {own:.2f}" for name, own in las.items())
    progress(f"chosen: {best}; LAS with small features on half of the treebank: {shown}")
    return parsers[best], las


def _with_technique(config: Config, name: str) -> Config:
    ready = load_config(name)
    explore = config.explore if ready.system in DYNAMIC_ORACLES else 0
    return replace(
        config, techniques=(), system=ready.system, oracle=ready.oracle, transforms=ready.transforms, explore=explore
    )


def _fast(config: Config) -> Config:
    """The config of a parser that trains fast, with the same technique. Exploration would take three times as long."""
    return replace(
        config,
        features="small" if "small" in ready_features()[config.first_system] else "rich",
        guide=GUIDE,
        explore=0,
        beam=1,
        root=RootOptions(config.root.single),
        input=GOLD,
        tags=(),
        treebank=TreebankOptions(),
        model="",
    )
