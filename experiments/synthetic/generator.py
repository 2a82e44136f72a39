"""A generated treebank: sentences of an invented language whose non-projectivity is set by options.

Sentences are built projective by a small probabilistic dependency grammar. A fixed share of them contains a *site*: a
clause from which a constituent can be displaced, so that its arc, and no other, becomes non-projective. ``rate`` says
how many sentences have a displaced constituent. Up to the share of sites, two treebanks that differ in their rate alone
have the same sentences, but for the place of what is displaced in one and not in the other; beyond it, every further
displacement needs a further site. ``distance`` and ``depth`` are met exactly, so each of the three can be varied alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...parser.base.errors import CrossarcError, choices
from .coordination import COORDINATIONS, alpino_coordination
from .crossing import CONSTRUCTIONS, Crossings
from .lexicon import Dice, Lexicon, build_lexicon
from .morphology import Morphology, build_morphology
from .phrases import Node, linearize

__all__ = ["KINDS", "GeneratorOptions", "SyntheticSentence", "generate", "to_conllu"]

KINDS = (*CONSTRUCTIONS, "mixed")
SITE_SHARE = 0.4
MAX_DEPTH = 8
MAX_DISTANCE = 25
MIN_WORDS = 3
MAX_WORDS = 45
_ATTEMPTS = 40
_SPREAD = 42
_MEAN_EXTRA_DISTANCE = 2.5


@dataclass(frozen=True, slots=True)
class GeneratorOptions:
    """What to generate.

    ``rate`` is the probability that a sentence has a displaced constituent; ``kind`` one of :data:`KINDS`;
    ``distance`` the number of words between the displaced constituent and its head, at least ``depth``; ``depth`` the
    number of lifts that its arc needs. Distance and depth vary as in a natural language where they are None.
    ``first`` is the number of the first sentence: sentences depend on the seed and their number alone.
    ``coordination`` is one of :data:`COORDINATIONS`: the same sentences, annotated otherwise.
    Raises CrossarcError for a value out of range.
    """

    sentences: int
    seed: int = 1
    rate: float = 0.2
    kind: str = "mixed"
    distance: int | None = None
    depth: int | None = None
    first: int = 1
    coordination: str = "ud"

    def __post_init__(self) -> None:
        if self.sentences < 0:
            raise CrossarcError(f"sentences: found {self.sentences}; allowed: 0 or more")
        if self.first < 1:
            raise CrossarcError(f"first: found {self.first}; allowed: 1 or more")
        if not 0.0 <= self.rate <= 1.0:
            raise CrossarcError(f"rate: found {self.rate}; allowed: a probability from 0 to 1")
        if self.kind not in KINDS:
            raise CrossarcError(f"kind: found {choices(self.kind, KINDS)}")
        if self.coordination not in COORDINATIONS:
            raise CrossarcError(f"coordination: found {choices(self.coordination, COORDINATIONS)}")
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise CrossarcError(f"depth: found {self.depth}; allowed: 1 to {MAX_DEPTH}")
        least = self.depth or 1
        if self.distance is not None and not least <= self.distance <= MAX_DISTANCE:
            raise CrossarcError(
                f"distance: found {self.distance}; allowed at depth {least}: {least} to {MAX_DISTANCE} words"
            )


@dataclass(frozen=True, slots=True)
class SyntheticSentence:
    """A sentence of n words: the columns of n strings, the tree as heads and deprels of n + 1.

    ``kind`` is the construction of its site ("" without one), ``depth`` and ``distance`` those of the site (0 without
    one), ``displaced`` the displaced word (the head of the displaced constituent), 0 if there is none; they are of the
    tree before its coordinations are annotated otherwise.
    """

    sent_id: str
    text: str
    forms: tuple[str, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    feats: tuple[str, ...]
    misc: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    kind: str
    depth: int
    distance: int
    displaced: int


@dataclass(frozen=True, slots=True)
class _Site:
    kind: str
    depth: int
    distance: int
    displaced: bool


def generate(options: GeneratorOptions) -> Iterator[SyntheticSentence]:
    """The sentences, one after the other; the same options give the same sentences on every platform."""
    lexicon, morphology = build_lexicon(), build_morphology()
    for number in range(options.first, options.first + options.sentences):
        sentence = _sentence(options, number, lexicon, morphology)
        if options.coordination == "alpino":
            heads, deprels = alpino_coordination(sentence.heads, sentence.deprels)
            sentence = replace(sentence, heads=tuple(heads), deprels=tuple(deprels))
        yield sentence


def to_conllu(sentence: SyntheticSentence) -> str:
    """The sentence as CoNLL-U, with the empty line that ends it."""
    rows = zip(
        sentence.forms,
        sentence.lemmas,
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        sentence.heads[1:],
        sentence.deprels[1:],
        sentence.misc,
        strict=True,
    )
    lines = [f"# sent_id = {sentence.sent_id}", f"# text = {sentence.text}"]
    for word, (form, lemma, upos, xpos, feats, head, deprel, misc) in enumerate(rows, start=1):
        lines.append(f"{word}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t_\t{misc}")
    return "\n".join(lines) + "\n\n"


def _sentence(options: GeneratorOptions, number: int, lexicon: Lexicon, morphology: Morphology) -> SyntheticSentence:
    attempt = 0
    while True:
        dice = Dice(f"{options.seed}/{number}/{attempt}")
        site = _site(options, dice)
        budget = MIN_WORDS + int(_SPREAD * dice.roll() * dice.roll())
        root = _root(Crossings(lexicon, morphology, dice, budget), site)
        words = linearize(root)
        attempt += 1
        if MIN_WORDS <= len(words) <= MAX_WORDS or attempt == _ATTEMPTS:
            return _finished(f"{options.seed}-{number}", words, site)


def _site(options: GeneratorOptions, dice: Dice) -> _Site | None:
    """The site of a sentence. All its random choices are made whatever comes of them, to keep sentences comparable."""
    roll, kind, level = dice.roll(), dice.pick(tuple(CONSTRUCTIONS)), dice.roll()
    depth = options.depth or (1 if level < 0.8 else 2 if level < 0.96 else 3)
    extra = 0
    while extra < MAX_DISTANCE and not dice.chance(1.0 / (1.0 + _MEAN_EXTRA_DISTANCE)):
        extra += 1
    distance = options.distance or max(depth, min(1 + extra, MAX_DISTANCE))
    if roll >= max(options.rate, SITE_SHARE):
        return None
    if options.kind != "mixed":
        kind = options.kind
    return _Site(kind, min(depth, distance), distance, roll < options.rate)


def _root(grammar: Crossings, site: _Site | None) -> Node:
    """A whole sentence."""
    question = False
    if site is None:
        question = grammar.dice.chance(0.06)
        root = grammar.finite_clause(grammar.wh_phrase() if question else None)
    else:
        root = CONSTRUCTIONS[site.kind](grammar, site.depth, site.distance, site.displaced)
        question = site.kind == "wh"
        if not question and grammar.dice.chance(0.25):
            root = grammar.embed(root)
    while grammar.budget > 5 and grammar.dice.chance(0.85):
        grammar.extend(root, late=question)
    root.deprel = "root"
    root.put(grammar.punctuation("?" if question else "."), "punct", before=False)
    return root


def _finished(sent_id: str, words: list[Node], site: _Site | None) -> SyntheticSentence:
    position = {id(node): index for index, node in enumerate(words, start=1)}
    closing = [following.upos == "PUNCT" for following in words[1:]] + [True]
    forms = [node.form for node in words]
    forms[0] = forms[0][0].upper() + forms[0][1:]
    text = "".join(form if tight else form + " " for form, tight in zip(forms, closing, strict=True))
    return SyntheticSentence(
        sent_id=sent_id,
        text=text,
        forms=tuple(forms),
        lemmas=tuple(node.lemma for node in words),
        upos=tuple(node.upos for node in words),
        xpos=tuple(node.xpos for node in words),
        feats=tuple(node.feats for node in words),
        misc=(*("SpaceAfter=No" if tight else "_" for tight in closing[:-1]), "_"),
        heads=(-1, *(position[id(node.head)] if node.head else 0 for node in words)),
        deprels=("", *(node.deprel for node in words)),
        kind=site.kind if site else "",
        depth=site.depth if site else 0,
        distance=site.distance if site else 0,
        displaced=_displaced(words) if site and site.displaced else 0,
    )


def _displaced(words: list[Node]) -> int:
    """The word that is not placed next to its head."""
    for index, node in enumerate(words, start=1):
        if node.head and node not in node.head.before and node not in node.head.after:
            return index
    return 0
