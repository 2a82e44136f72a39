"""Conversion between values of columns and the labels that taggers predict.

Large tag sets are predicted piece by piece. Lemmas are edit rules from form to lemma; many words share a rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeAlias

from ...features.piece import piece_of
from ..treebank import EMPTY

_Texts: TypeAlias = Sequence[Sequence[str]]

LEMMA = "lemma"
WHOLE = ""
"""Key of the whole value, in place of the key of a piece."""
MOST_VALUES = 500
"""Number of values above which a column with pieces is predicted piece by piece."""
MOST_RULES, LEAST = 500, 2
"""Maximum number of lemma rules, the most frequent first, and minimum number of occurrences of a rule in training."""
ITSELF = "="
"""Prefix of rules that contain the lemma itself."""
CASES: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "same": str, "title": str.capitalize}
"""How the letters of the form are changed before anything is cut off; of equally short rules the first counts."""
LONGEST = 200
"""Maximum number of characters of form and lemma that are compared; comparing takes quadratic time."""
_EDITS = re.compile(rf"({'|'.join(CASES)}) -(\d{{1,4}})\+(.*) -(\d{{1,4}})\+(.*)", re.DOTALL)


def keys_of(column: str, values: Collection[str]) -> tuple[str, ...]:
    """The keys of the pieces by which a column is predicted: attributes, or positions of characters.

    values: all different values of the column in training

    A column is predicted by pieces if it has many values and if the pieces determine each value.
    """
    if column == LEMMA or len(values) <= MOST_VALUES:
        return (WHOLE,)
    filled = [value for value in values if value not in EMPTY]
    attributes = sorted({own.partition("=")[0] for value in filled for own in value.split("|")}, key=str.lower)
    places = [str(place + 1) for place in range(len(filled[0]))] if len(set(map(len, filled))) == 1 else []
    for keys in (attributes, places):
        if keys and all(composed({key: piece_of(value, key) for key in keys}) == value for value in filled):
            return tuple(keys)
    return (WHOLE,)


def composed(pieces: Mapping[str, str]) -> str:
    """The value that has these pieces, given by key."""
    found = {key: piece for key, piece in pieces.items() if piece not in EMPTY}
    if all(key.isdecimal() for key in pieces):
        return "".join(found.values()) or "_"
    return "|".join(f"{key}={piece}" for key, piece in found.items()) or "_"


def labels_of(column: str, key: str, forms: _Texts, values: _Texts) -> list[list[str]]:
    """The labels of all words for one piece of a column; "" for values that are too rare to learn."""
    if column != LEMMA:
        return [[piece_of(value, key) if key else value for value in own] for own in values]
    rules = [[rule_of(*pair) for pair in zip(*own, strict=True)] for own in zip(forms, values, strict=True)]
    counts = Counter(rule for own in rules for rule in own).most_common(MOST_RULES)
    known = {rule for rule, count in counts if count >= LEAST} | {counts[0][0]}
    return [[rule if rule in known else "" for rule in own] for own in rules]


def value_of(column: str, form: str, labels: Mapping[str, str]) -> str:
    """The value of a word, from its labels by key."""
    if column == LEMMA:
        return lemma_by(labels[WHOLE], form)
    return labels[WHOLE] if WHOLE in labels else composed(labels)


@lru_cache(maxsize=2**16)
def rule_of(form: str, lemma: str) -> str:
    """The rule that makes the lemma of the form and changes the fewest characters.

    A rule states how many characters to remove, and which to insert, at the beginning and at the end.

    >>> rule_of("Walking", "walk"), rule_of("gemacht", "machen"), rule_of("went", "go")
    ('lower -0+ -3+', 'lower -2+ -1+en', '=go')
    """
    found = [(ITSELF + lemma, 1 + len(lemma))]
    for name, change in CASES.items():
        base = change(form)
        if max(len(base), len(lemma)) > LONGEST:
            if base == lemma:
                found.append((f"{name} -0+ -0+", 0))
            continue
        match = SequenceMatcher(None, base, lemma, autojunk=False).find_longest_match()
        prefix, suffix = lemma[: match.b], lemma[match.b + match.size :]
        end = len(base) - match.a - match.size
        found.append((f"{name} -{match.a}+{prefix} -{end}+{suffix}", match.a + end + len(prefix) + len(suffix)))
    rule, _ = min((own for own in found if lemma_by(own[0], form) == lemma), key=lambda own: own[1])
    return rule


def lemma_by(rule: str, form: str) -> str:
    """The lemma that a rule makes of a form; the form itself if the text is not a rule.

    >>> lemma_by("lower -0+ -3+", "Talking"), lemma_by("=go", "went")
    ('talk', 'go')
    """
    if rule.startswith(ITSELF):
        return rule.removeprefix(ITSELF)
    found = _EDITS.fullmatch(rule)
    if found is None:
        return form
    case, front, prefix, end, suffix = found.groups()
    base = CASES[case](form)
    lemma = prefix + base[int(front) : max(len(base) - int(end), 0)] + suffix
    return form if lemma in EMPTY else lemma
