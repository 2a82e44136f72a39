"""Own learners: classes that users register train, parse, are saved, and are named where they are missing."""

import re
from importlib.metadata import EntryPoint

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

pytestmark = pytest.mark.usefixtures("no_other_parts")


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

    name = "own-svm"


def trained(sentences, *settings):
    return crossarc.train(crossarc.load_config("arc-standard", ["features=small", *settings]), sentences=sentences)


def trees(model, sentences):
    return [sentence.heads() for sentence in model.parse(sentences)]


@pytest.mark.parametrize(
    "settings", [[], ["guide.decide=two-step"], ["guide.split=merge(xpos(Stack[1]), xpos(Stack[0]))"]]
)
def test_own_classes_train_parse_and_are_saved(settings, sentences, tmp_path):
    crossarc.register_learner(Nearest)
    model = trained(sentences, "guide.learner=nearest", *settings)
    found = trees(model, sentences)
    assert np.mean([own == one.heads() for own, one in zip(found, sentences, strict=True)]) > 0.4
    crossarc.save_model(model, tmp_path / "own.model")
    assert trees(crossarc.load_model(tmp_path / "own.model"), sentences) == found


def test_arguments_of_own_classes_are_keys_of_the_guide(sentences):
    crossarc.register_learner(Nearest)
    reverse = trained(sentences, "guide.learner=nearest", "guide.reverse=true")
    assert trees(reverse, sentences) != trees(trained(sentences, "guide.learner=nearest"), sentences)
    with pytest.raises(CrossarcError, match=r"guide\.parameters: found 'revers' \(did you mean 'reverse'\?\)"):
        trained(sentences, "guide.learner=nearest", "guide.revers=true")


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
    made = [vars(make_learner(guide)._made()) for guide in guides]
    assert [node.get("seed", node.get("random_state")) for node in made] == [5, 3, 0, 3]


def test_own_subclasses_of_learner_are_used_with_compiled_code(sentences, tmp_path):
    crossarc.register_learner(OwnSVM)
    model = trained(sentences, "guide.learner=own-svm", "guide.C=0.05")
    assert trees(model, sentences) == trees(trained(sentences, "guide.C=0.05"), sentences)
    crossarc.save_model(model, tmp_path / "own.model")
    assert isinstance(crossarc.load_model(tmp_path / "own.model").stages[0].learner, OwnSVM)


@pytest.mark.parametrize("kind", [Nearest, OwnSVM])
def test_models_name_a_learner_that_is_not_registered(kind, sentences, tmp_path, monkeypatch):
    crossarc.register_learner(kind)
    crossarc.save_model(trained(sentences, f"guide.learner={kind.name}"), tmp_path / "own.model")
    monkeypatch.setattr(plugins, "_PARTS", {group: {} for group in plugins.GROUPS})
    with pytest.raises(CrossarcError, match=f"not registered: '?{kind.name}.*; register .* --plugin FILE.py$"):
        crossarc.load_model(tmp_path / "own.model")


def test_entry_points_of_installed_packages_register_learners(sentences, monkeypatch):
    entries = [EntryPoint("nearest", f"{__name__}:Nearest", "crossarc.learners")]
    monkeypatch.setattr(plugins.metadata, "entry_points", lambda group: entries if group == "crossarc.learners" else [])
    assert trees(trained(sentences, "guide.learner=nearest"), sentences)


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
