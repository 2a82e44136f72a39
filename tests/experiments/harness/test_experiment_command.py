"""``crossarc experiment``: which experiment it runs, what it writes, and how it continues."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from statistics import mean, stdev

import pytest
from command_line import write_splits
from crossarc import read_sentences, score_sentences
from crossarc.__main__ import main
from crossarc.experiments.harness.registry import experiments
from crossarc.experiments.harness.settings import experiment_of
from joblib import Parallel, delayed
from refusals import refusal

YAML = """
experiment: kuhlmann-nivre-2010
parsers: {P0: {config: arc-standard, features: small}, P3: {config: swap, features: small}}
treebanks:
  one: {train: train.conllu, dev: dev.conllu}
  two: {train: train.conllu, dev: dev.conllu}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_splits(tmp_path, {"train": 60, "dev": 20}, rate=0.4)
    Path("mine.yaml").write_text(YAML)
    return tmp_path


def test_terminated_runs_continue(here, capsys):
    """Batch systems send SIGTERM. Results of finished cells are not computed again."""
    words = [sys.executable, "-m", "crossarc", "experiment", "mine.yaml"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=here) as run:
        for line in run.stderr:
            if line.startswith("[2/"):
                run.send_signal(signal.SIGTERM)
                break
        *_, told, last = run.stderr.read().splitlines()
        assert run.wait(timeout=60) == 143
    assert last == "crossarc: terminated"
    finished = re.fullmatch(r"(\d+) of 12 cells are finished; the same command computes the others", told)
    assert finished
    assert main(["experiment", "mine.yaml"]) == 0
    assert f"12 cells, {finished[1]} of them finished before" in capsys.readouterr().err
    assert re.search(r"^\| two +\|", Path("mine.out/report.md").read_text("utf-8"), re.M)


def test_parsed_sentences_of_all_cells_and_tables_in_other_formats(here):
    only = ["--only", "one", "--set", "parsers={P_3: {config: swap, features: small}}"]
    assert main(["experiment", "mine.yaml", *only, "--parsed", "parsed", "-q"]) == 0
    files = sorted(Path("parsed").iterdir())
    assert [path.name for path in files] == ["one-P_3-0-dev.conllu", "one-P_3-coverage-coverage.conllu"]
    gold = list(read_sentences("dev.conllu"))
    parsed, derived = (list(read_sentences(str(path))) for path in files)
    scores = json.loads(Path("mine.out/scores.json").read_text("utf-8"))["one"]["full"]
    assert score_sentences(gold, parsed).las == scores["performance"]["P_3"]["las"]
    assert [sentence.heads() for sentence in derived] == [sentence.heads() for sentence in gold]
    assert [sentence.comments for sentence in parsed] == [sentence.comments for sentence in gold]
    rows = list(csv.DictReader(Path("mine.out/tables/table-4.csv").read_text("utf-8").splitlines()))
    assert [float(row["LAS"]) for row in rows] == [scores["performance"]["P_3"]["las"]]
    latex = Path("mine.out/tables/table-4.tex").read_text("utf-8")
    assert re.search(rf"\\toprule\n.*\n\\midrule\none & P\\_3 & {float(rows[0]['LAS']):.2f} ", latex)


def test_a_missing_library_is_told_before_anything_is_computed(here, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["experiment", "mine.yaml"]) == 1
    assert "crossarc: experiment: needs jinja2; install the extra crossarc[experiments]\n" in capsys.readouterr().err
    assert not Path("mine.out/cells").exists()


def test_an_invalid_template_is_told_before_anything_is_computed(here, capsys):
    Path("own.py").write_text("EXPERIMENT = None\n")
    Path("own.yaml").write_text("parsers: {}\n")
    Path("own.report.j2").write_text("\n{{ section( }}\n")
    assert main(["experiment", "own.yaml"]) == 1
    assert "own.report.j2: line 2: " in capsys.readouterr().err
    assert not Path("own.out/cells").exists()


