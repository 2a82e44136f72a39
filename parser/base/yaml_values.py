"""Strict YAML: ``1e-3`` is a number, a date is text, and a repeated key is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from .errors import CrossarcError


class _Loader(yaml.SafeLoader):
    """PyYAML's loader for YAML 1.1, with numbers and dates as in YAML 1.2: ``1e-3`` is a number, ``010`` is ten,
    ``1:30`` and dates are text."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):  # nested aliases can expand to billions of values
            raise CrossarcError(f"line {line}: alias *{event.anchor}; write the value again instead")
        if getattr(event, "tag", None) not in (None, "!"):
            raise CrossarcError(f"line {line}: tag {event.tag!r}; allowed: plain values, without tags")
        return super().compose_node(parent, index)


# copies the dictionary of resolvers and its lists, because other code in this process may use PyYAML
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] not in ("timestamp", "int", "float")]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
WHOLE = re.compile(r"[-+]?[0-9]+$")
DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|[-+]?\.(inf|Inf|INF)$|\.(nan|NaN|NAN)$")
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", WHOLE, list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", DECIMAL, list("-+.0123456789"))
_Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    lines: dict[Any, int] = {}
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if key.value in lines:
            raise CrossarcError(f"line {line}: duplicate key {key.value!r}, first in line {lines[key.value]}")
        lines[key.value] = line
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def keys_set(setting: str) -> set[str]:
    """The dotted keys that a text ``key=value`` sets: those inside, if the value is a mapping.

    >>> sorted(keys_set("treebank={dev: a, train: b}")), keys_set("guide.C=1")
    (['treebank.dev', 'treebank.train'], {'guide.C'})
    """
    key, _, text = setting.partition("=")
    try:
        return set(_inside(key, load_yaml(text, key)))
    except CrossarcError:  # a value that is a text, or that is refused later
        return {key}


def _inside(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from _inside(f"{key}.{name}", part)
    else:
        yield key


def load_yaml(text: str, where: str) -> Any:
    """Return the plain values of a YAML text: mappings, lists, texts, numbers, true, false and null.

    where: beginning of messages.

    Raises CrossarcError, ``where: line N: what is wrong``, for text that is not YAML, for tags and for aliases.

    >>> load_yaml("C: 1e-3", "config")
    {'C': 0.001}
    """
    try:
        return yaml.load(text, _Loader)
    except CrossarcError as error:
        raise CrossarcError(f"{where}: {error}") from None
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark is not None else ""
        raise CrossarcError(f"{where}: {line}not YAML: {' '.join(str(error.problem).split())}") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise CrossarcError(f"{where}: not YAML: {' '.join(str(error).split())}") from None
