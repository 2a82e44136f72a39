"""Templates over word classes, which ready feature models gain if the words have classes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....features.template import FeatureModel, parse_template
from .step import COLUMN

SINGLE, FINE, COARSE, MIDDLE = "c1000", "c256", "c16", "c64"


def _class(node: str, cut: str) -> str:
    return f"{COLUMN}({node}, {cut})"


def _merged(*parts: str) -> str:
    return f"merge({', '.join(parts)})"


def tagging_templates() -> list[str]:
    """Classes of the word and of its two neighbours.

    On development sets of Latin-Perseus and French-ParTUT, pairs of classes and classes with letters or tags gained
    nothing beside these, and made models larger.
    """
    word, neighbours = "Input[0]", ("Stack[0]", "Input[1]")
    lines = [_class(word, cut) for cut in (SINGLE, FINE, MIDDLE)]
    return lines + [_class(node, cut) for node in neighbours for cut in (FINE, MIDDLE)]


def parsing_templates(pair: tuple[str, str], ahead: Sequence[str]) -> list[str]:
    """Classes of the two nodes that an arc would join, alone and together, with tags, and of the nodes ahead.

    pair: addresses of the two nodes, the left one first.
    ahead: addresses of the nodes that follow.
    """
    left, right = pair
    lines = [_class(node, cut) for node in pair for cut in (SINGLE, FINE, MIDDLE)]
    lines += [_class(node, cut) for node in ahead for cut in (FINE, MIDDLE)]
    lines += [_merged(_class(left, cut), _class(right, cut)) for cut in (FINE, MIDDLE, COARSE)]
    for cut in (FINE, MIDDLE):
        lines += [_merged(_class(left, cut), f"upos({right})"), _merged(f"upos({left})", _class(right, cut))]
    for node in pair:
        lines.append(_merged(_class(node, MIDDLE), f"deprel(ldep({node}))", f"deprel(rdep({node}))"))
    lines.append(_merged(_class(left, MIDDLE), _class(right, MIDDLE), f"distance({left}, {right})"))
    lines.append(_merged(_class(right, MIDDLE), _class(ahead[0], MIDDLE)))
    lines.append(_merged(_class(left, COARSE), _class(right, COARSE), _class(ahead[0], COARSE)))
    return lines


def graph_templates(order: int) -> list[str]:
    """Classes of head and dependent, alone and together, with tags; of order 2 also of sibling and grandchild."""
    head, word = "Head", "Dependent"
    lines = [_class(node, cut) for node in (head, word) for cut in (SINGLE, FINE, MIDDLE)]
    lines += [_merged(_class(head, cut), _class(word, cut)) for cut in (FINE, MIDDLE, COARSE)]
    for cut in (FINE, MIDDLE):
        lines += [_merged(_class(head, cut), f"upos({word})"), _merged(f"upos({head})", _class(word, cut))]
    lines.append(_merged(_class(head, MIDDLE), _class(word, MIDDLE), f"distance({head}, {word})"))
    for other in ("Sibling", "Grandchild") if order == 2 else ():
        middle = word if other == "Grandchild" else head
        lines += [
            _merged(_class(middle, FINE), _class(other, FINE)),
            _merged(_class(middle, MIDDLE), _class(other, MIDDLE), f"upos({word})"),
            _merged(f"upos({head})", _class(word, MIDDLE), _class(other, MIDDLE)),
        ]
    return lines


def with_classes(model: FeatureModel, system: str, nodes: Collection[str]) -> FeatureModel:
    """The feature model with templates over classes.

    system: the transition system, or another method that builds trees.
    nodes: the nodes that its templates may address.
    """
    if "Head" in nodes:
        order = 2 if any("Sibling" in line or "Grandchild" in line for line in model.lines()) else 1
        lines = graph_templates(order)
    elif system == "tagging":
        lines = tagging_templates()
    else:
        lines = parsing_templates(*_places(system, nodes))
    return model.with_templates(parse_template(line, "word classes", None, nodes) for line in lines)


def _places(system: str, nodes: Collection[str]) -> tuple[tuple[str, str], list[str]]:
    """The two nodes that an arc would join, and the nodes ahead of them."""
    if "Left" in nodes:
        return ("Left[0]", "Input[0]"), ["Input[1]"]
    ahead = "Lookahead" if "Lookahead" in nodes else "Input"
    if system in ("arc-standard", "swap", "attardi"):
        return ("Stack[1]", "Stack[0]"), [f"{ahead}[0]", f"{ahead}[1]"]
    return ("Stack[0]", "Input[0]"), ["Stack[1]", "Input[1]"]
