"""Saved models: round trips of all systems and of the three-step parser, and metadata."""

import pytest
from crossarc.parser.models.files import load_model, read_archive, save_model
from crossarc.transitions.registry import SYSTEMS


@pytest.mark.parametrize("system", [*SYSTEMS, "three-step"])
def test_loaded_models_equal_saved_models(trained, system, sentences, tmp_path):
    model = trained(system)
    first, second = tmp_path / "first", tmp_path / "second"
    save_model(model, str(first))
    loaded = load_model(str(first))
    save_model(loaded, str(second))
    assert second.read_bytes() == first.read_bytes()
    assert list(loaded.parse(sentences)) == list(model.parse(sentences))
    assert (loaded.labels, loaded.tables, loaded.config) == (model.labels, model.tables, model.config)
    assert loaded.provenance == model.provenance


def test_metadata_describes_the_treebank_without_its_path(trained, sentences, small_treebank, tmp_path):
    save_model(trained("swap"), str(tmp_path / "m"))
    metadata, arrays = read_archive(str(tmp_path / "m"))
    assert metadata["provenance"]["train"].keys() == {"sha256", "sentences", "words", "sample"}
    assert metadata["provenance"]["train"]["sentences"] == len(sentences)
    assert metadata["provenance"]["train"]["words"] == sum(map(len, sentences))
    assert metadata["config"]["system"] == "swap"
    assert str(small_treebank.parent) not in str(metadata)
    assert all(array.dtype != object for array in arrays.values())
