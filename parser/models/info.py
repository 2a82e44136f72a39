"""A description of a parser in a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .tables import annotation_of

WIDTH = 100


def facts_text(facts: Mapping[str, Any]) -> str:
    """The values of :meth:`~.transition_model.TransitionModel.to_json`, with numbers in place of lists."""
    config = facts["config"]
    guide = ", ".join(f"{key} {value}" for key, value in config["guide"].items())
    rows = []
    for stage in facts["stages"]:
        rows += [
            ("system", f"{stage['system']}, {'one root' if stage['single_root'] else 'any number of roots'}"),
            ("features", f"{len(stage['features'])} templates ({config['features']})"),
            ("transitions", f"{stage['transitions']}"),
        ]
    rows += [("oracle", config["oracle"]), ("guide", guide), *_exploration_and_search(config)]
    return facts_lines([*rows, *common_facts(facts)])


def facts_lines(rows: Sequence[tuple[str, str]]) -> str:
    """Names and their descriptions, one per line."""
    return "\n".join(f"{name:<12} {value}" for name, value in rows)


def common_facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Lines about every parser: columns, labels, transforms and provenance."""
    provenance, labels = facts["provenance"], facts["labels"]
    columns = ", ".join(f"{name} ({values})" for name, values in facts["columns"].items())
    rows = [
        ("columns", f"{columns}: name (values in training)"),
        ("input", f"values as given; of CoNLL-2009 the {annotation_of(facts['config'])} columns"),
        *tag_facts(facts),
        *((name, f"empty in training: {other} is read in its place") for name, other in facts["reads"].items()),
        ("labels", f"{len(labels)}: {_shortened(' '.join(labels))}"),
        ("transforms", ", ".join(transform["name"] for transform in facts["transforms"]) or "none"),
    ]
    train, dev = provenance["train"], provenance.get("dev")
    rows.append(("trained on", f"{train['sentences']} sentences, {train['words']} words, sha256 {train['sha256']}"))
    if dev is not None:
        rows.append(("scores", f"LAS {dev['las']:.2f}, UAS {dev['uas']:.2f} on sha256 {dev['sha256']}"))
    versions = (f"{name} {provenance[name]}" for name in ("crossarc", "python", "numpy", "scipy", "scikit-learn"))
    rows.append(("made with", ", ".join(versions)))
    return rows


def tag_facts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The predicted columns, each with its accuracy in training in percent."""
    right = ", ".join(f"{name.upper()} {share:.2f}" for name, share in facts["provenance"].get("tags", {}).items())
    return [("tags", f"predicted where the input has none: {right} % right in training")] if right else []


def _exploration_and_search(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = []
    if "training" in config:
        explore = config["training"]["explore"]
        rows.append(("explored", f"rounds {explore['rounds']}, folds {explore['folds']}, seed {explore['seed']}"))
    if "search" in config:
        rows.append(("search", f"a beam of {config['search']['beam']}"))
    return rows


def _shortened(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[:WIDTH].rpartition(' ')[0]} ..."
