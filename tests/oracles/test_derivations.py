"""Derivations by oracles as text, and reasons why trees are underivable."""

import pytest
from crossarc.oracles.derivations import DerivationRecorder, why_underivable, write_derivation
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import make_oracle, oracle_type
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.transitions.registry import SYSTEMS, make_system
from refusals import refusal

THESIS = [-1, 2, 0, 4, 2, 2]
"""Nilsson 2009, figure 2.3."""
HEARING = [-1, 2, 3, 0, 3, 2, 7, 5, 4, 3]
"""Kuhlmann & Nivre 2010, figure 1."""
CROSSED = [-1, 3, 0, 2]
UNDERIVABLE = [-1, 3, 0, 2, 1]
"""One of the four trees of four words with a single root that Attardi's system cannot derive."""
LABELS = ["root", "nsubj", "obj"]


def recorded(name, trees, single_root=True):
    system, gold = make_system(name, single_root=single_root), Gold(trees, [[-1] + [1] * (len(t) - 1) for t in trees])
    recorder = DerivationRecorder(len(trees))
    outcome = derive(system, make_oracle(system, gold), system.initial(gold.lengths), Fallback(0, 2), recorder)
    return recorder, (outcome.heads == gold.heads).all(axis=1)


def test_derivations_are_in_the_order_of_the_batch():
    system = make_system("swap")
    recorder, success = recorded("swap", [[-1, 0, 1], [-1], CROSSED])
    assert success.all()
    assert [write_derivation(system, steps, LABELS) for steps in recorder.derivations()] == [
        "SH SH RA+nsubj RA+nsubj",
        "",
        "SH SH SW SH SH LA+nsubj RA+nsubj RA+nsubj",
    ]
    assert not recorder.stuck
    assert DerivationRecorder(2).derivations() == [[], []]


@pytest.mark.parametrize(
    ("name", "tree", "derivation"),
    [
        ("arc-standard", THESIS, "SH SH LA SH SH LA RA SH RA RA"),
        ("arc-eager", THESIS, "SH LA RA SH LA RA RE RA"),
        ("covington", THESIS, "SH LA RA SH SH LA RA SH NA NA RA SH"),
        ("covington-projective", THESIS, "SH LA RA SH LA RA NA RA"),
        ("attardi", [-1, 3, 3, 0], "SH SH SH LA LA RA"),
        ("attardi", CROSSED, "SH SH SH LA2 RA RA"),
        ("attardi", [-1, 0, 0, 1], "SH SH RA2 SH SH RA RA"),
        ("attardi", HEARING, "SH SH LA SH SH SH SH SH LA RA SH RA2 RA SH RA2 SH LA SH RA RA"),
        ("swap", CROSSED, "SH SH SW SH SH LA RA RA"),
        ("swap", HEARING, "SH SH LA SH SH SH SH SH LA RA SW SW RA SH LA SH SH RA RA SH RA RA"),
    ],
)
def test_derivations_equal_those_worked_out_by_hand(name, tree, derivation):
    recorder, success = recorded(name, [tree], single_root=False)
    moves = make_system(name).moves
    assert success.all()
    assert " ".join(moves[move].short for move, _ in recorder.derivations()[0]) == derivation


def test_default_transitions_have_no_label():
    system = make_system("arc-standard")
    recorder, success = recorded("arc-standard", [CROSSED])
    assert not success.any()
    assert write_derivation(system, recorder.derivations()[0], LABELS) == "SH SH SH RA RA RA"
    assert recorder.stuck == {0: ([0, 1, 2, 3], [])}


@pytest.mark.parametrize(
    ("name", "tree", "reason"),
    [
        ("arc-standard", CROSSED, "arc-standard derives projective trees only: arc 3 -> 1 is non-projective"),
        ("arc-eager", UNDERIVABLE, "arc-eager derives projective trees only: arc 3 -> 1 is non-projective, and 1 more"),
        ("swap", [-1, 0, 0, 2, 0], "node 0 has 3 dependents (1, 2, 4), but a single root is required"),
        ("tagging", [-1, 2, 0], "tagging derives chains only: the head of word 1 is 2, not 0"),
        ("attardi", UNDERIVABLE, "no transition of attardi leads to the tree from stack [0 1 2 3 4] and buffer []"),
    ],
)
def test_reasons_why_trees_are_underivable(name, tree, reason):
    recorder, success = recorded(name, [[-1, 0], tree])
    assert success.tolist() == [True, False]
    assert why_underivable(make_system(name), tree, recorder.stuck.get(1)) == reason


@pytest.mark.parametrize(
    ("system", "oracle", "message"),
    [
        ("swap", "lasy", "no oracle of swap is called 'lasy'; allowed: lazy, eager"),
        ("attardi", "lazy", "no oracle of attardi is called 'lazy'; allowed: static"),
        ("swop", None, f"no transition system is called 'swop'; allowed: {', '.join(SYSTEMS)}"),
    ],
)
def test_unknown_oracles_are_refused(system, oracle, message):
    assert refusal(lambda: oracle_type(system, oracle), ValueError) == message
