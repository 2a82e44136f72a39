"""Transition systems that can be traced as programs; ``test_compiled.py`` tests the programs by parsing."""

import numpy as np
import pytest
from crossarc.parser.search.compiled.program import trace
from crossarc.transitions.arc_standard import ArcStandard
from crossarc.transitions.registry import SYSTEMS, make_system


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_every_system_can_be_traced(name, single_root):
    system = make_system(name, single_root=single_root)
    program = trace(system)
    assert program is not None
    assert len(program.starts) == len(system.moves) + 4
    assert program.starts[-1] == len(program.instructions)
    assert (np.diff(program.starts) >= 0).all()
    labelled = [move for move, head in zip(system.moves, program.heads, strict=True) if head >= 0]
    assert labelled == [move for move in system.moves if move in system.arcs(system.initial([3]))]


class Looking(ArcStandard):
    def terminal(self, c):
        return c.stack_size == 1 if (c.buffer_size == 0).all() else c.stack_size == 0


class Branching(ArcStandard):
    def terminal(self, c):
        return c.stack_size == (1 if c.buffer_size == 0 else 2)


class Counting(ArcStandard):
    def terminal(self, c):
        return np.arange(3) == c.stack_size


class OwnAdvance(ArcStandard):
    def advance(self, c, moves, labels):
        super().advance(c, moves, labels)


class OtherLabels(ArcStandard):
    def apply(self, c, move, label):
        c.add_arc(c.stack(0), label + 1, c.stack(1))


@pytest.mark.parametrize("system", [Looking, Branching, Counting, OwnAdvance, OtherLabels])
def test_systems_with_unsupported_code_cannot_be_traced(system):
    assert trace(system()) is None
