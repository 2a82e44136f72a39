"""The same config and data give the same model, byte for byte."""

import pytest
from command_line import TEMPLATES, conllu, few, run

SYSTEMS = ["swap", "three-step", "graph", "pseudo-projective", "explored", "beam"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_training_again_gives_the_same_bytes(system, tmp_path):
    (tmp_path / "few.yaml").write_text(TEMPLATES)
    (tmp_path / "train.conllu").write_text(conllu(1, 40))
    more = ["--set", "graph={epochs: 1, table_bits: 14}"] if system == "graph" else few(tmp_path)
    models = [tmp_path / "one.model", tmp_path / "two.model"]
    for model in models:
        train = ["-q", "train", system, "--train", tmp_path / "train.conllu", "--model", model]
        assert run(*train, "--set", "tags=[upos]", *more) == 0
    assert models[0].read_bytes() == models[1].read_bytes()
