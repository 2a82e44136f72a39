"""The two passes that find non-projective arcs in a projective tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .arc_standard import SHIFT
from .configuration import NONE, ROOT, Bools, Configuration, Ints
from .system import Move, TransitionSystem
from .valencies import TreeConfiguration, over_trees

PUT_LEFT_VALENCY = Move("PUT-VALENCY↙", "PV", labelled=True)
DIST_LEFT = Move("DIST-LEFT", "DL", labelled=True)
PUT_RIGHT_VALENCY = Move("PUT-VALENCY↘", "PV", labelled=True)
DIST_RIGHT = Move("DIST-RIGHT", "DR", labelled=True)
RSHIFT = Move("RSHIFT", "RSH", labelled=False)


class ValencyPass(TransitionSystem):
    """One of the two passes of Lacroix & Béchet (2014, section 4.2) over the words of a tree.

    If a word's head will come later in the pass, the word puts a valency, with the label of the new arc, into the list
    θ. At the head, the valency is paired and the arc replaces the word's anchor, its arc in the initial tree of the
    passes. Of several valencies with one label, the one put last is paired (First Available). Words whose valencies are
    never paired keep their anchors. Features read the initial tree (:meth:`Configuration.head`). The new tree is built
    beside it (:meth:`TreeConfiguration.found_head`) and becomes the result at the end.

    The conditions of the paper's tables hold by construction or are tested: putting a valency shifts the word, so that
    a word has at most one; node 0 is never the current word; a word that an earlier pass has reattached gets no
    valency. One condition is not in the paper: a pair whose arc would close a cycle is not permissible. Hence the
    result is a tree if the initial graph is. Node 0 may lose dependents, but keeps at least one.

    Each word is shifted once, and each pair removes a valency that an earlier word has put, so there are at most 2n - 1
    transitions. The default transition shifts, which is always permissible.
    """

    projective = False
    revises = True
    sources = ("Stack", "Input", "Waiting")
    put: Move
    pair: Move
    shift: Move
    rightwards: bool

    def initial(self, lengths: NDArray[np.integer]) -> Configuration:
        """Make configurations for tests of the system alone; :meth:`over` takes the trees of a parser.

        In their trees all words depend on the first, with one label.
        """
        width = int(np.max(lengths, initial=0)) + 2
        words = np.arange(width)
        inside = (words > 0) & (words <= np.asarray(lengths)[:, None])
        heads = np.where(inside, np.where(words == 1, ROOT, 1), NONE)
        tree = heads, np.where(inside, 0, NONE)
        return self.over(lengths, tree, tree, 1)

    def over(
        self, lengths: NDArray[np.integer], anchors: tuple[Ints, Ints], tree: tuple[Ints, Ints], labels: int
    ) -> TreeConfiguration:
        """Make the initial configurations over the trees ``anchors``, which earlier passes have changed to ``tree``.

        anchors, tree: heads and deprels, int64 (B, width), width = longest sentence + 2, -1 outside the words
        labels: number of labels
        """
        return TreeConfiguration.over(lengths, anchors, tree, labels, right_to_left=not self.rightwards)

    @abstractmethod
    def current(self, c: Configuration) -> Ints:
        """The word that the next transition processes."""

    @abstractmethod
    def move_on(self, c: Configuration) -> None:
        """Shift the current word."""

    def permissible(self, c: Configuration) -> Mapping[Move, Bools]:
        some_label: Bools = np.any(self.pairable(c), axis=1)
        return {
            self.put: ~over_trees(c).reattached(self.current(c)),
            self.pair: some_label,
            self.shift: np.ones(len(c), dtype=np.bool_),
        }

    def permissible_labels(self, c: Configuration) -> Mapping[Move, Bools]:
        return {self.pair: self.pairable(c)}

    def pairable(self, c: Configuration) -> Bools:
        """bool (rows, labels): whether θ has a valency of the label that can be paired without closing a cycle."""
        return (over_trees(c).valencies() != NONE) & ~self.cyclic(c)

    def cyclic(self, c: Configuration) -> Bools:
        """bool (rows, labels): whether the next valency of the label belongs to an ancestor of the current word."""
        c = over_trees(c)
        waiting = c.valencies()
        result = np.zeros(waiting.shape, dtype=np.bool_)
        rows = np.flatnonzero((waiting != NONE).any(axis=1))
        if rows.size:
            view, waiting = c.at(rows), waiting[rows]
            above = view.found_head(self.current(view))
            while (above > ROOT).any():
                result[rows] |= waiting == above[:, None]
                above = view.found_head(above)
            result[rows] &= waiting != NONE
        return result

    def apply(self, c: Configuration, move: Move, label: Ints) -> None:
        if move is self.put:
            over_trees(c).put_valency(label, self.current(c))
            self.move_on(c)
        elif move is self.pair:
            over_trees(c).pair_valency(self.current(c), label)
        elif move is self.shift:
            self.move_on(c)

    def max_transitions(self, n: int) -> int:
        return max(2 * n - 1, 0)

    def finish(self, c: Configuration, root_label: int, orphan_label: int) -> None:
        """Make the new tree the arcs of terminal configurations; the tree is complete."""
        over_trees(c).settle()


class LeftPass(ValencyPass):
    """The second step, which finds dependents left of their heads (Lacroix & Béchet 2014, table 3).

    ===================  =======================================  =====================================================
    SHIFT                (σ, i|β, θ, A) → (σ|i, β, θ, A)
    PUT-VALENCY↙ l       (σ, i|β, θ, A) → (σ|i, β, θ ↙lⁱ, A)      i not reattached
    DIST-LEFT l          (σ, j|β, θ₁ ↙lⁱ θ₂, A) →                 no ↙l in θ₂, i not above j
                         (σ, j|β, θ₁ θ₂, A with (j, l, i))
    ===================  =======================================  =====================================================

    The initial configuration is ([0], [1..n], (), A'); terminal configurations are ([0..n], [], θ, A'').
    """

    name = "three-step-left"
    moves = (SHIFT, PUT_LEFT_VALENCY, DIST_LEFT)
    default_moves = (SHIFT,)
    label_dependent = (DIST_LEFT,)
    put, pair, shift = PUT_LEFT_VALENCY, DIST_LEFT, SHIFT
    rightwards = True

    def current(self, c: Configuration) -> Ints:
        return c.buffer(0)

    def move_on(self, c: Configuration) -> None:
        c.push(c.pop_buffer())

    def terminal(self, c: Configuration) -> Bools:
        return c.buffer_size == 0


class RightPass(ValencyPass):
    """The third step, which finds dependents right of their heads (Lacroix & Béchet 2014, table 4).

    ===================  =======================================  =====================================================
    RSHIFT               (σ|i, β, θ, A) → (σ, i|β, θ, A)
    PUT-VALENCY↘ l       (σ|i, β, θ, A) → (σ, i|β, ↘lⁱ θ, A)      i not reattached
    DIST-RIGHT l         (σ|j, β, θ₁ ↘lⁱ θ₂, A) →                 no ↘l in θ₁, i not above j
                         (σ|j, β, θ₁ θ₂, A with (j, l, i))
    ===================  =======================================  =====================================================

    The initial configuration is ([0..n], [], (), A''); terminal configurations are ([0], [1..n], θ, A'''). In the paper
    the last word is initially in the buffer, where it can never get the valency of a dependent.
    """

    name = "three-step-right"
    moves = (RSHIFT, PUT_RIGHT_VALENCY, DIST_RIGHT)
    default_moves = (RSHIFT,)
    label_dependent = (DIST_RIGHT,)
    put, pair, shift = PUT_RIGHT_VALENCY, DIST_RIGHT, RSHIFT
    rightwards = False

    def current(self, c: Configuration) -> Ints:
        return c.stack(0)

    def move_on(self, c: Configuration) -> None:
        c.push_buffer(c.stack(0))
        c.remove(0)

    def terminal(self, c: Configuration) -> Bools:
        return c.stack_size == 1


def as_pass(system: TransitionSystem) -> ValencyPass:
    """Return a system as one of the passes. Raises TypeError for other systems."""
    if not isinstance(system, ValencyPass):
        raise TypeError(f"{system.name} does not revise trees")
    return system
