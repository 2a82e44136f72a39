"""A small generated treebank, parsers trained on it, and folders for the command line to work in."""

import shutil
from functools import cache

import pytest
from browser import Browser, chromium
from command_line import CYCLE, TEMPLATES, conllu, contents, few, run, without_trees
from crossarc import TreebankOptions, read_treebank, train
from crossarc.parser.config.config import config_type
from crossarc.parser.config.ready import ready_features


@pytest.fixture(scope="session")
def small_treebank(tmp_path_factory):
    """40 sentences of 500 words, half of them not projective."""
    path = tmp_path_factory.mktemp("treebank") / "small.conllu"
    path.write_text(conllu(1, 40, rate=0.5), "utf-8")
    return path


@pytest.fixture(scope="session")
def sentences(small_treebank):
    """The sentences of the small treebank."""
    return read_treebank(small_treebank).sentences


@pytest.fixture(scope="session")
def trained(small_treebank):
    """The parser of a system with its small feature model, if it has one, trained once."""

    @cache
    def model(system):
        features = "small" if "small" in ready_features().get(system, ["small"]) else "rich"
        return train(
            config_type(system)(system=system, features=features, treebank=TreebankOptions(train=str(small_treebank)))
        )

    return model


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """A folder with treebanks, a feature model and a trained model."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "train.conllu").write_text(conllu(1, 60), encoding="utf-8")
    (folder / "test.conllu").write_text(conllu(61, 12), encoding="utf-8")
    (folder / "few.yaml").write_text(TEMPLATES, encoding="utf-8")
    assert run("train", "swap", "--train", folder / "train.conllu", "--model", folder / "m", *few(folder)) == 0
    return folder


@pytest.fixture
def here(shelf, tmp_path, monkeypatch):
    """The working folder, with copies of the shelf's files."""
    folder = tmp_path / "here"
    shutil.copytree(shelf, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def untouched(here):
    """As ``here``, and afterwards its files must be the same."""
    (here / "prose.txt").write_text("It is a truth universally acknowledged\n", encoding="utf-8")
    (here / "empty.conllu").touch()
    whole = (here / "test.conllu").read_text("utf-8")
    (here / "cut.conllu").write_text(whole[: whole.rindex("\t", 0, len(whole) * 2 // 3)], encoding="utf-8")
    (here / "latin.conllu").write_bytes(whole.encode().replace(b"punct", b"p\xf1nct"))
    (here / "cycle.conllu").write_text(whole + CYCLE, encoding="utf-8")
    (here / "round.conllu").write_text(CYCLE, encoding="utf-8")
    (here / "a$b.conllu").write_text(whole, encoding="utf-8")
    (here / "x.conll").write_text("1\ta\t_\tX\tX\t_\t0\troot\t0\troot\n\n", encoding="utf-8")
    (here / "blank.conllu").write_text(without_trees(whole), encoding="utf-8")
    (here / "narrow.plus").write_text("# global.columns = ID FORM HEAD DEPREL\n1\ta\t0\troot\n\n", encoding="utf-8")
    (here / "badcolumn.yaml").write_text("templates:\n- form(Stack[0])\n- colour(Stack[0])\n", encoding="utf-8")
    (here / "typo.yaml").write_text("systm: swap\n", encoding="utf-8")
    before = contents(here)
    yield here
    assert contents(here) == before


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium; tests are skipped if it is not installed."""
    command = chromium()
    if command is None:
        pytest.skip("no Chromium on this machine")
    with Browser(command) as started:
        yield started
