"""Mutate metadata and arrays of model files; load each mutated model and parse with it.

Run as: python tests/support/model_mutations.py FOLDER CASES SEED MODEL...

It prints one JSON line with counts and failures. A failure is an exception other than CrossarcError, a message of
several lines, or a case that takes too long.
"""

from __future__ import annotations

import copy
import json
import os
import random
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.files import load_model, read_archive, write_archive
from crossarc.parser.treebank import Sentence, read_sentences

LIES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 7, 255, 2**31, 2**63, 10**30, -(10**18), 0.5, 1e308, float("nan"), float("inf")),
    *("", "x", "\n", "svm", "arc-eager", "form(Stack[99999999999999999999])", "sklearn.svm._classes.SVC", "_"),
    *([], [0], [[0, 0, 0]], [None], {}, {"a": 1}, {"array": "0"}, {"scalar": "0"}, {"list": []}, {"set": {}}),
)
SECONDS = 10
"""Time limit of a case, in CPU seconds."""
MEMORY = 6 * 2**30
"""Memory limit of the process in bytes."""

Dice = random.Random


def mutated_values(document: dict[str, Any], dice: Dice) -> dict[str, Any]:
    """A copy of a non-empty document in which one value, at any depth, is changed, deleted or replaced."""
    result = copy.deepcopy(document)
    outer, key = descend(result, dice)
    value = outer[key]
    change = dice.randrange(6)
    if change == 0:
        del outer[key]
    elif change == 1 and isinstance(value, list) and value:
        outer[key] = dice.choice([value[:-1], value + value, value[::-1], value[1:]])
    elif change == 2 and isinstance(value, int | float):
        outer[key] = dice.choice([value + 1, value - 1, -value, value * 1000, float(value), str(value)])
    elif change == 3:
        other, place = descend(result, dice)
        outer[key] = copy.deepcopy(other[place])
    else:
        outer[key] = copy.deepcopy(dice.choice(LIES))
    return result


def descend(document: Any, dice: Dice) -> tuple[Any, Any]:
    """(random list or mapping in a document, random index or key of it)."""
    while True:
        keys = list(document) if isinstance(document, dict) else range(len(document))
        key = dice.choice(keys)
        value = document[key]
        if not isinstance(value, dict | list) or not value or dice.random() < 0.2:
            return document, key
        document = value


def with_wild_values(array: np.ndarray, dice: Dice) -> np.ndarray:
    """A copy of an array with some values replaced by extreme values or by its other values."""
    result = array.copy()
    if not result.size:
        return result
    flat = result.reshape(-1)
    lies: list[Any] = [0, 1, flat[dice.randrange(len(flat))]]
    if array.dtype.kind in "iu":
        lies += [np.iinfo(array.dtype).max, np.iinfo(array.dtype).min, min(len(flat), np.iinfo(array.dtype).max)]
    elif array.dtype.kind == "f":
        lies += [np.nan, np.inf, -np.inf, np.finfo(array.dtype).max]
    for _ in range(dice.choice([1, 1, 2, len(flat)])):
        flat[dice.randrange(len(flat))] = dice.choice(lies)
    return result


ARRAY_LIES: tuple[Callable[[np.ndarray, Dice], np.ndarray], ...] = (
    with_wild_values,
    with_wild_values,
    with_wild_values,
    lambda array, dice: array[: dice.randrange(len(array) + 1)],
    lambda array, dice: np.concatenate([array, array]),
    lambda array, dice: array[::-1],
    lambda array, dice: array.reshape(dice.choice([(-1, 1), (1, -1), (-1,)])),
    lambda array, dice: array[:0],
    lambda array, dice: np.array(dice.choice([3, 0, -1, 2**40])),
    lambda array, dice: np.array(dice.choice([3, 0, -1, 2**40])).reshape(1),
    lambda array, dice: array.astype(dice.choice(["U3", "f8", "f2", "i8", "u8", "i1", "?", ">i4", ">f8"])),
    lambda array, dice: np.arange(array.size).reshape(array.shape),
    lambda array, dice: np.zeros((dice.choice([0, 1, 10**4]), dice.choice([0, 1, 100])), array.dtype),
)


def mutated_arrays(arrays: dict[str, np.ndarray], dice: Dice) -> dict[str, np.ndarray]:
    """The arrays with one array changed, deleted or replaced by another."""
    name = dice.choice(list(arrays))
    if dice.random() < 0.05:
        return {other: array for other, array in arrays.items() if other != name}
    if dice.random() < 0.1:
        return {**arrays, name: arrays[dice.choice(list(arrays))]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {**arrays, name: dice.choice(ARRAY_LIES)(np.atleast_1d(arrays[name]), dice)}


def refused(path: str, sentences: list[Sentence]) -> bool:
    """Load a model, describe it and parse with it. Return whether this raises CrossarcError.

    Raises AssertionError if the message has several lines, is too long, or reports a lack of memory.
    """
    try:
        model = load_model(path)
        model.to_text()
        json.dumps(model.to_json())
        list(model.parse(sentences))
    except CrossarcError as error:
        message = str(error)
        if "\n" in message or len(message) > 2000 or "needs more memory" in message:
            raise AssertionError(f"refused in {message[:2000]!r}") from error
        return True
    return False


def too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} CPU seconds")


def run(folder: Path, cases: int, seed: int, models: list[str]) -> dict[str, Any]:
    """Try mutations of models. Return counts and failures; the model of each failure is stored in the folder.

    cases: number of mutations of each model.
    """
    sentences = list(read_sentences(str(folder / "sentences.conllu")))
    path, dice = str(folder / "mutated.model"), random.Random(seed)
    counts = {"cases": 0, "refused": 0}
    failures: list[str] = []
    for name in models:
        metadata, arrays = read_archive(name)
        del metadata["arrays"]
        for _ in range(cases):
            values, own = metadata, arrays
            for _ in range(dice.choice([1, 1, 1, 2, 3])):
                if dice.random() < 0.5:
                    values = mutated_values(values, dice)
                else:
                    own = mutated_arrays(own, dice)
            try:
                write_archive(path, {**values, "format": "crossarc parser model", "version": 1}, own)
            except (TypeError, ValueError, OverflowError):
                continue
            counts["cases"] += 1
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                counts["refused"] += refused(path, sentences)
            except Exception:
                kept = folder / f"failure-{len(failures)}.model"
                os.replace(path, kept)
                failures.append(f"{name}, kept as {kept}: {traceback.format_exc()}")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if len(failures) > 20:
                return {**counts, "failures": failures}
    return {**counts, "failures": failures}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    working, amount, number, *files = sys.argv[1:]
    print(json.dumps(run(Path(working), int(amount), int(number), files)))
