"""Registry of transition systems: classes with a name in the files of this folder, and added ones; see `plugins`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from . import plugins
from .system import TransitionSystem

T = TypeVar("T")


class Found(Mapping[str, T]):
    """The classes that the modules of a package declare, by names with hyphens.

    A name is first looked up in modules whose names are prefixes of it: "arc-hybrid-swap" in ``arc_hybrid_swap`` and
    ``arc_hybrid``, if these modules exist. All modules are imported only if the name is not found there.
    """

    def __init__(
        self,
        package: str,
        declared: Callable[[str], Mapping[str, T]],
        names: Callable[[Mapping[str, T]], Iterable[str]],
        more: Callable[[], Mapping[str, T]] = dict,
    ) -> None:
        """declared: function from the full name of a module to the classes that it declares
        names: function from all classes to their names in order
        more: function that returns the classes added by users
        """
        self._modules = cache(lambda: [module.name for module in iter_modules(import_module(package).__path__)])
        self._declared = cache(lambda module: declared(f"{package}.{module}"))
        self._names = names
        self._more = more

    def _all(self) -> dict[str, T]:
        declared = {name: system for module in self._modules() for name, system in self._declared(module).items()}
        return {**self._more(), **declared}

    def __getitem__(self, name: str) -> T:
        words = name.split("-")
        for end in range(len(words), 0, -1):
            module = "_".join(words[:end])
            if module in self._modules() and name in (systems := self._declared(module)):
                return systems[name]
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names(self._all()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def classes(module: str, base: type, declares: str) -> list[Any]:
    """The subclasses of ``base`` with an own attribute ``declares`` that a module defines, in their order."""
    return [
        member
        for member in vars(import_module(module)).values()
        if isinstance(member, type)
        and issubclass(member, base)
        and member.__module__ == module
        and declares in vars(member)
    ]


def _declared(revises: tuple[bool, ...], module: str) -> dict[str, type[TransitionSystem]]:
    return {system.name: system for system in classes(module, TransitionSystem, "name") if system.revises in revises}


def _added() -> dict[str, type[TransitionSystem]]:
    return dict(plugins.added("systems"))


def _in_order(systems: Mapping[str, type[TransitionSystem]]) -> Iterable[str]:
    return sorted(systems, key=lambda name: (systems[name].place, name))


SYSTEMS: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (False,)), _in_order, more=_added)
"""The systems that build trees, in the order of their places."""

PASSES: Mapping[str, type[TransitionSystem]] = Found(__package__, partial(_declared, (True,)), _in_order)
"""The systems that revise trees, in the order in which they follow a projective one."""

_BOTH = Found(__package__, partial(_declared, (False, True)), _in_order, more=_added)


System = TypeVar("System", bound=type[TransitionSystem])


def register_system(*, features: str | Sequence[str]) -> Callable[[System], System]:
    """Return a decorator that registers a transition system, so that configs can name it.

    features: the system's feature model: the name of a ready model (``"arc-hybrid-rich"``) or a list of templates

    An oracle of the system is registered by :func:`~crossarc.register_oracle`. Raises ValueError for a class without a
    name, and for the name of an installed system.

    >>> import crossarc
    >>> from crossarc.transitions.arc_standard import ArcStandard
    >>> crossarc.register_system(features="arc-standard-rich")(ArcStandard)
    Traceback (most recent call last):
    ValueError: arc-standard is an installed transition system; choose another name
    """

    def register(system: System) -> System:
        if not isinstance(getattr(system, "name", None), str):
            raise ValueError(f"{system.__name__}: a transition system needs a class attribute name")
        known = system.name in _BOTH and _BOTH[system.name]
        if known and known.__module__.startswith(f"{__package__}."):
            raise ValueError(f"{system.name} is an installed transition system; choose another name")
        system.features = features if isinstance(features, str) else tuple(features)
        plugins.add("systems", system.name, system)
        return system

    return register


def system_type(name: str) -> type[TransitionSystem]:
    """Return the class of the system or pass ``name``. Raises ValueError with the allowed names if there is none."""
    if name not in _BOTH:
        raise ValueError(f"no transition system is called {name!r}; allowed: {', '.join(SYSTEMS)}")
    return _BOTH[name]


def make_system(name: str, *, single_root: bool = True) -> TransitionSystem:
    """Make the system or pass ``name``. Raises ValueError with the allowed names if there is none."""
    return system_type(name)(single_root=single_root)
