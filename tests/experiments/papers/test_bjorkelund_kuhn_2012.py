"""Björkelund & Kuhn (2012): the experiment on small generated treebanks, and counts and a t-test by hand."""

import json
import re

import pytest
from command_line import generated, write_splits
from crossarc import load_config, train
from crossarc.experiments.harness.outputs import Outputs
from crossarc.experiments.harness.registry import published_file
from crossarc.experiments.harness.settings import load_settings
from crossarc.experiments.papers.bjorkelund_kuhn_2012.experiment import changes, crossing_arcs, paired_t, reachable
from crossarc.parser.treebank.tree import Tree
from reports import missing_tables, refused_experiment, run_experiment

NAME = "bjorkelund-kuhn-2012"
FEATURES = (
    "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(form(Dependent), upos(Head))\n"
    "- merge(upos(Head), upos(Sibling), upos(Dependent))\n- merge(upos(Dependent), form(Grandchild))\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment")
    write_splits(path, {"train": 40, "dev": 20}, rate=0.5)
    (path / "few.yaml").write_text(FEATURES, "utf-8")
    quick = f"graph.epochs: 2, graph.table_bits: 12, features: {path / 'few.yaml'}"
    (path / "mine.yaml").write_text(
        "treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu, published: Czech}\n"
        "parsers:\n"
        f"  Baseline: {{config: graph, graph.nonprojective: none, {quick}}}\n"
        f"  NPA: {{config: graph, {quick}}}\n"
        "  P3: {config: swap, features: small}\n"
        "table_2: [Baseline, NPA]\nblend: [NPA, P3]\n"
    )
    return path


def test_counts_of_a_run_add_up_and_its_report_is_complete(folder):
    run = run_experiment(NAME, folder)
    result, report = run.figures["tiny"], run.report
    assert list(result["rows"]) == ["Baseline", "NPA", "P3", "blend"]
    assert result["rows"]["Baseline"]["np"] == 0
    assert result["rows"]["Baseline"]["p"] is None
    assert set(result["paired_t"]) >= {"Baseline : NPA", "P3 : blend"}
    assert result["cost"]["NPA"]["labels"] > 3
    assert 0 < result["candidates"]["NPA"]["crossing"] <= 100
    changed, crossing = result["approximation"]["NPA"], result["crossing"]
    assert changed["all"]["changed"] == changed["crossing"]["changed"] + changed["projective"]["changed"]
    for kind in ("all", "crossing", "projective"):
        assert sum(changed[kind][name] for name in ("mended", "broken", "both wrong")) == changed[kind]["changed"]
    assert list(crossing) == ["Baseline", "NPA", "P3", "blend"]
    assert crossing["Baseline"]["found"] == 0
    for name, row in crossing.items():
        assert row["arcs"] == row["right"] + row["label"] + row["lifted"] + row["elsewhere"] > 0
        assert row["found"] == row["found_right"] + row["found_near"] + row["found_none"] == result["rows"][name]["np"]
        assert sum(group["arcs"] for group in row["length"].values()) == row["arcs"]
    assert re.search(r"\| \*NPA, published\* ", report)
    assert missing_tables(NAME, report) == []
    assert "McNemar" not in report  # the explanation of headings covers only this report


def test_heads_are_reachable_if_they_are_candidates(folder):
    few = ["graph.epochs=1", "graph.table_bits=12", f"features={folder / 'few.yaml'}"]
    sentences = generated(1, 30, rate=0.5)
    found = []
    for candidates in (0, 1, 3):
        model = train(load_config("graph", [*few, f"graph.candidates={candidates}"]), sentences=sentences)
        found.append(reachable(model, sentences))
    assert found[0] == {"all": 100, "crossing": 100}  # all arcs of training are allowed
    assert found[1]["all"] < found[2]["all"] < 100


def test_unknown_parser_in_a_list_is_refused_in_one_line(folder, capsys):
    assert "blend: no parser 'P4'" in refused_experiment(capsys, NAME, folder, "--set", "blend=[NPA, P4]")


