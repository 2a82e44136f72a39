"""Raw text in, CoNLL-U out: paragraph by paragraph, so that memory does not grow with the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...treebank import limits
from .characters import Characters
from .raw_text import misc_of, shown
from .tokenizer import Tokenizer

BLOCK = 1 << 16
"""Approximate number of characters that are segmented together."""
LONGEST = 1 << 17
"""Number of characters after which a longer paragraph is divided, at the last end of a sentence before."""
MOST_SPACES = limits.LINE
"""Maximum number of spaces in a row."""
EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
_REST = "\t_" * 7


class RawSentence(NamedTuple):
    """A sentence of a text.

    tokens: the form of each token, the spaces after it, and its words.
    before: spaces before the first token that follow no other token.
    paragraph: whether a paragraph begins here.
    """

    tokens: list[tuple[str, str, tuple[str, ...]]]
    before: str
    paragraph: bool


def sentences_of(
    tokenizer: Tokenizer, blocks: Iterable[str], at_once: bool = False, lines: bool = False
) -> Iterator[RawSentence]:
    """The sentences of a text.

    blocks: the text in parts, whose boundaries do not matter.
    at_once: return each paragraph as soon as its empty line has arrived. The rest of longer gaps then belongs to the
        next paragraph; otherwise all spaces belong to the paragraph before.
    lines: each line is a sentence.

    Whole paragraphs are segmented, together about :data:`BLOCK` characters unless ``at_once``, and parts of very long
    ones. Raises CrossarcError for more than :data:`MOST_SPACES` spaces in a row, and with ``lines`` for a line above
    the limits.
    """
    longest = limits.LINE if lines else LONGEST
    held, before, begins, behind = "", "", True, "\n\n"
    parts = (block[at : at + BLOCK] for block in blocks for at in range(0, len(block), BLOCK))
    for block in chain(parts, [None]):
        held += block or ""
        while held:
            if len(before) > MOST_SPACES:
                raise CrossarcError(limits.above(f"a gap of more than {MOST_SPACES} spaces in the text", MOST_SPACES))
            if len(held) >= LONGEST and held.isspace():
                before, held = before + held, ""
                break
            end = len(held) if block is None else _paragraph_end(held, at_once, lines)
            whole = end > 0
            if not whole and len(held) < longest:
                break
            if not whole and lines and not held.isspace():
                raise CrossarcError(limits.above(f"a line of more than {longest} characters", longest))
            part = held[:end] if whole else held[:LONGEST]
            sentences = list(_segmented(tokenizer, part, lines))
            rest: Sequence[Any] = ()
            if not whole and len(sentences) > 1:
                rest = sentences.pop().tokens
            elif not whole and sentences and len(sentences[0].tokens) > 1 and not sentences[0].tokens[-1][1]:
                # the last token may go on
                rest = sentences[0].tokens[-1:]
                sentences = [sentences[0]._replace(tokens=sentences[0].tokens[:-1])]
            part = part[: len(part) - sum(len(form) + len(after) for form, after, _ in rest)]
            held = held[len(part) :]
            if not sentences:
                before += part
                continue
            before += sentences[0].before
            begins = begins and bool(not lines or EMPTY_LINE.search(behind + before))
            yield sentences[0]._replace(before=before, paragraph=begins)
            yield from sentences[1:]
            before, begins, behind = "", whole, sentences[-1].tokens[-1][1]


def _paragraph_end(text: str, at_once: bool, lines: bool) -> int:
    """The end of the last paragraph that is complete; 0 if there is none, or if more text should be read first.

    Empty lines or, with ``lines``, ends of lines end paragraphs; unless ``at_once``, with all spaces that follow.
    """
    if len(text) < BLOCK and not at_once:
        return 0
    gap = (r"\n" if lines else r"\n[^\S\n]*\n") + ("" if at_once else r"\s*")
    first = len(text) - len(text.lstrip())
    end = 0
    for gap_found in re.finditer(gap, text):
        if first < gap_found.start() and (at_once or gap_found.end() < len(text)):
            end = gap_found.end()
    return end


def _segmented(tokenizer: Tokenizer, text: str, lines: bool) -> Iterator[RawSentence]:
    """The sentences of a text of whole paragraphs."""
    composed, places = _composed(text)
    characters = Characters(composed)
    starts, ends, last, words = tokenizer.segments(characters, lines)
    if not len(starts):
        return
    paragraphs = characters.paragraph[starts].tolist()
    if places is not None:
        starts, ends = places[starts], places[ends]
        whole = ends > starts  # an end between characters that the text has as one is none
        last = np.logical_or.reduceat(last, np.flatnonzero(whole))
        starts, ends, numbers = starts[whole], ends[whole], np.flatnonzero(whole).tolist()
        paragraphs = [paragraphs[number] for number in numbers]
        words = {place: words[number] for place, number in enumerate(numbers) if number in words}
    at = starts.tolist()
    forms = [text[start:end] for start, end in zip(at, ends.tolist(), strict=True)]
    afters = [text[end:start] for end, start in zip(ends.tolist(), [*at[1:], len(text)], strict=True)]
    tokens = [
        (form, after, words.get(number, (form,)))
        for number, (form, after) in enumerate(zip(forms, afters, strict=True))
    ]
    begin, paragraph = 0, paragraphs[0]
    for end in (last.nonzero()[0] + 1).tolist():
        yield RawSentence(tokens[begin:end], text[: at[0]] if not begin else "", paragraphs[begin] != paragraph)
        begin, paragraph = end, paragraphs[begin]


def _composed(text: str) -> tuple[str, NDArray[np.int64] | None]:
    """The text in Unicode's NFC, and the place in the text of each of its characters and of its end.

    The places are int64, (characters + 1,); None if the text is in NFC. A letter and its marks are composed together.
    """
    if unicodedata.is_normalized("NFC", text):
        return text, None
    begins = [place for place, character in enumerate(text) if not place or not _continues(character)]
    composed: list[str] = []
    places: list[int] = []
    for begin, end in pairwise([*begins, len(text)]):
        letters = text[begin:end]
        composed.append(unicodedata.normalize("NFC", letters))
        same = composed[-1] == letters
        places += range(begin, end) if same else [begin, *[end] * (len(composed[-1]) - 1)]
    return "".join(composed), np.array([*places, len(text)], dtype=np.int64)


@lru_cache(maxsize=1 << 14)
def _continues(character: str) -> bool:
    """Whether a character may be composed with the one before: marks, and Korean vowels and finals."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def conllu_of(sentences: Iterable[RawSentence], document: str = "", ranges: bool = False) -> Iterator[str]:
    """The sentences as CoNLL-U, each with its empty line.

    document: name of the input, for ``# newdoc id``.
    ranges: write the places of tokens in the text to MISC, as ``TokenRange=FIRST:END`` (in characters, from 0).
    """
    at = 0
    for number, sentence in enumerate(sentences, 1):
        rows = [f"# newdoc id = {document}"] if number == 1 and document else []
        rows += ["# newpar"] if sentence.paragraph else []
        rows += [f"# sent_id = {number}", ""]
        named, text = len(rows) - 1, ""
        word, before = 1, sentence.before
        for form, after, words in sentence.tokens:
            plain = form.isprintable() and " " not in form
            cell = form if plain else shown(form)
            misc = "_" if plain and after == " " and not before else misc_of(before, form, after)
            text += f"{cell} " if after else cell
            if ranges:
                at += len(before)
                place = f"TokenRange={at}:{at + len(form)}"
                misc = place if misc == "_" else f"{misc}|{place}"
                at += len(form) + len(after)
            before = ""
            if len(words) > 1:
                rows.append(f"{word}-{word + len(words) - 1}\t{cell}{_REST}\t{misc}")
                rows += [f"{word + place}\t{piece}{_REST}\t_" for place, piece in enumerate(words)]
            else:
                rows.append(f"{word}\t{cell}{_REST}\t{misc}")
            word += len(words)
        rows[named] = f"# text = {text.rstrip()}"
        yield "\n".join(rows) + "\n\n"
