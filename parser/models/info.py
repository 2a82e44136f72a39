"""What a trained model says about itself, for people and for machines."""

from __future__ import annotations

from typing import Any

from ..treebank import FIRST_KNOWN
from .transition_model import ParserModel

__all__ = ["model_json", "model_text"]

WIDTH = 100


def model_json(model: ParserModel, size: int) -> dict[str, Any]:
    """Everything but symbol tables and weights. size: of the model's file, in bytes."""
    return {
        "bytes": size,
        "config": model.config,
        "stages": [
            {
                "system": stage.system.name,
                "single_root": stage.system.single_root,
                "guide": stage.guide.name,
                "transitions": len(stage.inventory),
                "features": stage.features.lines(),
                "root_label": model.labels[stage.fallback.root_label],
            }
            for stage in model.stages
        ],
        "columns": {name: len(table) - FIRST_KNOWN for name, table in model.tables.items()},
        "labels": list(model.labels),
        "transforms": [transform.to_json() for transform in model.transforms],
        "provenance": model.provenance,
    }


def model_text(model: ParserModel, size: int) -> str:
    """The same in a few lines: figures in place of lists."""
    config, provenance = model.config, model.provenance
    guide = ", ".join(f"{key} {value}" for key, value in config["guide"].items())
    columns = ", ".join(f"{name} ({len(table) - FIRST_KNOWN})" for name, table in model.tables.items())
    rows = []
    for stage in model.stages:
        rows += [
            ("system", f"{stage.system.name}, {'one root' if stage.system.single_root else 'any number of roots'}"),
            ("features", f"{len(stage.features.templates)} templates ({config['features']})"),
            ("transitions", f"{len(stage.inventory)}"),
        ]
    rows += [
        ("oracle", config["oracle"]),
        ("guide", guide),
        ("columns", f"{columns}: name (values in training)"),
        ("labels", f"{len(model.labels)}: {_shortened(' '.join(model.labels))}"),
        ("transforms", ", ".join(transform.name for transform in model.transforms) or "none"),
    ]
    train, dev = provenance["train"], provenance.get("dev")
    rows.append(("trained on", f"{train['sentences']} sentences, {train['words']} words, sha256 {train['sha256']}"))
    if dev is not None:
        rows.append(("scores", f"LAS {dev['las']:.2f}, UAS {dev['uas']:.2f} on sha256 {dev['sha256']}"))
    versions = (f"{name} {provenance[name]}" for name in ("crossarc", "python", "numpy", "scipy", "scikit-learn"))
    rows += [("made with", ", ".join(versions)), ("size", f"{size / 1e6:.1f} MB")]
    return "\n".join(f"{name:<12} {value}" for name, value in rows)


def _shortened(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[:WIDTH].rpartition(' ')[0]} ..."
