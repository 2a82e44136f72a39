"""Rules that every transition system and its oracles obey, checked on all short sentences and on random long ones."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from html import escape
from itertools import product
from types import FrameType

import numpy as np

from ....oracles.derivations import DerivationRecorder
from ....oracles.dynamic import IMPERMISSIBLE
from ....oracles.oracle import Gold
from ....oracles.registry import DYNAMIC, DYNAMIC_ORACLES, ORACLES, make_dynamic_oracle, make_oracle
from ....transitions.configuration import NONE, Bools, Configuration, Ints
from ....transitions.registry import SYSTEMS, make_system
from ....transitions.step import Decision, DerivationStep
from ....transitions.system import TransitionSystem
from ....transitions.trees import cycles, is_projective, is_tree, projective_order, roots
from ...base.errors import CrossarcError, check_names
from ...config.feature_files import load_features
from ...search.greedy import DerivedTrees, Fallback, Guide, derive

Tree = tuple[int, ...]
FALLBACK = Fallback(root_label=7, orphan_label=8)
LABEL = 3
SECONDS = 120
"""Maximum time of one rule."""
LENGTHS = (3, 0, 17, 1, 9, 25, 2, 12)
"""Numbers of words of the sentences of random derivations."""


class RuleError(CrossarcError):
    """A rule that a system or an oracle violates."""


def require(holds: object, fault: str) -> None:
    """Raise RuleError unless a condition holds."""
    if not holds:
        raise RuleError(fault)


def short(name: str) -> int:
    """Return the largest number of words for which all derivations of a system are followed."""
    return 4 if make_system(name).max_transitions(5) < 40 else 3


@lru_cache
def all_trees(n: int, single_root: bool) -> list[Tree]:
    """Return all trees of n words."""
    trees = [(NONE, *heads) for heads in product(range(n + 1), repeat=n) if is_tree((NONE, *heads))]
    return [tree for tree in trees if not single_root or len(roots(tree)) <= 1]


def random_trees(count: int, longest: int, single_root: bool, seed: int = 1) -> list[Tree]:
    """Return random trees: words in random order, each of which depends on node 0 or on a word before it."""
    random = np.random.default_rng(seed)
    trees = []
    for _ in range(count):
        nodes = [0, *(random.permutation(int(random.integers(0, longest + 1))) + 1).tolist()]
        heads = [NONE] * len(nodes)
        for place in range(1, len(nodes)):
            heads[nodes[place]] = nodes[int(random.integers(1 if single_root and place > 1 else 0, place))]
        trees.append(tuple(heads))
    return trees


def projectivized(tree: Sequence[int]) -> Tree:
    """Return a projective tree of the same shape: words are renumbered by the projective order of the tree."""
    position = projective_order(tree)
    heads = [NONE] * len(tree)
    for word in range(1, len(tree)):
        heads[position[word]] = position[tree[word]]
    return tuple(heads)


def contents(c: Configuration, longest: int) -> list[Ints]:
    """Return stacks, buffers, arcs and marks, int64 (facts, rows) each; equal rows are equal configurations."""
    places = np.arange(longest + 1)[:, None]
    lists = [c.stack(places), c.buffer(places), c.context(places), c.heads_matrix().T]
    return [*lists, c.other_stack(places), c.mark[None]] if c.two_stacks else lists


@lru_cache
def explore(system: type[TransitionSystem], single_root: bool, n: int) -> tuple[dict[Tree, int], int]:
    """Follow all derivations of n words.

    Returns the least number of transitions to the arcs of each terminal configuration, and the greatest number of all.
    Raises RuleError for a configuration without a permissible move and for a derivation that exceeds its bound.
    """
    instance = system(single_root=single_root)
    c = instance.initial(np.array([n]))
    depths: dict[Tree, int] = {}
    bound = instance.max_transitions(n)
    for depth in range(bound + 1):
        end = instance.terminal(c)
        for heads in c.at(end).heads_matrix()[:, : n + 1].tolist():
            depths.setdefault(tuple(heads), depth)
        if end.all():
            return depths, depth
        c = c.at(~end)
        legal = instance.legal(c)
        stuck = np.flatnonzero(~legal.any(axis=1))
        if stuck.size:
            raise RuleError(f"{n} words: no move is permissible in {_shown(c.at(stuck[:1]))}, which is not terminal")
        _, _, c = instance.successors(c, legal, LABEL)
        _, distinct = np.unique(np.concatenate(contents(c, n)).T, axis=0, return_index=True)
        c = c.at(distinct).compact()
    raise RuleError(f"{n} words: a derivation has not ended after max_transitions({n}) = {bound} moves")


def derivable(name: str, single_root: bool, n: int) -> dict[Tree, int]:
    """Return the trees of n words that a system derives, and the least number of transitions of each."""
    return {heads: depth for heads, depth in explore(SYSTEMS[name], single_root, n)[0].items() if is_tree(heads)}


def run_oracle(
    system: TransitionSystem, oracle: str, trees: Sequence[Tree]
) -> tuple[Gold, DerivedTrees, list[list[tuple[int, int]]]]:
    """Derive trees with an oracle. Returns gold trees, derived trees, and the transitions of each derivation."""
    gold = Gold(trees, [[NONE, *(word % 5 for word in range(1, len(tree)))] for tree in trees])
    recorder = DerivationRecorder(len(trees))
    outcome = derive(system, make_oracle(system, gold, oracle), system.initial(gold.lengths), FALLBACK, recorder)
    return gold, outcome, recorder.derivations()


def reached(gold: Gold, outcome: DerivedTrees) -> list[bool]:
    """Return for each gold tree whether it was derived."""
    return ((outcome.heads == gold.heads) & (outcome.deprels == gold.deprels)).all(axis=1).tolist()


class RandomWalk:
    """A guide with random permissible moves; some are impermissible or missing, so that the default is taken."""

    def __init__(self, system: TransitionSystem, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._labelled = np.array([move.labelled for move in system.moves])

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """A random move in each row, seldom one that is not permissible or none."""
        moves = np.argmax(self._random.random(legal.shape) * np.where(legal, 1.0, 0.05), axis=1)
        moves = np.where(self._random.random(len(c)) < 0.05, NONE, moves)
        return Decision(moves, np.where(self._labelled[moves] & (moves >= 0), LABEL, NONE))


class Mixer:
    """A guide whose decisions depend only on a hash of the configuration."""

    def __init__(self, system: TransitionSystem) -> None:
        self._labelled = np.array([move.labelled for move in system.moves])

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """The permissible move with the highest hash in each row."""
        seen = [c.stack(0), c.stack(1), c.buffer(0), c.buffer(1), c.lookahead(0), c.context(0), c.swapped]
        seen += [c.dependent(c.stack(0), side, k) for side in ("left", "right") for k in (0, 1)]
        seen += [c.head(c.stack(0)), c.arity(c.stack(0), "left"), c.stack_size, c.buffer_size, c.lengths]
        mixed = np.zeros(len(c), dtype=np.int64)
        for value in seen:
            mixed = (mixed * 31 + value + 2) % 1_000_003
        scores = (mixed[:, None] * np.arange(3, 3 + 2 * legal.shape[1], 2)) % 101
        moves = np.argmax(np.where(legal, scores, NONE), axis=1)
        return Decision(moves, np.where(self._labelled[moves], mixed % 6, NONE))


class Silent:
    """A guide without predictions: the default transition is taken in every step."""

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        """No move in any row."""
        return Decision(np.full(len(c), NONE), np.full(len(c), NONE))


def watch(system: TransitionSystem, added: Ints, step: DerivationStep) -> None:
    """Check that a step keeps the rules of the system.

    added: number of arcs of each sentence before the step; updated in place.
    """
    c, sentences = step.c, step.sentences
    require((system.legal(c) == step.legal).all(), "permissible changes the configuration or its own answer")
    before = c.heads_matrix()
    require((before[:, 0] == NONE).all(), "node 0 has a head")
    require(((before >= 0).sum(axis=1) == added[sentences]).all(), "a move has changed the head of a word")
    adds = np.array([move.labelled for move in system.moves])[step.moves]
    added[sentences] += adds
    after, expected = c.compact(), before.copy()
    system.advance(after, step.moves, step.labels)
    arcs = system.arcs(c)
    labelled = {move for move in system.moves if move.labelled}
    require(set(arcs) == labelled, "arcs does not have the moves with labels as its keys")
    for row, number in enumerate(step.moves.tolist()):
        if (move := system.moves[number]) in arcs:
            head, dependent = (int(nodes[row]) for nodes in arcs[move])
            expected[row, dependent] = head
    require((after.heads_matrix() == expected).all(), "apply adds other arcs than arcs states")


def _declaration(name: str) -> None:
    system = make_system(name)
    require(isinstance(system.projective, bool), "projective is not declared")
    require(set(system.default_moves) <= set(system.moves), "default_moves has a move that moves lacks")
    require(len({move.name for move in system.moves}) == len(system.moves), "two moves have the same name")
    for n in (0, 1, 2, 10, 100):
        bound = system.max_transitions(n)
        require(0 <= bound <= 10 * (n + 1) ** 2, f"max_transitions({n}) is {bound}; allowed: 0 to {10 * (n + 1) ** 2}")


def _derivations(name: str) -> None:
    for single_root, n in product((False, True), range(short(name) + 1)):
        for heads in explore(SYSTEMS[name], single_root, n)[0]:
            forest = heads[0] == NONE and not cycles(heads)
            require(forest, f"a derivation ends with the heads {heads[1:]}, not a forest")
            one = not single_root or heads.count(0) <= 1
            require(one, f"single_root: a derivation ends with the heads {heads[1:]}, with several roots")


def _trees(name: str) -> None:
    for single_root, n in product((False, True), range(short(name) + 1)):
        derived = set(derivable(name, single_root, n))
        trees = all_trees(n, single_root)
        projective = {tree for tree in trees if is_projective(tree)}
        if SYSTEMS[name].chains:
            projective = {tuple(range(NONE, n))}
        missing, other = projective - derived, derived - set(trees)
        if SYSTEMS[name].projective:
            other |= derived - projective
        require(not missing, f"no derivation gives the projective tree with the heads {min(missing or [()])[1:]}")
        require(not other, f"a derivation gives the heads {min(other or [()])[1:]}, which the system may not derive")


def _defaults(name: str) -> None:
    _walk(name, lambda system: Silent())


def _walks(name: str) -> None:
    for seed in range(10):
        _walk(name, lambda system, seed=seed: RandomWalk(system, seed))  # type: ignore[misc]


def _walk(name: str, guide: Callable[[TransitionSystem], Guide]) -> None:
    for single_root in (False, True):
        system = make_system(name, single_root=single_root)
        observer = partial(watch, system, np.zeros(len(LENGTHS), dtype=np.int64))
        outcome = derive(system, guide(system), system.initial(np.array(LENGTHS)), FALLBACK, observer)
        for row, n in enumerate(LENGTHS):
            heads = outcome.heads[row, : n + 1].tolist()
            require(is_tree(heads), f"a derivation of {n} words ends without a tree: {heads[1:]}")
            one = not single_root or n == 0 or len(roots(heads)) == 1
            require(one, f"single_root: a derivation of {n} words ends with {len(roots(heads))} roots")
            fits = not system.projective or is_projective(heads)
            require(fits, f"a derivation of {n} words ends with a tree that is not projective: {heads[1:]}")
            labels = outcome.deprels[row, 1 : n + 1].tolist()
            swapped = (label == (7 if head else 8) for head, label in zip(heads[1:], labels, strict=True))
            require(set(labels) <= {LABEL, 7, 8} and not any(swapped), f"a derivation of {n} words has wrong labels")


def _batches(name: str) -> None:
    for single_root in (False, True):
        system = make_system(name, single_root=single_root)
        together = derive(system, Mixer(system), system.initial(np.array(LENGTHS)), FALLBACK)
        for row, n in enumerate(LENGTHS):
            alone = derive(system, Mixer(system), system.initial(np.array([n])), FALLBACK)
            pairs = ((together.heads, alone.heads), (together.deprels, alone.deprels))
            same = [(a[row, : n + 1] == b[0, : n + 1]).all() for a, b in pairs]
            require(all(same), f"a sentence of {n} words gets another tree in a batch than alone")


def _oracles(name: str) -> None:
    require(name in ORACLES, "no oracle names the system in its attribute systems")
    for oracle, single_root in product(ORACLES[name], (False, True)):
        system = make_system(name, single_root=single_root)
        for n in range(short(name) + 1):
            trees = all_trees(n, single_root)
            can = derivable(name, single_root, n)
            gold, outcome, derivations = run_oracle(system, oracle, trees)
            for row, (tree, success) in enumerate(zip(trees, reached(gold, outcome), strict=True)):
                fault = "does not derive" if tree in can else "derives, though the system cannot,"
                require(success == (tree in can), f"oracle {oracle} {fault} the tree with the heads {tree[1:]}")
                taken = not success or outcome.defaults[row] == 0
                require(taken, f"oracle {oracle} needs default transitions for the tree with the heads {tree[1:]}")
                enough = not success or len(derivations[row]) >= can[tree]
                require(enough, f"oracle {oracle} derives {tree[1:]} in fewer transitions than possible")
        complete = all(reached(*run_oracle(system, oracle, all_trees(5, single_root))[:2]))
        require(
            complete or not system.derives_all, f"derives_all is set, but oracle {oracle} does not derive all trees"
        )
        trees = random_trees(30, 25, single_root)
        if system.chains:
            trees = [tuple(range(NONE, len(tree) - 1)) for tree in trees]
        elif not complete:
            trees = [projectivized(tree) for tree in trees]
        gold, outcome, _ = run_oracle(system, oracle, trees)
        lost = [tree[1:] for tree, success in zip(trees, reached(gold, outcome), strict=True) if not success]
        require(not lost, f"oracle {oracle} does not derive the tree with the heads {min(lost, key=len, default=())}")


def _partial(name: str) -> None:
    """The dynamic oracle, if any, on the trees of short sentences without the arcs of each set of words."""
    for single_root, n in product((False, True), range(short(name) + 1 if name in DYNAMIC_ORACLES else 0)):
        sets = list(product((False, True), repeat=n))
        forests = {
            (NONE, *(NONE if gone else head for gone, head in zip(gone_words, tree[1:], strict=True)))
            for tree in derivable(name, single_root, n)
            for gone_words in sets
        }
        gold, outcome, _ = run_oracle(make_system(name, single_root=single_root), DYNAMIC, sorted(forests))
        lost = (gold.heads != NONE) & (outcome.heads != gold.heads)
        some = [tree[1:] for tree, is_lost in zip(sorted(forests), lost.any(axis=1).tolist(), strict=True) if is_lost]
        require(not some, f"the dynamic oracle loses an arc of the heads {min(some, default=())}; -1: no gold head")


def _costs(name: str) -> None:
    """The costs of the dynamic oracle, if any, in all derivations of short sentences.

    Oracles for swaps judge only derivations in their own order, so they are left out.
    """
    oracle_type = DYNAMIC_ORACLES.get(name)
    if oracle_type is None or any(move.name == "SWAP" for move in SYSTEMS[name].moves):
        return
    for single_root, n in product((False, True), range(1, short(name))):
        system = make_system(name, single_root=single_root)
        trees = [tree for tree in all_trees(n, single_root) if oracle_type.exact_for_all or is_projective(tree)]
        gold = Gold(trees, [[NONE, *([LABEL] * n)] for _ in trees])
        oracle = make_dynamic_oracle(system, gold)
        c = system.initial(gold.lengths)
        levels: list[tuple[Bools, Ints, Configuration, Bools]] = []
        while True:
            heads = gold.heads[c.origin // c.width][:, 1 : n + 1]
            built = np.count_nonzero(c.heads_matrix()[:, 1 : n + 1] == heads, axis=1)
            running = ~system.terminal(c)
            if not running.any():
                break
            require(len(levels) < system.max_transitions(n), f"{n} words: a derivation exceeds max_transitions({n})")
            live = c.at(running).compact()
            legal = system.legal(live)
            levels.append((running, built, live, legal))
            _, _, c = system.successors(live, legal, LABEL)
        best = built
        for running, built, live, legal in reversed(levels):
            after = np.full(legal.shape, NONE)
            after[legal] = best
            most = after.max(axis=1)
            lost = np.where(legal, most[:, None] - after, IMPERMISSIBLE)
            costs = oracle.costs(live, legal)
            for row, move in np.argwhere(costs != lost)[:1].tolist():
                tree = gold.heads[live.origin[row] // live.width][1 : n + 1].tolist()
                raise RuleError(
                    f"{system.moves[move]} costs {costs[row, move]} by the dynamic oracle, but {lost[row, move]} arcs "
                    f"are lost, for the tree with the heads {tree}: {_shown(live.at(np.array([row])))}"
                )
            best = built.copy()
            best[running] = most


def _features(name: str) -> None:
    load_features("rich", name, None)


RULES: Mapping[str, Callable[[str], None]] = {
    "declaration: projective, moves, default_moves and max_transitions are consistent": _declaration,
    "all derivations of short sentences end within max_transitions, in a forest": _derivations,
    "the system derives all projective trees, and no others if it is projective": _trees,
    "default transitions alone end in a tree; arcs states the arcs that apply adds": _defaults,
    "random derivations end in trees": _walks,
    "the sentences of a batch do not affect each other": _batches,
    "each oracle derives all trees that the system can derive": _oracles,
    "the dynamic oracle, if any, loses no arc of trees in which words have no gold head": _partial,
    "the costs of the dynamic oracle, if any, are the arcs that a transition loses": _costs,
    "the system has a feature model": _features,
}
"""The rules by their texts; each function raises CrossarcError for a system that violates it."""


class SystemReport(tuple[tuple[str, str], ...]):
    """The rules of a system in order, each with its fault, "" if the system obeys it. Notebooks show it as a table."""

    @property
    def ok(self) -> bool:
        """Whether the system obeys all rules."""
        return not any(fault for _, fault in self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{'violated' if fault else 'ok'}</td><td>{escape(rule)}</td><td>{escape(fault)}</td></tr>"
            for rule, fault in self
        )
        return f"<table>{rows}</table>"


def check_system(name: str) -> SystemReport:
    """Try a registered system and its oracles on all small trees. Raises CrossarcError for an unknown name.

    >>> import crossarc
    >>> crossarc.check_system("arc-hybrid").ok
    True
    """
    check_names("transition system", [name], SYSTEMS)
    return SystemReport(checked_rules(name))


def checked_rules(name: str) -> Iterator[tuple[str, str]]:
    """Yield (rule, fault) for each rule; the fault is "" if the system obeys it. Stops rules that take too long."""
    for rule, check in RULES.items():
        fault = ""
        try:
            with _limited():
                check(name)
        except Exception as error:
            fault = str(error) if isinstance(error, CrossarcError) else _told(error)
        yield rule, fault


def _told(error: Exception) -> str:
    """An exception of a method, with the file and line that raised it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({frame.filename}:{frame.lineno})"


@contextmanager
def _limited() -> Iterator[None]:
    """Raise RuleError if the block takes more CPU time than :data:`SECONDS`; only where the machine has such timers.

    The alarm repeats, since an exception in a callback of the interpreter is lost.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise RuleError(f"not finished after {SECONDS} CPU s; a method of the system or the oracle may not end")

    if not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _shown(c: Configuration) -> str:
    stack = " ".join(str(int(c.stack(k)[0])) for k in reversed(range(int(c.stack_size[0]))))
    return f"stack [{stack}], buffer [{' '.join(str(int(c.buffer(k)[0])) for k in range(int(c.buffer_size[0])))}]"
