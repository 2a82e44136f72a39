"""Translation of MaltParser's feature models into the feature language of crossarc.

A model is XML whose ``feature`` elements hold function calls such as ``Merge(InputColumn(POSTAG, Stack[0]),
InputColumn(POSTAG, Input[0]))``. A function without a counterpart is refused with its line. Source: MaltParser 1.9,
user guide, sections "Parsing algorithm" and "Feature model".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from xml.parsers import expat

from ....features.address import FUNCTIONS
from ....features.template import MOST_PARTS, TemplateError, parse_template
from ....transitions.registry import system_type
from ...base.errors import CrossarcError, choices


@dataclass(slots=True)
class Element:
    """An XML element.

    line: line in which the element begins.
    text: text directly inside the element, without the text of inner elements.
    """

    line: int
    name: str
    attributes: dict[str, str]
    text: str = ""


def read_xml(content: bytes, name: str) -> list[Element]:
    """Return the elements of a file, outer elements before inner ones.

    name: file name for messages.

    Raises CrossarcError (``file:line``) for content that is not XML, and for document type declarations.
    """
    parser = expat.ParserCreate()
    elements: list[Element] = []
    unfinished: list[Element] = []

    def refuse(*declaration: object) -> None:
        raise CrossarcError(f"{name}:{parser.CurrentLineNumber}: found a DOCTYPE; expected a file without one")

    def start(element: str, attributes: dict[str, str]) -> None:
        elements.append(Element(parser.CurrentLineNumber, element, attributes))
        unfinished.append(elements[-1])

    def data(text: str) -> None:
        unfinished[-1].text += text

    def end(element: str) -> None:
        unfinished.pop()

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise CrossarcError(f"{name}:{error.lineno}: not XML: {expat.ErrorString(error.code)}") from error
    except (ValueError, LookupError) as error:
        raise CrossarcError(f"{name}: not XML: {error}") from error
    return elements


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A parsing algorithm of MaltParser.

    system: the most similar transition system of crossarc.
    sources: for each data structure of MaltParser, that of the system, or "" if the system has none.
    """

    system: str
    sources: Mapping[str, str]


STACK_AND_INPUT = {"Stack": "Stack", "Input": "Input"}
LISTS = {"Left": "Left", "Right": "Input", "LeftContext": "pred", "RightContext": "LeftContext"}
SWAPPING = {**STACK_AND_INPUT, "Lookahead": "Lookahead"}
STACK_PROJECTIVE = Algorithm("arc-standard", {**SWAPPING, "Input": ""})
ALGORITHMS: Mapping[str, Algorithm] = {
    "nivreeager": Algorithm("arc-eager", STACK_AND_INPUT),
    "nivrestandard": Algorithm("arc-standard", STACK_AND_INPUT),
    "stackproj": STACK_PROJECTIVE,
    "stackincr": STACK_PROJECTIVE,
    "stackswap": Algorithm("swap", SWAPPING),
    "stackeager": Algorithm("swap", SWAPPING),
    "stacklazy": Algorithm("swap", SWAPPING),
    "stackattardi": Algorithm("attardi", {**SWAPPING, "Input": ""}),
    "planar": Algorithm("planar", STACK_AND_INPUT),
    "2planar": Algorithm("2-planar", {"ActiveStack": "Stack", "InactiveStack": "OtherStack", "Input": "Input"}),
    "covproj": Algorithm("covington-projective", LISTS),
    "covnonproj": Algorithm("covington", LISTS),
}
"""Algorithms of MaltParser, by their names in its option ``-a``."""
OTHER_NAMES = {"stackprojective": "stackproj", "stackincremental": "stackincr", "planareager": "planar"}
"""Alternative names of algorithms in feature models."""
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
"""Column names of MaltParser and crossarc. Names not listed are written in lower case. ``morph`` is the whole value of
FEATS, ``feats`` its parts."""
NOT_INPUT = ("ID", "HEAD", "DEPREL", "PHEAD", "PDEPREL", "DEPS")
MOST_DEPTH = 20
LEFT_OUT = "left out"
ARITIES = {"ldep": ", left", "rdep": ", right", "dep": ""}
HANDLED = (
    *("InputColumn(COLUMN, NODE)", "OutputColumn(DEPREL, NODE)", "Merge(...)", "Merge3(...)", r"Split(..., \|)"),
    *("Prefix(..., N)", "Suffix(..., N)", "Distance(NODE, NODE, ...)", "NumOf(NODE, RELATION, ...)"),
)
"""The functions that can be translated."""
PATTERN = re.compile(r"\\\||\[\|\]")
"""A regular expression for the bar, which is not Python's syntax; the rest of a feature is."""
INTERVALS = re.compile(r",[\s\d|]*\|[\s\d|]*\)")


