"""Parameters of learners and transforms: each described once, where its class declares it, and checked by that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from ..errors import CrossarcError, choices

__all__ = [
    "FLAG",
    "LABEL",
    "TEXT",
    "Allowed",
    "Parameter",
    "check_parameters",
    "one_of",
    "optional",
    "parameter",
    "parameter_table",
    "parameter_values",
    "parameters_of",
    "real",
    "shown",
    "whole",
]

MOST = 2**31 - 1
"""Of whole numbers: what the compiled code of the learners takes."""
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a parameter may have: in words, and as a test. names: the words themselves, if they are names."""

    words: str
    holds: Callable[[Any], bool]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a learner or a transform. meaning: a phrase that goes on after the parameter's name."""

    name: str
    default: Any
    allowed: Allowed
    meaning: str


def parameter(default: Any, allowed: Allowed, meaning: str) -> Any:
    """A field of a dataclass that is a parameter; the only place where anything is said about it.

    >>> @dataclass(kw_only=True)
    ... class Smoothing:
    ...     amount: float = parameter(0.5, real(least=0), "how much is added to each count")
    >>> parameters_of(Smoothing)["amount"].allowed.words
    'a number, 0 or more'
    >>> check_parameters(Smoothing(amount=-1), "smoothing.")
    Traceback (most recent call last):
    crossarc.parser.errors.CrossarcError: smoothing.amount: found -1; allowed: a number, 0 or more
    """
    return field(default=default, metadata={"allowed": allowed, "meaning": meaning})


def parameters_of(kind: type) -> Mapping[str, Parameter]:
    """The parameters that a class declares, by name and in order; none for a class that is no dataclass."""
    declared = fields(kind) if is_dataclass(kind) else ()
    return {
        own.name: Parameter(own.name, own.default, own.metadata["allowed"], own.metadata["meaning"])
        for own in declared
        if "allowed" in own.metadata and own.default is not MISSING
    }


def parameter_values(owner: Any) -> dict[str, Any]:
    """The values that the parameters of a learner or a transform have, by name."""
    return {name: getattr(owner, name) for name in parameters_of(type(owner))}


def check_parameters(owner: Any, where: str) -> None:
    """Raise CrossarcError for the first parameter whose value is not allowed. where: stands before its name."""
    for name, own in parameters_of(type(owner)).items():
        value = getattr(owner, name)
        if not own.allowed.holds(value):
            named = own.allowed.names and isinstance(value, str)
            found = choices(value, own.allowed.names) if named else f"{shown(value)}; allowed: {own.allowed.words}"
            raise CrossarcError(f"{where}{name}: found {found}")


def parameter_table(of: str, kinds: Mapping[str, type]) -> str:
    """The parameters of some learners or transforms as a Markdown table.

    of: the heading of its first column. kinds: by what that column calls them.
    """
    lines = [f"| {of} | parameter | default | allowed | meaning |", "|---|---|---|---|---|"]
    for called, kind in kinds.items():
        for number, own in enumerate(parameters_of(kind).values()):
            default = "" if own.default in ("", ()) else f"`{_yaml(own.default)}`"
            words = ", ".join(f"`{name}`" for name in own.allowed.names) or own.allowed.words.replace(f" to {MOST}", "")
            row = ["" if number else called, f"`{own.name}`", default, words, own.meaning]
            lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


def real(*, above: float | None = None, least: float | None = None, below: float | None = None) -> Allowed:
    """Numbers within bounds, never infinite."""
    words = "a number"
    if above is not None:
        words += f" above {above}" + (f" and below {below}" if below is not None else "")
    elif least is not None:
        words += f", {least} or more"

    def holds(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            return False
        return (
            (above is None or value > above) and (least is None or value >= least) and (below is None or value < below)
        )

    return Allowed(words, holds)


def whole(least: int) -> Allowed:
    """Whole numbers from ``least`` to 2**31 - 1."""
    return Allowed(
        f"a whole number from {least} to {MOST}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST,
    )


def one_of(*names: str) -> Allowed:
    """One of some names."""
    return Allowed(", ".join(names), lambda value: isinstance(value, str) and value in names, names)


def optional(allowed: Allowed) -> Allowed:
    """What is allowed, or None, which is written ``null`` in YAML and ``none`` in a spec."""
    return Allowed(f"none, or {allowed.words}", lambda value: value is None or allowed.holds(value))


FLAG = Allowed("true, false", lambda value: isinstance(value, bool))
TEXT = Allowed("text", lambda value: isinstance(value, str))
LABEL = Allowed("a dependency label", lambda value: isinstance(value, str) and bool(value))


def shown(value: object) -> str:
    """A value as it stands in a message: on one line, and cut where it is very long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = "a number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _yaml(value: Any) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
