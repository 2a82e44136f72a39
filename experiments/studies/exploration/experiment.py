"""Static against dynamic oracles against beams: every system that has all three, over seeds, with significance.

Where do gains come from? If exploration cures error propagation, fewer words are wrong after the first error of a
sentence, and long sentences gain most (Goldberg & Nivre 2012; the measures Pre and Post are those of Nilsson 2009).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ....parser.base.errors import CrossarcError, choices
from ....parser.config.config import Config
from ....parser.evaluate import Comparison
from ....parser.evaluate.percent import Json
from ....transitions.registry import SYSTEMS
from ...harness.generated import generated_entries
from ...harness.parsing import Part, compared, performance_cell
from ...harness.results import write_results
from ...harness.rows import figure, write_text
from ...harness.runner import run_cells
from ...harness.settings import Settings, available, load_settings
from ...harness.tables import markdown_table
from .measures import AFTER, LENGTHS, figures_of, mean_figures, sign_flip

__all__ = ["NAME", "run"]

NAME = "exploration"
Task = tuple[str, str, str, int]
"""Treebank, system, way, seed."""
Getter = Callable[[Mapping[str, Any], str], Any]


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    settings = load_settings(NAME, options.config, options.set, options.only)
    values = settings.values
    _check(values)
    split = values["split"]
    entries = available(settings.treebanks, ("train", split), options.progress)
    folder = Path(options.out)
    parts = {
        entry.name: (
            replace(entry.part("train"), limit=entry.sentences or values["sentences"]),
            replace(entry.part(split), limit=values["parsed"]),
        )
        for entry in entries
    }
    if not options.only:
        for entry in generated_entries(values["generated"], folder):
            parts[entry.name] = (entry.part("train"), entry.part("test"))
            entries.append(replace(entry, files={"train": entry.files["train"], split: entry.files["test"]}))
    if not parts:
        raise CrossarcError("treebanks, generated: found none")
    tasks: dict[Task, Config] = {
        (name, system, way, seed): _seeded(replace(config, system=system, features=values["features"]), seed)
        for name in parts
        for system in values["systems"]
        for way, config in settings.parsers.items()
        for seed in values["seeds"]
    }
    cells = [performance_cell(_title(task), config, *parts[task[0]]) for task, config in tasks.items()]
    results = run_cells(cells, folder, jobs=options.jobs, progress=options.progress)
    figures = {name: _figures(name, test, settings, results) for name, (_, test) in parts.items()}
    write_text(folder, "report.md", _report(settings, figures))
    write_results(folder, NAME, settings, entries, figures, ("train", split))
    options.progress(f"wrote {folder / 'report.md'}")
    return 0


def _check(values: Mapping[str, Any]) -> None:
    for system in values["systems"]:
        if system not in SYSTEMS:
            raise CrossarcError(f"systems: found {choices(system, SYSTEMS)}")
    seeds = values["seeds"]
    if not seeds or not all(type(seed) is int and seed >= 0 for seed in seeds) or len(set(seeds)) < len(seeds):
        raise CrossarcError(f"seeds: found {seeds}; allowed: different whole numbers, 0 or more")


def _title(task: Task) -> str:
    name, system, way, seed = task
    return f"{name} {system} {way} seed {seed}"


def _seeded(config: Config, seed: int) -> Config:
    explore = replace(config.training.explore, seed=seed)
    return replace(config, guide={**config.guide, "seed": seed}, training=replace(config.training, explore=explore))


def _figures(name: str, test: Part, settings: Settings, results: Mapping[str, Any]) -> dict[str, Json]:
    """By way and system the means over seeds, and for the ways after the first the difference from it.

    ``gain``: of LAS; ``p`` of :func:`.measures.sign_flip` on the words right in each sentence, summed over the seeds;
    ``better``: with how many of the seeds the LAS is higher.
    """
    seeds = settings.values["seeds"]
    base, *others = settings.parsers
    figures: dict[str, dict[str, Json]] = {way: {} for way in settings.parsers}
    for system in settings.values["systems"]:
        found: dict[str, list[Comparison]] = {}
        for way in settings.parsers:
            own = [results[_title((name, system, way, seed))] for seed in seeds]
            found[way] = [compared(test, result) for result in own]
            runs = [
                {**figures_of(comparison), **_cost(result)} for comparison, result in zip(found[way], own, strict=True)
            ]
            undefined: dict[str, Json] = dict.fromkeys(("gain", "p", "better"))
            figures[way][system] = {**mean_figures(runs), **undefined}
        for way in others:
            pairs = list(zip(found[base], found[way], strict=True))
            gains = [_words_right(second) - _words_right(first) for first, second in pairs]
            row = figures[way][system]
            assert isinstance(row, dict)
            words = int(pairs[0][0].lengths.sum())
            row["gain"] = 100 * float(sum(own.sum() for own in gains)) / (words * len(seeds)) if words else None
            row["p"] = sign_flip(np.sum(gains, axis=0))
            row["better"] = sum(int(own.sum() > 0) for own in gains)
    return dict(figures)


def _cost(result: Mapping[str, Any]) -> dict[str, Json]:
    cost = result["cost"]
    return {"train_cpu": cost["train_cpu"], "speed": cost["words"] / max(cost["parse_cpu"], 1e-9)}


def _words_right(comparison: Comparison) -> np.ndarray:
    """int64 (sentences,): how many words have the right head and label."""
    right = comparison.sentence[comparison.token_right("las")]
    return np.bincount(right, minlength=len(comparison.lengths))


COLUMNS = {
    "las": "LAS",
    "las_range": "range",
    "uas": "UAS",
    "gain": "gain",
    "p": "p",
    "better": "seeds",
    "pre": "Pre",
    "post": "Post",
    "recall": "crossing recall",
    "precision": "precision",
    "train_cpu": "training, CPU s",
    "speed": "tokens per CPU s",
}


def _report(settings: Settings, figures: Mapping[str, Any]) -> str:
    values = settings.values
    base = next(iter(settings.parsers))
    lines = [
        "# Static oracles, exploration, beams",
        "",
        f"{settings.origin}; features {values['features']}, training sentences {values['sentences'] or 'all'}, "
        f"{values['split']} split ({values['parsed'] or 'all'} sentences), "
        f"means over the seeds {', '.join(map(str, values['seeds']))}; all tokens counted. "
        f"Gain: LAS above that of {base}; p: randomization over sentences; seeds: with how many of them the LAS is "
        "higher. Pre and Post: per cent of words wrong up to the first wrong one of a sentence, and after it.",
        "",
    ]
    for name, ways in figures.items():
        keys = [(system, way) for system in values["systems"] for way in ways]
        lines += [f"## {name}", "", _table(COLUMNS, keys, ways, lambda row, key: row.get(key))]
        lines += ["LAS by numbers of words in the sentence:", ""]
        lines.append(_table(dict.fromkeys(LENGTHS), keys, ways, lambda row, key: row["length"][key]))
        lines += ["Per cent of words wrong, by how many words after the first wrong one:", ""]
        lines.append(_table(dict.fromkeys(AFTER), keys, ways, lambda row, key: row["after"][key]))
    return "\n".join(lines)


def _table(
    columns: Mapping[str, str | None], keys: Sequence[tuple[str, str]], ways: Mapping[str, Any], get: Getter
) -> str:
    header = ["system", "trained", *(title or name for name, title in columns.items())]
    body = [[system, way, *(figure(get(ways[way][system], name)) for name in columns)] for system, way in keys]
    return markdown_table(header, body, left=2)
