"""YAML as people expect it: ``1e-3`` is a number, and a key that stands twice is a mistake."""

from __future__ import annotations

import re
from typing import Any

import yaml

from .errors import CrossarcError

__all__ = ["load_yaml"]


class _Loader(yaml.SafeLoader):
    """YAML 1.1 as PyYAML reads it, but for numbers with an exponent and no dot, which it takes for text."""


_Loader.yaml_implicit_resolvers = dict(yaml.SafeLoader.yaml_implicit_resolvers)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d[\d_]*(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    found: dict[Any, int] = {}
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if key.value in found:
            raise CrossarcError(f"line {line}: key {key.value!r} stands in line {found[key.value]} already")
        found[key.value] = line
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load_yaml(text: str, where: str) -> Any:
    """The plain values of a YAML text; no tag makes it build anything else.

    where: begins messages. Raises CrossarcError, ``where: line N: what is wrong``, for what is no YAML.

    >>> load_yaml("C: 1e-3", "config")
    {'C': 0.001}
    """
    try:
        return yaml.load(text, Loader=_Loader)
    except CrossarcError as error:
        raise CrossarcError(f"{where}: {error}") from None
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark is not None else ""
        raise CrossarcError(f"{where}: {line}not YAML: {' '.join(str(error.problem).split())}") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise CrossarcError(f"{where}: not YAML: {' '.join(str(error).split())}") from None
