"""Conformance of transition systems: every registered system obeys the rules; a new one needs no test code."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from crossarc.oracles.registry import DYNAMIC_ORACLES, ORACLES, make_oracle
from crossarc.parser.plugins.analysis import conformance
from crossarc.parser.plugins.analysis.conformance import (
    RULES,
    all_trees,
    check_system,
    derivable,
    explore,
    reached,
    run_oracle,
)
from crossarc.parser.search import greedy
from crossarc.transitions.arc_standard import SHIFT, ArcStandard
from crossarc.transitions.registry import SYSTEMS, make_system
from every_derivation import random_trees
from hypothesis import given, strategies as st

SHORTEST = ("arc-standard", "arc-eager", "arc-hybrid", "attardi", "covington", "covington-projective", "tagging")
"""Systems whose oracles promise shortest derivations."""

root_rules = pytest.mark.parametrize("single_root", [False, True])
all_oracles = pytest.mark.parametrize(
    ("name", "oracle"), [(name, oracle) for name in ORACLES for oracle in ORACLES[name]]
)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_obey_the_rules(name, rule):
    RULES[rule](name)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["all derivations", "the system derives", "each oracle"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_obey_the_rules_with_five_words(name, rule, monkeypatch):
    monkeypatch.setattr(conformance, "short", lambda own: 5 if make_system(own).max_transitions(5) < 40 else 4)
    next(check for text, check in RULES.items() if text.startswith(rule))(name)


@pytest.mark.parametrize("threshold", [1e-9, 1.0])  # finished rows are removed at the end, or at once
@pytest.mark.parametrize("name", SYSTEMS)
def test_sentences_of_a_batch_do_not_affect_each_other(name, threshold, monkeypatch):
    monkeypatch.setattr(greedy, "COMPACT_BELOW", threshold)
    RULES["the sentences of a batch do not affect each other"](name)


@root_rules
@pytest.mark.parametrize("name", SHORTEST)
def test_derivations_are_shortest(name, single_root):
    for n in range(conformance.short(name) + 1):
        trees = all_trees(n, single_root)
        gold, outcome, derivations = run_oracle(make_system(name, single_root=single_root), "static", trees)
        least = derivable(name, single_root, n)
        for tree, steps, success in zip(trees, derivations, reached(gold, outcome), strict=True):
            assert not success or len(steps) == least[tree]


@pytest.mark.parametrize("name", SYSTEMS)
def test_bounds_are_reached(name):
    """Without a bound on roots, max_transitions is the greatest number of transitions, not only a bound."""
    for n in range(conformance.short(name) + 1):
        assert explore(SYSTEMS[name], False, n)[1] == make_system(name).max_transitions(n)


@root_rules
@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_numbers_of_derivable_trees(longest, single_root):
    names = ("arc-standard", "attardi", "swap", "arc-hybrid-swap", "covington", "planar")
    counts = {name: [len(derivable(name, single_root, n)) for n in range(1, longest + 1)] for name in names}
    every = [1, 2, 9, 64, 625] if single_root else [1, 3, 16, 125, 1296]
    assert counts["swap"] == counts["arc-hybrid-swap"] == counts["covington"] == every[:longest]
    assert counts["attardi"] == ([1, 2, 9, 60, 502] if single_root else [1, 3, 16, 119, 1071])[:longest]
    planar = [1, 2, 7, 30, 143] if single_root else [1, 3, 12, 55, 273]
    assert counts["arc-standard"] == counts["planar"] == planar[:longest]


LENGTHS: dict[str, Callable[[int, Counter[str]], int]] = {
    "arc-standard": lambda n, count: 2 * n,
    "arc-eager": lambda n, count: n + count["LA"] + count["RE"],
    "arc-hybrid": lambda n, count: 2 * n,
    "attardi": lambda n, count: 2 * n + count["RA2"],
    "swap": lambda n, count: 2 * n + 2 * count["SW"],
    "arc-hybrid-swap": lambda n, count: 2 * n + 2 * count["SW"],
    "covington": lambda n, count: n + count["LA"] + count["RA"] + count["NA"],
    "covington-projective": lambda n, count: n + count["LA"] + count["NA"],
    "tagging": lambda n, count: n,
}
"""The length of a derivation of n words, as a function of the count of each move by its short name."""


@pytest.mark.parametrize(("name", "oracle"), [(name, oracle) for name in LENGTHS for oracle in ORACLES[name]])
def test_lengths_of_derivations_follow_from_their_moves(name, oracle):
    system = make_system(name, single_root=False)
    gold, outcome, derivations = run_oracle(system, oracle, all_trees(4, single_root=False))
    for success, steps in zip(reached(gold, outcome), derivations, strict=True):
        count = Counter(system.moves[move].short for move, _ in steps)
        assert len(steps) == LENGTHS[name](4, count)
        assert not success or sum(count[move.short] for move in system.moves if move.labelled) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("oracle", "shortest"), [("lazy", 1168), ("eager", 1012)])
def test_most_derivations_with_swap_are_shortest(oracle, shortest):
    trees = all_trees(5, single_root=False)
    _, _, derivations = run_oracle(make_system("swap", single_root=False), oracle, trees)
    least = derivable("swap", False, 5)
    assert sum(len(steps) == least[tree] for tree, steps in zip(trees, derivations, strict=True)) == shortest


@all_oracles
@given(data=st.data())
def test_oracles_ignore_other_sentences_of_a_batch(name, oracle, data):
    system = make_system(name, single_root=False)
    trees = data.draw(st.lists(random_trees(single_root=False, longest=12), min_size=2, max_size=8))
    together = run_oracle(system, oracle, trees)
    for row, tree in enumerate(trees):
        alone = run_oracle(system, oracle, [tree])
        assert together[2][row] == alone[2][0]
        assert together[1].heads[row, : len(tree)].tolist() == alone[1].heads[0, : len(tree)].tolist()


# --- systems that violate a rule --------------------------------------------------------------------------------------


def idle(self, c, move, label):
    return None


def permitting(**changes):
    def permissible(self, c):
        moves = dict(ArcStandard.permissible(self, c))
        return {move: changes.get(move.short, lambda c, own: own)(c, own) for move, own in moves.items()}

    return permissible


def never_ending(self, c):
    while True:
        pass


BROKEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "endless": ({"apply": idle}, "all derivations", "has not ended after max_transitions"),
    "method that does not end": ({"terminal": never_ending}, "all derivations", "not finished after 0.1 CPU s"),
    "no move": ({"permissible": permitting(SH=lambda c, own: own & (c.stack_size < 2))}, "all deriv", "no move is"),
    "too few trees": ({"permissible": permitting(LA=lambda c, own: own & False)}, "the system derives", "projective t"),
    "false declaration": ({"projective": True, "name": "swap"}, "the system derives", "may not derive"),
    "bound too low": ({"max_transitions": lambda self, n: n}, "all derivations", "max_transitions(1) = 1"),
    "bound too high": ({"max_transitions": lambda self, n: 3**n}, "declaration", "max_transitions(10) is 59049"),
    "false arcs": ({"arcs": lambda self, c: {}}, "default transitions alone", "arcs does not have the moves"),
    "error": ({"terminal": lambda self, c: c.no_such_list}, "all derivations", "AttributeError"),
    "several roots": ({"may_take_right_dependent": lambda self, c: c.lengths >= 0}, "all derivations", "single_root"),
    "default": ({"default_moves": (SHIFT,)}, "default transitions alone", "no permissible move in default_moves"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_violated_rules_are_named(broken, monkeypatch):
    methods, rule, message = BROKEN[broken]
    name = methods.get("name", "arc-standard")
    system = type("Broken", (SYSTEMS[name],), methods)
    changed = {**{own: SYSTEMS[own] for own in SYSTEMS}, name: system}
    monkeypatch.setattr(conformance, "SYSTEMS", changed)
    monkeypatch.setattr(conformance, "make_system", lambda own, **options: changed[own](**options))
    if methods.get("terminal") is never_ending:
        monkeypatch.setattr(conformance, "SECONDS", 0.1)
    found = {text: fault for text, fault in check_system(name) if fault}
    assert any(text.startswith(rule) and message in fault for text, fault in found.items()), found


def test_oracles_that_miss_trees_are_named(monkeypatch):
    own = make_oracle

    def lazy(system, gold, name):
        oracle = own(system, gold, name)
        monkeypatch.setattr(
            oracle, "decide", lambda c, legal: type(oracle).decide(oracle, c, legal & (c.lengths < 3)[:, None])
        )
        return oracle

    monkeypatch.setattr(conformance, "make_oracle", lazy)
    fault = dict(check_system("arc-standard"))["each oracle derives all trees that the system can derive"]
    assert "oracle static does not derive the tree with the heads" in fault


def test_a_system_that_says_falsely_that_it_derives_all_trees_is_named(monkeypatch):
    monkeypatch.setattr(SYSTEMS["attardi"], "derives_all", True)
    fault = dict(check_system("attardi"))["each oracle derives all trees that the system can derive"]
    assert "derives_all is set" in fault


@pytest.mark.parametrize("move", range(3))
@pytest.mark.parametrize("name", ["arc-standard", "arc-eager", "arc-hybrid"])
def test_false_costs_of_a_dynamic_oracle_are_named(name, move, monkeypatch):
    """A transition that is always free is found, whichever it is."""
    right = DYNAMIC_ORACLES[name]

    class Free(right):
        def costs(self, c, legal):
            costs = super().costs(c, legal).copy()
            costs[legal[:, move], move] = 0
            return costs

    monkeypatch.setattr(conformance, "DYNAMIC_ORACLES", {name: Free})
    monkeypatch.setattr(conformance, "make_dynamic_oracle", Free)
    (fault,) = [fault for rule, fault in check_system(name) if rule.startswith("the costs of the dynamic oracle")]
    assert f"{SYSTEMS[name].moves[move]} costs 0 by the dynamic oracle, but" in fault


def test_exceptions_in_a_method_are_named_with_file_and_line(monkeypatch):
    monkeypatch.setattr(SYSTEMS["arc-standard"], "terminal", lambda self, c: c.no_such_list)
    faults = [fault for _, fault in check_system("arc-standard") if fault]
    assert any("AttributeError" in fault and "test_systems.py:" in fault for fault in faults)


def test_moves_may_be_lists_and_are_checked_in_steps():
    system = make_system("arc-eager")
    shift = next(number for number, move in enumerate(system.moves) if move.name == "SHIFT")
    left = next(number for number, move in enumerate(system.moves) if move.name == "LEFT-ARC")
    by_list, by_array = system.initial([3, 2]), system.initial([3, 2])
    system.advance(by_list, [shift, shift], [-1, -1])
    system.advance(by_array, np.array([shift, shift]), np.array([-1, -1]))
    assert by_list.stack_size.tolist() == by_array.stack_size.tolist() == [2, 2]
    with pytest.raises(ValueError, match="one for each row"):
        system.advance(by_list, [shift], [-1])
    c = system.initial([3])
    with pytest.raises(ValueError, match=r"row 0: LEFT-ARC is not permissible; allowed: SHIFT"):
        system.step(c, [left], [0])
    assert c.stack_size.tolist() == [1]
    system.step(c, [shift], [-1])
    assert c.stack_size.tolist() == [2]
    done = system.initial([0])
    with pytest.raises(ValueError, match="it is terminal"):
        system.step(done, [shift], [-1])
    with pytest.raises(ValueError, match="move 9 is not permissible"):
        system.step(c, [9], [-1])
