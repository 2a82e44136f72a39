"""Tuning a generated treebank: the command line, the search, and the written files."""

from __future__ import annotations

import io
import json
import re
import shutil
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import crossarc.parser.training.tuning.phases as tuning
import crossarc.parser.training.tuning.search as search
import crossarc.parser.training.tuning.techniques as techniques
import pytest
from command_line import CYCLE, conllu, run
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.config.loading import load_config
from crossarc.parser.models.files import load_model
from crossarc.parser.training.tuning.budget import Budget, Costs
from crossarc.parser.training.tuning.files import config_values
from crossarc.parser.treebank import read_treebank
from short_search import shorten

WRITTEN = {"features.yaml", "journal.jsonl", "report.html", "report.md", "search.svg", "tuned.model", "tuned.yaml"}


def prepare(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Write treebanks into the folder and make it the working directory."""
    patch.chdir(folder)
    Path("train.conllu").write_text(conllu(1, 40), "utf-8")
    Path("dev.conllu").write_text(conllu(41, 15), "utf-8")
    Path("few.yaml").write_text("templates:\n- form(Stack[0])\n- xpos(Stack[1])\n- xpos(Stack[0])\n", "utf-8")
    return folder


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepare(tmp_path, monkeypatch)


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shorten(monkeypatch)
    return files


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished search, and the output of the search."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        folder = prepare(tmp_path_factory.mktemp("searched"), patch)
        shorten(patch)
        assert tune() == 0
    return folder, said.getvalue()


@pytest.fixture
def finished(searched: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder of a finished search, as the working directory."""
    folder = shutil.copytree(searched[0], tmp_path / "finished")
    monkeypatch.chdir(folder)
    shorten(monkeypatch)
    return Path(folder)


@pytest.fixture
def graph(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search that compares arc-standard with graph-based parsers of 1 and 2 epochs, and accepts every option."""
    monkeypatch.setattr(tuning, "technique_options", lambda *given: [])
    monkeypatch.setattr(tuning, "GRAPH_EPOCHS", (1, 2))
    Path("graph.yaml").write_text("system: graph\ngraph: {table_bits: 14}\n", "utf-8")
    monkeypatch.setattr(techniques, "GRAPH", "graph.yaml")
    monkeypatch.setattr(search, "better", lambda one, other: True)
    return folder


@pytest.mark.parametrize("folds", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("graph")
def test_a_graph_based_parser_can_be_the_result(folds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "better", lambda one, other: False)
    files = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu", "features": "few.yaml"}
    result = tuning.tune(load_config("arc-standard", (), files), Path("out"), 1000, folds=folds, graph=True)
    assert (result.best.config.system, result.best.config.graph.epochs) == ("graph", 2)
    phases = [row.phase for row in result.rows if row.phase != "development data"]
    assert phases == ["start", "graph-based parsing", "parameters"]
    model = Path("out/tuned.model").read_bytes()
    assert load_model("out/tuned.model").kind == "graph"
    assert run("train", "out/tuned.yaml", "-q") == 0
    assert Path("out/tuned.model").read_bytes() == model


def tune(*more: object, minutes: object = 2, out: str = "out") -> int:
    files = ["--train", "train.conllu", "--dev", "dev.conllu", "--set", "features=few.yaml"]
    return run("tune", "arc-standard", *files, "--minutes", minutes, "--out", out, "-q", *more)


def test_training_with_the_written_files_gives_the_model(searched: tuple[Path, str], finished: Path) -> None:
    said = searched[1]
    assert re.match(r"LAS \d+\.\d\d \(UAS \d+\.\d\d\); initial config: \d+\.\d\d \(\d+\.\d\d\)\n", said)
    assert {path.name for path in (finished / "out").iterdir()} == WRITTEN
    model = (finished / "out" / "tuned.model").read_bytes()
    dev = load_model("out/tuned.model").provenance["dev"]["las"]
    assert f"LAS {dev:.2f}" in said
    assert run("train", "out/tuned.yaml", "-q") == 0
    assert (finished / "out" / "tuned.model").read_bytes() == model
    assert "xpos(Lookahead[0])" in Path("out/features.yaml").read_text("utf-8")
    page = Path("out/report.html").read_text("utf-8")
    assert "data:image/svg+xml" in page
    assert "without words" in page
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "system: arc-standard" in Path("out/tuned.yaml").read_text("utf-8")
    assert "graph" not in Path("out/report.md").read_text("utf-8")  # a graph-based parser is tried on request only


def outcomes(file: str = "out/journal.jsonl") -> list[dict[str, object]]:
    return [
        {key: value for key, value in json.loads(line).items() if key != "seconds"}
        for line in Path(file).read_text("utf-8").splitlines()
    ]


def test_killed_runs_are_continued(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = outcomes()
    model = (finished / "out" / "tuned.model").read_bytes()
    lines = Path("out/journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    for name in WRITTEN - {"journal.jsonl"}:
        (finished / "out" / name).unlink()
    Path("out/journal.jsonl").write_text("".join(lines[:4]) + lines[4][:50], "utf-8")
    assert tune() == 0
    assert f"{len(lines) - 4} parsers trained, 4 known from before" in capsys.readouterr().out
    assert [own for own in outcomes_of_whole_lines() if own not in whole] == []
    assert (finished / "out" / "tuned.model").read_bytes() == model
    assert tune() == 0
    assert f"0 parsers trained, {len(lines)} known" in capsys.readouterr().out
    assert (finished / "out" / "tuned.model").read_bytes() == model


def outcomes_of_whole_lines() -> list[dict[str, object]]:
    text = Path("out/journal.jsonl").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.endswith("}")]
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_jobs_do_not_change_the_result() -> None:
    assert tune(out="one") == 0
    assert tune("--jobs", 2, out="two") == 0
    one, two = outcomes("one/journal.jsonl"), outcomes("two/journal.jsonl")
    assert one == two
    assert Path("one/tuned.yaml").read_text("utf-8") == Path("two/tuned.yaml").read_text("utf-8")
    assert Path("one/features.yaml").read_bytes() == Path("two/features.yaml").read_bytes()


@pytest.mark.usefixtures("folder")
def test_folds_need_no_development_data(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "arc-standard", "--train", "train.conllu", "--set", "features=few.yaml", "--minutes", 2]
    assert run(*words, "--out", "out", "--folds", 2, "-q") == 0
    assert "Decided by 2 folds of train.conllu" in Path("out/report.md").read_text("utf-8")
    entry = outcomes()[0]
    assert entry["words"] == conllu(1, 40).count("\n") - sum(
        1 for line in conllu(1, 40).splitlines() if not line[:1].isdigit()
    )
    assert load_model("out/tuned.model").provenance["train"]["sentences"] == 40
    capsys.readouterr()
    assert run(*words, "--out", "out", "--folds", 41, "-q") == 1
    wrong = "crossarc: --folds 41: the training treebank has only 40 sentences; use fewer folds\n"
    assert capsys.readouterr().err == wrong


@pytest.mark.usefixtures("folder")
def test_results_of_folds_are_checked_on_development_data(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu", "features": "few.yaml"}
    words = sum(line[:1].isdigit() for line in conllu(41, 15).splitlines())
    for against in (False, True):  # the second search takes its trials from the journal of the first
        monkeypatch.setattr(tuning, "better", lambda one, other, against=against: against)
        result = tuning.tune(load_config("arc-standard", (), files), Path("out"), 2, folds=2)
        assert len(result.best_outcome.right) == len(result.start_outcome.right) == words
        assert [row.kept for row in result.rows if row.phase == "development data"] == [not against]
        assert (result.best == result.start) == against
        model = load_model("out/tuned.model")
        assert model.provenance["train"]["sentences"] == 40
        assert model.provenance["dev"]["las"] == pytest.approx(result.best_outcome.las, abs=0.01)
    report = Path("out/report.md").read_text("utf-8")
    assert "Decided by 2 folds of train.conllu; scored on dev.conllu (15 sentences), which had the last word" in report


@pytest.mark.parametrize(("count", "folds"), [(2, 2), (15, 0)])
@pytest.mark.usefixtures("files")
def test_folds_decide_if_there_is_little_development_data(count: int, folds: int) -> None:
    Path("some.conllu").write_text(conllu(41, count), "utf-8")
    options = TreebankOptions(train="train.conllu", dev="some.conllu")
    data = tuning._data(Config(treebank=options), 0)
    assert (data.folds, bool(data.dev), len(data.unseen or ())) == (folds, not folds, count if folds else 0)


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_the_time_limit_is_used_and_kept() -> None:
    start = time.monotonic()
    words = ["tune", "arc-standard", "--train", "train.conllu", "--dev", "dev.conllu", "--minutes", 0.5, "--out", "out"]
    assert run(*words, "-q") == 0
    assert 15 < time.monotonic() - start < 30
    assert len(outcomes()) > 10


def test_small_training_sets_are_tried_first_if_time_is_short(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tuning, "first_step", lambda *given: 4)
    files = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu", "features": "few.yaml"}
    result = tuning.tune(load_config("arc-standard", (), files), folder / "out", 2)
    assert {row.sentences for row in result.rows} == {10, 40}
    assert all(row.sentences == 10 for row in result.rows if row.phase in ("features, backward", "features, forward"))
    assert all(row.sentences == 40 for row in result.rows if row.kept and not row.phase.startswith("features, "))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--minutes", "0.0001"], "--minutes 0.0001 is too short: training the config once takes about"),
        (["--dev", "no.conllu"], "no.conllu: cannot be read: No such file or directory"),
        (["--dev", "round.conllu"], "round.conllu:2: not a tree, words 1 2 form a cycle"),
        (["--train", "round.conllu"], "round.conllu:2: not a tree, words 1 2 form a cycle"),
        (["--set", "features=nope"], "features: found 'nope'; allowed: auto, rich, full, small, plain"),
        (["--out", "train.conllu"], "train.conllu: is not a folder"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_errors_are_reported_in_one_line(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("round.conllu").write_text(CYCLE, "utf-8")
    assert tune(*words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"crossarc: {reason}")
    assert err.count("\n") == 1


def test_time_must_suffice_for_the_training_after_the_folds(folder: Path) -> None:
    config = load_config("arc-standard", (), {"treebank.train": "train.conllu", "features": "few.yaml"})
    candidate = techniques.candidate_of(config, ("form", "xpos"))
    words = sum(map(len, read_treebank("train.conllu").sentences))  # five folds train on four times as many
    seconds = 4.5 * Costs().estimate(candidate, words)
    with pytest.raises(CrossarcError, match="is too short: training the config once takes about"):
        tuning.tune(config, folder / "out", seconds / 60, budget=Budget(seconds, lambda: 0.0))


@pytest.mark.usefixtures("files")
def test_columns_without_values_get_no_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("train", "dev"):
        rows = [line.split("\t") for line in Path(f"{name}.conllu").read_text("utf-8").split("\n")]
        text = "\n".join("\t".join([*own[:4], "_", *own[5:]] if len(own) > 4 else own) for own in rows)
        Path(f"{name}.conllu").write_text(text, "utf-8")
    seen: list[list[str]] = []
    monkeypatch.setattr(tuning, "removals", lambda lines: [])
    monkeypatch.setattr(tuning, "additions", lambda lines, columns, full: seen.append(columns) or [])
    monkeypatch.setattr(tuning, "technique_options", lambda *given: [])
    monkeypatch.setattr(tuning, "parameter_options", lambda *given: [])
    assert tune() == 0
    assert "xpos" not in seen[0]
    assert "upos" in seen[0]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("six-parsers", "six-parsers: cannot tune a blend of several parsers; tune its components one by one"),
        ("graph", "tune: system graph has no guide to tune; use a transition system"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_blends_and_graph_based_parsers_are_not_tuned(
    config: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("tune", config, "--train", "train.conllu", "--minutes", 1, "--out", "out") == 1
    assert capsys.readouterr().err.startswith(f"crossarc: {message}")


def test_tune_has_no_test_option_and_warns_of_test_sets(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("tune", "--help")
    assert "--test" not in capsys.readouterr().out
    (finished / "dev.conllu").rename(finished / "own-test.conllu")
    assert tune("--dev", "own-test.conllu") == 0
    warning = (
        "crossarc: warning: own-test.conllu is named like a test set; "
        "tune on a development set, since scores on tuning data are too high\n"
    )
    assert capsys.readouterr().err == warning


def test_written_configs_omit_sections_with_default_values(tmp_path: Path) -> None:
    settings = ["guide.C=0.2", "training.explore.rounds=1", "root.single=false", "treebank.faulty=skip"]
    config = load_config("arc-eager", settings, {"treebank.train": str(tmp_path / "data" / "a.conllu")})
    assert config_values(config, tmp_path / "out") == {
        "system": "arc-eager",
        "features": "features.yaml",
        "guide": {"learner": "svm", "kernel": "linear", "C": 0.2},
        "root": {"single": False},
        "training": {"explore": {"rounds": 1, "folds": 2, "seed": 1}},
        "treebank": {"train": "../data/a.conllu", "faulty": "skip"},
        "model": "tuned.model",
    }
