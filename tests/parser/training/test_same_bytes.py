"""The same config and data give the same model, byte for byte."""

import crossarc
import pytest
from command_line import TEMPLATES, conllu, few, run
from crossarc.parser.learners.registry import make_learner
from crossarc.parser.models.files import model_bytes
from crossarc.parser.training import stage
from installed import needs

SYSTEMS = ["swap", "three-step", "graph", "pseudo-projective", "explored", "beam"]


@pytest.mark.parametrize("system", SYSTEMS)
@needs("further_learners", "graph", "tagging")
def test_training_again_gives_the_same_bytes(system, tmp_path):
    (tmp_path / "few.yaml").write_text(TEMPLATES)
    (tmp_path / "train.conllu").write_text(conllu(1, 28))
    more = ["--set", "graph={epochs: 1, table_bits: 14}"] if system == "graph" else few(tmp_path)
    models = [tmp_path / "one.model", tmp_path / "two.model"]
    for model in models:
        train = ["-q", "train", system, "--train", tmp_path / "train.conllu", "--model", model]
        assert run(*train, "--set", "tags=[upos]", *more) == 0
    assert models[0].read_bytes() == models[1].read_bytes()


@pytest.mark.parametrize("guide", ["{learner: plugin}", "{learner: svm, decide: two-step}"])
@needs("further_learners")
def test_explored_parts_depend_on_the_seed_of_the_guide_alone(guide, tmp_path, monkeypatch):
    (tmp_path / "train.conllu").write_text(conllu(1, 28))
    seeds, divide = [], stage.folds_of
    monkeypatch.setattr(stage, "folds_of", lambda *values: seeds.append(values[-1]) or divide(*values))
    settings = ["explore=1", "features=small", f"guide={guide}"]
    file = {"treebank.train": str(tmp_path / "train.conllu")}
    models = [crossarc.train(crossarc.load_config("arc-hybrid", settings, file)) for _ in range(2)]
    assert model_bytes(models[0]) == model_bytes(models[1])
    crossarc.train(crossarc.load_config("arc-hybrid", [*settings, "guide.seed=5"], file))
    assert seeds == [1, 1, 5]


@needs("further_learners")
def test_the_seed_of_votes_is_that_of_the_first_guide_with_one():
    guides = [{"learner": "knn"}, {"learner": "plugin"}, {"learner": "svm", "seed": 7}, {"learner": "svm", "seed": 8}]
    assert list(stage._seeds(make_learner({"learner": "voting", "guides": guides}))) == [7, 8]


@pytest.mark.parametrize("system", ["swap", "arc-standard", "explored"])
def test_models_of_keys_in_a_file_have_the_same_bytes(system, tmp_path, monkeypatch):
    (tmp_path / "few.yaml").write_text(TEMPLATES)
    (tmp_path / "train.conllu").write_text(conllu(1, 60))
    config = crossarc.load_config(
        system,
        [f"features={tmp_path / 'few.yaml'}", "root.single=auto"],
        {"treebank.train": str(tmp_path / "train.conllu")},
    )
    in_memory, lines = model_bytes(crossarc.train(config)), []
    monkeypatch.setattr(stage, "MANY_KEYS", 1)
    assert model_bytes(crossarc.train(config)) == in_memory
    monkeypatch.setattr(stage, "EXPLORED_WORDS", 100)
    bounded = crossarc.train(config, lines.append)
    assert (model_bytes(bounded) == in_memory) == (config.explore == 0)
    assert sum("off the gold path" in line for line in lines) == config.explore
