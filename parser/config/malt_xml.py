"""Reading of MaltParser's XML files. Entities and external files are never loaded."""

from __future__ import annotations

from dataclasses import dataclass
from xml.parsers import expat

from ..base.errors import CrossarcError


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
