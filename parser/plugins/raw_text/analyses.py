"""Multiword tokens that are made freely, as in Hebrew and Coptic: the words of a token are chosen by its context.

A token has several candidates, each a sequence of words: the token itself; the words that it had in training; those
that the classifier of characters finds; those by patterns, changes at the beginning or end of tokens that were
frequent in training. A linear classifier scores each one by the tokens around and by what is known of its words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Ints
from ...base.parameters import TEXT, Allowed, real
from ...base.shapes import ListOf, MapOf, Shape
from ...models.steps import State
from .characters import Characters, Hashes, combined
from .features import MULTIWORD, token_features
from .linear import MIN_COUNT, C, HashedClassifier
from .raw_text import Token
from .splitting import BREAK, COPY, EditClassifier, Words, edits_of, most_frequent

Change: TypeAlias = tuple[int, str]
Pattern: TypeAlias = tuple[tuple[int, str, str], ...]
"""Places of changed characters (counted from the end if they are negative), the characters, and their edits."""
ONCE = 0.3
"""Share of the multiword tokens whose form is the only one of its kind, from which on they are made freely. It is at
least 0.54 in Hebrew, Coptic and Tamil, and at most 0.19 in ten treebanks of European languages."""
FREQUENT = 3
"""Minimum number of tokens with a pattern."""
PARTS = 3
"""Parts of the training text. Candidates of each one come from the others, so that as many are wrong as will be."""
ITSELF, OTHERWISE = 0, 1
"""Numbers of the origins of candidates: the token itself; what was seen, or what the classifier of characters finds.
Patterns have higher ones."""
MOST_WORDS = 7
"""Number of words from which on candidates without a pattern count as equal."""
FACTS = (
    "origin",
    "words",
    "longest",
    "last",
    "all",
    "length",
    "alone",
    "inside",
    "unknown",
    "characters",
    "count",
    "share",
    "seen",
)
"""Facts about a candidate: its origin; the number of its words; hashes of the longest, of the last, and of all of them;
the length of the longest, and how often it was a token and a part of one; the number of words that were never seen;
whether the classifier of characters finds it; how often the form stood for it, as a number and as a share of the
occurrences of the form, and the number of these."""
CHANGE = Allowed("place, character and edit", lambda value: _is_change(value))
ANALYSIS = Allowed("a number and words", lambda value: _is_analysis(value))
"""A change of a pattern, and how often a form stood for words, in model files."""
AROUND = ("word-1+word0", "word0+word1")
"""Templates of a token that are joined with all words of a candidate."""
OF_CANDIDATES = """
    origin origin+alone origin+inside origin+alone+inside words+alone+inside origin+unknown words+unknown origin+longest
    longest+words origin+last origin+length origin+alone+inside+length alone+inside characters+words
    characters+words+unknown count+seen count+share+characters share+seen share+characters
    share+seen+characters+words characters+alone+inside+words characters+origin share+seen+origin longest all
