"""The contribution of each component to a blend: all components, all but one, and each alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ....parser.base.errors import CrossarcError
from ....parser.config.config import chosen
from ....parser.plugins.blending import training as training
from ....parser.plugins.blending.config import BlendConfig, load_blend_config
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, Settings, TreebankPart, by_treebank, parses

ALL = "all"
HELD_OUT_PART = "held out"


def blend_of(settings: Settings) -> BlendConfig:
    """The blend of the settings. Raises CrossarcError if its components are not trained exactly once."""
    blend = load_blend_config(settings.values["blend"], settings.values["blend_settings"])
    if blend.choose:
        raise CrossarcError("blend: choose is not supported here; set it to false")
    return blend


def parts(treebank: ExperimentTreebank) -> tuple[TreebankPart, dict[str, TreebankPart]]:
    """(training part, parts to parse by name).

    Components parse the splits and, if weights are learned, the held-out part of the training set.
    """
    blend, train = blend_of(treebank.settings), treebank.part("train")
    tests = {split: treebank.part(split) for split in treebank.values["splits"]}
    if blend.weights == "equal":
        return train, tests
    held_out = replace(train, folds=training.HELD_OUT, fold=0)
    return replace(held_out, outside=True), {HELD_OUT_PART: held_out, **tests}


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the components."""
    return treebank.each(blend_of(treebank.settings).components, parses, *parts(treebank))


def figures(treebank: ExperimentTreebank) -> Json:
    """By split, scores of the blend with all components, of blends without one component, and of each component.

    Gains and tests are against the blend with all components.
    """
    blend, tests = blend_of(treebank.settings), parts(treebank)[1]
    names = list(blend.components)
    kept = {ALL: names, **{f"without {name}": [other for other in names if other != name] for name in names}}
    by_split: dict[str, Json] = {"train_cpu": {name: treebank[name]["cost"]["train_cpu"] for name in names}}
    held_out = Outputs([], {name: [] for name in names})
    if HELD_OUT_PART in tests:
        held_out = treebank.outputs(tests[HELD_OUT_PART], HELD_OUT_PART, names)
    for split in treebank.values["splits"]:
        parsed = treebank.outputs(tests[split], split, names)
        blends = {}
        for title, chosen_names in kept.items():
            single = chosen(blend.single_root, partial(all, [treebank[name]["single_root"] for name in chosen_names]))
            blends[title] = parsed.blended(chosen_names, held_out.weights(blend.weights, chosen_names), single)
        by_split[split] = Outputs(parsed.gold, {**blends, **parsed.trees}).against(ALL)
    return by_split


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures), check=blend_of)
