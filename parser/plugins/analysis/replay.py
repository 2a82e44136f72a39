"""Replay of a list of moves that a person wrote: what each costs, which is not permissible, and the tree so far."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ....oracles.oracle import Gold
from ....transitions.configuration import NONE, Configuration
from ....transitions.registry import SYSTEMS, make_system
from ....transitions.step import Decision, DerivationStep
from ....transitions.system import TransitionSystem
from ....transitions.trees import roots
from ...base.errors import CrossarcError, check_names, choices
from ...search.greedy import DerivedTrees
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ..drawing.derivation import DrawnDerivation
from .derivation import drawn, dynamic_judge
from .recording import Judge, Recording

WRITTEN = re.compile(r"\s*([^\s(),]+)\s*(?:\(([^()]*)\))?\s*")
BETWEEN = re.compile(r",(?![^()]*\))")


def moves_in(text: str) -> list[str]:
    """The moves in a list such as ``SHIFT, LEFT-ARC(nsubj)``; labels may contain commas."""
    return [move.strip() for move in BETWEEN.split(text) if move.strip()]


def replayed(sentence: Sentence, system: str, moves: Sequence[str]) -> DrawnDerivation:
    """The derivation that takes some moves, possibly not to its end.

    sentence: with its gold tree, by which the moves are judged; without heads they are not judged.
    system: a registered system. The gold tree decides whether node 0 may have several dependents.
    moves: names or short names of moves, with the label of an arc in brackets: ``LEFT-ARC(nsubj)``, ``SH``.

    A cost is the number of gold arcs that the move makes unreachable, for systems with a dynamic oracle. Raises
    CrossarcError, with the number of the move and the configuration, for moves that the system lacks or that are not
    permissible.

    >>> import crossarc
    >>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> derivation = crossarc.replayed(sentence, "arc-eager", ["SHIFT", "LEFT-ARC(nsubj)"])
    >>> [step.cost for step in derivation.steps], derivation.end.tree.heads
    ([0, 0], [-1, 2, -1])
    """
    check_names("system: found", [system], SYSTEMS)
    annotated = bool(len(sentence)) and set(sentence.column("head")) != {"_"}
    tree = read_tree(sentence) if annotated else None
    transitions = make_system(system, single_root=tree is None or len(roots(tree.heads)) == 1)
    written = [_parsed(transitions, move, number) for number, move in enumerate(moves, 1)]
    names = sorted({*(tree.deprels[1:] if tree else ()), *(label for _, label in written if label)})
    judge: Judge | None = dynamic_judge(transitions, Gold.of([tree], names)) if tree else None
    recording = Recording(transitions, names, judge or Judge())
    c = transitions.initial(np.array([len(sentence)]))
    for number, (move, label) in enumerate(written, 1):
        _check(transitions, c, move, number)
        taken, labels = np.array([move]), np.array([names.index(label) if label else NONE])
        legal, sure = transitions.legal(c), np.zeros(1, dtype=np.bool_)
        recording(DerivationStep(c, legal, taken, labels, sure, Decision(taken, labels)))
        transitions.advance(c, taken, labels)
    recording.finish(c, DerivedTrees(c.heads_matrix(), c.deprels_matrix(), np.zeros(1, dtype=np.int64)))
    return drawn(f"{system}, {len(written)} moves", sentence.column("form"), [recording], tree)


def _parsed(system: TransitionSystem, text: str, number: int) -> tuple[int, str]:
    """(number of the move, label or "") of a move as it is written. number: its place in the list, for messages."""
    match = WRITTEN.fullmatch(text)
    if match is None:
        raise CrossarcError(f"move {number}: found {text!r}, expected a move such as SHIFT or LEFT-ARC(nsubj)")
    name, label = match[1].upper(), (match[2] or "").strip()
    move = next((move for move in system.moves if name in (move.name.upper(), move.short.upper())), None)
    if move is None:
        raise CrossarcError(f"move {number}: found {choices(match[1], [move.name for move in system.moves])}")
    if move.labelled != bool(label):
        wanted = f"a label, as in {move}(nsubj)" if move.labelled else "no label"
        raise CrossarcError(f"move {number}: found {text!r}, expected {wanted}")
    return system.moves.index(move), label


def _check(system: TransitionSystem, c: Configuration, move: int, number: int) -> None:
    """Raise CrossarcError, with the configuration, for a move that is not permissible."""
    done = bool(system.terminal(c)[0])
    legal = [] if done else np.flatnonzero(system.legal(c)[0]).tolist()
    if move in legal:
        return
    stack = " ".join(str(int(c.stack(k)[0])) for k in reversed(range(int(c.stack_size[0]))))
    buffer = " ".join(str(int(c.buffer(k)[0])) for k in range(int(c.buffer_size[0])))
    headed = [str(word) for word, head in enumerate(c.heads_matrix()[0].tolist()) if head >= 0]
    state = f"stack [{stack}], buffer [{buffer}], words with a head: {' '.join(headed) or 'none'}"
    allowed = "nothing, the derivation has ended" if done else ", ".join(str(system.moves[other]) for other in legal)
    raise CrossarcError(f"move {number}: {system.moves[move]} is not permissible with {state}; allowed: {allowed}")