"""
"""Templates over these facts."""


def freely_made(tokens: Iterable[Token]) -> bool:
    """Whether multiword tokens are made freely, instead of being a small number of forms."""
    counts = Counter(token.form.lower() for token in tokens if len(token.words) > 1)
    return sum(count == 1 for count in counts.values()) > ONCE * counts.total()


def pattern_of(form: str, words: Sequence[str]) -> Pattern:
    """The pattern by which a token becomes its words; () if all its characters change.

    A pattern has an item for each character that is not just copied: its place (from the end of the form, negative, in
    the second half), the character in lower case, and the edit. Here ``a`` is copied, and a word ends after it.

    >>> pattern_of("habayit", ["ha", "bayit"]) == ((1, "a", COPY + BREAK),)
    True
    """
    lowered = form.lower()
    edits = edits_of(lowered, [word.lower() for word in words])
    changed = [place for place, edit in enumerate(edits) if edit != COPY]
    if len(changed) == len(edits):
        return ()
    half = (len(edits) + 1) // 2
    return tuple((place if place < half else place - len(edits), lowered[place], edits[place]) for place in changed)


def applied(pattern: Pattern, form: str) -> Words:
    """The words of a token by a pattern; () if it does not fit."""
    length, at = len(form), 0
    parts = []
    for place, character, edit in pattern:
        if place < 0:
            place += length
        if not at <= place < length or form[place].lower() != character:
            return ()
        if form[place].isupper() and not edit.startswith(COPY):
            edit = edit.capitalize()
        parts += [form[at:place], edit.replace(COPY, form[place])]
        at = place + 1
    words = tuple(word for word in "".join([*parts, form[at:]]).split(BREAK) if word)
    return words if len(words) > 1 else ()


class Candidate(NamedTuple):
    """Words that a token may stand for.

    origin: the number of their origin.
    by_characters: whether the classifier of characters finds them.
    """

    words: Words
    origin: int
    by_characters: bool


@dataclass(frozen=True)
class Knowledge:
    """What candidates come from, and what is known of their words.

    counts: how often a token stood for words, by form and words.
    patterns: the frequent patterns.
    characters: splits tokens that were not seen.
    """

    counts: Mapping[str, Mapping[Words, int]]
    patterns: Sequence[Pattern]
    characters: EditClassifier

    @classmethod
    def of(cls, tokens: Iterable[Token]) -> Self:
        """What some tokens tell."""
        pairs = Counter((token.form, token.words) for token in tokens)
        counts: dict[str, dict[Words, int]] = defaultdict(dict)
        for (form, words), count in pairs.items():
            counts[form][words] = count
        several = Counter({pair: count for pair, count in pairs.items() if len(pair[1]) > 1})
        patterns: Counter[Pattern] = Counter()
        for (form, words), count in several.items():
            patterns[pattern_of(form, words)] += count
        frequent = sorted(pattern for pattern, count in patterns.items() if pattern and count >= FREQUENT)
        return cls(counts, frequent, EditClassifier.fit(most_frequent(several)))

    @cached_property
    def _by_change(self) -> Mapping[Change, Sequence[tuple[Set[Change], int, Pattern]]]:
        """By the first change of patterns: all their changes, the number of their origin, and the patterns.

        The number is a hash, so that it is the same whatever the other patterns are.
        """
        by_change = defaultdict(list)
        for pattern in self.patterns:
            changes = [(place, character) for place, character, _ in pattern]
            number = OTHERWISE + 1 + crc32(repr(pattern).encode("utf-8", "surrogatepass"))
            by_change[changes[0]].append((frozenset(changes), number, pattern))
        return by_change

    @cached_property
    def alone(self) -> Mapping[str, int]:
        """How often a word was a token of its own, in lower case."""
        counts: Counter[str] = Counter()
        for form, words, count in self._entries():
            if len(words) == 1:
                counts[form.lower()] += count
        return counts

    @cached_property
    def inside(self) -> Mapping[str, int]:
        """How often a word was one of several of a token, in lower case."""
        counts: Counter[str] = Counter()
        for _, words, count in self._entries():
            for word in words if len(words) > 1 else ():
                counts[word.lower()] += count
        return counts

    def _entries(self) -> Iterator[tuple[str, Words, int]]:
        for form, analyses in self.counts.items():
            for words, count in analyses.items():
                yield form, words, count

    def word_facts(self, word: str) -> tuple[int, int, int, int, bool]:
        """The hash of a word, its length, how often it was a token and a part of one, and whether it was neither."""
        letters = word.lower()
        alone, inside = self.alone.get(letters, 0), self.inside.get(letters, 0)
        number = crc32(letters.encode("utf-8", "surrogatepass"))
        return number, min(len(letters), 8), _scaled(alone), _scaled(inside), not alone and not inside

    def analyses(self, form: str) -> Mapping[Words, int]:
        """How often a form, or else its lower case, stood for words."""
        return self.counts.get(form) or self.counts.get(form.lower()) or {}

    def candidates(self, forms: Sequence[str]) -> list[list[Candidate]]:
        """The candidates of each form, the form itself first."""
        result = []
        for form, split in zip(forms, self.characters.split(forms), strict=True):
            origins: dict[Words, int] = {(form,): ITSELF}
            lowered = form.lower() if len(form.lower()) == len(form) else ""
            changes = {*enumerate(lowered), *enumerate(lowered, -len(lowered))}
            for change in sorted(changes & self._by_change.keys()):
                for needed, number, pattern in self._by_change[change]:
                    if needed <= changes and (words := applied(pattern, form)):
                        origins.setdefault(words, number)
            for words in (*self.analyses(form), split):
                if len(words) > 1:
                    origins.setdefault(words, OTHERWISE)
            result.append([Candidate(words, origin, words == split) for words, origin in origins.items()])
        return result


@dataclass(frozen=True)
class ContextSplitter:
    """Finds and splits multiword tokens by their context.

    knowledge: what the training text tells.
    ranker: scores candidates.
    bias: a number to add to the scores of candidates with several words.
    """

    VALUES: ClassVar[Mapping[str, Shape]] = {
        "counts": MapOf(ListOf(ANALYSIS, least=1)),
        "patterns": ListOf(ListOf(CHANGE, least=1)),
        "bias": real(),
        "edits": ListOf(TEXT, least=1),
    }

    knowledge: Knowledge
    ranker: HashedClassifier
    bias: float = 0.0

    @classmethod
    def fit(cls, text: Characters, starts: Ints, ends: Ints, tokens: Sequence[Token]) -> Self:
        """Learn from the tokens of a text, of which some stand for several words, and from their places (int64)."""
        part_of = np.arange(len(tokens)) * PARTS // len(tokens)
        context = token_features(MULTIWORD, text, starts, ends)
        features, right = [], []
        for part in range(PARTS):
            others = [token for token, place in zip(tokens, part_of.tolist(), strict=True) if place != part]
            inside = np.flatnonzero(part_of == part)
            rows, candidates, facts = _rows(Knowledge.of(others), [tokens[number].form for number in inside.tolist()])
            features.append(_features(context[inside[rows]], facts))
            right += [
                candidate.words == tokens[number].words
                for candidate, number in zip(candidates, inside[rows].tolist(), strict=True)
            ]
        classes = np.array(right, dtype=np.int64)
        ranker = HashedClassifier.fit(np.concatenate(features), classes, C, MIN_COUNT)
        return cls(Knowledge.of(tokens), ranker)

    def multiwords(self, text: Characters, starts: Ints, ends: Ints) -> dict[int, Words]:
        """The words of the multiword tokens, by number of the token. See :meth:`margins`."""
        margins, words = self.margins(text, starts, ends)
        return {number: words[number] for number in np.flatnonzero(margins > 0).tolist()}

    def margins(self, text: Characters, starts: Ints, ends: Ints) -> tuple[NDArray[np.float32], Mapping[int, Words]]:
        """How clearly each token stands for several words, which it does above 0 (float32, (tokens,)), and for which.

        starts, ends: places of the tokens (int64, (tokens,)).
        """
        margins = np.full(len(starts), -np.inf, np.float32)
        best: dict[int, Words] = {}
        rows, candidates, facts = _rows(self.knowledge, text.forms(starts, ends))
        if not len(rows):
            return margins, best
        context = token_features(MULTIWORD, text, starts, ends)[rows]
        scores = self.ranker.scores(_features(context, facts))[:, 0].tolist()
        itself = 0.0
        for number, candidate, score in zip(rows.tolist(), candidates, scores, strict=True):
            if candidate.origin == ITSELF:
                itself = score - self.bias
            elif score - itself > margins[number]:
                margins[number], best[number] = score - itself, candidate.words
        return margins, best

    def shifted(self, amount: float) -> Self:
        """The splitter that finds more multiword tokens."""
        return replace(self, bias=self.bias + amount)

    def content(self) -> State:
        """(JSON values, arrays) for the model file."""
        values, arrays = self.knowledge.characters.content()
        counts = {
            form: [[count, *words] for words, count in analyses.items()]
            for form, analyses in self.knowledge.counts.items()
        }
        values |= {
            "counts": counts,
            "patterns": [list(map(list, pattern)) for pattern in self.knowledge.patterns],
            "bias": self.bias,
        }
        return values, {**self.ranker.content("ranker"), **arrays}

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The splitter of its :meth:`content`. Raises ShapeError for invalid arrays."""
        counts = {form: {tuple(words): count for count, *words in rows} for form, rows in values["counts"].items()}
        patterns = [tuple(map(tuple, pattern)) for pattern in values["patterns"]]
        knowledge = Knowledge(counts, patterns, EditClassifier.from_content(values, arrays))
        return cls(knowledge, HashedClassifier.from_content(arrays, "ranker"), values["bias"])


