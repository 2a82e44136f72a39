"""Passes of three-step parsing: the example of the paper, the order of pairing, and permissible transitions."""

import numpy as np
import pytest
from crossarc.oracles.oracle import Gold
from crossarc.oracles.three_step import ValencyOracle
from crossarc.transitions.registry import make_system

WORDS = "Il y est allé , soutenu par sa famille ."
CLITIC, MODIFIER = 0, 1
ANCHORS = [-1, 3, 3, 0, 3, 4, 4, 6, 9, 7, 3]
"""Projective tree of the sentence as in figure 2, in which words 2 and 6 depend on their anchors, words 3 and 4."""
GOLD = [-1, 3, 4, 0, 3, 4, 1, 6, 9, 7, 3]
DEPRELS = [-1, 2, CLITIC, 2, 2, 2, MODIFIER, 2, 2, 2, 2]
LABELS = 3


def matrices(heads, deprels):
    return np.array([[*heads, -1]]), np.array([[*deprels, -1]])


def tree(c):
    return c.found_head(np.arange(c.width - 1)[:, None])[:, 0].tolist()


def view(c):
    """Stack, buffer, and the nearest word in θ for each label."""
    stack = [int(c.stack(k)[0]) for k in reversed(range(int(c.stack_size[0])))]
    return stack, [int(c.buffer(k)[0]) for k in range(int(c.buffer_size[0]))], c.valencies()[0].tolist()


def step(system, c, short, label=-1):
    number = [move.short for move in system.moves].index(short)
    moves, labels = np.array([number]), np.array([label])
    assert system.legal(c)[0, number]
    assert system.legal_labels(c, moves, labels).all()
    system.advance(c, moves, labels)


def test_example_of_the_paper():
    """Lacroix & Béchet (2014, table 5); the SHIFT after PUT-VALENCY there is part of PUT-VALENCY in table 3."""
    n = len(WORDS.split())
    anchors, gold = matrices(ANCHORS, DEPRELS), Gold([GOLD], [DEPRELS])
    left = make_system("three-step-left")
    c = left.over(np.array([n]), anchors, anchors, LABELS)
    oracle = ValencyOracle(left, gold, anchors)
    expected = [
        ("SH", -1, [0, 1], [], ANCHORS),
        ("PV", CLITIC, [0, 1, 2], [2], ANCHORS),
        ("SH", -1, [0, 1, 2, 3], [2], ANCHORS),
        ("DL", CLITIC, [0, 1, 2, 3], [], [-1, 3, 4, 0, 3, 4, 4, 6, 9, 7, 3]),
        *(("SH", -1, list(range(last + 1)), [], [-1, 3, 4, 0, 3, 4, 4, 6, 9, 7, 3]) for last in range(4, 11)),
    ]
    follow(left, c, oracle, expected, n)
    assert left.terminal(c).all()
    found = matrices(tree(c), DEPRELS)
    right = make_system("three-step-right")
    c = right.over(np.array([n]), anchors, found, LABELS)
    oracle = ValencyOracle(right, gold, anchors)
    before = found[0][0, :-1].tolist()
    expected = [
        *(("RSH", -1, list(range(last + 1)), [], before) for last in (9, 8, 7, 6)),
        ("PV", MODIFIER, [0, 1, 2, 3, 4, 5], [6], before),
        *(("RSH", -1, list(range(last + 1)), [6], before) for last in (4, 3, 2, 1)),
        ("DR", MODIFIER, [0, 1], [], GOLD),
        ("RSH", -1, [0], [], GOLD),
    ]
    follow(right, c, oracle, expected, n)
    assert right.terminal(c).all()
    right.finish(c, 0, 0)
    assert c.heads_matrix()[0, :-1].tolist() == GOLD


def follow(system, c, oracle, expected, n):
    for short, label, stack, valent, heads in expected:
        moves, labels, *_ = oracle.decide(c, system.legal(c))
        assert (system.moves[moves[0]].short, int(labels[0])) == (short, label)
        step(system, c, short, label)
        found_stack, buffer, valencies = view(c)
        assert found_stack == stack
        assert buffer == list(range(stack[-1] + 1, n + 1))
        assert [word for word in valencies if word >= 0] == valent
        assert tree(c) == heads
        assert c.heads_matrix()[0, :-1].tolist() == ANCHORS, "features lose the projective tree"


def flat(n):
    return matrices([-1, *[0] * n], [-1, *[0] * n])


def test_last_valency_with_the_label_is_paired_first():
    system = make_system("three-step-left")
    c = system.over(np.array([6]), flat(6), flat(6), LABELS)
    for word, label in enumerate((1, 2, 1), 1):
        step(system, c, "PV", label)
        assert c.nearest_valent().tolist() == [word]
    step(system, c, "SH")
    assert c.valencies().tolist() == [[-1, 3, 2]]
    assert c.nearest_valent().tolist() == [3]
    step(system, c, "DL", 1)
    assert c.valencies().tolist() == [[-1, 1, 2]]
    assert c.nearest_valent().tolist() == [2]
    step(system, c, "DL", 1)
    assert tree(c) == [-1, 5, 0, 5, 0, 0, 0]
    assert c.valencies().tolist() == [[-1, -1, 2]]
    assert system.permissible_labels(c)[system.pair].tolist() == [[False, False, True]]
    assert c.deprels_matrix()[0, 1:7].tolist() == [0] * 6
    system.finish(c, 0, 0)
    assert c.deprels_matrix()[0, 1:7].tolist() == [1, 0, 1, 0, 0, 0]


def test_right_pass_pairs_the_nearest_valency_first():
    system = make_system("three-step-right")
    c = system.over(np.array([4]), flat(4), flat(4), LABELS)
    for short, label in [("PV", 0), ("PV", 1), ("PV", 0)]:
        step(system, c, short, label)
    assert c.valencies().tolist() == [[2, 3, -1]]
    assert c.nearest_valent().tolist() == [2]
    step(system, c, "DR", 0)
    assert tree(c) == [-1, 0, 1, 0, 0]
    assert c.nearest_valent().tolist() == [3]


def test_words_reattached_by_an_earlier_pass_get_no_valency():
    system = make_system("three-step-right")
    anchors, found = matrices([-1, 0, 1, 1], [-1, 0, 0, 0]), matrices([-1, 0, 1, 2], [-1, 0, 0, 0])
    c = system.over(np.array([3]), anchors, found, LABELS)
    assert system.legal(c).tolist() == [[True, False, False]]
    step(system, c, "RSH")
    assert system.legal(c).tolist() == [[True, True, False]]


@pytest.mark.parametrize("name", ["three-step-left", "three-step-right"])
def test_without_trees_all_words_depend_on_the_first_one(name):
    c = make_system(name).initial(np.array([3, 1]))
    assert c.heads_matrix().tolist() == [[-1, 0, 1, 1, -1], [-1, 0, -1, -1, -1]]
    assert c.deprels_matrix().tolist() == [[-1, 0, 0, 0, -1], [-1, 0, -1, -1, -1]]
    assert c.valencies().tolist() == [[-1], [-1]]
