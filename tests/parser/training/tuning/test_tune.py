"""Tuning a generated treebank: the search space, successive halving, the command line, and the written files."""

import json
import re
import shutil
import time
from dataclasses import replace
from pathlib import Path

import crossarc.parser.training.tuning.search as search
import numpy as np
import pytest
from command_line import conllu, run
from crossarc import Config, Sentence, TreebankOptions, load_config, load_model
from crossarc.parser.config.own_treebank import profile, profile_of
from crossarc.parser.tokenizer import Tokenizer
from crossarc.parser.training.tuning import Budget, tune as tune_config
from crossarc.parser.training.tuning.search import Search, config_values
from crossarc.parser.training.tuning.space import graph_based, neighbours, recommended
from crossarc.parser.training.tuning.trials import Data, Outcome, Trials
from short_search import shorten

WRITTEN = {"journal.jsonl", "tuned.model", "tuned.yaml"}
FILES = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu"}


def prepare(folder, patch):
    """Write treebanks into the folder, make it the working directory, and shorten the search."""
    patch.chdir(folder)
    Path("train.conllu").write_text(conllu(1, 40), "utf-8")
    Path("dev.conllu").write_text(conllu(41, 15), "utf-8")
    shorten(patch)
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return prepare(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """The folder of a finished search."""
    with pytest.MonkeyPatch.context() as patch:
        folder = prepare(tmp_path_factory.mktemp("searched"), patch)
        assert tune() == 0
    return folder


@pytest.fixture
def finished(searched, tmp_path, monkeypatch):
    """A copy of the folder of a finished search, as the working directory."""
    folder = shutil.copytree(searched, tmp_path / "finished")
    monkeypatch.chdir(folder)
    shorten(monkeypatch)
    return folder


def tune(*more, minutes=2, out="out"):
    files = ["--train", "train.conllu", "--dev", "dev.conllu", "--set", "features=small"]
    return run("tune", "arc-standard", *files, "--minutes", minutes, "--out", out, "-q", *more)


def facts(crossing):
    words = Sentence.from_tokens(["a"], heads=[0], deprels=["root"])
    return replace(profile_of([words], "t"), crossing=crossing)


def test_neighbours_differ_in_one_respect(tmp_path):
    base = load_config("arc-standard")
    assert set(neighbours(base, facts(0.05))) == {
        *("arc-eager", "arc-hybrid", "features full", "features full-inflected", "explored"),
        *("C 0.01", "C 0.018", "C 0.051", "C 0.09", "min_count 1", "min_count 3", "min_count 4"),
    }
    assert {"swap", "pseudo-projective"} <= set(neighbours(base, facts(0.3)))
    assert "covington" in neighbours(base, facts(2.0))
    assert "swap" not in neighbours(load_config("swap"), facts(2.0))
    assert "not explored" in neighbours(load_config("explored"), facts(0))
    assert "explored" not in neighbours(load_config("swap"), facts(0))
    assert {"k 3", "k 9"} <= set(neighbours(load_config("knn"), facts(0)))
    assert not [own for own in neighbours(load_config("beam"), facts(0)) if own.startswith("C ")]
    assert neighbours(load_config("graph"), facts(0)) == {}


def test_neighbours_keep_the_settings_of_the_user(tmp_path):
    features = tmp_path / "own.yaml"
    features.write_text("templates:\n- form(Stack[0])\n")
    settings = ["guide.learner=maxent", "transforms=[reversal, 'pseudo-projective:encoding=path']", "root.single=false"]
    base = load_config("arc-standard", [*settings, f"features={features}", "treebank.faulty=skip"])
    found = neighbours(base, facts(2.0))
    assert all(own.guide["learner"] == "maxent" for own in found.values())
    assert found["pseudo-projective"].transforms == ("reversal", "pseudo-projective:encoding=head")
    assert found["swap"].transforms == ("reversal",)
    assert (found["arc-standard"].features, found["swap"].features) == (str(features), "auto")
    for own in (*found.values(), *recommended(base, facts(2.0)).values(), *graph_based(base).values()):
        assert (own.root.single, own.treebank.faulty) == (False, "skip")


def halving(worth, steps, folder):
    """A search where a config of C gets the first ``worth(C, sentences)`` of 400 words right."""
    sentences = [Sentence.from_tokens(["a"], heads=[0], deprels=["root"]) for _ in range(9)]

    def attempt(splits, config):
        right = np.arange(400) < worth(config.guide["C"], len(splits[0].train))
        return Outcome(right, 400, 0.001)

    trials = Trials(Data(sentences, sentences), folder / "journal", Budget(1e6, lambda: 0.0), run=attempt)
    own = Search(trials, with_c(1), lambda line: None, steps)
    for step in steps:
        trials.attempt([own.best], step, 0)
    return own


def with_c(value):
    return Config(guide={"learner": "svm", "C": value})


def test_the_finalist_that_is_best_on_all_sentences_wins(tmp_path):
    part, whole = {1: 100, 2: 190, 3: 180, 4: 90, 5: 80, 6: 70}, {1: 100, 2: 110, 3: 130, 4: 390, 5: 0, 6: 0}
    (tmp_path / "other").mkdir()
    own = halving(lambda c, n: (whole if n == 9 else part)[c], (3, 1), tmp_path)
    assert own.race({f"C {c}": with_c(c) for c in range(2, 7)})
    assert own.best == with_c(3)  # 4 is best on all sentences, but not among the best third on some of them
    assert [(row.name, row.sentences) for row in own.rows if row.kept] == [("C 3", 9)]
    assert len([row for row in own.rows if row.sentences == 9]) == 2
    assert not halving(lambda c, n: 100 + (c == 2), (1,), tmp_path / "other").race({"C 2": with_c(2)})


def test_training_with_the_written_files_gives_the_model(finished, capsys):
    assert {path.name for path in (finished / "out").iterdir()} == WRITTEN
    model = Path("out/tuned.model").read_bytes()
    assert run("train", "out/tuned.yaml", "-q") == 0
    assert Path("out/tuned.model").read_bytes() == model
    assert '"graph"' not in Path("out/journal.jsonl").read_text("utf-8")  # tried on request only
    capsys.readouterr()
    assert tune() == 0
    said = capsys.readouterr().out
    assert re.match(r"LAS \d+\.\d\d \(UAS \d+\.\d\d\); initial config: \d+\.\d\d \(\d+\.\d\d\)\n0 parsers", said)
    las, dev = said.split()[1], load_model("out/tuned.model").provenance["dev"]["las"]
    assert float(las) == pytest.approx(dev, abs=0.01)
    assert f"LAS {las}" in Path("out/tuned.yaml").read_text("utf-8")


def outcomes(file="out/journal.jsonl"):
    lines = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines() if line.endswith("}")]
    return [{key: value for key, value in own.items() if key != "seconds"} for own in lines]


