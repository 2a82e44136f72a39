"""Dynamic oracles: costs equal the losses in all derivations of short sentences and in random derivations."""

import numpy as np
import pytest
from crossarc.oracles.dynamic import IMPERMISSIBLE
from crossarc.oracles.dynamic_covington import count_cycles
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle
from crossarc.transitions.arc_standard import SHIFT
from crossarc.transitions.registry import SYSTEMS, make_system
from crossarc.transitions.swap import SWAP
from crossarc.transitions.trees import cycles, is_projective
from every_derivation import all_forests, all_trees, best_scores, every_level, gold_of, projectivized, random_trees
from hypothesis import given, settings, strategies as st
from merged_configurations import best_futures, merged_configurations

dynamic_oracles = pytest.mark.parametrize("name", DYNAMIC_ORACLES)
root_rules = pytest.mark.parametrize("single_root", [False, True])


def up_to(lengths):
    """Parametrize by systems and numbers of words. lengths: (largest number, that of fast tests) of each system."""
    cases = [
        pytest.param(name, n, marks=[pytest.mark.slow] if n > fast else [])
        for name, (most, fast) in lengths.items()
        for n in range(1, most + 1)
    ]
    return pytest.mark.parametrize(("name", "n"), cases)


def rules_of(oracle):
    """Function that selects the permissible moves that an oracle judges. In systems with SWAP, these include SWAP but
    not SHIFT where the oracle's order requires a swap, and no SWAP elsewhere; in other systems, all of them."""
    system = oracle.system

    def kept(c, legal):
        order, rows = oracle.order[c.origin // c.width], np.arange(len(c))
        due = legal[:, system.moves.index(SWAP)] & (order[rows, c.buffer(0)] < order[rows, c.stack(0)])
        result = legal.copy()
        result[:, system.moves.index(SWAP)] = due
        result[:, system.moves.index(SHIFT)] &= ~due
        return result

    return kept if SWAP in system.moves else lambda c, legal: legal


@up_to({name: {"covington": (4, 3), "2-planar": (4, 2)}.get(name, (5, 4)) for name in DYNAMIC_ORACLES})
@root_rules
def test_costs_equal_the_loss_of_the_best_tree(name, n, single_root):
    """Trees of up to 3 words (2-planar: 2) also lose arcs, which then cost nothing."""
    system = make_system(name, single_root=single_root)
    trees = [tree for tree in all_trees(n, single_root) if DYNAMIC_ORACLES[name].exact_for_all or is_projective(tree)]
    if n <= (2 if name == "2-planar" else 3):
        forests = all_forests(n, single_root).items()
        trees = [own for own, projective in forests if DYNAMIC_ORACLES[name].exact_for_all or projective]
    gold = gold_of(trees)
    oracle = make_dynamic_oracle(system, gold)
    levels = list(every_level(system, [n] * len(trees), rules_of(oracle)))
    best = best_scores(levels, gold)
    for level, here, later in zip(levels[:-1], best[:-1], best[1:], strict=True):
        running = level.c.at(np.arange(len(level.legal)))
        lost = here[: len(level.legal), None] - later[level.following]
        legal = system.legal(running)
        costs = oracle.costs(running, legal)
        assert (costs[level.legal] == lost[level.legal]).all()
        assert (costs[~legal] == IMPERMISSIBLE).all()
        moves, labels, *_ = oracle.decide(running, legal)
        rows = np.arange(len(running))
        assert level.legal[rows, moves].all()
        assert (lost[rows, moves] == 0).all()
        adds = np.array([move.labelled for move in system.moves])[moves]
        certain = oracle.certain(running, legal)
        assert certain[~gold.partial[running.origin // running.width]].all()
        assert ((labels >= 0) == adds)[certain].all()
        assert not (labels >= 0)[~adds].any()
    assert best[0].tolist() == [sum(head >= 0 for head in tree) for tree in trees]


@up_to({"covington": (5, 4), "2-planar": (5, 3)})
@root_rules
def test_reachable_arcs_of_merged_configurations(name, n, single_root):
    """One configuration of each group is tested with every tree."""
    system, trees = make_system(name, single_root=single_root), np.array(all_trees(n, single_root))
    merged = merged_configurations(system, n)
    for some in np.array_split(trees, len(trees) // 100 + 1):
        futures = best_futures(merged, some)
        for tree, future in zip(some, futures.T, strict=True):
            oracle = make_dynamic_oracle(system, gold_of([tuple(tree)]))
            built = [(c.heads_matrix()[:, 1 : n + 1] == tree[1:]).sum(axis=1) for c in merged.levels]
            reached = [oracle.reachable(c) for c in merged.levels]
            assert (np.concatenate(reached) == np.concatenate(built) + future).all()


class Wanderer:
    """Policy that takes random permissible moves or the oracle's, with equal probability, and sums their costs."""

    def __init__(self, oracle, seed):
        self.oracle = oracle
        self.kept = rules_of(oracle)
        self.random = np.random.default_rng(seed)
        self.lost = np.zeros(len(oracle.gold.trees), dtype=np.int64)

    def decide(self, c, legal):
        moves, labels, *_ = self.oracle.decide(c, legal)
        chosen = np.argmax(self.random.random(legal.shape) * self.kept(c, legal), axis=1)
        moves = np.where(self.random.random(len(c)) < 0.5, chosen, moves)
        self.lost[c.origin // c.width] += self.oracle.costs(c, legal)[np.arange(len(c)), moves]
        return moves, labels


def walk(system, wanderer):
    """Number of gold arcs of each sentence in its terminal configuration."""
    gold = wanderer.oracle.gold
    c = system.initial(gold.lengths)
    found = np.zeros(len(c), dtype=np.int64)
    while True:
        ended = c.at(system.terminal(c))
        heads = gold.heads[ended.origin // ended.width]
        found[ended.origin // ended.width] = ((ended.heads_matrix() == heads) & (heads >= 0)).sum(axis=1)
        c = c.at(~system.terminal(c)).compact()
        if not len(c):
            return found
        moves, _ = wanderer.decide(c, system.legal(c))
        system.advance(c, moves, np.where([system.moves[move].labelled for move in moves], 0, -1))


@dynamic_oracles
@root_rules
def test_costs_of_random_derivations_sum_to_their_loss(name, single_root):
    system = make_system(name, single_root=single_root)

    @settings(max_examples=5 if name == "2-planar" else 12)
    @given(st.lists(random_trees(single_root, longest=20), min_size=1, max_size=6), st.integers(0, 2**32))
    def check(trees, seed):
        if not DYNAMIC_ORACLES[name].exact_for_all:
            trees = [projectivized(tree) for tree in trees]
        oracle = make_dynamic_oracle(system, gold_of(trees))
        best = oracle.gold.lengths
        if name == "2-planar":  # 2-planar does not derive every tree
            best = oracle.reachable(system.initial(best))
        wanderer = Wanderer(oracle, seed)
        found = walk(system, wanderer)
        assert (found + wanderer.lost).tolist() == best.tolist()

    check()


@dynamic_oracles
def test_labels_are_gold_labels_of_the_words_that_get_heads(name):
    system = make_system(name, single_root=False)
    gold = Gold([[-1, 2, 0, 2]], [[-1, 5, 6, 7]])
    oracle = make_dynamic_oracle(system, gold)
    c = system.initial(gold.lengths)
    derivation = []
    while not system.terminal(c).all():
        labels, of_gold_arcs = oracle.labels(c)
        (move,), (label,), *_ = oracle.decide(c, system.legal(c))
        assert label == labels[0, move]
        if system.moves[move].labelled:
            assert of_gold_arcs[0, move]
            derivation.append(int(label))
        else:
            assert label == -1
        system.advance(c, np.array([move]), np.array([label]))
    assert sorted(derivation) == [5, 6, 7]
    assert (c.deprels_matrix() == gold.deprels).all()


def test_costs_of_arc_eager_in_a_worked_example():
    # He wrote her a letter . (Goldberg & Nivre 2012, figure 1); wrote is shifted, although node 0 is its head
    system = make_system("arc-eager", single_root=False)
    gold = Gold([[-1, 2, 0, 2, 5, 2, 2]], [[-1, 0, 1, 2, 3, 4, 5]])
    oracle = make_dynamic_oracle(system, gold)
    c = system.initial(gold.lengths)
    costs = []
    for move in ("SH", "LA", "SH", "RA", "SH"):
        costs.append(oracle.costs(c, system.legal(c))[0].tolist())
        number = [move.short for move in system.moves].index(move)
        system.advance(c, np.array([number]), np.array([0 if system.moves[number].labelled else -1]))
    costs.append(oracle.costs(c, system.legal(c))[0].tolist())
    never = IMPERMISSIBLE
    assert costs == [  # costs of SHIFT, LEFT-ARC, RIGHT-ARC, REDUCE
        [0, never, 1, never],  # [0] [He wrote ...]: the head of He is in the buffer
        [2, 0, 2, never],  # [0 He] [wrote ...]: SHIFT and RIGHT-ARC each lose the arcs to He and to wrote
        [1, never, 0, never],  # [0] [wrote her ...]
        [1, 3, 0, never],  # [0 wrote] [her a ...], wrote without a head: LEFT-ARC loses its three dependents
        [0, never, 1, 0],  # [0 wrote her] [a letter .]: the head of a is in the buffer
        [2, 0, 2, never],  # [0 wrote her a] [letter .]: SHIFT and RIGHT-ARC each lose the arcs to a and to letter
    ]


def test_systems_without_a_dynamic_oracle_are_refused():
    names = ", ".join(DYNAMIC_ORACLES)
    for name in set(SYSTEMS) - set(DYNAMIC_ORACLES):
        with pytest.raises(ValueError, match=f"^{name} has no dynamic oracle; allowed: {names}$"):
            make_dynamic_oracle(make_system(name), gold_of([(-1, 0)]))


@given(st.lists(st.lists(st.integers(-1, 7), min_size=7, max_size=7), min_size=1, max_size=5))
def test_cycles_are_counted(rows):
    heads = [[-1, *(-1 if head == word else head for word, head in enumerate(row, 1))] for row in rows]
    counted = count_cycles(np.array([[*row, -1] for row in heads]))
    assert counted.tolist() == [len(cycles(row)) for row in heads]
