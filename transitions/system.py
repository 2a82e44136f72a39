"""The base class of transition systems: moves, their conditions and effects, and the end of a derivation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .arrays import ranks
from .configuration import NONE, ROOT, Bools, Configuration, Ints


@dataclass(frozen=True, slots=True)
class Move:
    """A transition without its label: its name, its short name in printed derivations, and whether it takes a label."""

    name: str
    short: str
    labelled: bool

    def __str__(self) -> str:
        return self.name


class TransitionSystem(ABC):
    """A transition system (Nivre 2008): configurations, transitions, initialization and terminal configurations.

    Legality (:meth:`permissible`), application (:meth:`apply`) and oracle are separate: ``apply`` assumes that the move
    is permissible. Every configuration that is not terminal has a permissible move.

    name: name in configs
    moves: the moves; their order numbers them everywhere
    default_moves: moves in order of preference; the first permissible one is the default transition, which is taken
        when a guide predicts no permissible transition
    projective: whether the system derives projective trees only
    derives_all: whether the system and its oracles derive every tree, under single_root those with one dependent of
        node 0; training then need not try
    chains: whether the system derives only chains, in which each word depends on the word before it
    sources: the lists of nodes that features may address
    label_dependent: the moves that are permissible with some labels only, see :meth:`permissible_labels`
    revises: whether derivations begin with trees, see :class:`~.three_step.ValencyPass`
    place: position in lists of systems, which are sorted by place and then by name
    features: feature model of an added system, the name of a ready model or templates; see
        :func:`~crossarc.register_system`
    single_root: whether node 0 may get only one dependent
    """

    name: ClassVar[str]
    moves: ClassVar[tuple[Move, ...]]
    default_moves: ClassVar[tuple[Move, ...]]
    projective: ClassVar[bool]
    derives_all: ClassVar[bool] = False
    chains: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("Stack", "Input", "Lookahead")
    label_dependent: ClassVar[tuple[Move, ...]] = ()
    revises: ClassVar[bool] = False
    place: ClassVar[int] = 99
    features: ClassVar[str | tuple[str, ...]] = ()

    def __init__(self, *, single_root: bool = True) -> None:
        self.single_root = single_root

    def initial(self, lengths: NDArray[np.integer]) -> Configuration:
        """The initial configurations of sentences with ``lengths`` words."""
        return Configuration(lengths)

    @abstractmethod
    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        """For each move, bool (rows,): whether it is permissible; called for configurations that are not terminal."""

    @abstractmethod
    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        """Apply ``move`` in every row of ``c``; ``label`` is -1 for moves without a label."""

    def arcs(self, c: Configuration) -> Mapping[Move, tuple[Ints, Ints]]:
        """For each move that adds an arc, (head, dependent) of the arc; arbitrary where the move is not permissible.

        Empty for systems whose moves add no arcs.
        """
        return {}

    def terminal(self, c: Configuration) -> Bools:
        """bool (rows,): whether the derivation has ended; ([0], [], A) unless the system overrides it."""
        return (c.stack_size == 1) & (c.buffer_size == 0)

    @abstractmethod
    def max_transitions(self, n: int) -> int:
        """The largest number of transitions of any derivation for n words."""

    def legal(self, c: Configuration) -> Bools:
        """bool (rows, moves): :meth:`permissible` as a matrix."""
        permissible = self.permissible(c)
        return np.stack([permissible[move] for move in self.moves], axis=1)

    def permissible_labels(self, c: Configuration) -> Mapping[Move, Bools]:
        """For each move in ``label_dependent``, bool (rows, labels): whether it is permissible with the label.

        Such a move is permissible in a row if at least one label is.
        """
        return {}

    def legal_labels(self, c: Configuration, moves: Ints, labels: Ints) -> Bools:
        """Whether the permissible move ``moves[b]`` of row b may have the label ``labels[b]``."""
        legal = np.ones(len(c), dtype=np.bool_)
        for move in self.label_dependent:
            rows = np.flatnonzero(moves == self.moves.index(move))
            if rows.size:
                allowed = self.permissible_labels(c.at(rows))[move]
                legal[rows] = (labels[rows] >= 0) & allowed[np.arange(len(rows)), labels[rows]]
        return legal

    def default(self, legal: Bools) -> Ints:
        """int64 (rows,): the number of the default move, which is the first permissible one of ``default_moves``."""
        order = np.array([self.moves.index(move) for move in self.default_moves])
        return order[np.argmax(legal[:, order], axis=1)]

    def advance(self, c: Configuration, moves: Ints, labels: Ints) -> None:
        """Apply move number ``moves[b]`` with label ``labels[b]`` in each row b, which must be permissible there.

        moves, labels: int64 (rows,), or lists. Raises ValueError for another number of them.
        """
        moves, labels = np.asarray(moves, np.int64), np.asarray(labels, np.int64)
        if not moves.shape == labels.shape == (len(c),):
            raise ValueError(f"found {moves.size} moves and {labels.size} labels, expected {len(c)}: one for each row")
        for number, move in enumerate(self.moves):
            rows = np.flatnonzero(moves == number)
            if rows.size == len(moves):
                self.apply(c, move, labels)
            elif rows.size:
                self.apply(c.at(rows), move, labels[rows])

    def successors(self, c: Configuration, legal: Bools, label: int) -> tuple[Ints, Ints, Configuration]:
        """(rows, moves, configurations): the result of each permissible move, in the order of the rows.

        legal: of :meth:`legal`. label: the label of all arcs.
        """
        rows, moves = np.nonzero(legal)
        after = c.at(rows).compact()
        labelled = np.array([move.labelled for move in self.moves])[moves]
        self.advance(after, moves, np.where(labelled, label, NONE))
        return rows, moves, after

    def step(self, c: Configuration, moves: Ints, labels: Ints) -> None:
        """:meth:`advance` after a check, for teaching and tests. Raises ValueError for moves that are not permissible.

        >>> from crossarc.transitions.registry import make_system
        >>> system = make_system("arc-standard")
        >>> c = system.initial([2])
        >>> system.step(c, [system.moves.index(move) for move in system.moves if move.name == "SHIFT"], [-1])
        >>> c.stack_size.tolist()
        [2]
        """
        moves = np.asarray(moves, np.int64)
        legal = np.zeros((len(c), len(self.moves)), np.bool_)
        running = np.flatnonzero(~self.terminal(c))
        if running.size:
            legal[running] = self.legal(c.at(running))
        for row, move in enumerate(moves.tolist()):
            if not (0 <= move < len(self.moves) and legal[row, move]):
                allowed = ", ".join(str(self.moves[number]) for number in np.flatnonzero(legal[row]).tolist())
                name = self.moves[move] if 0 <= move < len(self.moves) else f"move {move}"
                raise ValueError(f"row {row}: {name} is not permissible; allowed: {allowed or 'none, it is terminal'}")
        self.advance(c, moves, labels)

    def may_attach_to_root(self, c: Configuration, head: Ints) -> Bools:
        """Whether the single-root constraint allows another dependent of ``head``."""
        if not self.single_root:
            return np.ones(len(c), dtype=np.bool_)
        return (head != ROOT) | (c.root_children() == 0)

    def may_take_right_dependent(self, c: Configuration) -> Bools:
        """Whether the second stack node may become the head of the top.

        Under a single root, node 0 may do so only after all words have been processed.
        """
        if not self.single_root:
            return np.ones(len(c), dtype=np.bool_)
        return (c.stack(1) != ROOT) | (c.buffer_size == 0)

    def finish(self, c: Configuration, root_label: int, orphan_label: int) -> None:
        """Turn the arcs of terminal configurations into a tree in which every arc has a label.

        An unlabelled arc, which the default transition added, gets ``root_label`` if its head is node 0 and
        ``orphan_label`` otherwise. A word without a head becomes a dependent of node 0 with ``root_label``. Under
        ``single_root``, this holds only for the first such word, and only if node 0 has no dependent yet. The other
        words become dependents of the one dependent of node 0, with ``orphan_label``.
        """
        heads = c.heads_matrix()
        rows, words = np.nonzero((heads >= 0) & (c.deprels_matrix() == NONE))
        c.at(rows).set_label(words, np.where(heads[rows, words] == ROOT, root_label, orphan_label))
        position = np.arange(c.width)
        rows, words = np.nonzero((heads == NONE) & (position > 0) & (position <= c.lengths[:, None]))
        number = ranks(rows)  # of each such word in its sentence
        for nth in range(int(number.max(initial=-1)) + 1):
            part, word = c.at(rows[number == nth]), words[number == nth]
            root = part.dependent(np.full(len(word), ROOT), "right")
            below = (root > 0) if self.single_root else np.zeros(len(word), dtype=np.bool_)
            part.add_arc(np.where(below, root, ROOT), np.where(below, orphan_label, root_label), word)
