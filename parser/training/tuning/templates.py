"""Groups of templates that tuning removes or adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from ....features.address import FUNCTIONS
from ....features.piece import KEY_SIGN, column_and_key
from ....features.template import Template, TemplateError, parse_template
from ...treebank import EMPTY, Sentence
from .search import Change

WORDS = ("form", "lemma")
TAGS = ("upos", "xpos")
MORPHOLOGY = ("morph", "feats")
FEATS = "feats"
RARE = 0.01
"""Attributes that fewer of the words have are left out."""
MOST = 8
PLACES = range(3, 21)
"""The lengths of what can be a positional tag."""
ORDERED = ("Stack", "Left", "Input", "Lookahead")


def removals(templates: Sequence[str]) -> list[Change]:
    """The templates in groups by what they look at, each to be left out; a group is never all there is."""
    groups: dict[str, list[str]] = {}
    for line in templates:
        groups.setdefault(_group(parse_template(line, "feature model")), []).append(line)
    return [Change(name, tuple(lines), adds=False) for name, lines in groups.items() if len(groups) > 1]


def additions(templates: Sequence[str], columns: Collection[str], full: Sequence[str] = ()) -> list[Change]:
    """Groups of templates that are not there yet, around the nodes that the templates look at most.

    columns: those that features may name and that have values, pieces of columns among them. full: the templates of the
    system's ready model with most, the first group.
    """
    focus, further = _nodes(templates)
    there = {frozenset(parse_template(line, "feature model").parts) for line in templates}
    changes = []
    for name, lines in (("the model full", full), *_pool(focus, further, columns)):
        new = []
        for line in dict.fromkeys(lines):
            parts = frozenset(parse_template(line, "feature model").parts)
            if parts not in there:
                there.add(parts)
                new.append(line)
        if new:
            changes.append(Change(name, tuple(new), adds=True))
    return changes


def _group(template: Template) -> str:
    kinds = {part.kind for part in template.parts}
    columns = {column_and_key(part.column)[0] for part in template.parts if part.column}
    functions = {function for part in template.parts for address in part.addresses for function in address.functions}
    if kinds & {"distance", "valency", "dependents", "valencies"}:
        return "distance and valency"
    if functions and "deprel" in kinds:
        return "labels of dependents and heads"
    if functions & {"pred", "succ"}:
        return "neighbours in the sentence"
    if functions:
        return "words and tags of dependents and heads"
    if "deprel" in kinds:
        return "labels"
    if columns & set(MORPHOLOGY):
        return "morphology"
    several = "pairs and triples of" if len({part.addresses for part in template.parts}) > 1 else "single"
    if any(part.column.endswith(")") for part in template.parts):
        return "letters of words"
    if columns <= {*TAGS}:
        return f"{several} tags"
    if columns <= {*TAGS, *WORDS}:
        return f"{several} words, with and without tags" if several == "single" else f"{several} words and tags"
    return "columns of one's own"


def _nodes(templates: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the three nodes that are looked at most, the next node of each list that is not looked at yet)."""
    counts = Counter[str]()
    last: dict[str, int] = {}
    for line in templates:
        for part in parse_template(line, "feature model").parts:
            for address in part.addresses:
                if address.source in ORDERED:
                    counts[f"{address.source}[{address.index}]"] += 1
                    last[address.source] = max(last.get(address.source, 0), address.index)
    focus = [node for node, _ in sorted(counts.items(), key=lambda own: (-own[1], own[0]))[:3]]
    return focus, [f"{source}[{index + 1}]" for source, index in sorted(last.items())]