def test_killed_runs_are_continued(finished, capsys):
    whole, files = outcomes(), {name: (finished / "out" / name).read_bytes() for name in ("tuned.model", "tuned.yaml")}
    lines = Path("out/journal.jsonl").read_text("utf-8").lstrip().splitlines(keepends=True)
    for name in WRITTEN - {"journal.jsonl"}:
        (finished / "out" / name).unlink()
    Path("out/journal.jsonl").write_text("".join(lines[:2]) + lines[2][:50], "utf-8")
    assert tune() == 0
    assert f"{len(lines) - 2} parsers trained, 2 known from before" in capsys.readouterr().out
    assert [own for own in outcomes() if own not in whole] == []
    assert {name: (finished / "out" / name).read_bytes() for name in files} == files


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_jobs_do_not_change_the_result():
    assert tune(out="one") == 0
    assert tune("--jobs", 2, out="two") == 0
    assert outcomes("one/journal.jsonl") == outcomes("two/journal.jsonl")
    assert Path("one/tuned.yaml").read_bytes() == Path("two/tuned.yaml").read_bytes()


@pytest.mark.usefixtures("folder")
def test_folds_need_no_development_data(capsys):
    words = ["tune", "fast", "--train", "train.conllu", "--minutes", 2]
    assert run(*words, "--out", "out", "--folds", 2, "-q") == 0
    assert outcomes()[0]["words"] == profile("train.conllu").words
    assert load_model("out/tuned.model").provenance["train"]["sentences"] == 40
    capsys.readouterr()
    assert run(*words, "--out", "out", "--folds", 41, "-q") == 1
    wrong = "crossarc: --folds 41: the training treebank has only 40 sentences; use fewer folds\n"
    assert capsys.readouterr().err == wrong


