"""Write the results of a run: rounded figures with settings, versions, commit and checksums of the treebanks."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from ...parser.base.text_files import utf8
from ...parser.config.ready import LEVELS
from ...parser.evaluate.mcnemar import McNemar, significance_json
from ...parser.evaluate.percent import Json
from ...parser.evaluate.report import headings
from ...parser.plugins.drawing.significance_figure import arrows
from ...parser.training.prepare import versions
from ...parser.treebank import atomic_output, checksum, write_sentences
from .costs import with_columns
from .parsing import TreebankPart, unpack
from .registry import ROOT
from .runner import Cell, file_name
from .settings import Settings, TreebankEntry

DIGITS = 2
DIGITS_OF = {"p": 4, "over_sentences": 4}
"""Numbers of decimals of figures that are rounded less than to ``DIGITS``."""
_TEST = re.compile(r"^test\b")
LEFT_OUT = ("breakdowns", "confusions", "full", "nonprojective_by", "propagation")
"""Scores that are written only to ``scores.json``, since no page shows them; so are scores that begin with ``by_``."""


def write_results(
    folder: Path, experiment: str, settings: Settings, entries: Sequence[TreebankEntry], figures: Mapping[str, Json]
) -> None:
    """Write ``results.json``, from which a page is generated, and ``scores.json``, which has all figures in full.

    entries: the treebanks that were available.
    """
    write_text(folder, "scores.json", dict(figures))
    parsers: dict[str, Any] = {}
    for name, config in settings.parsers.items():
        if settings.specs.get(name, {}).get("config") in LEVELS:  # which chooses another config for each treebank
            parsers[name] = dict(settings.specs[name])
            continue
        parsers[name] = config.to_json()
        del parsers[name]["treebank"]
        parsers[name]["features"] = os.path.basename(parsers[name]["features"])
    document: dict[str, Json] = {
        "experiment": Path(experiment).stem,
        "versions": {**versions(), "numba": version("numba") if find_spec("numba") else None},
        "date": date.today().isoformat(),
        "commit": commit(),
        "setting": {**settings.values, "parsers": parsers},
        "treebanks": {entry.name: _treebank(entry) for entry in entries},
        "figures": rounded(dict(figures)),
    }
    write_text(folder, "results.json", document)


def write_parsed(cell: Cell, result: Json, folder: Path, files: Mapping[str, str], stem: str) -> None:
    """Write the trees in the result of a cell as CoNLL-U, one file for each parsed part.

    files: the file of each split of the treebank. The part that a cell knows as ``test`` is written under the name of
        its split; a part of cross-validation remains ``test``.
    stem: beginning of the names of the files.

    The trees ``test inverted`` belong to the part that the cell's function knows as ``test``; trees with another name
    belong to the last part among its arguments.
    """
    parts: Any = result.get("parts", {}) if isinstance(result, dict) else {}
    arguments = inspect.signature(cell.compute).bind(*cell.arguments).arguments
    named = {name.replace("_", " "): part for name, part in arguments.items() if isinstance(part, TreebankPart)}
    for value in arguments.values():
        named |= (
            value
            if isinstance(value, Mapping) and all(isinstance(part, TreebankPart) for part in value.values())
            else {}
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, trees in parts.items():
        *_, last = named.values()
        part = next((part for start, part in named.items() if name.startswith(start)), last)
        pairs = zip(part.sentences(), unpack(trees), strict=True)
        sentences = (sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in pairs)
        last_first = reversed(list(files.items()))  # a test set that is the development set, too, is called test
        split = next((split for split, path in last_first if path == part.path and not part.folds), "test")
        file = folder / f"{stem}-{file_name(re.sub(_TEST, split, name))}.conllu"
        write_sentences(
            (sentence if sentence.format.name == "conllu" else with_columns(sentence) for sentence in sentences),
            str(file),
        )


def commit() -> str | None:
    """The commit of the checkout that runs; None in an installed package."""
    try:
        output = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return output.decode().strip()


def write_text(folder: Path, name: str, text: str | Json) -> None:
    """Write a file of the experiment's output. text: text, or a value that is written as JSON."""
    content = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, indent=1) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_output(folder / name) as out:
        out.write(utf8(content))


def tests_json(tests: Mapping[str, Mapping[tuple[str, str], McNemar]]) -> dict[str, Json]:
    """Pairwise tests by score, as two values.

    - ``significance``: all tests.
    - ``differing``: by level, the pairs that differ, as ``{"0.01": "P1 > P0, ...", "0.05": ...}``; the better is first.
    """
    differing: dict[str, Json] = {}
    for score, row in tests.items():
        pairs: dict[str, list[str]] = {"0.01": [], "0.05": []}
        for arrow in arrows(row):
            pairs[f"{arrow.level:.2f}"].append(f"{arrow.better} > {arrow.worse}")
        differing[score] = {level: ", ".join(pairs_of_level) or "–" for level, pairs_of_level in pairs.items()}
    return {"significance": significance_json(tests), "differing": differing}


def rounded(value: Any, key: str = "") -> Any:
    """JSON values with floats to two decimals (probabilities to four), without the breakdowns of scores."""
    if isinstance(value, Mapping):
        return {
            name: rounded(inner, name)
            for name, inner in value.items()
            if name not in LEFT_OUT and not str(name).startswith("by_")
        }
    if isinstance(value, list):
        return [rounded(inner, key) for inner in value]
    return round(value, DIGITS_OF.get(key, DIGITS)) if isinstance(value, float) else value


def _treebank(entry: TreebankEntry) -> dict[str, Json]:
    return {
        "sentences to train on": entry.sentences or "all",
        **{split: {"file": os.path.basename(path), "sha256": checksum(path)} for split, path in entry.files.items()},
    }


def explained(titles: Iterable[str]) -> str:
    """The section of a report that explains the headings of its tables; "" if no heading needs an explanation."""
    explanations = yaml.safe_load(Path(__file__).parents[1].joinpath("headings.yaml").read_text("utf-8"))
    meanings = {**headings(), **explanations}
    words = dict.fromkeys(word for title in titles for word in words_of(title))
    notes = "".join(f"\n- **{word}**: {meanings[word]}" for word in words if word in meanings)
    return f"## What the headings mean\n{notes}" if notes else ""


def words_of(heading: str) -> list[str]:
    """Parts of a heading to explain: the heading, its parts, the last word of each, and the text before that word.

    >>> words_of("Pre, normalised")
    ['Pre, normalised', 'Pre', 'normalised']
    >>> words_of("proj. P")
    ['proj. P', 'proj.', 'P']
    """
    parts = [heading]
    for part in re.split(r"[:,] ", heading):
        first, _, last = part.rpartition(" ")
        parts += [part, first, last]
    return [word for word in dict.fromkeys(parts) if word]
