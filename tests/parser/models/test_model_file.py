"""Models on disk: round trip, equal bytes for equal training, and metadata that lies."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.errors import CrossarcError
from crossarc.parser.models.archive import read_archive, write_archive
from crossarc.parser.models.files import load_model, save_model
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.training.train import train
from crossarc.parser.treebank import read_treebank
from crossarc.transitions.registry import SYSTEMS

Trained = Callable[[str], TransitionModel]
LIES = (None, True, -1, 0, 1, 7, 10**12, 10**30, 0.5, "", "x", "arc-eager", [], [0], [[0, 0, 0]], {}, {"a": 1})


def parsed(model: TransitionModel, path: Path) -> list[tuple[tuple[str, ...], ...]]:
    return [sentence.columns for sentence in model.parse(read_treebank(str(path)).sentences)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_model_comes_back(trained: Trained, system: str, small_treebank: Path, tmp_path: Path) -> None:
    model = trained(system)
    first, second = tmp_path / "first", tmp_path / "second"
    save_model(model, str(first))
    loaded = load_model(str(first))
    save_model(loaded, str(second))
    assert second.read_bytes() == first.read_bytes()
    assert parsed(loaded, small_treebank) == parsed(model, small_treebank)
    assert (loaded.labels, loaded.tables, loaded.config) == (model.labels, model.tables, model.config)
    assert loaded.provenance == model.provenance


def test_equal_training_gives_equal_files(small_treebank: Path, tmp_path: Path) -> None:
    config = Config(
        system="swap",
        transforms=("pseudo-projective:encoding=head",),
        features="small",
        treebank=TreebankOptions(train=str(small_treebank)),
    )
    for name in ("first", "second"):
        save_model(train(replace(config, model=str(tmp_path / name))), str(tmp_path / name))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_the_file_says_where_it_comes_from_and_not_where_it_was(
    trained: Trained, small_treebank: Path, tmp_path: Path
) -> None:
    save_model(trained("swap"), str(tmp_path / "m"))
    metadata, arrays = read_archive(str(tmp_path / "m"))
    assert metadata["provenance"]["train"].keys() == {"sha256", "sentences", "words"}
    assert (metadata["provenance"]["train"]["sentences"], metadata["provenance"]["train"]["words"]) == (40, 501)
    assert metadata["config"]["system"] == "swap"
    assert str(small_treebank.parent) not in str(metadata)
    assert all(array.dtype != object for array in arrays.values())


def loads_and_parses_or_is_refused(path: Path, text: Path) -> bool:
    """Whether the model was refused; anything but a CrossarcError in one line fails."""
    try:
        parsed(load_model(str(path)), text)
    except CrossarcError as error:
        refusal = str(error)
    else:
        return False
    assert refusal.startswith((f"{path}: damaged model: ", f"{path}: needs a "))
    assert "\n" not in refusal
    return True


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a JSON document; of long lists only to the first entry."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for number in range(min(len(value), 1)):
            yield from places(value[number], (*path, number))


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    result = copy.deepcopy(document)
    inner: Any = result
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return result


def without(document: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    result = copy.deepcopy(document)
    inner: Any = result
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return result


def test_metadata_that_lies_is_refused_or_harmless(trained: Trained, small_treebank: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "m", tmp_path / "one.conllu"
    text.write_text(small_treebank.read_text("utf-8").split("\n\n")[0] + "\n\n", "utf-8")
    save_model(trained("swap"), str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    needed = ["config", "columns", "labels", "transforms", "stages"]
    dice = random.Random(1)
    for way in places({name: metadata[name] for name in needed}):
        for lie in dice.sample(LIES, 2):
            write_archive(str(path), changed(metadata, way, lie), arrays)
            loads_and_parses_or_is_refused(path, text)
    for way in (("labels",), ("columns",), ("stages", 0, "guide", "state", "slots"), ("stages", 0, "fallback")):
        write_archive(str(path), without(metadata, way), arrays)
        assert loads_and_parses_or_is_refused(path, text)


@pytest.mark.parametrize(
    ("way", "lie"),
    [
        (("labels",), ["one"]),
        (("labels", 0), 5),
        (("config", "batch_size"), 0),
        (("stages", 0, "fallback"), [0, 10**6]),
        (("stages", 0, "features", 0), "form(Stack[0]"),
        (("stages", 0, "features"), ["form(Stack[0])"]),
        (("stages", 0, "guide", "state", "n_classes"), 10**12),
        (("stages", 0, "guide", "state", "n_classes"), 1),
        (("stages", 0, "guide", "state", "slots", 0, 1), 10**9),
        (("columns", "form", "single"), ["a"]),
        (("columns", "upos"), {"set": {"atoms": ["NOUN"], "size": 10**9}}),
        (("stages",), []),
    ],
)
def test_a_lie_about_sizes_is_refused(trained: Trained, tmp_path: Path, way: tuple[Any, ...], lie: object) -> None:
    path = tmp_path / "m"
    save_model(trained("swap"), str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    write_archive(str(path), changed(metadata, way, lie), arrays)
    with pytest.raises(CrossarcError, match=r"\A.+: damaged model: .+\Z"):
        load_model(str(path))


@pytest.mark.parametrize(
    ("way", "name", "reason"),
    [
        (("stages", 0, "system"), "swop", "transition system that is not registered: 'swop' (did you mean 'swap'?)"),
        (("stages", 0, "guide", "name"), "forest", "learner that is not registered: 'forest'"),
    ],
)
def test_a_model_of_something_that_is_not_registered_says_of_what(
    trained: Trained, tmp_path: Path, way: tuple[Any, ...], name: str, reason: str
) -> None:
    path = tmp_path / "m"
    save_model(trained("swap"), str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    write_archive(str(path), changed(metadata, way, name), arrays)
    with pytest.raises(CrossarcError, match=rf"\A{re.escape(f'{path}: needs a {reason}; allowed: ')}.+\Z"):
        load_model(str(path))


def test_models_that_carry_an_old_key_still_load(trained: Trained, small_treebank: Path, tmp_path: Path) -> None:
    path = tmp_path / "m"
    save_model(trained("swap"), str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    metadata["config"]["sentences"] = metadata["config"].pop("batch_size")
    write_archive(str(path), metadata, arrays)
    model = load_model(str(path))
    assert "batch_size" not in model.config
    assert parsed(model, small_treebank) == parsed(trained("swap"), small_treebank)


def lies_about(array: np.ndarray) -> list[np.ndarray]:
    most = np.iinfo(array.dtype).max
    return [
        array[:-1],
        np.full_like(array, most),
        np.full_like(array, np.iinfo(array.dtype).min),
        array.astype(str),
        np.array(3),
    ]


def test_arrays_that_lie_are_refused_or_harmless(trained: Trained, small_treebank: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "m", tmp_path / "one.conllu"
    text.write_text(small_treebank.read_text("utf-8").split("\n\n")[0] + "\n\n", "utf-8")
    save_model(trained("swap"), str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    refused = 0
    for name, array in arrays.items():
        write_archive(str(path), metadata, {key: value for key, value in arrays.items() if key != name})
        assert loads_and_parses_or_is_refused(path, text), name
        for lie in lies_about(array):
            write_archive(str(path), metadata, {**arrays, name: lie})
            refused += loads_and_parses_or_is_refused(path, text)
    assert refused > 2 * len(arrays)
