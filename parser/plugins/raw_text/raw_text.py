"""The raw text of a treebank, rebuilt from its words and their spacing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ....transitions.configuration import Ints
from ...treebank import Sentence
from ...treebank.symbols import nfc

PARAGRAPH = "\n\n"
MOST_PARAGRAPHS = 0.5
"""Maximum share of the sentences that begin a paragraph in a text with paragraphs. Japanese-GSD, Arabic-PUD and
Lithuanian-HSE mark each sentence."""
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n", "|": "\\p"}
_UNESCAPED = {escaped: character for character, escaped in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\(?:[\\strnp]|u[0-9A-F]{4})")
_TO_ESCAPE = re.compile(r"[\\|\s]")


class Token(NamedTuple):
    """A token of the surface: its form, the words it stands for, and the spaces after it."""

    form: str
    words: tuple[str, ...]
    after: str


class GoldText(NamedTuple):
    """The raw text of a treebank with its segmentation.

    text: the text; paragraphs are separated by an empty line.
    tokens: the tokens.
    starts, ends: the position of each token, and the position after it (int64, (tokens,)).
    last: the numbers of the last tokens of the sentences (int64, (sentences,)).
    spaced: whether a token is followed by another one without a space.
    """

    text: str
    tokens: list[Token]
    starts: Ints
    ends: Ints
    last: Ints
    spaced: bool


def escaped(spaces: str) -> str:
    """Spaces as they are written in ``SpacesAfter``: by UDPipe's convention, others by their code.

    Validators of CoNLL-U call a raw no-break space or line separator an error.

    >>> escaped(" \\n\N{NO-BREAK SPACE}")
    '\\\\s\\\\n\\\\u00A0'
    """
    return _TO_ESCAPE.sub(lambda character: _ESCAPES.get(character[0], f"\\u{ord(character[0]):04X}"), spaces)


def unescaped(value: str) -> str:
    """The spaces of a value of ``SpacesAfter``; the inverse of :func:`escaped`."""
    return _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[0]) or chr(int(escape[0][2:], 16)), value)


def tokens_of(sentence: Sentence) -> list[Token]:
    """The tokens of a sentence: its words, and its multiword tokens in the place of their words."""
    forms = sentence.column("form")
    miscs = sentence.column("misc") if "misc" in sentence.format.index else ("_",) * len(forms)
    index = sentence.format.index
    several = {
        first - 1: (last - first + 1, cells[index["form"]], cells[index["misc"]] if "misc" in index else "_")
        for first, last, cells in sentence.multiword_tokens()
    }
    tokens, at = [], 0
    while at < len(forms):
        size, form, misc = several.get(at, (1, forms[at], miscs[at]))
        tokens.append(Token(form, forms[at : at + size], _after(misc)))
        at += size
    return tokens


def gold_text(sentences: Iterable[Sentence]) -> GoldText:
    """The raw text of sentences, rebuilt from ``SpaceAfter``, ``SpacesAfter``, ``# newpar`` and ``# newdoc``.

    Sentences of a paragraph are joined as their spacing says.
    """
    return _text([(sentence, sentence.begins_paragraph) for sentence in sentences], keep=True)


def text_of_sentences(sentences: Sequence[Sentence]) -> tuple[GoldText, bool]:
    """The raw text, in Unicode's NFC, from which ends of sentences are learned, and whether its sentences are
    paragraphs of their own.

    Where more than :data:`MOST_PARAGRAPHS` of the sentences are, the marks say nothing about paragraphs: they are left
    out, and sentences are joined by spaces.
    """
    marked = [(sentence, sentence.begins_paragraph) for sentence in sentences]
    ending = [tokens_of(sentence)[-1].after.count("\n") > 1 for sentence in sentences if len(sentence)]
    begins = [begins or ended for (_, begins), ended in zip(marked[1:], ending, strict=False)]
    apart = sum(begins) > MOST_PARAGRAPHS * len(begins)
    return _text(marked, keep=not apart, form=nfc), apart


def _text(
    sentences: Iterable[tuple[Sentence, bool]], keep: bool, form: Callable[[str], str] = lambda form: form
) -> GoldText:
    """The raw text of sentences, of which some begin a paragraph.

    keep: whether they do so in the text.
    form: the text of a form.
    """
    parts: list[str] = []
    tokens: list[Token] = []
    last = []
    for number, (sentence, begins) in enumerate(sentences):
        ended = number > 0 and parts[-1].count("\n") > 1
        if not keep and ended:
            parts[-1] = " "
        elif keep and number and begins and not ended:
            parts[-1] = PARAGRAPH
        for token in tokens_of(sentence):
            tokens.append(Token(form(token.form), tuple(map(form, token.words)), token.after))
            parts += [tokens[-1].form, token.after]
        last.append(len(tokens) - 1)
    lengths = np.fromiter(map(len, parts), np.int64, len(parts))
    ends = np.cumsum(lengths)[::2]
    starts = ends - lengths[::2]
    inner = np.ones(len(tokens), dtype=np.bool_)
    inner[last] = False
    spaced = bool((lengths[1::2][inner] == 0).any())
    return GoldText("".join(parts), tokens, starts, ends, np.array(last, dtype=np.int64), spaced)


def misc_of(before: str, form: str, after: str) -> str:
    """MISC of a token between spaces. before: spaces before the first token of a text."""
    entries = [f"SpacesBefore={escaped(before)}"] if before else []
    if form != shown(form):
        entries.append(f"SpacesInToken={escaped(form)}")
    if not after:
        entries.append("SpaceAfter=No")
    elif after != " ":
        entries.append(f"SpacesAfter={escaped(after)}")
    return "|".join(entries) or "_"


def shown(form: str) -> str:
    """The form as FORM holds it: each sequence of spaces becomes one space."""
    return " ".join(form.split()) or form


def _after(misc: str) -> str:
    for entry in misc.split("|"):
        key, _, value = entry.partition("=")
        if key == "SpacesAfter":
            return unescaped(value)
        if entry == "SpaceAfter=No":
            return ""
    return " "
