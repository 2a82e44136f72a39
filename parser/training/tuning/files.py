"""Files written by tuning: a config that is ready to train, its model, and a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from ...base.text_files import utf8
from ...config.config import Config
from ...models.files import save_model
from ...treebank import Sentence, atomic_output
from ..train import score_on, train
from .trials import Outcome

CONFIG, MODEL, REPORT = "tuned.yaml", "tuned.model", "report.md"


@dataclass(frozen=True, slots=True)
class Row:
    """A comparison.

    name: difference from the best parser at that time.
    sentences: number of training sentences.
    gain: difference of LAS to the best parser at that time, on the same sentences.
    kept: whether the parser became the best one.
    """

    name: str
    sentences: int
    outcome: Outcome
    gain: float
    kept: bool = False


@dataclass(frozen=True, slots=True)
class TuningResult:
    """The result of tuning.

    start, best: the given and the best config, with their outcomes on the whole training set
    rows: all comparisons
    trained: number of trials run
    known: number of finished trials that the journal already contained
    """

    start: Config
    best: Config
    start_outcome: Outcome
    best_outcome: Outcome
    rows: Sequence[Row]
    trained: int
    known: int


def write_parser(folder: Path, config: Config, sentences: Sequence[Sentence], start: Outcome, best: Outcome) -> None:
    """Write the best config, and the model that is trained with it on the sentences.

    config: the best config, which names the files of the treebank.
    start, best: outcomes of the given and the best config.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = replace(config, model=str(folder / MODEL))
    text = yaml.safe_dump(config_values(config, folder), sort_keys=False, allow_unicode=True, width=110)
    _write(
        folder / CONFIG,
        f"# The best result of crossarc tune: LAS {best.las:.2f}; given config: {start.las:.2f}.\n{text}",
    )
    model = train(config, sentences=sentences)
    if config.treebank.dev:
        model, _ = score_on(model, config.treebank)
    save_model(model, folder / MODEL)


def write_report(folder: Path, result: TuningResult, decided_by: str) -> None:
    """Write all comparisons as a Markdown table."""
    start, best = result.start_outcome, result.best_outcome
    lines = [
        "# Tuning",
        "",
        f"LAS {best.las:.2f} (UAS {best.uas:.2f}); the given config: {start.las:.2f} ({start.uas:.2f}).",
        f"Decided by {decided_by}.",
        "",
        "| parser | sentences | LAS | UAS | gain | seconds | |",
        "| --- | --: | --: | --: | --: | --: | --- |",
    ]
    for row in result.rows:
        own = row.outcome
        figures = [f"{own.las:.2f}", f"{own.uas:.2f}", f"{row.gain:+.2f}", f"{own.seconds:.1f}"]
        said = own.failure or ("taken" if row.kept else "")
        cells = [row.name, str(row.sentences), *figures, said]
        lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    _write(folder / REPORT, "\n".join(lines) + "\n")


def config_values(config: Config, folder: Path) -> dict[str, Any]:
    """A config as YAML in ``folder``: only values other than the defaults, with file names relative to the folder."""
    values = _changed(config.to_json(), Config().to_json())
    if config.features.endswith(".yaml"):
        values["features"] = os.path.relpath(config.features, folder)
    guide = {"guide": dict(config.guide)} if config.kind.knows("guide") else {}
    files = {name: getattr(config.treebank, name) for name in ("train", "dev")}
    treebank = {name: os.path.relpath(path, folder) for name, path in files.items() if path}
    treebank |= values.pop("treebank", {})
    return {"system": config.system, **values, **guide, "treebank": treebank, "model": MODEL}


def _changed(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Values that differ from the defaults, in nested mappings."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and isinstance(defaults.get(key), Mapping) and key != "guide":
            if inner := _changed(value, defaults[key]):
                found[key] = inner
        elif key not in defaults or value != defaults[key]:
            found[key] = value
    return found


def _write(path: Path, text: str) -> None:
    with atomic_output(path) as out:
        out.write(utf8(text))
