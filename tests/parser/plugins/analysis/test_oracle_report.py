"""Report on an oracle: counts, order of sentences, text and JSON."""

import json
from dataclasses import replace

import pytest
from crossarc.parser.base.notes import format_notes
from crossarc.parser.plugins.analysis import oracle_report as coverage
from crossarc.parser.plugins.analysis.oracle_report import NOTES, oracle_report
from crossarc.parser.treebank import Sentence

THESIS = [-1, 2, 0, 4, 2, 2]
THESIS_LABELS = ["", "sub", "root", "det", "obj", "punc"]
HEARING = [-1, 2, 3, 0, 3, 2, 7, 5, 4, 3]
HEARING_LABELS = ["", "DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "ADV", "P"]
CROSSED = [-1, 3, 0, 2]
FRENCH = [-1, 3, 4, 0, 3, 4, 1, 6, 9, 7, 3]
FRENCH_LABELS = ["", "pred", "clit", "root", "aux", "punct", "modif", "agent", "det", "prepos", "punct"]


def sentence(name, heads, deprels):
    own = Sentence.from_tokens(["w"] * len(heads[1:]), heads=heads[1:], deprels=deprels[1:])
    return replace(own, comments=(f"# sent_id = {name}",))


SENTENCES = [
    sentence("long", HEARING, HEARING_LABELS),
    sentence("one", [-1, 0], ["", "root"]),
    sentence("thesis", THESIS, THESIS_LABELS),
]


def report(system, oracle=None, single_root=False):
    return oracle_report(system, SENTENCES, oracle=oracle, single_root=single_root)


def test_derivations_are_in_the_order_of_the_input():
    lazy = report("swap")
    assert lazy.oracle == "lazy"
    assert [sentence.id for sentence in lazy.sentences] == ["long", "one", "thesis"]
    assert [sentence.derivation for sentence in lazy.sentences] == [
        "SH SH LA+DET SH SH SH SH SH LA+DET RA+PC SW SW RA+NMOD SH LA+SBJ SH SH RA+ADV RA+VG SH RA+P RA+ROOT",
        "SH RA+root",
        "SH SH LA+sub SH SH LA+det RA+obj SH RA+punc RA+root",
    ]
    assert report("arc-eager").sentences[2].derivation == "SH LA+sub RA+root SH LA+det RA+obj RE RA+punc"


def test_figures_of_a_complete_oracle():
    found = report("swap", "eager").to_json()
    assert len(found.pop("derivations")) == 3
    assert found == {
        "system": "swap",
        "oracle": "eager",
        "single_root": False,
        "sentences": 3,
        "words": 15,
        "derived": 3,
        "derived_percent": 100.0,
        "uas": 100.0,
        "las": 100.0,
        "transitions": 30 + 2 * 1 + 2 * 5,
        "swaps": 6,
        "moves": {"SHIFT": 15 + 6, "LEFT-ARC": 3 + 2, "RIGHT-ARC": 6 + 1 + 3, "SWAP": 6},
        "underivable": [],
    }


def test_default_transitions_complete_underivable_trees():
    """Of the first tree, the oracle builds 3 arcs; default transitions add one more, with a wrong label."""
    found = report("arc-standard").to_json()
    reason = "arc-standard derives projective trees only: arc 2 -> 5 is non-projective, and 1 more"
    assert found["underivable"] == [{"id": "long", "reason": reason}]
    assert found["derived"] == 2
    assert found["uas"] == pytest.approx(100 * 10 / 15)
    assert found["las"] == pytest.approx(100 * 9 / 15)
    assert found["derivations"][0] == {
        "id": "long",
        "derivation": "SH SH LA+DET SH SH SH SH SH LA+DET RA+PC SH SH RA RA RA RA RA RA",
        "derived": False,
    }
    assert json.loads(json.dumps(found)) == found


def test_failures_are_grouped_by_their_reasons():
    roots = [-1, 0, 0, 0]
    trees = [CROSSED, CROSSED, roots, CROSSED, CROSSED, roots[:3]]
    sentences = [sentence(name, tree, ["x"] * len(tree)) for name, tree in zip("abcdef", trees, strict=True)]
    assert oracle_report("swap", sentences[2:3]).underivable == []
    found = oracle_report("arc-standard", sentences, single_root=True)
    assert found.to_text().splitlines()[5 + len(format_notes(NOTES)) :] == [
        "arc-standard derives projective trees only: 4",
        f"  a: {found.sentences[0].reason}",
        f"  b: {found.sentences[1].reason}",
        f"  d: {found.sentences[3].reason}",
        "  and 1 more; --json lists them",
        "node … has … dependents (…), but a single root is required: 2",
        "  c: node 0 has 3 dependents (1, 2, 3), but a single root is required",
        "  f: node 0 has 2 dependents (1, 2), but a single root is required",
    ]


def test_three_step_derives_the_example_in_the_paper():
    found = oracle_report("three-step", [sentence("french", FRENCH, FRENCH_LABELS)])
    figures = found.to_json()
    assert figures["passes"] == {
        "three-step-left": {"SHIFT": 9, "PUT-VALENCY↙": 1, "DIST-LEFT": 1},
        "three-step-right": {"RSHIFT": 9, "PUT-VALENCY↘": 1, "DIST-RIGHT": 1},
    }
    assert (figures["derived"], figures["uas"], found.underivable) == (1, 100.0, [])
    _, left, right = found.derivations()[0].split(" | ")
    assert left == "SH PV+clit SH DL+clit SH SH SH SH SH SH SH"
    assert right == "RSH RSH RSH RSH PV+modif RSH RSH RSH RSH DR+modif RSH"
    assert list(found.final[0].tree) == FRENCH


def test_crossing_valencies_with_the_same_label_are_reported():
    """Words 1 and 2 depend on words 4 and 5."""
    tree, labels = [-1, 4, 5, 0, 3, 3], ["", "x", "x", "r", "z", "z"]
    found = oracle_report("three-step", [sentence("one", [-1, 0], ["", "r"]), sentence("two", tree, labels)])
    reason = "the valency x of word 2 (head 5) crosses that of word 1 (head 4)"
    assert [(suspect.id, suspect.reason) for suspect in found.underivable] == [("two", reason)]
    assert found.final[1].tree == (-1, 4, 3, 0, 3, 3)
    figures = found.to_json()
    assert (figures["derived"], figures["uas"]) == (1, pytest.approx(100 * 5 / 6))
    assert figures["derivations"][1]["derivation"].split(" | ")[1] == "PV+x SH SH DL+x SH SH"
    common = "the valency … of word … (head …) crosses that of word … (head …): 1"
    assert found.to_text().splitlines()[-2:] == [common, f"  two: {reason}"]
    subtypes = sentence("two", tree, ["", *[f"{label}:sub" for label in labels[1:]]])
    assert oracle_report("three-step", [subtypes]).to_text().splitlines()[-2] == common
    assert oracle_report("three-step", [sentence("two", tree, [*labels[:2], "y", *labels[3:]])]).underivable == []
    two = sentence("two", [-1, 0, 0], ["", "r", "r"])
    roots = oracle_report("three-step", [two], single_root=True).underivable
    assert roots[0].reason == "node 0 has 2 dependents (1, 2), but a single root is required"


def test_default_arcs_have_the_most_frequent_labels():
    """Of the gold arcs, default transitions build only 2 -> 3, which gets the label of arcs from other nodes than 0."""
    sentences = [sentence("a", CROSSED, ["", "x", "y", "z"]), sentence("b", CROSSED, ["", "x", "r", "y"])]
    found = oracle_report("arc-standard", sentences).to_json()
    assert found["uas"] == pytest.approx(100 * 2 / 6)
    assert found["las"] == pytest.approx(100 * 1 / 6)


def test_reports_do_not_depend_on_the_batch_size(monkeypatch):
    whole = report("attardi")
    monkeypatch.setattr(coverage, "BATCH", 1)
    assert report("attardi") == whole


def test_report_on_an_empty_treebank():
    found = oracle_report("swap", []).to_json()
    assert (found["sentences"], found["words"], found["uas"], found["transitions"]) == (0, 0, 100.0, 0)
