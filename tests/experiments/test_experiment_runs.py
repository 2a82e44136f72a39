"""Experiments end to end on small generated treebanks, from the command line."""

import json
import re
import shlex
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import conll09, conllu, write_splits
from crossarc.experiments.harness.experiment import ExperimentTreebank
from crossarc.experiments.harness.parsing import TreebankPart, coverage_cell, make_cell, oracle_trees, parses, unpack
from crossarc.experiments.harness.settings import Settings, TreebankEntry, load_settings
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.evaluate.over_sentences import over_runs
from crossarc.parser.evaluate.resampling import SentenceCounts
from crossarc.parser.treebank import checksum, read_sentences
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_projective
from reports import missing_tables, run_experiment

KN = "kuhlmann-nivre-2010"


@pytest.fixture
def folder(tmp_path):
    write_splits(tmp_path, {"train": 60, "dev": 30}, rate=0.4, depth=1)
    (tmp_path / "mine.yaml").write_text(
        "treebanks:\n"
        "  tiny: {train: train.conllu, dev: dev.conllu, beside: Czech}\n"
        "  absent: {train: $CROSSARC_NO_SUCH/train, dev: $CROSSARC_NO_SUCH/dev}\n"
    )
    return tmp_path


def test_kuhlmann_nivre_run_has_consistent_scores_and_report(folder, capsys):
    run = run_experiment(KN, folder)
    result = run.scores["tiny"] | run.scores["tiny"]["full"]
    err = capsys.readouterr().err
    assert "absent: skipped: $CROSSARC_NO_SUCH/train: the environment variable CROSSARC_NO_SUCH is not set" in err
    coverage, performance = result["coverage"], result["performance"]
    assert coverage["P3"]["las"] == coverage["P3"]["lem"] == 100.0
    assert coverage["P0"]["nonprojective"]["all"]["unlabelled"]["predicted"] == 0
    for name in ("P0", "P1"):
        assert coverage[name]["projective"]["projective_sentences"]["unlabelled"]["recall"] == 100.0
    assert coverage["P2"]["nonprojective"]["all"]["unlabelled"]["precision"] == 100.0
    assert {row["tokens"] for row in performance.values()} == {result["statistics"]["dev"]["arcs"]}
    assert 40 < performance["P0"]["las"] < 100
    assert len(result["significance"]["lem"]) == 8 * 7 / 2
    assert missing_tables(KN, run.report) == []
    assert "P0, published for another treebank, Czech" in run.report
    assert "79.65" in run.report
    for name, row in performance.items():
        assert re.search(rf"^\| tiny +\| {re.escape(name)} +\| {row['las']:.2f}", run.report, re.M)
    assert "\n## What the headings mean\n\n- **" in run.report
    committed = json.loads((run.out / "results.json").read_text("utf-8"))
    assert list(committed["treebanks"]) == ["tiny"]
    sha = checksum(str(folder / "dev.conllu"))
    assert committed["treebanks"]["tiny"]["dev"] == {"file": "dev.conllu", "sha256": sha}
    assert committed["setting"]["parsers"]["P2"]["features"] == "attardi.yaml"
    row = run.figures["tiny"]["performance"]["P3"]
    assert row["las"] == round(performance["P3"]["las"], 2)
    run_experiment(KN, folder)
    assert "18 cells, 18 of them finished before" in capsys.readouterr().err


def test_reports_name_their_command_and_published_figures(folder, capsys):
    settings = "treebanks: {T: {train: train.conllu, dev: dev.conllu, published: German}}\n"
    few = ["--set", "parsers={P0: {config: arc-standard, features: small}}", "--only", "T", "--quiet"]
    _, report, _ = run_experiment(KN, folder, *few, settings=settings)
    assert capsys.readouterr() == ("", "")
    (shown,) = re.findall(r"^Reproduced by `(.*)` \(crossarc ", report, re.M)
    mine, out = str(folder / "mine.yaml"), str(folder / "out")
    assert shlex.split(shown) == ["crossarc", "experiment", KN, "--config", mine, *few[:4], "--out", out]
    for row in ("P0, published", "P0, difference", "training, published", "training, difference"):
        assert f"*{row}*" in report


