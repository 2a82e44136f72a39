"""Derivations written down: a recorder for the driver, derivations as text, and why a tree could not be derived."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..transitions.configuration import Configuration, Ints
from ..transitions.step import Step
from ..transitions.system import TransitionSystem
from ..transitions.trees import Heads, nonprojective_arcs, roots

Transition = tuple[int, int]
"""One transition: the number of its move in the system, and its label (-1 without)."""


class DerivationRecorder:
    """An observer of the driver that writes down the derivations of a batch.

    stuck: for each sentence (its number in the batch) whose guide was not followed everywhere, the stack and the buffer
    at the first such step, as lists of nodes, the top of the stack last and the first of the buffer first.
    """

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._sentences: list[Ints] = []
        self._moves: list[Ints] = []
        self._labels: list[Ints] = []
        self.stuck: dict[int, tuple[list[int], list[int]]] = {}

    def __call__(self, step: Step) -> None:
        sentences = step.sentences
        self._sentences.append(sentences)
        self._moves.append(step.moves)
        self._labels.append(step.labels)
        for row in np.flatnonzero(step.unguided):
            if int(sentences[row]) not in self.stuck:
                self.stuck[int(sentences[row])] = _nodes(step.c.at(np.array([row])))

    def derivations(self) -> list[list[Transition]]:
        """The derivation of every sentence, in the order of the batch."""
        result: list[list[Transition]] = [[] for _ in range(self._batch)]
        steps = zip(_joined(self._sentences), _joined(self._moves), _joined(self._labels), strict=True)
        for sentence, move, label in steps:
            result[sentence].append((move, label))
        return result


def write_derivation(system: TransitionSystem, steps: Sequence[Transition], label_names: Sequence[str]) -> str:
    """A derivation as text, moves by their short names: ``SH SH LA+nsubj RA+root``.

    A labelled move without a label, which only the default transition makes, is written without one.
    """
    return " ".join(
        system.moves[move].short if label < 0 else f"{system.moves[move].short}+{label_names[label]}"
        for move, label in steps
    )


def why_underivable(system: TransitionSystem, tree: Heads, stuck: tuple[list[int], list[int]] | None = None) -> str:
    """Why the oracle of ``system`` cannot derive ``tree``.

    stuck: what :class:`DerivationRecorder` says of the sentence.
    """
    children = roots(tree)
    if system.single_root and len(children) > 1:
        return f"node 0 has {len(children)} dependents ({_listed(children, ', ')}), but a single root is asked for"
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
        return f"no transition of {system.name} leads on from stack [{_listed(stack)}] and buffer [{_listed(buffer)}]"
    return f"the oracle of {system.name} does not reach the tree"


def _nodes(one: Configuration) -> tuple[list[int], list[int]]:
    stack = [int(one.stack(k)[0]) for k in reversed(range(int(one.stack_size[0])))]
    return stack, [int(one.buffer(k)[0]) for k in range(int(one.buffer_size[0]))]


def _joined(parts: list[Ints]) -> list[int]:
    return np.concatenate(parts).tolist() if parts else []


def _listed(nodes: Sequence[int], separator: str = " ") -> str:
    return separator.join(map(str, nodes))
