"""Transition systems: derivations from the papers or worked out by hand, and permissible moves."""

import numpy as np
import pytest
from crossarc.transitions.registry import SYSTEMS, make_system

THESIS = [-1, 2, 0, 4, 2, 2]
"""Nilsson 2009, figure 2.3: sub, root, det, obj, punc."""
HEARING = [-1, 2, 3, 0, 3, 2, 7, 5, 4, 3]
"""A hearing is scheduled on the issue today . (Kuhlmann & Nivre 2010, figure 1)"""


def nodes(c):
    stack = [int(c.stack(k)[0]) for k in reversed(range(int(c.stack_size[0])))]
    context = [int(c.context(k)[0]) for k in range(int(c.context_size[0]))]
    return stack, context, [int(c.buffer(k)[0]) for k in range(int(c.buffer_size[0]))]


def follow(system, c, derivation):
    """Take the named moves; each must be permissible, in a configuration that is not terminal."""
    numbers = {move.short: number for number, move in enumerate(system.moves)}
    for label, short in enumerate(derivation.split()):
        assert not system.terminal(c).any()
        assert system.legal(c)[0, numbers[short]], (short, nodes(c))
        labelled = system.moves[numbers[short]].labelled
        system.advance(c, np.array([numbers[short]]), np.array([label if labelled else -1]))
    return c


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(
    ("name", "heads", "derivation"),
    [
        ("arc-eager", THESIS, "SH LA RA SH LA RA RE RA"),
        ("arc-hybrid", THESIS, "SH LA SH SH LA SH RA SH RA RA"),
        (
            "arc-hybrid-swap",
            HEARING,
            "SH LA SH SH SH SW SW SH SH SH SW SW SH SH SH SW SW LA SH RA RA LA SH SH SH RA RA SH RA RA",
        ),
        ("swap", HEARING, "SH SH LA SH SH SH SW SW SH SH SH SW SW SH SH SH SW SW LA RA RA SH LA SH SH RA RA SH RA RA"),
    ],
)
def test_derivations_build_the_tree(name, heads, derivation, single_root):
    system = make_system(name, single_root=single_root)
    c = follow(system, system.initial(np.array([len(heads) - 1])), derivation)
    assert system.terminal(c).all()
    assert c.heads_matrix()[0, : len(heads)].tolist() == heads


def test_configurations_of_arc_eager_are_those_of_nilsson_2009():
    system = make_system("arc-eager")
    c = system.initial(np.array([5]))
    expected = [
        ("SH", [0, 1], [2, 3, 4, 5]),
        ("LA", [0], [2, 3, 4, 5]),
        ("RA", [0, 2], [3, 4, 5]),
        ("SH", [0, 2, 3], [4, 5]),
        ("LA", [0, 2], [4, 5]),
        ("RA", [0, 2, 4], [5]),
        ("RE", [0, 2], [5]),
        ("RA", [0, 2, 5], []),
    ]
    for short, stack, buffer in expected:
        assert nodes(follow(system, c, short)) == (stack, [], buffer)


def test_attardi_returns_the_node_in_between_to_the_buffer():
    system = make_system("attardi")
    c = follow(system, system.initial(np.array([4])), "SH SH SH RA2")
    assert nodes(c) == ([0, 1], [], [2, 4])
    assert c.head(np.array([3])).tolist() == [1]
    assert c.swapped.tolist() == [2]
    c = follow(system, system.initial(np.array([4])), "SH SH SH LA2")
    assert nodes(c) == ([0, 2, 3], [], [4])
    assert c.head(np.array([1])).tolist() == [3]


def test_swap_returns_the_second_node_to_the_buffer():
    system = make_system("swap")
    c = follow(system, system.initial(np.array([3])), "SH SH SW")
    assert nodes(c) == ([0, 2], [], [1, 3])
    assert c.swapped.tolist() == [1]
    assert c.lookahead(0).tolist() == [3]