@pytest.mark.usefixtures("folder")
def test_results_of_folds_are_checked_on_development_data(monkeypatch):
    words = profile("dev.conllu").words
    config = load_config("arc-standard", ["features=small"], FILES)
    # A trial on folds wins if it is not better, so that one does; the second search takes its trials from the journal.
    for worse in (False, True):
        monkeypatch.setattr(
            search, "better", lambda one, other, worse=worse: worse if len(one.right) == words else one.las <= other.las
        )
        result = tune_config(config, Path("out"), Budget(120), folds=2)
        assert len(result.best_outcome.right) == len(result.start_outcome.right) == words
        assert [row.kept for row in result.rows if row.name.endswith("development data")] == [not worse]
        assert (result.best == result.start) == worse
        las = load_model("out/tuned.model").provenance["dev"]["las"]
        assert las == pytest.approx(result.best_outcome.las, abs=0.01)


@pytest.mark.parametrize(("count", "folds"), [(2, 2), (15, 0)])
@pytest.mark.usefixtures("folder")
def test_folds_decide_if_there_is_little_development_data(count, folds):
    Path("some.conllu").write_text(conllu(41, count), "utf-8")
    data = search._data(Config(treebank=TreebankOptions(train="train.conllu", dev="some.conllu")), 0)
    assert (data.folds, bool(data.dev), len(data.unseen or ())) == (folds, not folds, count if folds else 0)


@pytest.mark.slow
def test_the_time_limit_is_used_and_kept(tmp_path, monkeypatch):
    with pytest.MonkeyPatch.context() as patch:
        prepare(tmp_path, patch)
    monkeypatch.chdir(tmp_path)
    start = time.monotonic()
    assert tune(minutes=0.5) == 0
    assert 12 < time.monotonic() - start < 30
    assert len(outcomes()) > 10


@pytest.mark.usefixtures("folder")
def test_small_training_sets_are_tried_first(monkeypatch):
    monkeypatch.setattr(search, "LEAST_WORDS", 50)
    result = tune_config(load_config("arc-standard", ["features=small"], FILES), Path("out"), Budget(120))
    assert {row.sentences for row in result.rows} >= {14, 40}
    assert all(row.sentences == 40 for row in result.rows if row.kept)


@pytest.mark.usefixtures("folder")
def test_tuned_models_of_raw_text_learn_one_tokenizer(monkeypatch):
    fitted = []
    other = {"learner": "svm", "C": 0.3}
    monkeypatch.setattr(search, "neighbours", lambda config, facts: {"C 0.3": replace(config, guide=other)})
    fit = Tokenizer._fit
    monkeypatch.setattr(Tokenizer, "_fit", lambda gold: fitted.append(gold) or fit(gold))
    assert tune("--set", "input=text") == 0
    assert len(fitted) == 1
    model = load_model("out/tuned.model")
    assert model.tokenizer is not None
    assert model.config["input"] == "text"


@pytest.mark.usefixtures("folder")
def test_a_graph_based_parser_can_be_the_result(monkeypatch):
    Path("graph.yaml").write_text("system: graph\ngraph: {table_bits: 14, epochs: 1}\n", "utf-8")
    monkeypatch.setattr("crossarc.parser.training.tuning.space.GRAPH", "graph.yaml")
    monkeypatch.setattr(search, "neighbours", lambda config, facts: {})
    monkeypatch.setattr(search, "better", lambda one, other: True)
    assert tune("--graph", minutes=1000) == 0
    model = Path("out/tuned.model").read_bytes()
    assert load_model("out/tuned.model").kind == "graph"
    assert run("train", "out/tuned.yaml", "-q") == 0
    assert Path("out/tuned.model").read_bytes() == model


def test_tune_warns_of_test_sets(finished, capsys):
    (finished / "dev.conllu").rename(finished / "own-test.conllu")
    assert tune("--dev", "own-test.conllu") == 0
    assert capsys.readouterr().err.startswith("crossarc: warning: own-test.conllu is named like a test set; ")


def test_written_configs_omit_sections_with_default_values(tmp_path):
    settings = ["guide.C=0.2", "explore=1", "root.single=false", "treebank.faulty=skip"]
    files = {"treebank.train": str(tmp_path / "data" / "a.conllu"), "features": str(tmp_path / "f.yaml")}
    assert config_values(load_config("arc-eager", settings, files), tmp_path / "out") == {
        "system": "arc-eager",
        "features": "../f.yaml",
        "guide": {"learner": "svm", "C": 0.2},
        "root": {"single": False, "label": "auto"},
        "explore": 1,
        "treebank": {"train": "../data/a.conllu", "format": "auto", "columns": "gold", "faulty": "skip"},
        "model": "tuned.model",
    }