OWN_MEASURES = (
    "experiment: cross-validation\nfolds: 0\nsplit: dev\nseeds: [1, 2]\ntreebanks: {own: {train: train.conllu, "
    "dev: dev.conllu}}\nparsers: {P: {config: beam, features: arc-hybrid-small, guide.epochs: 1}}\n"
)


def test_a_label_that_a_treebank_lacks_has_no_figure_and_files_have_the_name_of_their_split(here):
    measures = (
        "{las: las, rare: by_deprel/no such label/head_label/recall, mixed: 'confusions/gold=x,predicted=y/tokens'}"
    )
    Path("rare.yaml").write_text(f"{OWN_MEASURES}measures: {{spread: {measures}}}\n")
    assert main(["experiment", "rare.yaml", "-q", "--parsed", "parsed"]) == 0
    spread = json.loads(Path("rare.out/scores.json").read_text("utf-8"))["own"]["spread"]["P"]
    assert spread["las"]["mean"] > 0
    assert spread["rare"] == spread["mixed"] == {"mean": None, "deviation": None}
    assert [file.name for file in sorted(Path("parsed").iterdir())] == [
        "own-P-seed-1-0-dev.conllu",
        "own-P-seed-2-0-dev.conllu",
    ]


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("lass", "did you mean 'las'"),
        ("by_deprel/nsubj/head_label/recal", "did you mean 'recall'"),
        ("by_depre/nsubj/head_label/recall", "did you mean 'by_deprel'"),
        ("by_deprel/nsubj", "several figures"),
        ("confusions/god=x/tokens", "god"),
        ("nonprojective/all/unlabelled/recall/more", "more"),
    ],
)
def test_paths_of_measures_are_checked_before_training(here, capsys, path, wrong):
    Path("wrong.yaml").write_text(f"{OWN_MEASURES}measures: {{spread: {{las: las, f: {path}}}}}\n")
    assert main(["experiment", "wrong.yaml", "-q"]) == 1
    told = capsys.readouterr().err
    assert f"measures: spread: f: {path}: " in told
    assert wrong in told
    assert not Path("wrong.out/cells").exists()


def test_seeds_and_measures_in_a_yaml_file(here):
    Path("seeds.yaml").write_text(
        "experiment: cross-validation\nfolds: 0\nsplit: dev\nseeds: [1, 2, 3]\ntreebanks: {own: {train: train.conllu, "
        "dev: dev.conllu}}\nparsers: {P: {config: beam, features: small, guide.epochs: 1}}\n"
        "measures: {spread: {las: las, crossing: nonprojective/all/unlabelled/recall}}\n"
    )
    assert main(["experiment", "seeds.yaml", "-q"]) == 0
    scores = json.loads(Path("seeds.out/scores.json").read_text("utf-8"))["own"]
    runs = [row["las"] for row in scores["full"]["folds"]["P"]]
    assert len(runs) == 3
    assert len(set(runs)) > 1
    assert scores["spread"]["P"]["las"] == pytest.approx({"mean": mean(runs), "deviation": stdev(runs)})
    report = Path("seeds.out/report.md").read_text("utf-8")
    assert re.search(r"^\| treebank \| parser +\| +las \| crossing \|$", report, re.M)


