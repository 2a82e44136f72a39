"""Every transition system by its name: the classes with a name in the files of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from .found import Found, classes
from .system import TransitionSystem


def _declared(revises: tuple[bool, ...], module: str) -> dict[str, type[TransitionSystem]]:
    return {own.name: own for own in classes(module, TransitionSystem, "name") if own.revises in revises}


def _in_order(found: Mapping[str, type[TransitionSystem]]) -> Iterable[str]:
    return sorted(found, key=lambda name: (found[name].place, name))


SYSTEMS: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (False,)), _in_order)
"""The systems that build trees, in the order of their places."""

PASSES: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (True,)), _in_order)
"""The systems that revise trees, in the order in which they follow a projective one."""

_BOTH = Found(__package__, partial(_declared, (False, True)), _in_order)


def system_type(name: str) -> type[TransitionSystem]:
    """The system or pass called ``name``. Raises ValueError with the known names if there is none."""
    if name not in _BOTH:
        raise ValueError(f"no transition system is called {name!r}; allowed: {', '.join(SYSTEMS)}")
    return _BOTH[name]


def make_system(name: str, *, single_root: bool = True) -> TransitionSystem:
    """The system or pass called ``name``. Raises ValueError with the known names if there is none."""
    return system_type(name)(single_root=single_root)
