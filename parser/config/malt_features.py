"""MaltParser's feature models in the language of ours (MaltParser 1.9, user guide, sections "Parsing algorithm" and
"Feature model").

A model is XML whose ``feature`` elements hold function calls such as ``Merge(InputColumn(POSTAG, Stack[0]),
InputColumn(POSTAG, Input[0]))``. What has no counterpart is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from xml.parsers import expat

from ...features.address import FUNCTIONS
from ...features.template import MOST_PARTS, TemplateError, parse_template
from ...transitions.registry import system_type
from ..errors import CrossarcError, choices

__all__ = ["ALGORITHMS", "COLUMNS", "MaltFeatures", "read_malt_features"]

ALGORITHMS: Mapping[str, str] = {
    "nivreeager": "arc-eager",
    "nivrestandard": "arc-standard",
    "stackproj": "arc-standard",
    "stackswap": "swap",
    "stackeager": "swap",
    "stacklazy": "swap",
    "stackattardi": "attardi",
    "covproj": "covington-projective",
    "covnonproj": "covington",
}
"""The system for each of MaltParser's algorithms, by the names that its ready feature models bear."""
COLUMNS: Mapping[str, str] = {
    "FORM": "form",
    "LEMMA": "lemma",
    "CPOSTAG": "upos",
    "UPOSTAG": "upos",
    "UPOS": "upos",
    "POSTAG": "xpos",
    "XPOSTAG": "xpos",
    "XPOS": "xpos",
    "FEATS": "morph",
}
"""The names of columns; others keep theirs in lower case. FEATS undivided is ``morph``, split ``feats``."""
NOT_INPUT = ("ID", "HEAD", "DEPREL", "PHEAD", "PDEPREL", "DEPS")
OF_COVINGTON = {"Left": "Left", "Right": "Input", "LeftContext": "pred", "RightContext": "LeftContext"}
SOURCES = {"nivre": ("Stack", "Input"), "stack": ("Stack", "Input", "Lookahead"), "cov": tuple(OF_COVINGTON)}
"""The data structures of MaltParser's families of algorithms."""
MOST_DEPTH = 20
VALENCIES = {"ldep": "left", "rdep": "right", "dep": ""}
HANDLED = ("InputColumn", "OutputColumn", "Merge", "Merge3", "Split", "Exists", "Distance", "NumOf")

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.S)
_NODE = re.compile(r"\s*([A-Za-z]\w*)\s*\[\s*(\d+)\s*\]\s*")


@dataclass(slots=True)
class MaltFeatures:
    """A translated model. templates: as lines of ours, each once. notes: what is nearly but not quite the same, and
    what was left out."""

    algorithm: str
    system: str
    templates: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_yaml(self, name: str) -> str:
        """The feature model as a file of ours."""
        lines = [f"# From {name}, for MaltParser's {self.algorithm}; here for the system {self.system}."]
        lines += [f"# {note}" for note in self.notes]
        return "\n".join([*lines, "templates:", *(f"  - {line}" for line in self.templates)]) + "\n"


def read_malt_features(content: bytes, name: str, algorithm: str = "", skip: bool = False) -> MaltFeatures:
    """The feature model of an XML file.

    name: of the file, for messages. algorithm: one of :data:`ALGORITHMS`, in place of what the file says. skip: whether
    features without a counterpart are left out, with a note, and not refused. Raises CrossarcError (``file:line``) for
    what is no such file, for entity declarations, which are not read at all, and for what cannot be translated.
    """
    found, features = _parsed(content, name)
    chosen = algorithm or found
    if chosen not in ALGORITHMS:
        where = "" if algorithm else f"{name}: featuremodel: "
        hint = "" if algorithm else "; --algorithm names another"
        raise CrossarcError(f"{where}algorithm {choices(chosen, ALGORITHMS)}{hint}")
    result = MaltFeatures(chosen, ALGORITHMS[chosen])
    translator = _Translator(chosen, result.notes)
    for line, text in features:
        try:
            template = translator.template(text)
        except _NoCounterpartError as error:
            if not skip:
                reason = f"{name}:{line}: {' '.join(text.split())}: {error}"
                raise CrossarcError(f"{reason}; --skip leaves such features out") from error
            result.notes.append(f"left out, line {line}: {' '.join(text.split())}: {error}")
            continue
        if template and template not in result.templates:
            result.templates.append(template)
    if not result.templates:
        raise CrossarcError(f"{name}: found no feature that can be translated")
    return result


