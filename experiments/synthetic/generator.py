"""Generator of treebanks of an invented language; options set their non-projectivity.

A small probabilistic dependency grammar (``grammar.yaml``) builds projective sentences. A share of them
(:data:`SITE_SHARE`) has a *site*: a clause with a constituent that can be displaced, so that its arc alone becomes
non-projective. ``rate`` is the share
of sentences with a displaced constituent. Treebanks with different rates up to the share of sites have the same
sentences, except for the place of these constituents; higher rates need more sites. ``distance`` and ``depth`` hold
exactly. So each of the three can be varied alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...parser.base.errors import CrossarcError
from ...parser.base.parameters import Allowed, check_parameters, one_of, optional, parameter, whole
from ...parser.treebank import Sentence
from .grammar import Grammar, GrammarNode
from .lexicon import Dice, build_lexicon, load_grammar

CONSTRUCTIONS = ("extraposition", "wh", "clitic", "verb-cluster")
"""Kinds of sites; ``grammar.yaml`` describes them."""
KINDS = (*CONSTRUCTIONS, "mixed")
SITE_SHARE = 0.4
"""Share of sentences with a site."""
MAX_DEPTH = 8
MAX_DISTANCE = 25
MIN_WORDS = 3
MAX_WORDS = 45
_WHOLE = Allowed("a whole number", lambda value: type(value) is int)
_DEPTH = optional(whole(1, MAX_DEPTH))
_RATE = Allowed("a probability from 0 to 1", lambda value: type(value) in (int, float) and 0 <= value <= 1)
_ATTEMPTS = 40
"""Most attempts at a sentence whose number of words is in the limits."""
_SPREAD = 42
"""Range of the random number of words that a sentence may grow to."""
EMBEDDED = 6.0
"""Rank of a clause with a site in the clause that embeds it."""
_MEAN_EXTRA_DISTANCE = 2.5
"""Mean distance of random sites in words, beyond 1."""


@dataclass(frozen=True, slots=True)
class GeneratorOptions:
    """Options of the generator; a sentence depends on the seed and its number only.

    Raises CrossarcError for a value that is not allowed.
    """

    sentences: int = parameter(0, whole(0), "number of sentences")
    seed: int = parameter(1, _WHOLE, "seed of the random choices")
    rate: float = parameter(0.2, _RATE, "share of sentences with a crossing arc")
    kind: str = parameter("mixed", one_of(*KINDS), f"kind of crossing arcs: {', '.join(KINDS)}")
    distance: int | None = parameter(None, optional(_WHOLE), "words between the displaced constituent and its head")
    depth: int | None = parameter(None, _DEPTH, "number of lifts that the crossing arc needs, at most the distance")
    first: int = parameter(1, whole(1), "number of the first sentence")

    def __post_init__(self) -> None:
        check_parameters(self, "")
        least = self.depth or 1
        if self.distance is not None and not least <= self.distance <= MAX_DISTANCE:
            allowed = f"allowed at depth {least}: {least} to {MAX_DISTANCE} words"
            raise CrossarcError(f"distance: found {self.distance}; {allowed}")


class Site(NamedTuple):
    """A clause of a construction (``kind``) with a constituent that can be, or is, displaced."""

    kind: str
    depth: int
    distance: int
    displaced: bool


def generate(options: GeneratorOptions) -> Iterator[Sentence]:
    """Generate sentences. The same options give the same sentences on every platform."""
    for number in range(options.first, options.first + options.sentences):
        yield _sentence(options, number)


def _sentence(options: GeneratorOptions, number: int) -> Sentence:
    for attempt in range(_ATTEMPTS):
        dice = Dice(f"{options.seed}/{number}/{attempt}")
        site = _site(options, dice)
        budget = MIN_WORDS + int(_SPREAD * dice.roll() * dice.roll())
        words = _root(Grammar(load_grammar(), build_lexicon(), dice, budget), site).words()
        if MIN_WORDS <= len(words) <= MAX_WORDS:
            break
    return _finished(f"{options.seed}-{number}", words)


def _site(options: GeneratorOptions, dice: Dice) -> Site | None:
    """The site of a sentence; None if it has none.

    All random choices are made in any case, so that sentences with other options stay comparable.
    """
    roll, kind, level = dice.roll(), dice.pick(CONSTRUCTIONS), dice.roll()
    depth = options.depth or (1 if level < 0.8 else 2 if level < 0.96 else 3)
    extra = 0
    while extra < MAX_DISTANCE and not dice.chance(1.0 / (1.0 + _MEAN_EXTRA_DISTANCE)):
        extra += 1
    distance = options.distance or max(depth, min(1 + extra, MAX_DISTANCE))
    if roll >= max(options.rate, SITE_SHARE):
        return None
    if options.kind != "mixed":
        kind = options.kind
    return Site(kind, min(depth, distance), distance, roll < options.rate)


def _root(grammar: Grammar, site: Site | None) -> GrammarNode:
    """The root of a complete sentence."""
    dice, rules = grammar.dice, grammar.grammar
    if site is None:
        question = dice.chance(0.06)
        root = grammar.phrase("question" if question else "finite clause", {})
    else:
        question = site.kind == "wh"
        root = grammar.site(*site)
        if not question and dice.chance(0.25):
            root.deprel = "ccomp"
            root = grammar.phrase("embedding clause", {}, [(EMBEDDED, root)])
    while grammar.budget > 5 and dice.chance(0.85):
        grammar.add(root, [dice.weighted(rules["extensions"])])
    grammar.add(root, [rules["ends"]["question" if question else "statement"]])
    root.deprel = "root"
    return root


def _finished(sent_id: str, words: list[GrammarNode]) -> Sentence:
    position = {id(node): index for index, node in enumerate(words, start=1)}
    closing = [following.upos == "PUNCT" for following in words[1:]] + [True]
    forms = [node.form for node in words]
    forms[0] = forms[0][0].upper() + forms[0][1:]
    text = "".join(form if tight else form + " " for form, tight in zip(forms, closing, strict=True))
    sentence = Sentence.from_tokens(
        forms,
        **{name: [getattr(node, name) for node in words] for name in ("lemma", "upos", "xpos", "feats")},
        heads=[position[id(node.head)] if node.head else 0 for node in words],
        deprels=[node.deprel for node in words],
        misc=[*("SpaceAfter=No" if tight else "_" for tight in closing[:-1]), "_"],
    )
    return replace(sentence, comments=(f"# sent_id = {sent_id}", f"# text = {text}"))
