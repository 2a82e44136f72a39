"""The language of feature models: YAML lists of templates in the field's notation.

A feature model is a YAML mapping. The key ``templates`` has a list of templates, one per line. The optional key
``extends`` names one or several models whose templates come first. The optional key ``places`` serves treebanks whose
FEATS column holds positional tags instead of attributes: it gives the position, from 1, of each attribute. Attributes
in templates are then replaced by positions, and the set ``feats(A)`` by one template per position::

    extends: arc-standard-small
    templates:
      - form(Stack[0])
      - merge(xpos(Stack[1]), xpos(Stack[0]), xpos(Lookahead[0]))
      - deprel(ldep(Stack[1]))
      - feats(Stack[0])
      - distance(Stack[1], Stack[0])
      - arity(Stack[0], left)

A template is a part or a merge of parts. A part is one of the following:

- a column of the treebank, or one piece of its values (``feats(Stack[0], Case)``, ``xpos(Stack[0], 5)``, see
  :mod:`.piece`), or a function of either (``lower``, ``shape``, ``suffix(form(Stack[0]), 3)``);
- the ``deprel`` of an address: the label that its node has received so far;
- the binned ``distance`` of two addresses;
- the ``arity`` of an address: its number of dependents so far, on one side or both;
- a set of labels: ``dependents`` of an address (the labels of the arcs to its dependents on one side) or
  ``valencies()`` (the labels of the valencies in θ, see :mod:`crossarc.transitions.three_step`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import TypeVar

import yaml

from .address import FACTOR_NODES, FUNCTIONS, NO_INDEX, SOURCES, Address
from .piece import AFFIXES, FUNCTIONS as OF_VALUES, KEY_SIGN, column_and_key, keyed, own_functions, written

T = TypeVar("T")

SIDES = ("left", "right")
KINDS = ("deprel", "distance", "arity", "dependents", "valencies")
FIXED_NAMES = ("merge", *KINDS)
MOST_PARTS = 6
MOST_FUNCTIONS = 8
MOST_INDEX = 999
FEATS = "feats"
WITHOUT_KEYS = ("morph",)
"""Columns that are one value by definition."""
ALLOWED_KEYS = (
    "'templates' with a list of templates, 'extends' with the name of a feature model or a list of names, and 'places' "
    "with the place of each attribute in FEATS"
)


class TemplateError(ValueError):
    """An invalid feature model: one line with the place, the problem and the allowed values."""


@dataclass(frozen=True, slots=True)
class Part:
    """One value that a template uses.

    kind: "column", "deprel", "distance", "arity", "dependents" or "valencies"
    column: for kind "column", the name of the column and the key of a piece of its values, if any: "feats/Case"
    addresses: one address, two for "distance", none for "valencies"
    side: "left" or "right" for "dependents" and "arity"; "" means both sides
    """

    kind: str
    addresses: tuple[Address, ...]
    column: str = ""
    side: str = ""

    def __str__(self) -> str:
        arguments = ", ".join(map(str, self.addresses))
        if self.column:
            return written(self.column, arguments)
        return f"{self.kind}({arguments}, {self.side})" if self.side else f"{self.kind}({arguments})"


@dataclass(frozen=True, slots=True)
class Template:
    """A feature template: the combination of the values of its parts."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.parts))
        return inner if len(self.parts) == 1 else f"merge({inner})"


