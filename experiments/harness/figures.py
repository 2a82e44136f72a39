"""Figures of results by their paths, and measures of them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ...parser.base.errors import CrossarcError, choices
from ...parser.evaluate.align import score_sentences
from ...parser.treebank import read_sentences

Figure = float | int | str | None
OF_TREEBANK = re.compile(r"by_\w+|nonprojective_by/\w+|columns|confusions")
"""Paths to mappings and lists of scores whose keys and entries depend on the treebank."""


def lookup(figures: Any, path: str) -> Any:
    """The value at a path of steps joined by ``/``.

    A step is a key, the number of an element of a list from 1, or ``KEY=VALUE,...``, which selects the one mapping of a
    list that has these values. Raises CrossarcError if there is no value.
    """
    value = figures
    for step in path.split("/"):
        if isinstance(value, Mapping):
            if step not in value:
                raise CrossarcError(f"{path}: {choices(step, [str(key) for key in value])}")
            value = value[step]
        elif isinstance(value, list) and "=" in step:
            entries = fitting(value, selection(step))
            if len(entries) != 1:
                raise CrossarcError(f"{path}: {step} fits {len(entries)} of {len(value)} entries, expected one")
            value = entries[0]
        elif isinstance(value, list) and step.isdigit() and 0 < int(step) <= len(value):
            value = value[int(step) - 1]
        else:
            raise CrossarcError(f"{path}: no value at step {step!r}; use keys of mappings, or KEY=VALUE,... for lists")
    return value


def check_path(path: str) -> None:
    """Raise CrossarcError, with what is allowed at the first wrong step, for a path that no scores have.

    Keys that depend on the treebank, such as labels, are not checked.
    """
    values: Any = sample_scores()
    steps = path.split("/")
    for number, step in enumerate(steps):
        if OF_TREEBANK.fullmatch("/".join(steps[:number])) and isinstance(values, Mapping):
            values = next(iter(values.values()))
        elif isinstance(values, list) and (wrong := selection(step).keys() - values[0].keys() if "=" in step else ()):
            raise CrossarcError(f"{path}: {choices(min(wrong), values[0])}")
        elif isinstance(values, list):
            values = values[0]
        else:
            try:
                values = lookup(values, step)
            except CrossarcError as error:
                raise CrossarcError(f"{path}: {str(error).removeprefix(f'{step}: ')}") from error
    if isinstance(values, Mapping | list):
        inner = f"; go on with one of {', '.join(map(str, values))}" if isinstance(values, Mapping) else ""
        raise CrossarcError(f"{path}: found several figures, expected one{inner}")


def of_treebank(path: str) -> bool:
    """Whether a path leads through keys that depend on the treebank, such as labels, so that scores may lack it."""
    steps = path.split("/")
    return any(OF_TREEBANK.fullmatch("/".join(steps[:number])) for number in range(1, len(steps)))


@cache
def sample_scores() -> Mapping[str, Any]:
    """Scores of two crossing arcs as JSON: each path of scores is in them, for one label and part of speech."""
    rows = (f"{at}\tw\tw\tX\tX\t_\t{head}\tx\t_\t_\n" for at, head in enumerate((3, 0, 2, 1), 1))
    other = (f"{at}\tw\tw\tX\tX\t_\t{head}\ty\t_\t_\n" for at, head in enumerate((3, 0, 2, 1), 1))
    gold, parsed = (list(read_sentences(io.StringIO("".join(lines) + "\n"), "conllu")) for lines in (rows, other))
    return score_sentences(gold, parsed).to_json()


def selection(step: str) -> dict[str, str]:
    """The values by key of a step ``KEY=VALUE,...``."""
    return dict(part.split("=", 1) for part in re.split(r",(?=\w+=)", step))


def fitting(rows: Iterable[Mapping[str, Any]], wanted: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """The rows that have the wanted values, compared as text."""
    return [row for row in rows if all(str(row.get(key)) == text for key, text in wanted.items())]


def number(value: Figure, path: str) -> float:
    """A figure as a number; for a text, the first number in it. Raises CrossarcError if there is none."""
    match = re.search(r"-?\d+(?:\.\d+)?", str(value))
    if match is None:
        raise CrossarcError(f"{path}: found {'no value' if value is None else repr(value)}, expected a number")
    return float(value if isinstance(value, int | float) else match.group())


def as_figure(figures: Any, path: str, name: str) -> Figure:
    """The figure at a path; None if it is undefined. name: name of the figure in messages.

    Raises CrossarcError if the path leads to no figure.
    """
    value = lookup(figures, path)
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise CrossarcError(f"{name}: found several figures, expected one")


def over(documents: Sequence[Any], measure: Callable[[Sequence[float]], float]) -> Any:
    """A measure, such as the mean, of each figure over documents of the same form.

    It is None if it is not a number in all of them. Figures that a document lacks are left out.
    """
    if isinstance(documents[0], Mapping):
        common = [key for key in documents[0] if all(key in document for document in documents)]
        return {key: over([document[key] for document in documents], measure) for key in common}
    return measure(documents) if all(isinstance(document, int | float) for document in documents) else None