def test_covington_restores_skipped_nodes_at_shift():
    system = make_system("covington")
    c = follow(system, system.initial(np.array([4])), "SH SH NA LA")
    assert nodes(c) == ([0], [1, 2], [3, 4])
    c = follow(system, c, "RA")
    assert nodes(c) == ([], [0, 1, 2], [3, 4])
    assert not system.legal(c)[0, 1:].any()
    c = follow(system, c, "SH")
    assert nodes(c) == ([0, 1, 2, 3], [], [4])
    assert c.heads_matrix()[0, :5].tolist() == [-1, 3, -1, 0, -1]


@pytest.mark.parametrize(
    ("last", "stack"), [("LA SH", [0, 4]), ("RA", [0, 1, 4]), ("SH", [0, 1, 2, 3, 4]), ("LA RA", [0, 4])]
)
def test_projective_covington_drops_nodes_covered_by_an_arc(last, stack):
    system = make_system("covington-projective")
    c = follow(system, system.initial(np.array([4])), "SH RA RA NA NA")
    assert nodes(c) == ([0, 1], [2, 3], [4])
    assert nodes(follow(system, c, last)) == (stack, [], [])


def allowed(name, derivation, n, single_root=True):
    system = make_system(name, single_root=single_root)
    c = follow(system, system.initial(np.array([n])), derivation)
    return {move.short for move, legal in zip(system.moves, system.legal(c)[0], strict=True) if legal}


@pytest.mark.parametrize(
    ("name", "derivation", "n", "any_roots", "single_root"),
    [
        ("arc-standard", "", 2, "SH", "SH"),
        ("arc-standard", "SH", 2, "SH RA", "SH"),
        ("arc-standard", "SH SH", 2, "LA RA", "LA RA"),
        ("swap", "SH SH", 3, "SH LA RA SW", "SH LA RA SW"),
        ("swap", "SH SH SW SH", 3, "SH LA RA", "SH LA RA"),
        ("attardi", "SH SH", 3, "SH LA RA RA2", "SH LA RA"),
        ("attardi", "SH SH SH", 3, "LA RA LA2 RA2", "LA RA LA2 RA2"),
        ("arc-eager", "", 2, "SH RA", "SH RA"),
        ("arc-eager", "SH", 2, "SH LA RA", "SH LA RA"),
        ("arc-eager", "RA", 2, "SH RA RE", "SH RA RE"),
        ("arc-eager", "RA RE", 2, "SH RA", "SH"),
        ("covington", "", 2, "SH RA NA", "SH RA NA"),
        ("covington", "SH LA", 2, "SH RA NA", "SH RA NA"),
        ("covington", "RA SH", 2, "SH RA NA", "SH RA NA"),
        ("covington", "RA SH NA", 2, "SH RA NA", "SH NA"),
        ("covington", "SH RA SH", 3, "SH RA NA", "SH RA NA"),
        ("covington", "SH SH LA", 3, "SH LA RA NA", "SH LA RA NA"),
        ("covington-projective", "", 2, "SH RA", "SH RA"),
        ("covington-projective", "SH", 2, "SH LA RA", "SH LA RA"),
        ("covington-projective", "RA", 2, "SH RA NA", "SH RA NA"),
        ("covington-projective", "RA NA", 2, "SH RA", "SH"),
    ],
)
def test_permissible_moves(name, derivation, n, any_roots, single_root):
    assert allowed(name, derivation, n, single_root=False) == set(any_roots.split())
    assert allowed(name, derivation, n, single_root=True) == set(single_root.split())


def test_covington_permits_no_cycles():
    assert allowed("covington", "SH RA SH RA", 3) == {"SH", "NA"}, "3 -> 1 would close 1 -> 2 -> 3"
    assert allowed("covington", "SH LA SH LA", 3) == {"SH", "NA"}, "1 -> 3 would close 3 -> 2 -> 1"


def test_unknown_systems_are_refused_with_the_allowed_names():
    names = ", ".join(SYSTEMS)
    with pytest.raises(ValueError, match=f"^no transition system is called 'arc-stanard'; allowed: {names}"):
        make_system("arc-stanard")