def _pool(focus: Sequence[str], further: Sequence[str], columns: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    words, tags = _there(WORDS, columns), _there(TAGS, columns)
    morphology = _there(("morph",), columns)
    simple = [*words, *tags]
    tag = tags[:1]
    pairs = list(combinations(focus, 2))
    yield "words further off", [f"{column}({node})" for node in further for column in simple]
    yield "words before and after", [f"{name}({step}({node}))" for node in focus for step in _PAIR for name in simple]
    yield "pairs of words", [f"merge({a}({x}), {b}({y}))" for x, y in pairs for a in words for b in words]
    yield (
        "words against tags",
        [f"merge({a}({x}), {b}({y}))" for x, y in pairs for a, b in _both_ways([*words, *morphology], tags)],
    )
    yield (
        "morphology of pairs",
        [f"merge({m}({x}), {b}({y}))" for x, y in pairs for m in morphology for b in [*morphology, *words]],
    )
    pieces = [column_and_key(name) for name in columns if KEY_SIGN in name]
    yield (
        "pieces of morphology",
        [
            *(f"{c}({node}, {key})" for node in focus for c, key in pieces),
            *(
                f"merge({t}({x}), {c}({x}, {k}), {t}({y}), {c}({y}, {k}))"
                for x, y in pairs
                for c, k in pieces
                for t in tag
            ),
        ],
    )
    yield (
        "words against pieces of morphology",
        [
            f"merge({w}({x}), {t}({y}), {c}({y}, {k}))"
            for x, y in [*pairs, *((b, a) for a, b in pairs)]
            for c, k in pieces
            for w in words[-1:]
            for t in tag
        ],
    )
    yield (
        "morphology of dependents",
        [f"{m}({step}({node}))" for node in focus for step in ("ldep", "rdep", "head") for m in morphology],
    )
    yield (
        "second dependents and siblings",
        [f"{name}({step}({node}))" for node in focus for step in _SECOND for name in ["deprel", *simple]],
    )
    yield (
        "dependents of dependents",
        [f"{name}({step}({step}({node})))" for node in focus for step in ("ldep", "rdep") for name in ["deprel", *tag]],
    )
    yield (
        "dependents against words",
        [
            f"merge({w}({x}), {name}({step}({y})))"
            for x, y in [*pairs, *((b, a) for a, b in pairs)]
            for w in [*words[-1:], *tag]
            for step in ("ldep", "rdep")
            for name in ("deprel", *words[-1:])
        ],
    )
    yield (
        "distance",
        [f"merge({c}({node}), distance({x}, {y}))" for x, y in pairs for node in (x, y) for c in simple],
    )
    yield (
        "valency",
        [
            f"merge({c}({node}), valency({node}, {side}))"
            for node in focus
            for side in ("left", "right")
            for c in simple
        ],
    )
    yield (
        "tags of three words",
        [f"merge({', '.join(f'{t}({node})' for node in (*focus[:2], other))})" for other in further for t in tags],
    )
    own = [name for name in columns if name not in (*WORDS, *TAGS, *MORPHOLOGY, "misc") and KEY_SIGN not in name]
    yield "columns of one's own", [f"{name}({node})" for node in focus for name in own]


_PAIR = ("pred", "succ")
_SECOND = ("ldep2", "rdep2", "lsib", "rsib")
assert {*_PAIR, *_SECOND} <= set(FUNCTIONS)


def _there(names: Iterable[str], columns: Collection[str]) -> list[str]:
    return [name for name in names if name in columns]


def _both_ways(first: Sequence[str], second: Sequence[str]) -> list[tuple[str, str]]:
    return [own for a in first for b in second for own in ((a, b), (b, a))]


def pieces_of_feats(sentences: Sequence[Sentence]) -> list[str]:
    """The pieces of FEATS, as feature models have them in names of columns: the most frequent attributes whose names
    templates can have; where all values are equally long and without attributes, the places that do not always hold the
    same character."""
    if not all(FEATS in own.format.index for own in sentences):
        return []
    values = Counter(value for own in sentences for value in own.column(FEATS))
    words = values.total()
    filled = {value: count for value, count in values.items() if value not in EMPTY}
    attributes = Counter[str]()
    for value, count in filled.items():
        attributes.update({own.partition("=")[0]: count for own in value.split("|") if "=" in own})
    if attributes:
        keys = [name for name, count in attributes.most_common(MOST) if count >= RARE * words and _can_be_named(name)]
    else:
        lengths = set(map(len, filled))
        long = lengths.pop() if len(lengths) == 1 else 0
        differing = [place for place in range(long) if len({value[place] for value in filled}) > 1]
        keys = [str(place + 1) for place in differing[:MOST]] if long in PLACES else []
    return [f"{FEATS}{KEY_SIGN}{key}" for key in keys]


def _can_be_named(attribute: str) -> bool:
    if attribute.isdecimal():  # it would be the place of a character
        return False
    try:
        return bool(parse_template(f"{FEATS}(Stack[0], {attribute})", ""))
    except TemplateError:
        return False