class _NoCounterpartError(Exception):
    """What ours has nothing like."""


def _parsed(content: bytes, name: str) -> tuple[str, list[tuple[int, str]]]:
    """(the name of the feature model, its features with their lines)."""
    parser = expat.ParserCreate()
    models: list[str] = []
    features: list[tuple[int, str]] = []
    open_feature: list[str] = []

    def refuse(*declaration: object) -> None:
        raise CrossarcError(f"{name}:{parser.CurrentLineNumber}: found a DOCTYPE, which feature models do not need")

    def start(element: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if element == "featuremodel":
            models.append(attributes.get("name", ""))
            if len(models) > 1:
                raise CrossarcError(f"{name}:{line}: found a second featuremodel, expected one")
        elif element == "feature":
            features.append((line, ""))
            open_feature.append("")
        elif element not in ("featuremodels",):
            raise CrossarcError(
                f"{name}:{line}: element {choices(element, ['featuremodels', 'featuremodel', 'feature'])}"
            )

    def data(text: str) -> None:
        if open_feature:
            line, before = features[-1]
            features[-1] = (line, before + text)

    def end(element: str) -> None:
        if element == "feature":
            open_feature.pop()

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise CrossarcError(f"{name}:{error.lineno}: not XML: {expat.ErrorString(error.code)}") from error
    except (ValueError, LookupError) as error:
        raise CrossarcError(f"{name}: not XML: {error}") from error
    if not models:
        raise CrossarcError(f"{name}: found no featuremodel")
    return models[0], features


class _Translator:
    """Features of one algorithm; ``notes`` gets what is not quite the same, each once."""

    def __init__(self, algorithm: str, notes: list[str]) -> None:
        self._algorithm = algorithm
        self._notes = notes
        self._sources = system_type(ALGORITHMS[algorithm]).sources

    def template(self, text: str) -> str:
        """The template of a feature, "" if it never has a value."""
        depth = list(accumulate((letter == "(") - (letter == ")") for letter in text))
        if depth and max(depth) > MOST_DEPTH:
            raise _NoCounterpartError(f"{max(depth)} functions around one another; allowed: {MOST_DEPTH} at most")
        parts = self._feature(text)
        if "" in parts:
            return ""
        distinct = list(dict.fromkeys(parts))
        if len(distinct) > MOST_PARTS:
            raise _NoCounterpartError(f"a merge of {len(distinct)} values; allowed: {MOST_PARTS}")
        line = distinct[0] if len(distinct) == 1 else f"merge({', '.join(distinct)})"
        try:
            return str(parse_template(line, "", None, self._sources))
        except TemplateError as error:
            raise _NoCounterpartError(str(error).removeprefix(": ")) from error

    def _feature(self, text: str) -> list[str]:
        """The parts that a feature looks at; one of them is "" where it never has a value."""
        name, arguments = _call(text)
        counts = {"InputColumn": 2, "OutputColumn": 2, "Merge": 2, "Merge3": 3, "Split": 2, "Exists": 1}
        counts |= {"Distance": 3, "NumOf": 3}
        if name not in counts:
            raise _NoCounterpartError(f"function {choices(name, HANDLED)}")
        if len(arguments) != counts[name]:
            raise _NoCounterpartError(f"{name} takes {counts[name]} arguments, found {len(arguments)}")
        handle: Callable[[Sequence[str]], list[str]] = getattr(self, f"_{name.lower()}")
        return handle(arguments)

    def _merge(self, arguments: Sequence[str]) -> list[str]:
        return [part for argument in arguments for part in self._feature(argument)]

    _merge3 = _merge

    def _inputcolumn(self, arguments: Sequence[str]) -> list[str]:
        column = arguments[0].strip()
        if column in NOT_INPUT:
            raise _NoCounterpartError(
                f"column {column} is no input here; allowed: {', '.join(COLUMNS)}, or one of your own"
            )
        return self._of_node(COLUMNS.get(column, column.lower()), arguments[1])

    def _outputcolumn(self, arguments: Sequence[str]) -> list[str]:
        if arguments[0].strip() != "DEPREL":
            raise _NoCounterpartError(f"output column {choices(arguments[0].strip(), ['DEPREL'])}")
        return self._of_node("deprel", arguments[1])

    def _split(self, arguments: Sequence[str]) -> list[str]:
        (part,) = self._feature(arguments[0])[:1]
        if part and not part.startswith("morph("):
            raise _NoCounterpartError("only FEATS is split here, at |")
        if arguments[1].strip() not in (r"\|", "[|]"):
            raise _NoCounterpartError(rf"FEATS is split at \|, found {arguments[1].strip()}")
        return [part.replace("morph(", "feats(", 1)]

    def _exists(self, arguments: Sequence[str]) -> list[str]:
        node = self._node(arguments[0])
        return [f"distance({node}, {node})" if node else ""]

    def _distance(self, arguments: Sequence[str]) -> list[str]:
        first, second = self._node(arguments[0]), self._node(arguments[1])
        self._note("distances are binned here at 0, 1, 2, 3, 4, 5, 7, 10 and 15 words, neighbours being 1 apart")
        return [f"distance({first}, {second})" if first and second else ""]

    def _numof(self, arguments: Sequence[str]) -> list[str]:
        relation = arguments[1].strip()
        if relation not in VALENCIES:
            raise _NoCounterpartError(f"relation {choices(relation, VALENCIES)}")
        node = self._node(arguments[0])
        self._note("numbers of dependents are not binned here; 6 and more are one")
        side = f", {VALENCIES[relation]}" if VALENCIES[relation] else ""
        return [f"valency({node}{side})" if node else ""]

    def _of_node(self, kind: str, text: str) -> list[str]:
        node = self._node(text)
        return [f"{kind}({node})" if node else ""]

    def _node(self, text: str) -> str:
        """An address of ours, "" for a node that there never is."""
        if found := _NODE.fullmatch(text):
            return self._source(found[1], int(found[2]))
        name, arguments = _call(text)
        if name not in FUNCTIONS:
            raise _NoCounterpartError(f"function {choices(name, FUNCTIONS)}")
        if len(arguments) != 1:
            raise _NoCounterpartError(f"{name} takes 1 argument, found {len(arguments)}")
        node = self._node(arguments[0])
        return f"{name}({node})" if node else ""

    def _source(self, source: str, index: int) -> str:
        (allowed,) = (own for family, own in SOURCES.items() if self._algorithm.startswith(family))
        if source not in allowed:
            raise _NoCounterpartError(f"data structure {choices(source, allowed)}")
        if self._algorithm == "nivrestandard":
            self._note(
                "arcs join Stack[1] and Stack[0] here, not Stack[0] and Input[0]: all nodes are one place further on"
            )
            if source == "Stack":
                return f"Stack[{index + 1}]"
            return f"Lookahead[{index - 1}]" if index else "Stack[0]"
        if self._algorithm.startswith("stack") and source == "Input":
            if ALGORITHMS[self._algorithm] != "swap":
                self._note("Input is always empty without swap: features of it are left out")
                return ""
            self._note("Input here is the whole buffer, not only what was swapped back")
        if self._algorithm.startswith("cov"):
            if source.endswith("Context"):
                self._note("words between Left[0] and Input[0] are all of them here, not only those without a head")
            if source == "LeftContext":
                return "pred(" * (index + 1) + "Input[0]" + ")" * (index + 1)
            return f"{OF_COVINGTON[source]}[{index}]"
        return f"{source}[{index}]"

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)


def _call(text: str) -> tuple[str, list[str]]:
    """(the function's name, its arguments as text)."""
    found = _CALL.fullmatch(text)
    if found is None:
        raise _NoCounterpartError(f"found {text.strip() or 'nothing'!r}, expected a function with its arguments")
    arguments, depth = [""], 0
    for letter in found[2]:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += letter
    return found[1], arguments