def test_keys_of_cells_include_what_results_depend_on(folder):
    part = TreebankPart(str(folder / "dev.conllu"))
    features = folder / "features.yaml"

    def keys(config):
        return make_cell("c", parses, config, part, {"test": part}).key, coverage_cell("c", config, part).key

    plain = keys(Config())
    assert keys(Config(treebank=TreebankOptions(train="elsewhere"), model="m")) == plain
    parsing, coverage = keys(Config(guide={"learner": "svm", "C": 0.2}))
    assert (parsing == plain[0], coverage == plain[1]) == (False, True)
    assert not set(map(str, keys(Config("swap", oracle="eager")))) & set(map(str, keys(Config("swap"))))
    found = []
    for template in ("form(Stack[0])", "upos(Stack[0])"):
        features.write_text(f"templates: [{template!r}]\n")
        found.append(keys(Config(features=str(features))))
    assert found[0][0]["arguments"][0]["features"] == ["form(Stack[0])"]
    assert found[0][0] != found[1][0]
    assert found[0][1] == plain[1]


def test_nivre_nilsson_run_has_consistent_scores(folder):
    scores, report, _ = run_experiment("nivre-nilsson-2005", folder)
    result = scores["tiny"]["full"]
    assert list(result["performance"]) == [
        "non-projective",
        "baseline",
        *(f"{encoding}{search}" for encoding in ("head", "head+path", "path") for search in ("", " v")),
    ]
    lost = result["transforms"]
    assert lost["head+path"]["labels_after"] >= lost["head"]["labels_after"] > lost["head"]["labels_before"]
    assert lost["head+path"]["nonprojective_uas"] == 100.0
    assert result["performance"]["baseline"]["nonprojective"]["all"]["unlabelled"]["predicted"] == 0
    assert result["performance"]["head"]["breakdowns"] == "no_punct"
    assert missing_tables("nivre-nilsson-2005", report) == []


def test_controlled_nonprojectivity_run_has_consistent_scores(folder):
    settings = (
        "train: 60\ntest: 40\nvary: {rate: [0.0, 0.4], depth: [1, 3]}\n"
        "parsers:\n  P0: {config: arc-standard, features: small}\n  P3: {config: swap, features: small}\n"
    )
    points, report, out = run_experiment("controlled-nonprojectivity", folder, settings=settings)
    assert {factor: list(levels) for factor, levels in points.items()} == {"rate": ["0.0", "0.4"], "depth": ["1", "3"]}
    none = points["rate"]["0.0"]
    assert (none["P3"]["gold"], none["P3"]["coverage"], none["P3"]["recall"]) == (0, None, None)
    some = points["depth"]["3"]
    assert (some["P0"]["coverage"], some["P3"]["coverage"]) == (0.0, 100.0)
    assert some["P0"]["gold"] == some["P3"]["gold"] > 0
    (test,) = some["significance"]["recall"]
    assert (test["first"], test["second"]) == ("P0", "P3")
    gained = (some["P3"]["recall"] - some["P0"]["recall"]) * some["P3"]["gold"] / 100
    assert test["b"] - test["c"] == pytest.approx(gained)
    charts = sorted(path.name for path in out.glob("*.svg"))
    assert len(charts) == 10
    assert missing_tables("controlled-nonprojectivity", report) == []
    for name in charts:
        ElementTree.parse(out / name)


def test_cross_validation_folds_add_up_to_the_whole_treebank(folder):
    parsers = "parsers={A: {config: arc-standard, features: small}, B: {config: swap, features: small}}"
    few = ["--set", parsers, "--set", "folds=3", "--only", "tiny"]
    scores, report, _ = run_experiment("cross-validation", folder, *few)
    result = scores["tiny"]["full"]
    folds = [row["tokens"] for row in result["folds"]["A"]]
    assert len(folds) == 3
    assert sum(folds) == result["together"]["A"][0]["tokens"]
    correct = sum(row["las_correct"] for row in result["folds"]["A"])
    assert correct == result["together"]["A"][0]["las_correct"]
    row = re.search(r"^\| tiny +\| A +\| B +\| +(-?[\d.]+) \|", report, re.M)
    assert row
    difference = 100 * (result["together"]["B"][0]["las_correct"] - correct) / sum(folds)
    assert abs(difference - float(row[1])) < 0.006


