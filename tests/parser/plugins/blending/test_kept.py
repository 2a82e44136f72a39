"""Training that was stopped: finished components are used again, and the model is that of an undisturbed run."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import conllu, run
from crossarc import load_blend_config, train_blend
from crossarc.parser.plugins.blending import training
from installed import needs
from joblib import Parallel, delayed
from watching import Recorder

CHOSEN = "choose: true\nweights: pos\nshared: {features: small}\ncomponents: [arc-standard, arc-eager]\n"
HELD_OUT = "shared: {features: small}\ncomponents: [arc-standard, arc-eager, swap, arc-hybrid]\n"
TRAIN = ["train", "own.yaml", "--train", "train.conllu", "-q", "--model"]


class Stopped(BaseException):
    """Stands for a kill."""


@contextmanager
def counted(most=99):
    """A list of the components that are trained in the block; Stopped is raised instead of more than ``most``."""
    trained = []
    real = training.train

    def train(config, *rest):
        if len(trained) == most:
            raise Stopped
        trained.append(config.system)
        return real(config, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "train", train)
        yield trained


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 20), "utf-8")
    return tmp_path


@pytest.mark.parametrize("text", [CHOSEN, HELD_OUT])
def test_stopped_training_continues_with_the_same_result(here, text):
    Path("own.yaml").write_text(text, "utf-8")
    with counted() as trained:
        assert run(*TRAIN, "whole.model") == 0
    total = len(trained)
    for most in (1, 2):
        with counted(most), pytest.raises(Stopped):
            run(*TRAIN, "own.model")
    parts = sorted((here / "own.model.parts").iterdir())
    assert len(parts) == 3
    parts[0].write_bytes(b"damaged")
    with counted() as trained:
        assert run(*TRAIN, "own.model") == 0
    assert len(trained) == total - 2
    assert Path("own.model").read_bytes() == Path("whole.model").read_bytes()
    assert not (here / "own.model.parts").exists()


@pytest.mark.parametrize(
    "change",
    [
        *("config", "features", "treebank", "tags"),
        pytest.param("decided", marks=needs("annotation")),
        pytest.param("also", marks=needs("several_treebanks")),
    ],
)
def test_components_of_another_config_or_treebank_are_not_used(here, change):
    features = here / "own-features.yaml"
    features.write_text("templates:\n- form(Stack[0])\n- xpos(Stack[0])\n", "utf-8")
    Path("own.yaml").write_text(CHOSEN.replace("small", str(features)), "utf-8")
    files = {"treebank.train": "train.conllu"}
    Path("also.conllu").write_text(conllu(40, 4), "utf-8")
    if change == "also":
        files["also"] = ["also.conllu"]
    if change == "decided":
        whole = conllu(1, 30).replace("\t_\n", "\tKeep=Yes\n").replace("=No\n", "=No|Keep=Yes\n")
        Path("train.conllu").write_text(whole + conllu(31, 6).replace("\t_\n", "\tKeep=Yes\n", 5), "utf-8")
    train_blend(load_blend_config("own.yaml", (), files), keep=here / "parts")
    if change == "treebank":
        Path("train.conllu").write_text(conllu(2, 20), "utf-8")
    elif change in ("tags", "also"):
        file = Path("train.conllu" if change == "tags" else "also.conllu")
        file.write_text(file.read_text("utf-8").replace("NOUN", "N"), "utf-8")
    elif change == "features":
        features.write_text("templates:\n- form(Stack[0])\n- xpos(Stack[1])\n", "utf-8")
    settings = {"config": ["guide.C=0.5"], "decided": ["treebank.decided=heads"]}.get(change, [])
    with counted() as trained:
        train_blend(load_blend_config("own.yaml", settings, files), keep=here / "parts")
    assert len(trained) > 4


def test_progress_inside_components_is_reported():
    Path("own.yaml").write_text(CHOSEN, "utf-8")
    watcher = Recorder()
    train_blend(load_blend_config("own.yaml", (), {"treebank.train": "train.conllu"}), watcher)
    tasks = [task.what for task in watcher.tasks]
    assert tasks[0] == "training components"
    for name in ("1 arc-standard", "2 arc-eager"):
        assert any(task.startswith(f"{name}: deriving") for task in tasks)
        assert any(task.startswith(f"{name}: training svm") for task in tasks)


def test_components_that_train_in_parallel_give_the_same_model(here, tmp_path_factory, monkeypatch):
    """Also if joblib's workers started in another folder."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    Parallel(n_jobs=2)(delayed(len)("") for _ in range(2))
    monkeypatch.chdir(here)
    Path("own.yaml").write_text(HELD_OUT, "utf-8")
    assert run(*TRAIN, "one.model") == run(*TRAIN, "two.model", "--jobs", 2) == 0
    assert Path("one.model").read_bytes() == Path("two.model").read_bytes()
