"""Models on disk: round trip, equal bytes for equal training, and metadata that lies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.models.archive import read_archive, write_archive
from crossarc.parser.models.files import KINDS, load_model, save_model
from crossarc.parser.models.model import Content
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.training.train import train
from crossarc.parser.treebank import read_treebank
from crossarc.transitions.registry import SYSTEMS

Trained = Callable[[str], TransitionModel]


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


def write_changed(model: TransitionModel, path: Path, way: tuple[Any, ...], value: object) -> None:
    """The file of a model with one value of its metadata changed."""
    save_model(model, str(path))
    metadata, arrays = read_archive(str(path))
    del metadata["arrays"]
    inner: Any = metadata
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    write_archive(str(path), metadata, arrays)


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
    write_changed(trained("swap"), path, way, name)
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


@pytest.mark.parametrize(
    ("way", "lie", "reason"),
    [
        (
            ("stages", 0, "fallback"),
            None,
            "stages[0].fallback: found None; expected a list of 2, each a whole number from 0 to 2147483647",
        ),
        (("labels", 0), 5, "labels[0]: found 5; expected text without tabs and ends of lines"),
        (("labels", 0), "a\tb", "labels[0]: found 'a\\tb'; expected text without tabs and ends of lines"),
        (("config",), [], "config: found a list of 0; expected a mapping with system, oracle, features, guide"),
        (("config", "batch_size"), "x", "config.batch_size: found 'x'; expected a whole number from 1 to 2147483647"),
        (
            ("config", "search"),
            {"beam": 2**31 - 1},
            "config.search.beam: found 2147483647; expected a whole number from 1 to 1000",
        ),
        (("provenance", "train"), 3, "provenance.train: found 3; expected a mapping with sha256, sentences, words"),
        (("provenance", "numpy"), None, "provenance.numpy: found None; expected text"),
        (("stages", 0, "guide", "state", "C"), -1, "stages[0].guide.C: found -1; expected a number above 0"),
        (
            ("stages", 0, "guide", "state", "scale"),
            "x",
            "stages[0].guide.scale: found 'x'; expected a number, 0 or more",
        ),
        (("columns", "form"), {}, "columns.form: found no table, or several; expected one of single, set, piece"),
        (("columns", "form", "single"), ["a", "a"], "columns.form: a value occurs twice"),
        (
            ("columns", "form"),
            {"piece": {"key": "1"}},
            "columns.form.piece.values: found none; expected a list, each text",
        ),
        (
            ("stages", 0, "features"),
            ["form(Stack[0], 1)"],
            "stages[0].features: model: templates look at 'form/1'; allowed: feats, form, lemma, morph, upos, xpos",
        ),
        (
            ("stages", 0, "features"),
            ["form(Left[0])"],
            "stages[0].features: model: template 'form(Left[0])': unknown source 'Left'; "
            "allowed: Stack, Input, Lookahead, Swapped",
        ),
    ],
)
def test_what_breaks_a_declared_shape_is_told_with_its_place(
    trained: Trained, tmp_path: Path, way: tuple[Any, ...], lie: object, reason: str
) -> None:
    path = tmp_path / "m"
    write_changed(trained("swap"), path, way, lie)
    with pytest.raises(CrossarcError) as caught:
        load_model(path)
    assert str(caught.value) == f"{path}: damaged model: {reason}"


OLD = Path(__file__).parents[2] / "data" / "models" / "version-1"


@pytest.mark.parametrize(
    ("model", "name", "change", "reason"),
    [
        (
            "maxent",
            "classes",
            lambda array: array.reshape(-1, 1),
            "classes: found int32 of shape (40 x 1), 0 to 39; expected whole numbers of shape (seen), ",
        ),
        (
            "svm",
            "classes",
            lambda array: array + 60,
            "classes: found uint16 of shape (4190), 60 to 100; expected whole numbers of shape (weights), from 0, b",
        ),
        (
            "knn",
            "0.codes",
            lambda array: array + 10**9,
            "0.codes: found int32 of shape (15), 1000000000 to 1000000011; expected ",
        ),
        ("knn", "counts.indices", lambda array: array - 9, "counts.indices: found int32 of shape ("),
        ("svm-poly", "0.starts", lambda array: array[::-1], "0.starts: found none from 0 to "),
        (
            "svm-poly",
            "0.duals.data",
            lambda array: np.full_like(array, np.inf),
            "0.duals.data: found numbers that are not finite or too ",
        ),
        ("svm-poly-expanded", "ends", lambda array: array * 2, "ends: found other pairs; expected so many"),
    ],
)
def test_arrays_that_break_a_declared_shape_are_told(
    tmp_path: Path, model: str, name: str, change: Callable[[np.ndarray], np.ndarray], reason: str
) -> None:
    metadata, arrays = read_archive(str(OLD / f"{model}.model"))
    del metadata["arrays"]
    key = f"stage0/guide/{name}"
    write_archive(str(tmp_path / "m"), metadata, {**arrays, key: change(arrays[key])})
    with pytest.raises(CrossarcError) as caught:
        load_model(tmp_path / "m")
    assert str(caught.value).startswith(f"{tmp_path / 'm'}: damaged model: stages[0].guide: array {reason}")


def test_a_vote_of_a_learner_that_is_not_registered_says_of_which(tmp_path: Path) -> None:
    metadata, arrays = read_archive(str(OLD / "voting.model"))
    del metadata["arrays"]
    metadata["stages"][0]["guide"]["state"]["guides"][1]["guide"] = "forest"
    write_archive(str(tmp_path / "m"), metadata, arrays)
    with pytest.raises(CrossarcError) as caught:
        load_model(tmp_path / "m")
    start = f"{tmp_path / 'm'}: needs a learner that is not registered: 'forest'; allowed: svm, "
    assert str(caught.value).startswith(start)


@pytest.mark.parametrize("mistake", [TypeError, AttributeError, KeyError, IndexError, ValueError, RecursionError])
def test_mistakes_of_our_own_are_no_damage(mistake: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise mistake("ours")

    monkeypatch.setattr(LinearSVM, "from_state", wrong)
    with pytest.raises(mistake, match="ours"):
        load_model(OLD / "svm.model")


@pytest.mark.parametrize("name", sorted({path.stem for path in OLD.glob("*.model")} - {"plugin"}))
def test_every_array_of_a_learner_is_declared(name: str) -> None:
    """What no shape is declared of nobody would check: such arrays, left out of the file, are not even missed."""
    metadata, arrays = read_archive(str(OLD / f"{name}.model"))
    for missing in arrays:
        parts = {other: array for other, array in arrays.items() if other != missing}
        with pytest.raises(CrossarcError, match="found none"):
            KINDS[metadata.get("kind", "transitions")].from_content(Content(metadata, parts))
