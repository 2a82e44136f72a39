"""Records of derivations: a recorder for the driver, derivations as text, and reasons why a tree cannot be derived."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..transitions.configuration import Configuration, Ints
from ..transitions.step import DerivationStep
from ..transitions.system import TransitionSystem
from ..transitions.trees import Heads, nonprojective_arcs, roots

Transition = tuple[int, int]
"""One transition: the number of its move in the system, and its label (-1 for no label)."""


class DerivationRecorder:
    """An observer of the driver that records the derivations of a batch.

    stuck: for each sentence (its number in the batch) in which a default transition replaced the oracle's prediction,
        the stack and the buffer before the first such step. Both are lists of nodes, with the top of the stack last and
        the first node of the buffer first.
    """

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._sentences: list[Ints] = []
        self._moves: list[Ints] = []
        self._labels: list[Ints] = []
        self.stuck: dict[int, tuple[list[int], list[int]]] = {}

    def __call__(self, step: DerivationStep) -> None:
        sentences = step.sentences
        self._sentences.append(sentences)
        self._moves.append(step.moves)
        self._labels.append(step.labels)
        for row in np.flatnonzero(step.unguided):
            if int(sentences[row]) not in self.stuck:
                self.stuck[int(sentences[row])] = _nodes(step.c.at(np.array([row])))

    def derivations(self) -> list[list[Transition]]:
        """The derivations of all sentences, in the order of the batch."""
        result: list[list[Transition]] = [[] for _ in range(self._batch)]
        steps = zip(_joined(self._sentences), _joined(self._moves), _joined(self._labels), strict=True)
        for sentence, move, label in steps:
            result[sentence].append((move, label))
        return result


def write_derivation(system: TransitionSystem, steps: Sequence[Transition], label_names: Sequence[str]) -> str:
    """Write a derivation as text, with the short names of moves: ``SH SH LA+nsubj RA+root``.

    A labelled move that the default transition made without a label is written without one.
    """
    return " ".join(
        system.moves[move].short if label < 0 else f"{system.moves[move].short}+{label_names[label]}"
        for move, label in steps
    )


def why_underivable(system: TransitionSystem, tree: Heads, stuck: tuple[list[int], list[int]] | None = None) -> str:
    """State why the oracle of ``system`` cannot derive ``tree``.

    stuck: entry of :class:`DerivationRecorder` for the sentence
    """
    children = roots(tree)
    if system.single_root and len(children) > 1:
        return f"node 0 has {len(children)} dependents ({_listed(children, ', ')}), but a single root is required"
    if system.chains:
        word = next((word for word, head in enumerate(tree) if head != word - 1), 0)
        return f"{system.name} derives chains only: the head of word {word} is {tree[word]}, not {word - 1}"
    crossing = [word for word, crosses in enumerate(nonprojective_arcs(tree)) if crosses]
    if system.projective and crossing:
        more = f", and {len(crossing) - 1} more" if len(crossing) > 1 else ""
        arc = f"{tree[crossing[0]]} -> {crossing[0]}"
        return f"{system.name} derives projective trees only: arc {arc} is non-projective{more}"
    if stuck is not None:
        stack, buffer = stuck
        lists = f"stack [{_listed(stack)}] and buffer [{_listed(buffer)}]"
        return f"no transition of {system.name} leads to the tree from {lists}"
    return f"the oracle of {system.name} cannot derive the tree"


def _nodes(one: Configuration) -> tuple[list[int], list[int]]:
    stack = [int(one.stack(k)[0]) for k in reversed(range(int(one.stack_size[0])))]
    return stack, [int(one.buffer(k)[0]) for k in range(int(one.buffer_size[0]))]


def _joined(parts: list[Ints]) -> list[int]:
    return np.concatenate(parts).tolist() if parts else []


def _listed(nodes: Sequence[int], separator: str = " ") -> str:
    return separator.join(map(str, nodes))
