"""Conversion between values of columns and the labels that taggers predict.

Large tag sets are predicted piece by piece. Lemmas are two edits of the form, at its front and at its end; many words
share an edit.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeAlias

from ....features.piece import bare, is_mark, piece_of
from ...treebank import EMPTY
from ...treebank.symbols import nfc

_Texts: TypeAlias = Sequence[Sequence[str]]

UPOS, LEMMA = "upos", "lemma"
WHOLE = ""
"""Key of the whole value, instead of the key of a piece."""
FRONT, END = "front", "end"
"""Keys of the two pieces of a lemma."""
MOST_VALUES = 1000
"""Number of values above which a column with pieces is predicted piece by piece."""
OPEN, MOST_OPEN = 0.01, 3
"""Minimum share of the words whose form and part of speech leave an attribute open, and maximum number of such
attributes. In Gothic and Latin they are Case, Gender and Number. Three of them improved FEATS of the development sets
of Greek, Gothic and Tamil by 0.3 to 0.7 points; all attributes brought 0.1 to 0.4 more at three times the cost."""
MOST_EDITS, MIN_EDIT_COUNT = 500, 2
"""Maximum number of edits at the front and at the end of lemmas, the most frequent first, and minimum number of
occurrences of an edit in training."""
ITSELF = "="
"""Prefix of the front of a lemma that has no character in common with its form; the lemma follows."""
CASES: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "same": str, "title": str.capitalize}
"""How the letters of the form are changed before anything is cut off; of equally short edits the first counts."""
LONGEST = 200
"""Maximum number of characters of form and lemma that are compared; comparing takes quadratic time."""
BARE = "bare:"
"""Prefix of a case in which the form loses its combining marks, but for those that follow: the marks of lemmas."""
MANY_MARKED = 0.01
"""Share of words with marks that no lemma has, from which on forms may lose their marks."""
_STEP = re.compile(r"[<>]|\+.", re.DOTALL)
KEEP, REMOVE, INSERT = ">", "<", "+"
"""Steps of an edit: keep a character, remove one, insert the one that follows."""


def keys_of(column: str, values: Collection[str]) -> tuple[str, ...]:
    """The keys of the pieces by which a column is predicted: attributes, or positions of characters.

    values: all different values of the column in training

    A column is predicted by pieces if it has many values and if the pieces determine each value.
    """
    if column == LEMMA:
        return (FRONT, END)
    attributes = attributes_of(values) if len(values) > MOST_VALUES else ()
    return attributes or (WHOLE,)


def attributes_of(values: Collection[str]) -> tuple[str, ...]:
    """The attributes, or positions of characters, that together determine each of some values; () for none."""
    filled = [value for value in values if value not in EMPTY]
    attributes = sorted(
        {attribute.partition("=")[0] for value in filled for attribute in value.split("|")}, key=str.lower
    )
    places = [str(place + 1) for place in range(len(filled[0]))] if len(set(map(len, filled))) == 1 else []
    for keys in (attributes, places):
        if keys and all(composed({key: piece_of(value, key) for key in keys}) == value for value in filled):
            return tuple(keys)
    return ()


def open_attributes(keys: Sequence[str], values: Sequence[str], contexts: Sequence[Hashable]) -> tuple[str, ...]:
    """The attributes of a column's values that are often open, the most open first, see :data:`OPEN`.

    keys: the attributes, as :func:`keys_of` gives them.
    values: value of each word.
    contexts: what is known of each word. An attribute is open where it differs from its most frequent value there.
    """
    pairs = Counter(zip(contexts, values, strict=True))
    shares: dict[str, float] = {}
    for key in keys if len(keys) > 1 else ():  # a single attribute is the whole value
        pieces = {value: piece_of(value, key) for value in dict.fromkeys(values)}
        of_context: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for (context, value), count in pairs.items():
            of_context[context][pieces[value]] += count
        usual = sum(max(counts.values()) for counts in of_context.values())
        shares[key] = 1 - usual / len(values) if values else 0
    return tuple(sorted((key for key in shares if shares[key] >= OPEN), key=lambda key: -shares[key])[:MOST_OPEN])


def known_lemmas(words: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """The lemmas of words that always have the same one, by form in lower case and part of speech.

    words: form, part of speech and lemma of each word.
    """
    lemmas: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for form, upos, lemma in words:
        if lemma not in EMPTY:
            lemmas[nfc(form).lower(), upos][nfc(lemma)] = None
    return {word: next(iter(known)) for word, known in lemmas.items() if len(known) == 1}


def composed(pieces: Mapping[str, str]) -> str:
    """The value that has these pieces, given by key."""
    filled = {key: piece for key, piece in pieces.items() if piece not in EMPTY}
    if all(key.isdecimal() for key in pieces):
        return "".join(filled.values()) or "_"
    return "|".join(f"{key}={piece}" for key, piece in filled.items()) or "_"


def labels_of(column: str, key: str, forms: _Texts, values: _Texts) -> list[list[str]]:
    """The labels of all words for one piece of a column; "" for values that are too rare to learn."""
    if column != LEMMA:
        return [[piece_of(value, key) if key else value for value in column_values] for column_values in values]
    place, kept = (FRONT, END).index(key), marks_of_lemmas(forms, values)
    edits = [
        [edits_of(nfc(form), nfc(lemma), kept)[place] for form, lemma in zip(*pairs, strict=True)]
        for pairs in zip(forms, values, strict=True)
    ]
    counts = Counter(edit for pair in edits for edit in pair).most_common(MOST_EDITS)
    known = {edit for edit, count in counts if count >= MIN_EDIT_COUNT} | {counts[0][0]}
    return [[edit if edit in known else "" for edit in pair] for pair in edits]


def value_of(column: str, form: str, labels: Mapping[str, str]) -> str:
    """The value of a word, from its labels by key."""
    if column == LEMMA:
        return lemma_by(labels[FRONT], labels[END], nfc(form))
    return labels[WHOLE] if WHOLE in labels else composed(labels)


def marks_of_lemmas(forms: _Texts, lemmas: _Texts) -> str | None:
    """The combining marks that lemmas have; None unless many forms have others, as where lemmas are not pointed."""
    words = Counter(form for sentence in forms for form in sentence)
    kept = {sign for lemma in {lemma for sentence in lemmas for lemma in sentence} for sign in _signs(lemma)}
    marked = sum(count for form, count in words.items() if any(is_mark(sign) for sign in _signs(form) - kept))
    return "".join(sorted(filter(is_mark, kept))) if marked > MANY_MARKED * words.total() else None


def _signs(text: str) -> set[str]:
    return set() if text.isascii() else set(unicodedata.normalize("NFD", text))


@lru_cache(maxsize=2**16)
def edits_of(form: str, lemma: str, kept: str | None = None) -> tuple[str, str]:
    """The edits at the front and at the end that make the lemma of the form and insert the fewest characters.

    kept: the marks of lemmas, if forms may lose others, see :func:`marks_of_lemmas`.

    The longest common part of form and lemma is between them. The first word of a front is a key of :data:`CASES`.

    >>> edits_of("Walking", "walk"), edits_of("gemacht", "machen"), edits_of("went", "go")
    (('lower ', 'end <<<'), ('lower <<', 'end <+e+n'), ('=go', 'end '))
    """
    edits_found = [((ITSELF + lemma, f"{END} "), 1 + len(lemma))]
    for name in CASES if kept is None else (BARE + kept, *CASES):
        base = _changed(name, form)
        if max(len(base), len(lemma)) > LONGEST:
            if base == lemma:
                edits_found.append(((f"{name} ", f"{END} "), 0))
            continue
        match = SequenceMatcher(None, base, lemma, autojunk=False).find_longest_match()
        front = script_of(base[: match.a], lemma[: match.b])
        end = script_of(base[match.a + match.size :], lemma[match.b + match.size :])
        if match.size:
            edits_found.append(((f"{name} {front}", f"{END} {end}"), (front + end).count(INSERT)))
    edits, _ = min((edit for edit in edits_found if lemma_by(*edit[0], form) == lemma), key=lambda edit: edit[1])
    return edits


def script_of(old: str, new: str) -> str:
    """The steps that turn a text into another one, with :data:`KEEP`, :data:`REMOVE` and :data:`INSERT`.

    >>> script_of("ber", "beer"), script_of("est", "")
    ('>>+e>', '<<<')
    """
    steps = ""
    for kind, start, stop, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        kept = kind == "equal"
        steps += (KEEP if kept else REMOVE) * (stop - start)
        steps += "" if kept else "".join(INSERT + sign for sign in new[first:last])
    return steps


def _edited(steps: Sequence[str], text: str) -> str:
    """The text after the steps of an edit."""
    place, edited = 0, ""
    for step in steps:
        edited += step[1:] if step[0] == INSERT else text[place : place + 1] if step == KEEP else ""
        place += step[0] != INSERT
    return edited


def _length(steps: Sequence[str]) -> int:
    """Number of characters that the steps of an edit keep or remove."""
    return sum(step[0] != INSERT for step in steps)


def _changed(case: str, form: str) -> str:
    """The form with the letters that a case gives it, see :data:`CASES` and :data:`BARE`."""
    return bare(form, case.removeprefix(BARE)) if case.startswith(BARE) else CASES[case](form)


def lemma_by(front: str, end: str, form: str) -> str:
    """The lemma that two edits make of a form; the form itself if the front is not an edit.

    >>> lemma_by("lower ", "end <<<", "Talking"), lemma_by("=go", "end ", "went")
    ('talk', 'go')
    """
    if front.startswith(ITSELF):
        return front.removeprefix(ITSELF)
    case, _, script = front.partition(" ")
    if case not in CASES and not case.startswith(BARE):
        return form
    base = _changed(case, form)
    before, after = _STEP.findall(script), _STEP.findall(end.removeprefix(END))
    first = min(_length(before), len(base))
    last = max(len(base) - _length(after), first)
    lemma = _edited(before, base[:first]) + base[first:last] + _edited(after, base[last:])
    return form if lemma in EMPTY else lemma