def _rows(knowledge: Knowledge, forms: Sequence[str]) -> tuple[Ints, list[Candidate], Hashes]:
    """The candidates of the tokens that have several.

    For each one, the number of its token (int64, (rows,)), the candidate, and its facts (uint64, (rows, facts)).
    """
    different = list(dict.fromkeys(forms))
    several = {
        form: candidates
        for form, candidates in zip(different, knowledge.candidates(different), strict=True)
        if len(candidates) > 1
    }
    begins = dict(zip(several, np.cumsum([0, *map(len, several.values())]).tolist(), strict=False))
    every = [candidate for candidates in several.values() for candidate in candidates]
    facts = _facts(knowledge, several)
    numbers = [number for number, form in enumerate(forms) if form in several]
    sizes = [len(several[forms[number]]) for number in numbers]
    order = [
        begins[forms[number]] + place for number, size in zip(numbers, sizes, strict=True) for place in range(size)
    ]
    return np.repeat(np.array(numbers, np.int64), sizes), [every[place] for place in order], facts[order]


def _facts(knowledge: Knowledge, several: Mapping[str, Sequence[Candidate]]) -> Hashes:
    """The facts :data:`FACTS` about the candidates of forms, one after the other (uint64, (candidates, facts))."""
    known: dict[str, tuple[int, int, int, int, bool]] = {}
    rows = []
    for form, candidates in several.items():
        analyses = knowledge.analyses(form)
        total = sum(analyses.values())
        for words, origin, by_characters in candidates:
            for word in words:
                if word not in known:
                    known[word] = knowledge.word_facts(word)
            longest = known[max(words, key=len)]
            count = analyses.get(words, 0)
            every = crc32(BREAK.join(words).lower().encode("utf-8", "surrogatepass"))
            several_unknown = sum(known[word][4] for word in words)
            kind = origin + MOST_WORDS if origin != OTHERWISE else min(len(words), MOST_WORDS - 1)
            row = (kind, len(words), longest[0], known[words[-1]][0], every, *longest[1:4], several_unknown)
            rows.append((*row, by_characters, _scaled(count), 4 * count // max(1, total), _scaled(total)))
    return np.array(rows, np.uint64).reshape(len(rows), len(FACTS))


def _features(context: Hashes, facts: Hashes) -> Hashes:
    """The features of candidates (uint64, (rows, features)).

    context: features of their tokens, each joined with the origin. facts: of the candidates.
    """
    columns = dict(zip(FACTS, facts.T, strict=True))
    hashes = [combined(column, columns["origin"]) for column in context.T]
    hashes += [combined(context[:, MULTIWORD.split().index(template)], columns["all"]) for template in AROUND]
    for number, template in enumerate(OF_CANDIDATES.split(), len(hashes) + 1):
        hashes.append(combined(*(columns[name] for name in template.split("+")), np.full(1, number, np.uint64)))
    return np.column_stack(hashes)


def _is_change(value: Any) -> bool:
    return isinstance(value, list) and list(map(type, value)) == [int, str, str] and len(value[1]) == 1


def _is_analysis(value: Any) -> bool:
    if not isinstance(value, list) or len(value) < 2:
        return False
    count, *words = value
    return type(count) is int and count > 0 and all(isinstance(word, str) and word for word in words)


def _scaled(count: int) -> int:
    """A count on a logarithmic scale."""
    return count if count < 3 else min(1 + count.bit_length(), 8)