@dataclass(frozen=True, slots=True)
class FeatureModel:
    """The templates of a feature model, in the order of the file."""

    templates: tuple[Template, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the treebank columns that the templates use, sorted."""
        return tuple(
            sorted({part.column for template in self.templates for part in template.parts if part.kind == "column"})
        )

    def check_columns(self, names: Collection[str]) -> None:
        """Raise TemplateError if a template uses a column, or a piece of a column, that is not among the names."""
        for name in self.columns:
            if name not in names:
                raise TemplateError(
                    f"model: templates use unknown column {name!r}; allowed: " + ", ".join(sorted(names))
                )

    def with_templates(self, more: Iterable[Template]) -> FeatureModel:
        """The model with further templates, but for those that it has."""
        return FeatureModel(tuple(dict.fromkeys((*self.templates, *more))))

    def lines(self) -> list[str]:
        """The templates as text."""
        return [str(template) for template in self.templates]


def parse_feature_model(
    text: str,
    name: str,
    columns: Collection[str] | None = None,
    sources: Collection[str] | None = None,
    read: Callable[[str, str], str] | None = None,
    extending: tuple[str, ...] = (),
) -> FeatureModel:
    """Parse the YAML text of a feature model.

    name: file name for messages
    columns: names of the treebank's columns; ``None`` allows all
    sources: names of the transition system's lists of nodes; ``None`` allows all
    read: function from the name of an extended model, and the place that names it, to the text of that model; a file
        is named from the folder of the file that extends it
    extending: the models that extend this one

    Raises :class:`TemplateError` for invalid models.
    """
    document = _mapping(text, name)
    _check_keys(document, name)
    templates: dict[Template, str] = {}
    places: Mapping[str, str] = {}
    for key, value in document.value:
        where = f"{name}:{key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode):
            raise TemplateError(f"{where}: found a {key.id}; allowed: {ALLOWED_KEYS}")
        others = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if key.value == "extends" and all(isinstance(other, yaml.ScalarNode) for other in others):
            if read is None:
                raise TemplateError(f"{where}: extends is not supported for this feature model; write all templates")
            for other in (_path_from(name, str(other.value)) for other in others):
                if other in (name, *extending):
                    raise TemplateError(f"{where}: feature model {other!r} extends itself")
                inherited = parse_feature_model(read(other, where), other, columns, sources, read, (name, *extending))
                templates.update({template: templates.get(template, other) for template in inherited.templates})
        elif key.value == "places" and isinstance(value, yaml.MappingNode):
            places = _places(value, name)
        elif key.value != "templates" or not isinstance(value, yaml.SequenceNode):
            raise TemplateError(f"{where}: found {key.value!r}; allowed: {ALLOWED_KEYS}")
    for entry in (entry for key, value in document.value if key.value == "templates" for entry in value.value):
        where = f"{name}:{entry.start_mark.line + 1}"
        if not isinstance(entry, yaml.ScalarNode):
            raise TemplateError(f"{where}: found a {entry.id}, expected a template such as form(Stack[0])")
        template = parse_template(entry.value, where, columns, sources)
        if template in templates:
            raise TemplateError(f"{where}: template {template} is already in {templates[template]}")
        templates[template] = where
    if not templates:
        raise TemplateError(f"{name}: the feature model has no templates")
    return FeatureModel(tuple(dict.fromkeys(placed for template in templates for placed in _placed(template, places))))


def _path_from(name: str, other: str) -> str:
    """The name of a model that the model ``name`` extends; a file is named from the folder of the one that names it."""
    return os.path.normpath(os.path.join(os.path.dirname(name), other)) if other.endswith(".yaml") else other


def _check_keys(node: yaml.MappingNode, name: str) -> None:
    """Raise TemplateError for a key that a mapping has twice."""
    seen: dict[str, yaml.Node] = {}
    for key, _ in node.value:
        first = seen.setdefault(str(key.value), key)
        if first is not key:
            place = f"{name}:{key.start_mark.line + 1}"
            raise TemplateError(f"{place}: duplicate key {key.value!r}, first in line {first.start_mark.line + 1}")


def _places(node: yaml.MappingNode, name: str) -> dict[str, str]:
    """The columns of attributes in FEATS, each with the column of its position."""
    _check_keys(node, name)
    places = {}
    for key, value in node.value:
        where = f"{name}:{key.start_mark.line + 1}"
        attribute, place = getattr(key, "value", ""), getattr(value, "value", "")
        if not (isinstance(attribute, str) and attribute):
            raise TemplateError(f"{where}: places: expected the name of an attribute")
        if not (isinstance(place, str) and re.fullmatch(r"[1-9]\d{0,2}", place, re.ASCII)):
            what = repr(place) if isinstance(value, yaml.ScalarNode) else f"a {value.id}"
            raise TemplateError(f"{where}: places: {attribute}: found {what}, expected a place from 1 to {MOST_INDEX}")
        places[f"{FEATS}{KEY_SIGN}{attribute}"] = f"{FEATS}{KEY_SIGN}{place}"
    return places


def _placed(template: Template, places: Mapping[str, str]) -> list[Template]:
    """The template, or templates, with positions instead of attributes in FEATS, see :func:`_places`."""
    if not places:
        return [template]
    if template.parts[0].column == FEATS and len(template.parts) == 1:
        return [Template((replace(template.parts[0], column=column),)) for column in dict.fromkeys(places.values())]
    parts = [replace(part, column=places.get(part.column, part.column)) for part in template.parts]
    return [Template(tuple(dict.fromkeys(parts)))]  # attributes at one position make one part


@lru_cache(maxsize=64)
def _mapping(text: str, name: str) -> yaml.MappingNode:
    """The YAML of a feature model. Blends and tuning read the same models again and again."""
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise TemplateError(f"{name}{line}: not YAML: {' '.join(str(error.problem).split())}") from error
    except yaml.YAMLError as error:
        raise TemplateError(f"{name}: not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise TemplateError(f"{name}: not YAML: nested too deeply") from error
    if not isinstance(document, yaml.MappingNode):
        raise TemplateError(f"{name}: expected a mapping; allowed: {ALLOWED_KEYS}")
    return document


def parse_template(
    text: str, where: str, columns: Collection[str] | None = None, sources: Collection[str] | None = None
) -> Template:
    """Parse a template such as ``merge(xpos(Stack[0]), form(Lookahead[0]))``; ``where`` begins messages."""
    parser = _TemplateParser(text, where, columns, tuple(SOURCES) if sources is None else tuple(sources))
    return parser.template()


_TOKEN = re.compile(r"\s*([A-Za-z_][\w:.-]*|\d+|[()\[\],]|\S)")


class _TemplateParser:
    """Recursive-descent parser of one template."""

    def __init__(self, text: str, where: str, columns: Collection[str] | None, sources: Sequence[str]) -> None:
        self.text = text
        self.where = where
        self.columns = columns
        self.names = {column_and_key(name)[0] for name in columns or ()}
        self.sources = sources
        self.tokens = _TOKEN.findall(text)
        self.place = 0

    def template(self) -> Template:
        if self.peek() == "merge":
            self.take("merge")
            parts = self.arguments(self.part)
            if not 2 <= len(parts) <= MOST_PARTS:
                raise self.error(f"merge takes 2 to {MOST_PARTS} parts, found {len(parts)}")
        else:
            parts = [self.part()]
        if self.peek():
            raise self.error(f"found {self.peek()!r} after the end of the template")
        if len(set(parts)) < len(parts):
            raise self.error("merge has the same part twice; remove one")
        return Template(tuple(parts))

    def part(self, depth: int = 0) -> Part:
        name = self.name(f"a column or one of {', '.join(KINDS)}")
        if name == "merge":
            raise self.error("a merge inside a merge; write one merge with all parts")
        if name not in self.names and self.is_function(name):
            return self.function(name, depth)
        if name == "distance":
            addresses = self.arguments(self.address)
            if len(addresses) != 2:
                raise self.error(f"distance takes 2 addresses, found {len(addresses)}")
            return Part("distance", tuple(addresses))
        if name == "valencies" and "Waiting" in self.sources:
            self.take("(")
            self.take(")")
            return Part("valencies", ())
        self.take("(")
        if name in ("arity", "dependents"):
            address = self.address()
            side = ""
            if self.peek() == "," or name == "dependents":
                self.take(",")
                side = self.name("left or right")
                if side not in SIDES:
                    raise self.unknown("side", side, SIDES)
            self.take(")")
            return Part(name, (address,), side=side)
        if name != "deprel" and self.columns is not None and name not in self.names:
            kinds = [kind for kind in KINDS if kind != "valencies" or "Waiting" in self.sources]
            functions = [*OF_VALUES, *AFFIXES, *own_functions(1)]
            raise self.unknown("column", name, [*self.columns, *kinds, *functions, "merge"])
        address = self.address()
        key = self.key(name) if self.peek() == "," else ""
        self.take(")")
        return Part("deprel", (address,)) if name == "deprel" else Part("column", (address,), column=name + key)

    def is_function(self, name: str) -> bool:
        if name in OF_VALUES or name in AFFIXES:
            return True
        return name not in FIXED_NAMES and name in own_functions(1)

    def function(self, name: str, depth: int) -> Part:
        """A function of a column's values, as a separate column."""
        if depth == MOST_FUNCTIONS:
            raise self.error(f"too many nested functions; allowed: {depth} at most")
        self.take("(")
        part = self.part(depth + 1)
        if part.kind != "column":
            raise self.error(f"{name} takes a column, found {part.kind}")
        length = None
        if name in AFFIXES:
            self.take(",")
            length = self.number("a number of characters", 1)
        self.take(")")
        return replace(part, column=keyed(part.column, name, length))

    def key(self, column: str) -> str:
        """The key of a piece of a column's values, as in :attr:`Part.column`."""
        if column in ("deprel", *WITHOUT_KEYS):
            raise self.error(f"{column} has no pieces; allowed: columns of the treebank, such as feats")
        self.take(",")
        if self.peek().isdecimal():
            place = self.number("the place of a character", 1)
            return f"{KEY_SIGN}{place}"
        key = self.name("the name of an attribute, or the place of a character")
        if self.peek() == "[":  # layered attributes of Universal Dependencies, such as Number[psor]
            self.take("[")
            key += f"[{self.name('the name of a layer')}]"
            self.take("]")
        return KEY_SIGN + key

    def address(self) -> Address:
        functions = []
        name = self.name("an address such as Stack[0]")
        while self.peek() == "(":
            if name not in FUNCTIONS and name not in (plugged := own_functions(2)):
                raise self.unknown("function", name, [*FUNCTIONS, *plugged])
            functions.append(name)
            if len(functions) > MOST_FUNCTIONS:
                raise self.error(f"{len(functions)} nested functions; allowed: {MOST_FUNCTIONS} at most")
            self.take("(")
            name = self.name("an address such as Stack[0]")
        if name not in self.sources:
            raise self.unknown("source", name, self.sources)
        index = NO_INDEX
        if name not in FACTOR_NODES:
            self.take("[")
            index = self.number("the number of a node", 0)
            self.take("]")
        for _ in functions:
            self.take(")")
        return Address(name, index, tuple(reversed(functions)))

    def number(self, what: str, least: int) -> int:
        token = self.peek()
        if not token.isdecimal() or (len(token) <= len(str(MOST_INDEX)) and int(token) < least):
            raise self.error(f"found {token or 'the end'!r}, expected {what}, {least} or more")
        if len(token) > len(str(MOST_INDEX)) or int(token) > MOST_INDEX:
            raise self.error(f"found {token!r}, expected {what}, at most {MOST_INDEX}")
        self.place += 1
        return int(token)

    def arguments(self, read: Callable[[], T]) -> list[T]:
        self.take("(")
        items = [read()]
        while self.peek() == ",":
            self.take(",")
            items.append(read())
        self.take(")")
        return items

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str) -> None:
        if self.peek() != expected:
            raise self.error(f"found {self.peek() or 'the end'!r}, expected {expected!r}")
        self.place += 1

    def name(self, expected: str) -> str:
        token = self.peek()
        if not re.match(r"[A-Za-z_]", token):
            raise self.error(f"found {token or 'the end'!r}, expected {expected}")
        self.place += 1
        return token

    def unknown(self, what: str, name: str, allowed: Iterable[str]) -> TemplateError:
        names = list(allowed)
        near = get_close_matches(name, names, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        return self.error(f"unknown {what} {name!r}{hint}; allowed: {', '.join(names)}")

    def error(self, reason: str) -> TemplateError:
        return TemplateError(f"{self.where}: template {self.text!r}: {reason}")