def test_installed_settings_include_the_rows_of_the_paper():
    settings = load_settings(NAME)
    rows = json.loads(published_file(NAME).read_text("utf-8"))["tables"]["2"]["rows"]
    assert settings.values["table_2"] == [row["method"] for row in rows if row["treebank"] == "Czech"]
    assert {"P1", "P3", "Covington", "three-step"} < set(settings.parsers)
    assert settings.parsers["Head30"].transforms == ("pseudo-projective:encoding=head,label_cap=30,search=papers",)


LABELS = ["", "a", "b", "c", "d", "e"]
CROSSING = Tree([-1, 0, 1, 1, 2, 1], LABELS, {"form": ("v", "w", "x", "y", "z")})
"""The arc 2 -> 4 crosses 1 -> 3; lifting makes 4 a dependent of 1."""


def test_crossing_arcs_agree_with_counts_by_hand():
    other_label = CROSSING._replace(deprels=["", "a", "b", "c", "x", "e"])
    lifted = CROSSING._replace(heads=[-1, 0, 1, 1, 1, 1])
    elsewhere = CROSSING._replace(heads=[-1, 0, 1, 2, 3, 1])
    crosses_elsewhere = CROSSING._replace(heads=[-1, 0, 1, 2, 1, 3])
    for parsed, outcome, others_right, found in (
        (CROSSING, "right", 4, "found_right"),
        (other_label, "label", 4, "found_near"),
        (lifted, "lifted", 4, None),
        (elsewhere, "elsewhere", 3, None),
        (crosses_elsewhere, "lifted", 2, "found_none"),
    ):
        outputs = Outputs([CROSSING], {"own": [parsed]})
        row = crossing_arcs(outputs.comparisons["own"], outputs.lifted)
        assert row["arcs"] == row[outcome] == 1
        assert (row["others"], row["others_right"]) == (4, others_right)
        assert row["found"] == (found is not None)
        assert found is None or row[found] == 1
        right = int(outcome == "right")
        assert row["length"]["2 to 4"] == row["deprel"]["d"] == {"arcs": 1, "right": right}


def test_changes_agree_with_counts_by_hand():
    before = Tree([-1, 0, 1, 1, 1, 1], ["", "a", "b", "x", "d", "e"])
    after = Tree([-1, 0, 1, 1, 2, 4], ["", "a", "b", "y", "d", "e"])
    # Word 3: label x, then y; gold c. Word 4: head 1, then 2 (right, crosses 1 -> 3). Word 5: head 1 (right), then 4.
    outputs = Outputs([CROSSING, CROSSING], {"before": [before, CROSSING], "after": [after, CROSSING]})
    row = changes(outputs.comparisons["before"], outputs.comparisons["after"])
    assert row["all"] == {"changed": 3, "mended": 1, "broken": 1, "both wrong": 1}
    assert row["crossing"] == {"changed": 1, "mended": 1, "broken": 0, "both wrong": 0}
    assert row["projective"] == {"changed": 2, "mended": 0, "broken": 1, "both wrong": 1}


def test_paired_t_agrees_with_a_calculation_by_hand():
    gold = [Tree([-1, 0, 1, 1], ["", "a", "a", "a"], {"form": ("x", "y", "z")}) for _ in range(4)]
    right, wrong = gold[0], Tree([-1, 0, 1, 2], ["", "a", "a", "a"])
    outputs = Outputs(gold, {"first": [wrong, wrong, wrong, right], "second": [right, right, right, right]})
    first, second = outputs.counts(["first", "second"]).correct.T
    test = paired_t(first, second)
    # differences 1, 1, 1, 0: mean 0.75, standard deviation 0.5, t = 0.75 / (0.5 / 2) with 3 degrees of freedom
    assert test["gain"] == pytest.approx(0.75)
    assert test["t"] == pytest.approx(3.0)
    assert test["p"] == pytest.approx(0.0577, abs=1e-4)
    assert paired_t(second, second)["p"] is None
