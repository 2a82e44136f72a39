"""Own learners: classes that users register train, parse, are saved, and are named where they are missing."""

import re
from importlib.metadata import EntryPoint
from typing import ClassVar

import crossarc
import numpy as np
import pytest
from command_line import run
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners.learner import Learner
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.learners.registry import make_learner
from crossarc.transitions import plugins
from sklearn.ensemble import RandomForestClassifier


@pytest.fixture(autouse=True)
def no_other_parts(monkeypatch):
    monkeypatch.setattr(plugins, "_PARTS", {group: {} for group in plugins.GROUPS})
    monkeypatch.setattr(plugins, "_LOADED", set())
    monkeypatch.setenv(plugins.VARIABLE, "")


class Nearest:
    """The class of the stored instance with most features in common."""

    name = "nearest"

    def __init__(self, reverse=False):
        self.reverse = reverse

    def fit(self, X, y):
        self.X, self.y = X, y
        return self

    def predict(self, X):
        shared = (X @ self.X.T).toarray() * (-1 if self.reverse else 1)
        return self.y[shared.argmax(axis=1)]


class OwnSVM(LinearSVM):
    """A learner of crossarc with another default."""

    name: ClassVar[str] = "own-svm"
    section: ClassVar[dict[str, str]] = {"learner": "own-svm"}


def trained(treebank, *settings):
    config = crossarc.load_config("arc-standard", ["features=small", *settings], {"treebank.train": str(treebank)})
    return crossarc.train(config)


def trees(model, treebank):
    return [own.heads() for own in model.parse(crossarc.read_sentences(str(treebank)))]


@pytest.mark.parametrize("settings", [[], ["guide.decide=two-step"], ["guide.split=feats(Stack[0])"]])
def test_own_classes_train_parse_and_are_saved(settings, small_treebank, tmp_path):
    crossarc.register_learner(Nearest)
    model = trained(small_treebank, "guide.learner=nearest", *settings)
    found = trees(model, small_treebank)
    gold = [own.heads() for own in crossarc.read_sentences(str(small_treebank))]
    assert np.mean([a == b for a, b in zip(found, gold, strict=True)]) > 0.4
    crossarc.save_model(model, tmp_path / "own.model")
    assert trees(crossarc.load_model(tmp_path / "own.model"), small_treebank) == found


def test_arguments_of_own_classes_are_keys_of_the_guide(small_treebank):
    crossarc.register_learner(Nearest)
    reverse = trained(small_treebank, "guide.learner=nearest", "guide.reverse=true")
    assert trees(reverse, small_treebank) != trees(trained(small_treebank, "guide.learner=nearest"), small_treebank)
    with pytest.raises(CrossarcError, match=r"guide\.parameters: found 'revers' \(did you mean 'reverse'\?\)"):
        trained(small_treebank, "guide.learner=nearest", "guide.revers=true")


def test_seeds_reach_own_classes():
    @crossarc.register_learner
    class Seeded(Nearest):
        name = "seeded"

        def __init__(self, seed=5):
            self.seed = seed

    @crossarc.register_learner
    class Forest(RandomForestClassifier):
        name = "forest"

    guides = [{"learner": name, **own} for name in ("seeded", "forest") for own in ({}, {"seed": 3})]
    made = [vars(make_learner(own)._made()) for own in guides]
    assert [own.get("seed", own.get("random_state")) for own in made] == [5, 3, 0, 3]


def test_own_subclasses_of_learner_are_used_with_compiled_code(small_treebank, tmp_path):
    crossarc.register_learner(OwnSVM)
    model = trained(small_treebank, "guide.learner=own-svm", "guide.C=0.05")
    assert trees(model, small_treebank) == trees(trained(small_treebank, "guide.C=0.05"), small_treebank)
    crossarc.save_model(model, tmp_path / "own.model")
    assert isinstance(crossarc.load_model(tmp_path / "own.model").stages[0].learner, OwnSVM)


@pytest.mark.parametrize("kind", [Nearest, OwnSVM])
def test_models_name_a_learner_that_is_not_registered(kind, small_treebank, tmp_path, monkeypatch):
    crossarc.register_learner(kind)
    crossarc.save_model(trained(small_treebank, f"guide.learner={kind.name}"), tmp_path / "own.model")
    monkeypatch.setattr(plugins, "_PARTS", {group: {} for group in plugins.GROUPS})
    with pytest.raises(CrossarcError, match=f"not registered: '?{kind.name}.*; register .* --plugin FILE.py$"):
        crossarc.load_model(tmp_path / "own.model")


def test_entry_points_of_installed_packages_register_learners(small_treebank, monkeypatch):
    entries = [EntryPoint("nearest", f"{__name__}:Nearest", "crossarc.learners")]
    monkeypatch.setattr(plugins.metadata, "entry_points", lambda group: entries if group == "crossarc.learners" else [])
    assert trees(trained(small_treebank, "guide.learner=nearest"), small_treebank)


def test_files_of_the_option_plugin_register_learners_and_features(small_treebank, tmp_path, capsys):
    (tmp_path / "own_parts_of_a_user.py").write_text(
        "import crossarc\nfrom sklearn.dummy import DummyClassifier\n"
        "@crossarc.register_learner\nclass Guess(DummyClassifier):\n    name = 'guess'\n"
        "@crossarc.register_feature\ndef initial(value):\n    return value[0]\n",
        "utf-8",
    )
    (tmp_path / "f.yaml").write_text("templates:\n- initial(form(Stack[0]))\n", "utf-8")
    settings = ["--set", "guide.learner=guess", "--set", f"features={tmp_path / 'f.yaml'}", "-q"]
    plugin = ["--plugin", str(tmp_path / "own_parts_of_a_user.py")]
    model = str(tmp_path / "m")
    assert run("train", "arc-standard", "--train", str(small_treebank), "--model", model, *settings, *plugin) == 0
    assert run("parse", model, str(small_treebank), "-o", str(tmp_path / "out"), "-q", *plugin) == 0
    assert run("list", "learners", "guess", *plugin) == run("list", "features", *plugin) == 0
    listed = capsys.readouterr().out
    assert "guess: own class Guess; parameters: arguments of its constructor" in listed
    assert re.search(r"functions .*\binitial\b", listed, re.S)


def test_unknown_learners_are_answered_with_own_names():
    crossarc.register_learner(Nearest)
    with pytest.raises(CrossarcError, match=r"found 'nearst' \(did you mean 'nearest'\?\)"):
        make_learner({"learner": "nearst"})


def test_invalid_learners_are_refused():
    with pytest.raises(ValueError, match="Learner: a learner needs a class attribute name, and methods fit and"):
        crossarc.register_learner(Learner)
    with pytest.raises(ValueError, match="Dumb: a learner needs"):
        crossarc.register_learner(type("Dumb", (), {"name": "dumb", "fit": None}))
    with pytest.raises(ValueError, match="svm is an installed learner; choose another name"):
        crossarc.register_learner(type("Taken", (Nearest,), {"name": "svm"}))
