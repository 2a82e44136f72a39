"""Templates that let each treebank have weights of its own beside those that all treebanks share."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ....features.template import FeatureModel, Part, Template
from .step import COLUMN


def with_treebanks(model: FeatureModel, system: str, nodes: Collection[str]) -> FeatureModel:
    """The feature model with its templates of one part a second time, merged with the treebank (Daumé 2007).

    The templates themselves have the weights that all treebanks share, the merged ones those of each treebank. Ready
    models do not gain merges of more parts: conventions show in parts of speech, words and endings alone.
    """
    merged = []
    for template in model.templates:
        if len(template.parts) == 1 and template.parts[0].addresses and template.parts[0].column != COLUMN:
            node = replace(template.parts[0].addresses[0], functions=())
            merged.append(Template((*template.parts, Part("column", (node,), COLUMN))))
    return model.with_templates(merged)
