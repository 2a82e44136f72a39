"""Damaged models: errors name the place of values and arrays that violate their declared shapes.

``tests/parser/base/test_shapes.py`` tests the checks themselves, ``test_mutated_models.py`` random changes.
"""

import re
import zipfile

import numpy as np
import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.models.files import MODELS, load_model, read_archive, write_archive
from installed import needs
from refusals import refusal

NAMES = ("svm", "maxent", "knn", "svm-poly", "perceptron", "voting", "ridge", "three-step", "graph", "blend")


def content_of(folder, name):
    if not (folder / f"{name}.model").exists():
        pytest.skip("the plugin of the model is not installed")
    metadata, arrays = read_archive(str(folder / f"{name}.model"))
    return {key: value for key, value in metadata.items() if key not in ("format", "version", "arrays")}, arrays


def told(folder, metadata, arrays):
    """The error message for such a model, without the file name."""
    path = str(folder / "m")
    write_archive(path, metadata, arrays)
    return refusal(lambda: load_model(path)).removeprefix(f"{path}: ")


def change(metadata, way, value):
    """Change the value at a place like ``stages.0.system``."""
    *outer, last = [int(key) if key.isdigit() else key for key in way.split(".")]
    for key in outer:
        metadata = metadata[key]
    metadata[last] = value


TEXT = "text without tabs and ends of lines"
SOURCES = "model: template 'form(Left[0])': unknown source 'Left'; allowed: Stack, Input, Lookahead, Swapped"
COLUMNS = "model: templates use unknown column 'form/9'; allowed: feats, form, upos"
ONE = {"by": "equal", "overall": [1], "special": []}
LIST = "expected a list of 1 or more, each"
CHOICE = "a mapping with folds, candidates, chosen, weights, las"


@pytest.mark.parametrize(
    ("model", "way", "lie", "reason"),
    [
        ("svm", "labels.0", "a\tb", f": found 'a\\tb'; expected {TEXT}"),
        ("svm", "config.beam", 1001, ": found 1001; expected a whole number from 1 to 1000"),
        ("svm", "provenance.train", 3, ": found 3; expected a mapping with sha256, sentences, words"),
        ("svm", "stages.0.guide.state.C", -1, ": found -1; expected a number above 0"),
        ("svm", "columns.form", {"values": ["a", "a"]}, ": a value occurs twice"),
        ("svm", "columns.form", {"key": "1"}, ".values: found none; expected a list, each text"),
        ("svm", "stages.0.features", ["form(Stack[0], 9)"], f": {COLUMNS}"),
        ("svm", "stages.0.features", ["form(Left[0])"], f": {SOURCES}"),
        ("blend", "components", [], f": found a list of 0; {LIST} a mapping with name, kind"),
        ("blend", "components.1.name", "one", ": found 'one' twice; expected different names"),
        ("blend", "components.1.kind", "blend", ": found 'blend'; expected transitions, graph"),
        ("blend", "components.1.labels", None, f": found None; {LIST} {TEXT}"),
        ("blend", "weights", ONE, ": found weights of 1 parsers; expected 2, one for each parser of the blend"),
        ("blend", "provenance", {"choice": 3}, f".choice: found 3; expected {CHOICE}"),
    ],
)
@needs("graph")
def test_invalid_values_are_reported_with_their_place(small_models, tmp_path, model, way, lie, reason):
    metadata, arrays = content_of(small_models, model)
    change(metadata, way, lie)
    place = re.sub(r"\.(\d+)", r"[\1]", way).replace(".state", "")
    assert told(tmp_path, metadata, arrays) == f"damaged model: {place}{reason}"


@pytest.mark.parametrize(
    ("model", "name", "lie", "reason"),
    [
        ("svm", "classes", lambda array: array + 60, "found uint16 of shape ("),
        ("knn", "target", lambda array: array - 9, "found int32 of shape ("),
        ("svm-poly", "row_sizes", lambda array: array * 0, "found 0; expected "),
        ("svm-poly", "duals", lambda array: np.full_like(array, np.inf), "found numbers that are not finite"),
    ],
)
@needs("graph")
def test_invalid_arrays_are_reported_with_their_place(small_models, tmp_path, model, name, lie, reason):
    metadata, arrays = content_of(small_models, model)
    key = f"stage0/guide/{name}"
    arrays[key] = lie(arrays[key])
    expected = f"damaged model: stages[0].guide: array {name}: {reason}"
    assert told(tmp_path, metadata, arrays).startswith(expected)


@pytest.mark.parametrize(
    ("model", "way", "name", "reason"),
    [
        ("svm", "stages.0.system", "swop", "transition system that is not registered: 'swop' (did you mean 'swap'?)"),
        ("svm", "stages.0.guide.name", "forest", "learner that is not registered: 'forest'"),
        ("voting", "stages.0.guide.state.guides.1.guide", "forest", "learner that is not registered: 'forest'"),
    ],
)
@needs("graph")
def test_unknown_systems_and_learners_are_named(small_models, tmp_path, model, way, name, reason):
    metadata, arrays = content_of(small_models, model)
    change(metadata, way, name)
    assert told(tmp_path, metadata, arrays).startswith(f"needs a {reason}; allowed: ")


@pytest.mark.parametrize("mistake", [TypeError, AttributeError, KeyError, IndexError, ValueError, RecursionError])
@needs("graph")
def test_bugs_are_not_reported_as_damaged_models(small_models, mistake, monkeypatch):
    def wrong(*_):
        raise mistake("ours")

    monkeypatch.setattr(LinearSVM, "from_state", wrong)
    with pytest.raises(mistake, match="ours"):
        load_model(small_models / "svm.model")


@pytest.mark.parametrize("name", NAMES)
@needs("graph")
def test_every_array_is_required(small_models, name):
    """Arrays without a declared shape would not be checked, and no error would report their absence."""
    metadata, arrays = content_of(small_models, name)
    for missing in arrays:
        parts = {other: array for other, array in arrays.items() if other != missing}
        with pytest.raises(CrossarcError, match="found none"):
            MODELS[metadata["kind"]].from_state(metadata, parts)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (",".join(["[]"] * (1 << 20)), "lists and mappings; expected 1048576 at most"),
        (" " * (1 << 23), "bytes; expected 4194304 at most"),
    ],
    ids=["lists", "size"],
)
def test_metadata_that_would_take_much_memory_are_refused(tmp_path, more, message):
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("metadata.json", f"[{more}]" if "[" in more else f"{{{more}}}")
    with pytest.raises(CrossarcError, match=message):
        load_model(str(path))