@dataclass(slots=True)
class MaltFeatures:
    """A translated feature model.

    templates: lines in the feature language of crossarc, without duplicates.
    notes: differences in meaning, and elements and features that were left out.
    """

    algorithm: str
    system: str
    templates: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_yaml(self, name: str) -> str:
        """Return the text of the feature model as a YAML file of crossarc.

        name: name of the XML file.
        """
        lines = [f"# From {name}, for MaltParser's {self.algorithm}; here for the system {self.system}."]
        lines += [f"# {note}" for note in self.notes]
        return "\n".join([*lines, "templates:", *(f"  - {line}" for line in self.templates)]) + "\n"


def malt_features(elements: Sequence[Element], name: str, algorithm: str = "") -> MaltFeatures:
    """Translate the feature model in the elements of an XML file.

    name: file name for messages.
    algorithm: a name from :data:`ALGORITHMS` that replaces the name in the file.

    Submodels are merged. Features without a counterpart are left out, each with a note that begins with
    :data:`LEFT_OUT`. Raises CrossarcError (``file:line``) for other files.
    """
    models = [element for element in elements if element.name == "featuremodel"]
    if len(models) != 1:
        raise CrossarcError(f"{name}: found {len(models)} elements featuremodel, expected one")
    features = [element for element in elements if element.name == "feature"]
    chosen = algorithm or models[0].attributes.get("name", "")
    chosen = OTHER_NAMES.get(chosen, chosen)
    if chosen == "planar" and not algorithm and any("ActiveStack" in feature.text for feature in features):
        chosen = "2planar"
    if chosen not in ALGORITHMS:
        raise CrossarcError(f"{name}: algorithm {choices(chosen, ALGORITHMS)}; --algorithm names another")
    result = MaltFeatures(chosen, ALGORITHMS[chosen].system)
    if any(element.name == "submodel" for element in elements):
        result.notes.append("all decisions use the features of all submodels here")
    translator = Translator(chosen, result.notes)
    for feature in features:
        try:
            template = translator.template(feature.text)
        except NoCounterpartError as error:
            result.notes.append(f"{LEFT_OUT}, line {feature.line}: {' '.join(feature.text.split())}: {error}")
            continue
        if template and template not in result.templates:
            result.templates.append(template)
    if not result.templates:
        raise CrossarcError(f"{name}: found no feature that can be translated")
    return result


class NoCounterpartError(Exception):
    """Raised for a feature without a counterpart in crossarc's feature language."""