def test_tests_of_several_seeds_are_over_all_of_them(folder):
    """Independent recomputation: the sums over seeds of the words right in each sentence, exchanged at random."""
    parsers = (
        "parsers={A: {config: arc-standard, features: small}, B: {config: arc-eager, features: small, explore: 1}}"
    )
    few = ["--set", parsers, "--set", "folds=0", "--set", "seeds=[1, 2]", "--set", "split=dev", "--only", "tiny"]
    scores, report, _ = run_experiment("cross-validation", folder, *few)
    found = scores["tiny"]
    assert "significance" not in found
    (las,) = found["tests"]["las"]
    means = {name: np.mean([row["las"] for row in rows]) for name, rows in found["full"]["together"].items()}
    assert found["together"]["A"]["las"] == pytest.approx(means["A"])
    assert las["difference"] == pytest.approx(means["B"] - means["A"])
    assert "the means over the seeds 1, 2, all folds together" in report
    assert "its 4 tests" in report
    counts = [SentenceCounts(*rng.integers(1, 9, (3, 50, 1))) for rng in map(np.random.default_rng, range(2))]
    assert np.array_equal(over_runs(counts).correct, counts[0].correct + counts[1].correct)


def folds(path, number):
    entry = TreebankEntry("t", {"train": str(path)})
    return ExperimentTreebank(entry, Settings({"folds": number}, (entry,), {}, ""), {}).folds()


def test_folds_consist_of_every_nth_sentence(folder):
    part = TreebankPart(str(folder / "train.conllu"))
    ids = [sentence.id for sentence in part.sentences()]
    for (train, test), first in zip(folds(folder / "train.conllu", 10), range(10), strict=True):
        assert [sentence.id for sentence in test.sentences()] == ids[first::10]
        others = [name for number, name in enumerate(ids) if number % 10 != first]
        assert [sentence.id for sentence in train.sentences()] == others
    assert len(list(TreebankPart(part.path, limit=7).sentences())) == 7


def test_folds_are_parsed_by_parsers_trained_on_other_folds(folder):
    train, test = folds(folder / "train.conllu", 4)[1]
    result = parses(Config(features="small"), train, {"test": test})
    assert result["cost"]["train_sentences"] == 45
    parsed = list(unpack(result["parts"]["test"]))
    assert [len(tree.heads) - 1 for tree in parsed] == [len(sentence) for sentence in test.sentences()]
    assert all(tree.deprels[0] == "" and "" not in tree.deprels[1:] for tree in parsed)


def test_gold_columns_do_not_affect_parsers_of_predicted_columns(tmp_path):
    text = conllu(1, 50, rate=0.4)
    parsed = []
    for tag in ("A", "B"):
        path = tmp_path / f"{tag}.txt"
        path.write_text(conll09(text, tag), "utf-8")
        part = TreebankPart(str(path), "conll09", "predicted", 40)
        result = parses(Config(features="small"), part, {"test": part})
        parsed.append(list(unpack(result["parts"]["test"])))
        assert len(parsed[-1]) == 40
    assert parsed[0] == parsed[1]
    right = [tree.heads == sentence.heads() for tree, sentence in zip(parsed[0], part.sentences(), strict=True)]
    assert sum(right) > len(right) / 3


@pytest.mark.parametrize("name", ["P0", "P1", "P2", "P3", "P2p"])
def test_oracle_parsers_return_projective_trees_unchanged(folder, name):
    config = load_settings(KN).parsers[name]
    trees = [
        Tree(sentence.heads(), sentence.deprels(), {}) for sentence in read_sentences(str(folder / "train.conllu"))
    ]
    for gold, found in zip(trees, oracle_trees(config, trees), strict=True):
        if is_projective(gold.heads) or name == "P3":
            assert (list(found.heads), found.deprels) == (gold.heads, gold.deprels)
        if name == "P0":
            assert is_projective(found.heads)