OWN = """
from crossarc.experiments.harness import Experiment, ExperimentTreebank, by_treebank

EXPERIMENT = Experiment(
    cells=(ExperimentTreebank.each_fold,),
    figures=by_treebank(lambda bank: {name: own.to_json() for name, own in bank.parsed().scores.items()}),
)
"""
REPORT = """
{{ section("Accuracy", "las", "{treebank}/{parser}/{score}", {"treebank": "*", "parser": "*"},
   {"score": {"las": "LAS", "uas": "UAS"}}) }}

{{ section("Nothing", "none", "{treebank}/{parser}/no such", {"treebank": "*", "parser": "*"}, column("none")) }}

{{ chart("{treebank}-las", "{treebank}/{parser}/las", {"treebank": "*", "parser": "*"}, column("LAS"),
   x="LAS on {treebank}") }}
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_experiment_in_a_folder_of_ones_own(here, capsys, jobs):
    (here / "own").mkdir()
    Path(f"own/study_{jobs}.py").write_text(OWN)
    Path(f"own/study_{jobs}.yaml").write_text(
        "treebanks: {bank: {train: ../train.conllu, test: ../dev.conllu}}\nparsers: {P: {config: arc-standard-small}}\n"
    )
    Path(f"own/study_{jobs}.report.j2").write_text(REPORT)
    if jobs == "2":  # worker processes of earlier calls may have another working directory
        Parallel(n_jobs=2)(delayed(os.chdir)("/") for _ in range(4))
    assert main(["experiment", f"own/study_{jobs}.yaml", "--jobs", jobs]) == 0
    assert "left out, without figures: Nothing\n" in capsys.readouterr().err
    out = Path(f"study_{jobs}.out")
    las = json.loads((out / "scores.json").read_text("utf-8"))["bank"]["P"]["las"]
    assert "\n## Accuracy\n\n| treebank | parser |   LAS |   UAS |\n" in (out / "report.md").read_text("utf-8")
    assert f"| {las:.2f} |" in (out / "report.md").read_text("utf-8")
    assert "Nothing" not in (out / "report.md").read_text("utf-8")
    assert "\n![bank-las](bank-las.svg)\n" in (out / "report.md").read_text("utf-8")
    assert "LAS on bank" in (out / "bank-las.svg").read_text("utf-8")
    Path(f"own/study_{jobs}.py").write_text("")
    sys.modules.pop(f"study_{jobs}")


def test_experiment_of_ones_own_that_declares_nothing(here, capsys):
    Path("nothing.py").write_text("")
    Path("nothing.yaml").write_text("parsers: {}\n")
    assert main(["experiment", "nothing.yaml"]) == 1
    assert "define EXPERIMENT" in capsys.readouterr().err


def test_experiment_without_a_name_lists_all_experiments(capsys):
    assert main(["experiment"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(experiments())
    assert [line for line in lines if not line.endswith(".")] == []
    assert main(["experiment", "--set", "folds=3"]) == 1
    assert capsys.readouterr().err.startswith("crossarc: experiment: no name given; allowed: bjorkelund-kuhn-2012, ")


@pytest.mark.parametrize("name", experiments())
def test_yaml_files_of_experiments_name_an_experiment(name):
    own = experiments()[name]
    assert experiment_of(str(own)) == name
    yamls = [*own.parent.glob("*.yaml"), *own.parent.glob("settings/*.yaml")]
    texts = [path.read_text("utf-8") for path in yamls]
    named = [re.search(r"^experiment: (.*)$", text, re.M) for text in texts]
    assert all(found and found[1] in experiments() for found in named)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("folds: 3\n", "own.yaml: the key 'experiment' is missing; set it to the name of the experiment"),
        ("experiment: cros-validation\n", "own.yaml: experiment 'cros-validation' (did you mean 'cross-validation'?)"),
        ("- a\n", "own.yaml: expected a mapping of keys"),
    ],
)
def test_yaml_without_a_known_experiment_is_refused(text, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text(text)
    assert main(["experiment", "own.yaml"]) == 1
    assert capsys.readouterr().err.startswith(f"crossarc: {message}")


def test_yaml_of_another_experiment_and_two_yamls_are_refused(here, capsys):
    assert main(["experiment", "learners", "--config", "mine.yaml"]) == 1
    message = "mine.yaml: experiment: found 'kuhlmann-nivre-2010', expected the experiment that is run"
    assert message in capsys.readouterr().err
    assert main(["experiment", "mine.yaml", "--config", "other.yaml"]) == 1
    assert "found two YAML files, mine.yaml and other.yaml; allowed: one" in capsys.readouterr().err


def test_missing_yaml_of_an_experiment(tmp_path):
    assert "none.yaml" in refusal(lambda: experiment_of(str(tmp_path / "none.yaml")))
