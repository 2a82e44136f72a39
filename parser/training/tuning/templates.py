"""Groups of templates that tuning removes or adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, product

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
    """Groups of templates to remove, formed by what they use; a group never contains all templates."""
    groups: dict[str, list[str]] = {}
    for line in templates:
        groups.setdefault(_group(parse_template(line, "feature model")), []).append(line)
    return [Change(name, tuple(lines), adds=False) for name, lines in groups.items() if len(groups) > 1]


def additions(templates: Sequence[str], columns: Collection[str], full: Sequence[str] = ()) -> list[Change]:
    """Groups of new templates, around the nodes that the templates use most.

    columns: columns that features may name and that have values, possibly pieces of columns
    full: the templates of the system's largest ready model, which form the first group
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
    """(the three nodes that are used most, the next unused node of each list)."""
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
    words, tags, morphology = (_there(names, columns) for names in (WORDS, TAGS, ("morph",)))
    simple, word, tag = [*words, *tags], words[-1:], tags[:1]
    pairs = list(combinations(focus, 2))
    both_ways = [*pairs, *((b, a) for a, b in pairs)]
    pieces = [column_and_key(name) for name in columns if KEY_SIGN in name]
    yield "words further off", _filled("{c}({n})", n=further, c=simple)
    yield "words before and after", _filled("{c}({step}({n}))", n=focus, step=_PAIR, c=simple)
    yield "pairs of words", _filled("merge({a}({x[0]}), {b}({x[1]}))", x=pairs, a=words, b=words)
    against = [own for a in [*words, *morphology] for b in tags for own in ((a, b), (b, a))]
    yield "words against tags", _filled("merge({c[0]}({x[0]}), {c[1]}({x[1]}))", x=pairs, c=against)
    others = [*morphology, *words]
    yield "morphology of pairs", _filled("merge({m}({x[0]}), {c}({x[1]}))", x=pairs, m=morphology, c=others)
    of_pairs = "merge({t}({x[0]}), {p[0]}({x[0]}, {p[1]}), {t}({x[1]}), {p[0]}({x[1]}, {p[1]}))"
    own = [*_filled("{p[0]}({n}, {p[1]})", n=focus, p=pieces), *_filled(of_pairs, x=pairs, p=pieces, t=tag)]
    yield "pieces of morphology", own
    against_pieces = "merge({w}({x[0]}), {t}({x[1]}), {p[0]}({x[1]}, {p[1]}))"
    yield "words against pieces of morphology", _filled(against_pieces, x=both_ways, p=pieces, w=word, t=tag)
    steps = ("ldep", "rdep")
    yield "morphology of dependents", _filled("{m}({step}({n}))", n=focus, step=(*steps, "head"), m=morphology)
    labels = ["deprel", *simple]
    yield "second dependents and siblings", _filled("{c}({step}({n}))", n=focus, step=_SECOND, c=labels)
    yield "dependents of dependents", _filled("{c}({s}({s}({n})))", n=focus, s=steps, c=["deprel", *tag])
    against_words = "merge({w}({x[0]}), {c}({step}({x[1]})))"
    names = ["deprel", *word]
    yield "dependents against words", _filled(against_words, x=both_ways, w=[*word, *tag], step=steps, c=names)
    with_distance = "merge({c}({x[%d]}), distance({x[0]}, {x[1]}))"
    yield "distance", [line for x in pairs for end in (0, 1) for line in _filled(with_distance % end, x=[x], c=simple)]
    yield "valency", _filled("merge({c}({n}), valency({n}, {side}))", n=focus, side=("left", "right"), c=simple)
    three = f"merge({', '.join(f'{{t}}({node})' for node in (*focus[:2], '{n}'))})"
    yield "tags of three words", _filled(three, n=further, t=tags)
    own = [name for name in columns if name not in (*WORDS, *TAGS, *MORPHOLOGY, "misc") and KEY_SIGN not in name]
    yield "columns of one's own", _filled("{c}({n})", n=focus, c=own)


def _filled(pattern: str, **values: Iterable[object]) -> list[str]:
    """The pattern with all combinations of values for its fields; the values of the last field vary fastest."""
    return [pattern.format(**dict(zip(values, own, strict=True))) for own in product(*values.values())]


_PAIR = ("pred", "succ")
_SECOND = ("ldep2", "rdep2", "lsib", "rsib")
assert {*_PAIR, *_SECOND} <= set(FUNCTIONS)


def _there(names: Iterable[str], columns: Collection[str]) -> list[str]:
    return [name for name in names if name in columns]


def pieces_of_feats(sentences: Sequence[Sentence]) -> list[str]:
    """The pieces of FEATS, as feature models name them.

    These are the most frequent attributes whose names are valid in templates. If all values have the same length and no
    attributes, they are the positions whose character varies.
    """
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
    if attribute.isdecimal():  # templates would read it as the position of a character
        return False
    try:
        return bool(parse_template(f"{FEATS}(Stack[0], {attribute})", ""))
    except TemplateError:
        return False
