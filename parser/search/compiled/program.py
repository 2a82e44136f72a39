"""Transition systems as programs: the methods of a system, traced as instructions.

A system is written once, with the methods of :class:`Configuration`. Its methods are called with a recorder instead of
configurations; the recorder writes down all lookups and changes as instructions. Compiled loops follow these
instructions for one configuration at a time, whereas :meth:`TransitionSystem.advance` serves a batch. Systems whose
methods depend on values while they run (loops until a condition holds, lists of labels) cannot be recorded. They have
no program and run without the compiled loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum, auto
from functools import partial
from operator import attrgetter, index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....transitions.arrays import BUFFER, OTHER_STACK, STACK, Ints
from ....transitions.system import Move, TransitionSystem

LABEL = 0
"""The register that holds the label of the move that is taken."""


class Op(IntEnum):
    """Operations of instructions; operands x and y are registers unless stated otherwise.

    Operations before POP_BUFFER compute a value; POP_BUFFER and all later ones change the configuration.
    """

    NODE = 0  # the node at index x of the list y
    SIZE = auto()  # the size of the list x
    HEAD = auto()
    TOP = auto()
    ROOT_CHILDREN = auto()
    MARK = auto()
    EQUAL = auto()
    LESS = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    POP_BUFFER = auto()  # also returns the node
    PUSH = auto()  # push x onto the list y
    REMOVE = auto()  # remove the node at index x of the stack
    PUSH_BUFFER = auto()  # insert x behind the first y nodes; y is a number
    RETRACT = auto()
    RESTORE = auto()
    DROP_CONTEXT = auto()
    EXCHANGE = auto()  # exchange the lists x and y
    SET_MARK = auto()  # set the mark to the number x
    ADD_ARC = auto()  # add an arc from x to y with the label of the move


class Program(NamedTuple):
    """The instructions of a system.

    instructions: for each instruction :class:`Op`, the register for its result, and two operands (int64, (count, 4)).
    starts: the first instruction of each part: the terminal test, the tests of permissible moves, the arcs of moves,
        and the application of each move; then the end (int64, (moves + 4,)).
    registers: initial contents: numbers that the system uses, otherwise 0 (int64, (registers,)).
    terminal: register of the terminal test.
    permissible: register of the test of each move (int64, (moves,)).
    heads, dependents: registers of the head and the dependent of the arc that each move adds (int64, (moves,)); -1 if
        the system declares no arc.
    """

    instructions: Ints
    starts: Ints
    registers: Ints
    terminal: int
    permissible: Ints
    heads: Ints
    dependents: Ints


class _NotRecordableError(Exception):
    """The system uses an operation that cannot be traced."""


class _Value:
    """A register as an operand of Python's operators."""

    __array_ufunc__ = None  # numpy's arrays leave operators to this class

    def __init__(self, recorder: _Recorder, register: int) -> None:
        self._recorder = recorder
        self.register = register

    def _with(self, op: Op, other: object) -> _Value:
        return self._recorder.value(op, self.register, self._recorder.register(other))

    def __eq__(self, other: object) -> _Value:  # type: ignore[override]
        return self._with(Op.EQUAL, other)

    def __ne__(self, other: object) -> _Value:  # type: ignore[override]
        return ~self._with(Op.EQUAL, other)

    def __lt__(self, other: object) -> _Value:
        return self._with(Op.LESS, other)

    def __ge__(self, other: object) -> _Value:
        return ~self._with(Op.LESS, other)

    def __gt__(self, other: object) -> _Value:
        return self._recorder.value(Op.LESS, self._recorder.register(other), self.register)

    def __le__(self, other: object) -> _Value:
        return ~(self > other)

    def __and__(self, other: object) -> _Value:
        return self._with(Op.AND, other)

    def __or__(self, other: object) -> _Value:
        return self._with(Op.OR, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> _Value:
        return self._recorder.value(Op.NOT, self.register)

    def __bool__(self) -> bool:
        raise _NotRecordableError

    __hash__ = None  # type: ignore[assignment]


NODE, NUMBER = attrgetter("register"), index
"""Operands: the register of an argument, and a number that is known when a system is traced."""
PROPERTIES: Mapping[str, tuple[Op, int]] = {
    "stack_size": (Op.SIZE, STACK),
    "buffer_size": (Op.SIZE, BUFFER),
    "mark": (Op.MARK, 0),
}
OPERATIONS: Mapping[str, tuple[Any, ...]] = {
    "stack": (Op.NODE, NUMBER, STACK),
    "buffer": (Op.NODE, NUMBER, BUFFER),
    "head": (Op.HEAD, NODE),
    "top": (Op.TOP, NODE),
    "root_children": (Op.ROOT_CHILDREN,),
    "pop_buffer": (Op.POP_BUFFER,),
    "push": (Op.PUSH, NODE, STACK),
    "push_other": (Op.PUSH, NODE, OTHER_STACK),
    "remove": (Op.REMOVE, NUMBER),
    "push_buffer": (Op.PUSH_BUFFER, NODE, NUMBER),
    "retract": (Op.RETRACT,),
    "restore": (Op.RESTORE,),
    "drop_context": (Op.DROP_CONTEXT,),
    "switch": (Op.EXCHANGE, STACK, OTHER_STACK),
    "set_mark": (Op.SET_MARK, NUMBER),
}
"""The properties and methods of :class:`Configuration` that systems may use besides ``add_arc``, each as an operation
and its operands: numbers, and functions of the arguments in their order."""


class _Recorder:
    """Replaces one configuration while a system is traced; records what :data:`OPERATIONS` has."""

    def __init__(self) -> None:
        self.instructions: list[tuple[int, int, int, int]] = []
        self.registers = [0]  # the first one is LABEL
        self.label = _Value(self, LABEL)
        self._numbers: dict[int, int] = {}
        self._known: dict[tuple[int, int, int], int] = {}

    def begin(self) -> int:
        """Begin a part and return the number of its first instruction; earlier lookups are no longer valid."""
        self._known.clear()
        return len(self.instructions)

    def __len__(self) -> int:
        return 1

    def __getattr__(self, name: str) -> Any:
        if name in PROPERTIES:
            return self.value(*PROPERTIES[name])
        if name in OPERATIONS:
            return partial(self._call, name)
        raise _NotRecordableError(name)

    def value(self, op: Op, x: int = 0, y: int = 0) -> _Value:
        """The register of the result of an instruction; repeated instructions share a register."""
        if (op, x, y) not in self._known:
            self.instructions.append((op, len(self.registers), x, y))
            self._known[op, x, y] = self._new(0)
        return _Value(self, self._known[op, x, y])

    def _new(self, number: int) -> int:
        self.registers.append(number)
        return len(self.registers) - 1

    def register(self, operand: object) -> int:
        """The register of an operand: a value, a number, or an array with the same number in all rows."""
        if isinstance(operand, _Value):
            return operand.register
        numbers = np.unique(np.asarray(operand))
        if numbers.size != 1 or numbers.dtype.kind not in "bi":
            raise _NotRecordableError
        number = int(numbers[0])
        if number not in self._numbers:
            self._numbers[number] = self._new(number)
        return self._numbers[number]

    def _call(self, name: str, *operand_parts: Any, behind: int = 0) -> _Value | None:
        """Record the call of a method of :class:`Configuration`."""
        op, *kinds = OPERATIONS[name]
        left = iter((*operand_parts, behind))
        operands = [kind if isinstance(kind, int) else kind(next(left)) for kind in kinds]
        if op < Op.POP_BUFFER:
            return self.value(op, *operands)
        value = self.value(op) if op == Op.POP_BUFFER else None
        if value is None:
            self.instructions.append((op, LABEL, *operands, *[0] * (2 - len(operands))))
        self._known.clear()
        return value

    def add_arc(self, head: _Value, label: _Value, dependent: _Value) -> None:
        if label is not self.label:
            raise _NotRecordableError
        self.instructions.append((Op.ADD_ARC, LABEL, head.register, dependent.register))
        self._known.clear()


def trace(system: TransitionSystem) -> Program | None:
    """The program of a system, or None if it has none."""
    if system.label_dependent or not _inherited(system):
        return None
    recorder: Any = _Recorder()
    starts = []

    def part(run: Callable[[], Any]) -> Any:
        starts.append(recorder.begin())
        return run()

    try:
        terminal = recorder.register(part(lambda: system.terminal(recorder)))
        permissible = _registers(recorder, system, part(lambda: system.permissible(recorder)))
        arcs = part(lambda: system.arcs(recorder))
        heads = _registers(recorder, system, {move: head for move, (head, _) in arcs.items()})
        dependents = _registers(recorder, system, {move: dependent_of for move, (_, dependent_of) in arcs.items()})
        for move in system.moves:
            part(lambda move=move: system.apply(recorder, move, recorder.label))  # type: ignore[misc]
    except (_NotRecordableError, TypeError, AttributeError):
        return None
    if (permissible < 0).any():
        return None
    starts.append(recorder.begin())
    instructions = np.array(recorder.instructions, dtype=np.int64).reshape(-1, 4)
    registers = np.array(recorder.registers)
    return Program(instructions, np.array(starts), registers, terminal, permissible, heads, dependents)


def _inherited(system: TransitionSystem) -> bool:
    """Whether the system keeps the default legality of moves and labels."""
    names = ("legal", "legal_labels", "advance", "default")
    return all(getattr(type(system), name) is getattr(TransitionSystem, name) for name in names)


def _registers(recorder: _Recorder, system: TransitionSystem, values: Mapping[Move, object]) -> NDArray[np.int64]:
    return np.array([recorder.register(values[move]) if move in values else -1 for move in system.moves])
