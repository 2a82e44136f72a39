"""Nilsson (2009), chapters 5 and 6: runs on small generated treebanks, and measures counted by hand."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import write_splits
from crossarc import Config, read_sentences
from crossarc.experiments.harness.outputs import Outputs
from crossarc.experiments.harness.parsing import TreebankPart, lost_by
from crossarc.experiments.papers.nilsson_2009.chapters.ch6 import arc_lengths, mean_length, ratios
from crossarc.experiments.papers.nilsson_2009.measures.transforms import (
    BestTransforms,
    choose,
    combined_config,
    kinds_of,
)
from crossarc.experiments.papers.nilsson_2009.measures.words import (
    class_scores,
    class_tests,
    marked_in,
    words_in,
    words_of,
)
from crossarc.parser.evaluate.comparison import compare
from crossarc.parser.plugins.styles.profile import load_profile
from crossarc.parser.treebank.tree import Tree
from handmade import words_tree
from reports import missing_tables, refused_experiment, run_experiment

ENCODINGS = ("baseline", "head", "path", "head+path")
CH5, CH6 = "nilsson-2009-ch5", "nilsson-2009-ch6"
TREEBANKS = """\
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
  more: {train: test.conllu, dev: dev.conllu, test: test.conllu}
"""


@pytest.fixture
def folder(tmp_path):
    write_splits(tmp_path, {"train": 50, "dev": 20, "test": 20}, rate=0.4, depth=1)
    return tmp_path


def table(report, section):
    """The rows of the first table after a heading that starts with ``section``, by the text of their left cells."""
    lines = report.partition(f"\n## {section}")[2].splitlines()
    last = next((k for k, line in enumerate(lines) if lines[k - 1 : k] and lines[k - 1][:1] == "|" and not line), None)
    rows = [line for line in lines[:last] if line.startswith("|")]
    left = sum(not cell.strip().endswith(":") for cell in rows[1].split("|")[1:-1])
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (rows[0], *rows[2:])]
    return {" ".join(row[:left]): row[left:] for row in cells}


def test_report_of_chapter_5_agrees_with_scores_and_training_set(folder):
    text = "curve: [20, 60]\ncurve_treebanks: [tiny]\n"
    result, report, _ = run_experiment(CH5, folder, settings=TREEBANKS + text)
    tiny = result["tiny"]
    trees = list(read_sentences(folder / "train.conllu"))
    assert missing_tables(CH5, report) == []
    assert table(report, "Table 5.2")["tiny"][:2] == [str(sum(map(len, trees))), "50"]
    for name in ENCODINGS:
        row = tiny["distortion"][name]
        assert table(report, "Table 5.5")["tiny"][ENCODINGS.index(name)] == str(row["labels_after"])
    distorted, head = table(report, "Table 5.3"), tiny["distortion"]["head"]
    assert distorted["all arcs tiny"][0] == f"{100 - tiny['statistics']['nonprojective_arcs_percent']:.2f}"
    assert distorted["all arcs tiny"][1] == f"{head['uas']:.2f}"
    assert distorted["non-projective arcs tiny"][1] == f"{head['nonprojective_uas']:.2f}"
    lifts = [float(cell) for cell in table(report, "Table 5.4")["tiny"]]
    assert sum(lifts) == pytest.approx(100, abs=0.02)
    scores = table(report, "Table 5.6")
    for column, name in enumerate(("none", *ENCODINGS)):
        uas = [result[key]["performance"][name]["no_punct"]["uas"] for key in ("tiny", "more")]
        assert scores["tiny UAS"][column].split()[0] == f"{uas[0]:.2f}"
        assert table(report, "Table 5.6, average")["UAS"][column] == f"{sum(uas) / 2:.2f}"
        assert result["average"]["UAS"][name] == pytest.approx(sum(uas) / 2)
    assert table(report, "Table 5.6, published")["PDT LAS"] == ["76.98", "76.94", "77.84", "78.00", "77.94"]
    for name in ENCODINGS:
        curve, before = tiny["curve"][name], tiny["curve"]["none"]
        assert list(curve) == ["20", "60"]
        reductions = [100 * (curve[share] - before[share]) / (100 - before[share]) for share in curve]
        assert list(tiny["error_reduction"][name].values()) == pytest.approx(reductions)
        assert table(report, "Table 5.8")[f"tiny {name}"] == [f"{value:.2f}" for value in reductions]
    assert result["more"]["curve"]["head"] == {}
    assert [path.name for path in (folder / "out").glob("*.svg")] == ["figure5.4-tiny.svg"]
    ElementTree.parse(folder / "out" / "figure5.4-tiny.svg")
    (cell,) = (folder / "out" / "cells").glob("tiny-head-20-*.json")
    _, trained, tests = json.loads(cell.read_text("utf-8"))["key"]["arguments"]
    assert (trained["folds"], tests["held out"]["folds"]) == ([10, [1, 2], False], [10, [0, 9], False])
    for row in tiny["significance"].values():
        assert [(test["first"], test["second"]) for test in row][3] == ("none", "head+path")


@pytest.mark.parametrize("share", ["0", "90", "2.5"])
def test_invalid_shares_of_curves_are_refused(folder, share, capsys):
    message = refused_experiment(capsys, CH5, folder, settings=f"{TREEBANKS}curve: [{share}]\n")
    assert "allowed: multiples of 10 from 10 to 80" in message


def test_more_curves_than_a_chart_can_show_are_refused(folder, capsys):
    parsers = "".join(f"  p{k}: {{config: arc-eager, transforms: [pseudo-projective]}}\n" for k in range(9))
    text = f"curve: [20]\ncurve_treebanks: []\nparsers:\n  none: {{config: arc-eager}}\n{parsers}"
    message = refused_experiment(capsys, CH5, folder, settings=TREEBANKS + text)
    assert "curve: found 10 parsers; allowed: 'none' and 8 others" in message


def test_report_of_chapter_6_agrees_with_scores(folder):
    text = "profiles: {tiny: ud, more: ud}\nparsers_for: {ud: [none, ud, head]}\n"
    result, report, _ = run_experiment(CH6, folder, settings=TREEBANKS + text)
    tiny = result["tiny"]
    assert missing_tables(CH6, report) == []
    assert tiny["distortion"]["ud"]["uas"] == 100.0
    for name, own in result.items():
        las = {parser: scores["no_punct"]["las"] for parser, scores in own["performance"].items()}
        assert own["choice"]["las"] == las
        assert own["choice"]["best"] == {"coordination": "ud", "pseudo-projective": "head"}
        helpful = [parser for parser in ("ud", "head") if las[parser] > las["none"]]
        assert own["choice"]["combined"] == helpful
        row = table(report, "Table 6.4: combined")[f"{name} LAS"]
        assert row[0] == (", ".join(helpful) or "none")
        assert row[1] == f"{las['none']:.2f}"
        combined = own["combined"]
        figures = [
            combined[split][which]["no_punct"]["las"] for split in ("dev", "test") for which in ("none", "combined")
        ]
        assert row[1:5] == [f"{value:.2f}" for value in figures]
        if len(helpful) == 1:
            assert figures[1] == las[helpful[0]]
        trained = list((folder / "out" / "cells").glob(f"{name}-ud-head-*.json"))
        assert len(trained) == (len(helpful) == 2)
    assert sorted(table(report, "Table 6.2, published")["PDT"]) == ["100.00", "97.77", "98.50", "99.23", "99.26"]
    assert table(report, "Table 6.1: ")["tiny"][2] == str(tiny["words"]["conjuncts"])
    published = table(report, "Table 6.5, published")["Alpino conjuncts"]
    assert published == ["c", "77.90", "84.10", "74.00", "74.50", "precision"]
    rates = tiny["performance"]["ud"]["propagation"]["uas"]
    assert table(report, "Table 6.6: ")["tiny ud"][0] == f"{100 - rates['pre']['rate']:.2f}"
    assert tiny["pre_post"]["ud"]["pre"] == pytest.approx(100 - rates["pre"]["rate"])
    assert tiny["pre_post"]["none"]["pre_reduction"] is None
    arcs = {int(length): count for length, count in tiny["lengths"]["ud"]["after"].items() if length != "0"}
    mean = np.average(list(arcs), weights=list(arcs.values()))
    assert tiny["mean_lengths"]["ud"]["after"] == pytest.approx(mean)
    for figure in ("6.8", "6.9", "6.10"):
        for name in ("tiny", "more"):
            ElementTree.parse(folder / "out" / f"figure{figure}-{name}.svg")
            assert f"(figure{figure}-{name}.svg)" in report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("profiles: {tiny: ud}\n", "profiles: found no profile for treebank more; add one"),
        ("profiles: {tiny: ud, more: prague}\n", "parsers_for: found 'prague'"),
        ("profiles: {tiny: ud, more: ud}\nparsers_for: {ud: [none, udd]}\n", "parsers_for: ud: found 'udd'"),
        ("profiles: {tiny: ud, more: ud}\nparsers_for: {ud: [ud]}\n", "parsers_for: ud: found no parser 'none'"),
        ("split: train\n", "split: found 'train'; allowed: dev, test"),
        ("parsers: {none: {config: arc-eager, transforms: [reversal]}}\n", "parsers: expected one without transforms"),
        ("parsers: {odd: {config: arc-eager, transforms: [coord]}}\n", "parser odd: unknown transform 'coord'"),
    ],
)
def test_invalid_settings_of_chapter_6_are_refused(folder, text, message, capsys):
    assert message in refused_experiment(capsys, CH6, folder, settings=TREEBANKS + text)


def test_precision_and_recall_of_lifted_words(tmp_path):
    """The arc from word 2 to word 4 spans word 3, a dependent of word 1. Lifting attaches word 4 to word 1."""
    rows = [("a", 0), ("b", 1), ("c", 1), ("d", 2), ("!", 1)]
    lines = [f"{k}\t{form}\t_\tX\t_\t_\t{head}\tl\t_\t_" for k, (form, head) in enumerate(rows, 1)]
    (tmp_path / "t.conllu").write_text("\n".join(lines) + "\n\n" + "\n".join(lines) + "\n\n", encoding="utf-8")
    gold = list(read_sentences(tmp_path / "t.conllu"))
    inverted = [Tree([-1, 0, 1, 1, 2, 1], ["", *"lllll"]), Tree([-1, 0, 1, 1, 3, 1], ["", *"lllll"])]
    uninverted = [
        Tree([-1, 0, 1, 1, 1, 1], ["", "l", "l", "l", "l↑l", "l"]),
        Tree([-1, 0, 1, 1, 3, 1], ["", "l", "l↑", "l↓", "l", "l↑l"]),
    ]
    marked = marked_in(uninverted)
    assert marked.tolist() == [False, False, False, True, False, False, True, False, False, True]
    forms = [form for form, _ in rows]
    outputs = Outputs([words_tree(sentence.heads(), sentence.deprels(), forms) for sentence in gold], {"own": inverted})
    comparison = outputs.comparisons["own"]
    lifted = outputs.lifted != comparison.gold.heads
    assert lifted.tolist() == [False, False, False, True, False] * 2
    own = class_scores(comparison, marked, lifted)
    # Marked: words 4, 2 and "!"; the two that are not punctuation are right. One of the two lifted words is right.
    assert (own.predicted, own.predicted_correct, own.gold, own.gold_correct) == (2, 2, 2, 1)
    assert class_scores(comparison, lifted & False, lifted).precision is None


def test_coordination_and_auxiliaries_in_prague_style():
    """Three conjuncts and four commas: only comma 3 depends on the conjunction and is between conjuncts."""
    heads = [-1, 5, 1, 5, 5, 8, 5, 8, 0, 5, 8]
    deprels = ["", "SBJ_CO", "AuxX", "AuxX", "SBJ_CO", "COORD", "SBJ_CO", "AuxV", "PRED", "AuxX", "AuxX"]
    conjuncts, separators, auxiliaries = words_of(heads, deprels, load_profile("agdt"))
    assert conjuncts == {1, 4, 6}
    assert separators == {3, 5}
    assert auxiliaries == {7}
    assert words_of([-1, 2, 0], ["", "COORD", "PRED"], load_profile("agdt")) == (set(), set(), set())


def test_coordination_and_auxiliaries_in_universal_dependencies():
    """she has seen cats , dogs and , mice: commas and conjunction depend on the conjunct after them."""
    heads = [-1, 3, 3, 0, 3, 6, 4, 9, 9, 4]
    deprels = ["", "nsubj", "aux:pass", "root", "obj", "punct", "conj", "cc", "punct", "conj"]
    conjuncts, separators, auxiliaries = words_of(heads, deprels, load_profile("ud"))
    assert conjuncts == {4, 6, 9}
    assert separators == {5, 7, 8}
    assert auxiliaries == {2}


def test_coordination_in_alpino_style():
    heads = [-1, 4, 1, 4, 0, 4, 5]
    deprels = ["", "cnj", "punct", "cnj", "obj1", "cnj", "punct"]
    assert words_of(heads, deprels, load_profile("alpino"))[:2] == ({1, 3, 5}, {2, 4})


def test_precision_and_recall_of_conjuncts():
    """Gold conjuncts are 1 and 3, dependents of 2. The second parser finds both and a wrong one."""
    profile = load_profile("agdt")
    forms = ["cats", "and", "dogs", "sleep"]
    gold = Tree([-1, 2, 4, 2, 0], ["", "SBJ_CO", "COORD", "SBJ_CO", "PRED"])
    first = Tree([-1, 2, 4, 4, 0], ["", "SBJ_CO", "COORD", "SBJ", "PRED"])
    second = Tree([-1, 2, 0, 2, 2], ["", "SBJ_CO", "COORD", "SBJ_CO", "PRED_CO"])
    comparisons = tuple(
        compare([words_tree(gold[0], gold[1], forms)], [words_tree(own[0], own[1], forms)]) for own in (first, second)
    )
    wanted, *found = (words_in([own], profile).conjuncts for own in (gold, first, second))
    assert [mask.tolist() for mask in found] == [[True, False, False, False], [True, False, True, True]]
    scores = [class_scores(own, mask, wanted) for own, mask in zip(comparisons, found, strict=True)]
    assert (scores[0].precision, scores[0].recall) == (100.0, 50.0)
    assert (scores[1].precision, scores[1].recall) == (pytest.approx(200 / 3), 100.0)
    tests = class_tests((comparisons[0], comparisons[1]), (found[0], found[1]), wanted)
    assert (tests["recall"].b, tests["recall"].c) == (1, 0)
    assert (tests["precision"].b, tests["precision"].c) == (0, 0)


KINDS = {
    "c": "coordination",
    "c+": "coordination",
    "v": "verb-groups",
    "head": "pseudo-projective",
    "path": "pseudo-projective",
}


def test_best_transforms_that_improve_las_are_combined():
    las = {"none": 70.0, "path": 72.0, "head": 71.0, "v": 69.9, "c": 71.5, "c+": 71.5}
    choice = choose(KINDS, las)
    assert choice.best == {"coordination": "c", "verb-groups": "v", "pseudo-projective": "path"}
    assert choice.combined == ("c", "path")
    assert choice.name == "c path"
    assert choice.shown() == ["none", "c", "v"]
    assert choose(KINDS, las | {"v": 70.1}).combined == ("c", "v", "path")
    assert choose(KINDS, {"none": 70.0, "c": 70.0, "v": None}).name == "none"


def test_combined_transforms_are_applied_in_order():
    specs = {"none": (), "c": ("coordination:profile=agdt",), "v": ("verb-groups:profile=agdt",), "p": ("reversal",)}
    parsers = {name: Config(transforms=own) for name, own in specs.items()}
    config = combined_config(BestTransforms({}, ("c", "v", "p")), parsers)
    assert config.transforms == ("coordination:profile=agdt", "verb-groups:profile=agdt", "reversal")
    assert combined_config(BestTransforms({}, ()), parsers) == parsers["none"]
    assert kinds_of(parsers) == {"c": "coordination", "v": "verb-groups"}


def test_arc_lengths_before_and_after_a_transform(tmp_path):
    """The transform makes a chain of a conjunction and two conjuncts; one of three arcs gets longer."""
    rows = [("cats", 2, "SBJ_CO"), ("and", 4, "COORD"), ("dogs", 2, "SBJ_CO"), ("sleep", 0, "PRED")]
    lines = [f"{k}\t{form}\t_\tX\tX\t_\t{head}\t{label}\t_\t_" for k, (form, head, label) in enumerate(rows, 1)]
    (tmp_path / "t.conll").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    result = arc_lengths(("coordination:profile=agdt",), TreebankPart(str(tmp_path / "t.conll")))
    assert result == {"before": {"0": 1, "1": 2, "2": 1}, "after": {"0": 1, "1": 2, "3": 1}}
    assert mean_length(result["before"]) == pytest.approx(4 / 3)
    assert mean_length(result["after"]) == pytest.approx(5 / 3)
    assert mean_length({"0": 3}) is None
    assert ratios(result) == {0: 100.0, 1: 100.0, 2: 0.0, 3: None}
    assert ratios({"before": {"20": 2, "16": 2}, "after": {"99": 1}})[16] == 25.0


def test_loss_is_measured_after_all_transforms_in_sequence(folder):
    part = TreebankPart(str(folder / "train.conllu"))
    both = lost_by(("coordination:profile=ud", "pseudo-projective:encoding=baseline"), part)
    one = lost_by(("pseudo-projective:encoding=baseline",), part)
    assert both["uas"] <= one["uas"] < 100
    assert both["new_labels"] > one["new_labels"] == 0
