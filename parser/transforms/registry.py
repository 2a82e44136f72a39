"""The transforms by name, and their specifications in configs and on the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..base.errors import CrossarcError, UnknownPartError, check_names, choices
from ..base.lazy import Lazy
from ..base.parameters import shown
from .transform import Transform

TRANSFORMS: Mapping[str, type[Transform]] = Lazy(
    __package__,
    {
        "pseudo-projective": "lifting.pseudo_projective:PseudoProjective",
        "child-swap": "generic:ChildSwap",
        "parent-swap": "generic:ParentSwap",
        "lift-children": "generic:LiftChildren",
        "descend-siblings": "generic:DescendSiblings",
        "reversal": "generic:Reversal",
    },
    "TRANSFORMS",
)
"""All registered transforms, by name."""


def parse_transform(spec: str | Mapping[str, Any]) -> Transform:
    """Make a transform from its specification.

    spec: ``name``, ``name:parameter=value,parameter=value`` or, in a config, the mapping ``{name: name, params:
        {parameter: value}}``.

    Raises CrossarcError for other values.

    >>> parse_transform("pseudo-projective:encoding=path").params()["encoding"]
    'path'

    >>> import crossarc
    >>> crossarc.parse_transform("pseudo-projective:encoding=path").encoding
    'path'
    """
    name, params = _parse_text(spec) if isinstance(spec, str) else _parse_mapping(spec)
    check_names("unknown transform", [name], TRANSFORMS)
    return TRANSFORMS[name].from_config(params)


def transform_from_json(data: Mapping[str, Any]) -> Transform:
    """The transform from its ``Transform.to_json``, with its learned state.

    Raises UnknownPartError if it is not registered, and CrossarcError for invalid values.
    """
    if (name := str(data.get("name"))) not in TRANSFORMS:
        raise UnknownPartError(f"needs a transform that is not registered: {choices(name, TRANSFORMS)}")
    return TRANSFORMS[name].from_json(data)


def _parse_text(spec: str) -> tuple[str, dict[str, Any]]:
    name, _, rest = spec.strip().partition(":")
    params: dict[str, Any] = {}
    for item in rest.split(",") if rest else []:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise CrossarcError(f"transform {name}: found {item!r}; allowed: parameter=value, separated by commas")
        if key.strip() in params:
            raise CrossarcError(f"transform {name}: parameter {key.strip()!r} is given twice")
        params[key.strip()] = _scalar(value.strip())
    return name.strip(), params


def _parse_mapping(spec: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(spec, Mapping):
        raise CrossarcError(f"transform: found {shown(spec)}; allowed: a spec like 'name:parameter=value' or a mapping")
    check_names("transform: unknown key", spec, ("name", "params"))
    params = spec.get("params") or {}
    if not isinstance(params, Mapping):
        raise CrossarcError(f"transform {spec.get('name')}: params is {shown(params)}; allowed: a mapping")
    return str(spec.get("name")), {str(key): value for key, value in params.items()}


def _scalar(text: str) -> Any:
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    return {"true": True, "false": False, "none": None}.get(text, text)