class Translator:
    """Translates features of one algorithm. ``notes`` collects differences in meaning, without duplicates."""

    def __init__(self, algorithm: str, notes: list[str]) -> None:
        self._algorithm = algorithm
        self._notes = notes
        self._sources = system_type(ALGORITHMS[algorithm].system).sources

    def template(self, text: str) -> str:
        """Return the template of a feature, or "" if the feature never has a value."""
        depth = list(accumulate((letter == "(") - (letter == ")") for letter in text))
        if depth and max(depth) > MOST_DEPTH:
            raise NoCounterpartError(f"{max(depth)} nested functions; allowed: {MOST_DEPTH} at most")
        python = INTERVALS.sub(", 0)", PATTERN.sub("'|'", text)).strip()
        try:
            parts = self._feature(ast.parse(python, mode="eval").body)
        except (SyntaxError, ValueError):
            raise NoCounterpartError("not a function with its arguments") from None
        if "" in parts:
            return ""
        distinct = list(dict.fromkeys(parts))
        if len(distinct) > MOST_PARTS:
            raise NoCounterpartError(f"a merge of {len(distinct)} values; allowed: {MOST_PARTS}")
        line = distinct[0] if len(distinct) == 1 else f"merge({', '.join(distinct)})"
        try:
            return str(parse_template(line, "", None, self._sources))
        except TemplateError as error:
            raise NoCounterpartError(str(error).removeprefix(": ")) from error

    def _feature(self, feature: ast.expr) -> list[str]:
        """Return the parts of a template; one part is "" if it never has a value."""
        match feature:
            case ast.Call(ast.Name("Merge" | "Merge3"), [_, *_] as parts):
                return [part for operand in parts for part in self._feature(operand)]
            case ast.Call(ast.Name("InputColumn"), [ast.Name(column), node]):
                if column in NOT_INPUT:
                    allowed = f"allowed: {', '.join(COLUMNS)}, or one of your own"
                    raise NoCounterpartError(f"column {column} is not an input column; {allowed}")
                return [_value(COLUMNS.get(column, column.lower()), self._node(node))]
            case ast.Call(ast.Name("OutputColumn"), [ast.Name("DEPREL"), node]):
                return [_value("deprel", self._node(node))]
            case ast.Call(ast.Name("Split"), [value, ast.Constant("|")]):
                (part,) = self._feature(value)
                if part and not part.startswith("morph("):
                    raise NoCounterpartError("only FEATS is split here, at |")
                return [part.replace("morph(", "feats(", 1)]
            case ast.Call(ast.Name("Prefix" | "Suffix" as name), [value, ast.Constant(int(length))]):
                (part,) = self._feature(value)
                return [_value(name.lower(), part, rest=f", {length}")]
            case ast.Call(ast.Name("Distance"), [first, second, _]):
                self._note(
                    "distances are binned here at 0, 1, 2, 3, 4, 5, 7, 10 and 15 words, neighbours being 1 apart"
                )
                return [_value("distance", self._node(first), self._node(second))]
            case ast.Call(ast.Name("NumOf"), [node, ast.Name("ldep" | "rdep" | "dep" as relation), _]):
                self._note("numbers of dependents are not binned; 6 or more count as one value")
                return [_value("arity", self._node(node), rest=ARITIES[relation])]
        raise NoCounterpartError(f"found {ast.unparse(feature)[:100]}; allowed: {', '.join(HANDLED)}")

    def _node(self, node: ast.expr) -> str:
        """Return the address of a node in crossarc's feature language, or "" if the node never exists."""
        match node:
            case ast.Subscript(ast.Name(source), ast.Constant(int(index))):
                return self._source(source, index)
            case ast.Call(ast.Name(name), [inner]) if name in FUNCTIONS:
                address = self._node(inner)
                return f"{name}({address})" if address else ""
        allowed = ", ".join([*(f"{name}(NODE)" for name in FUNCTIONS), "SOURCE[N]"])
        raise NoCounterpartError(f"found {ast.unparse(node)[:100]}; allowed: {allowed}")

    def _source(self, source: str, index: int) -> str:
        algorithm = ALGORITHMS[self._algorithm]
        if source not in algorithm.sources:
            raise NoCounterpartError(f"data structure {choices(source, algorithm.sources)}")
        if not (column := algorithm.sources[source]):
            self._note(f"{source} has no counterpart in {algorithm.system}: features of it are left out")
            return ""
        if self._algorithm == "nivrestandard":
            self._note(
                "arcs join Stack[1] and Stack[0], in MaltParser Stack[0] and Input[0]; all nodes move by one place"
            )
            if source == "Stack":
                return f"Stack[{index + 1}]"
            return f"Lookahead[{index - 1}]" if index else "Stack[0]"
        if algorithm.system == "swap" and source == "Input":
            self._note("Input here is the whole buffer, not only what was swapped back")
        if source.endswith("Context"):
            self._note("here, words between Left[0] and Input[0] include words with a head")
        if column == "pred":
            return "pred(" * (index + 1) + "Input[0]" + ")" * (index + 1)
        return f"{column}[{index}]"

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)


def _value(function: str, *nodes: str, rest: str = "") -> str:
    """Write a function of nodes as in templates; return "" if one of the nodes never exists."""
    return f"{function}({', '.join(nodes)}{rest})" if all(nodes) else ""
