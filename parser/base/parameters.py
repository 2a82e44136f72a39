"""Parameters of learners and transforms, and keys of configs, each declared, described and checked in one place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from .errors import CrossarcError, choices

T = TypeVar("T")

LARGEST_INTEGER = 2**31 - 1
"""Maximum of whole numbers: the compiled code of learners uses int32."""
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a parameter may have.

    words: description of the values.
    holds: test of a value.
    names: allowed names, if the values are names.
    """

    words: str
    holds: Callable[[Any], bool]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a learner or a transform, or a key of a config.

    meaning: description as a complete phrase.
    """

    name: str
    default: Any
    allowed: Allowed
    meaning: str


def parameter(default: Any, allowed: Allowed, meaning: str) -> Any:
    """Declare a field of a dataclass as a parameter, with its default, allowed values and meaning.

    >>> @dataclass(kw_only=True)
    ... class Smoothing:
    ...     amount: float = parameter(0.5, real(least=0), "how much is added to each count")
    >>> parameters_of(Smoothing)["amount"].allowed.words
    'a number, 0 or more'
    >>> check_parameters(Smoothing(amount=-1), "smoothing.")
    Traceback (most recent call last):
    crossarc.parser.base.errors.CrossarcError: smoothing.amount: found -1; allowed: a number, 0 or more
    """
    metadata = {"allowed": allowed, "meaning": meaning, "default": default}
    if isinstance(default, Mapping):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def parameters_of(kind: type, prefix: str = "") -> Mapping[str, Parameter]:
    """Return the parameters that a class declares, by name and in order; empty for a class that is not a dataclass.

    Those of dataclasses that are defaults of fields follow under dotted names.
    """
    parameters: dict[str, Parameter] = {}
    for declared in fields(kind) if is_dataclass(kind) else ():
        key, metadata = f"{prefix}{declared.name}", declared.metadata
        if "allowed" in metadata:
            parameters[key] = Parameter(key, metadata["default"], metadata["allowed"], metadata["meaning"])
        elif section := section_of(declared):
            parameters.update(parameters_of(section, f"{key}."))
    return parameters


def section_of(field: Field[Any]) -> Any:
    """Return the dataclass that is the default of a field, or None."""
    section = field.default_factory if isinstance(field.default_factory, type) else type(field.default)
    return section if is_dataclass(section) else None


def parameter_values(owner: Any) -> dict[str, Any]:
    """Return the values of the parameters of a learner or a transform, by name."""
    return {name: getattr(owner, name) for name in parameters_of(type(owner))}


def check_parameters(owner: Any, where: str) -> None:
    """Raise CrossarcError for the first parameter whose value is not allowed.

    where: text before the name of the parameter in the message.
    """
    for name, parameter in parameters_of(type(owner)).items():
        if "." not in name:  # sections check their own parameters
            check_value(parameter.allowed, getattr(owner, name), f"{where}{name}")


def check_value(allowed: Allowed, value: Any, name: str) -> None:
    """Raise CrossarcError for a value that is not allowed; the message begins with the name."""
    if not allowed.holds(value):
        named = allowed.names and isinstance(value, str) and value not in allowed.names
        fault = choices(value, allowed.names) if named else f"{shown(value)}; allowed: {allowed.words}"
        raise CrossarcError(f"{name}: found {fault}")


def real(*, above: float | None = None, least: float | None = None) -> Allowed:
    """Allow finite numbers within bounds.

    above: exclusive bound.
    least: inclusive bound.
    """
    words = "a number"
    if above is not None:
        words = f"a number above {above}"
    elif least is not None:
        words = f"a number, {least} or more"

    def holds(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            return False
        return (above is None or value > above) and (least is None or value >= least)

    return Allowed(words, holds)


def whole(least: int, most: int = LARGEST_INTEGER) -> Allowed:
    """Allow whole numbers from ``least`` to ``most`` (default: 2**31 - 1)."""
    return Allowed(
        f"a whole number from {least} to {most}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most,
    )


def one_of(*names: str | int | bool) -> Allowed:
    """Allow some names, or values written like names. The value ``true`` does not match 1."""
    words = tuple(value_text(name) for name in names)
    return Allowed(
        ", ".join(words), lambda value: any(type(value) is type(name) and value == name for name in names), words
    )


def optional(allowed: Allowed) -> Allowed:
    """Allow None in addition; it is written ``null`` in YAML and ``none`` in a spec."""
    return Allowed(f"none, or {allowed.words}", lambda value: value is None or allowed.holds(value))


FLAG = Allowed("true, false", lambda value: isinstance(value, bool))
TEXT = Allowed("text", lambda value: isinstance(value, str))
FILE = Allowed("text", lambda value: isinstance(value, str))
"""The name of a file; in a config, relative to its folder."""
FEATURES = Allowed("text", lambda value: isinstance(value, str))
"""The name of a ready feature model, or that of a file that ends in .yaml."""
FILES = Allowed(
    "a list of files", lambda value: isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
)
TEXTS = (TEXT, FILE, FEATURES)
BEAM = whole(1, 1_000)
LABEL = Allowed("a dependency label", lambda value: isinstance(value, str) and bool(value))


def shown(value: object) -> str:
    """Return a value for a message: on one line, and shortened if it is very long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write a number with this many digits
        text = "a number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def given_list(values: Iterable[T], what: str, count: int | None = None) -> list[T]:
    """Return the values as a list.

    what: name of the argument for messages.
    count: required number of values, if any.

    Raises CrossarcError for a text, for a value that cannot be iterated over, and for another number of values.

    >>> given_list((1, 2), "heads"), given_list([3], "heads", 1)
    ([1, 2], [3])
    """
    try:
        items = list(values)
    except TypeError:
        raise CrossarcError(f"{what}: found {shown(values)}, expected a list") from None
    if isinstance(values, str | bytes):
        raise CrossarcError(f"{what}: found {shown(values)}, expected a list")
    if count is not None and len(items) != count:
        raise CrossarcError(f"{what}: found a list of length {len(items)}, expected {count}")
    return items


def value_text(value: Any) -> str:
    """Return a default or an allowed value as YAML on one line; "" for an empty value."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {value_text(inner)}' for key, inner in value.items())}}}"
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return "" if value == () else str(value)


def allowed_text(allowed: Allowed) -> str:
    """Return the allowed values as the documentation states them, without the maximum of int32."""
    return allowed.words.replace(f" to {LARGEST_INTEGER}", "")
