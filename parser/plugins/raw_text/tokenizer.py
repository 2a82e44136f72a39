"""Tokenizers: from raw text to sentences of tokens and words, learned from a treebank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Bools, Ints
from ...base.data_warnings import warn
from ...base.parameters import FLAG, TEXT
from ...base.shapes import Array, ListOf, MapOf, Record, check_arrays, check_values, expect, within
from ...treebank import Sentence
from .characters import LINE_END, Characters, Hashes
from .features import CONTEXT, GAP, MULTIWORD, SENTENCE, gap_features, token_features
from .linear import ARRAYS, MIN_COUNT, C, HashedClassifier
from .raw_text import GoldText, text_of_sentences
from .splitting import Splitter

SENTENCE_C = 4.0
"""Parameter of the classifier of sentence ends."""
VALUES = Record({"inner_spaces": FLAG}, {"seen": MapOf(ListOf(TEXT, least=2)), "edits": ListOf(TEXT, least=1)})
"""The JSON values in model files."""
THRESHOLDS = np.linspace(-4, 4, 81)
"""Amounts that may be added to a score before it decides."""


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Splits raw text into sentences, tokens and words.

    gaps, sentences: classifiers of the gaps between characters, and of the ends of tokens as ends of sentences.
    contexts: the contexts of gaps inside chunks of letters in which a token may end, see :data:`~.features.CONTEXT`
        (uint64, ascending).
    inner_spaces: whether tokens may contain spaces.
    splitter: finds and splits multiword tokens; None without any in training.
    """

    gaps: HashedClassifier
    sentences: HashedClassifier
    contexts: Hashes
    inner_spaces: bool
    splitter: Splitter | None

    @classmethod
    def fit(cls, train: Sequence[Sentence], dev: Sequence[Sentence] = ()) -> Self:
        """Learn from a treebank. Warns of decisions that cannot be learned from it.

        dev: balances precision and recall of sentences and of multiword tokens; without it, the last tenth of the
            training sentences does.
        """
        gold, apart = text_of_sentences(train)
        learned = tuned = cls._fit(gold)
        learned._warn_of_constants(gold, apart)
        if not dev:
            tenth = len(train) // 10
            if not tenth:
                return learned
            dev, tuned = train[-tenth:], cls._fit(text_of_sentences(train[:-tenth])[0])
        sentence_bias, multiword_bias = tuned._biases(text_of_sentences(dev)[0])
        splitter = learned.splitter
        if splitter:
            splitter = replace(splitter, tokens=splitter.tokens.shifted(multiword_bias))
        return replace(learned, sentences=learned.sentences.shifted(sentence_bias), splitter=splitter)

    def _warn_of_constants(self, gold: GoldText, apart: bool) -> None:
        """Warn of decisions without examples of both sides. apart: see :func:`~.raw_text.text_of_sentences`."""
        if not gold.spaced:
            warn("no word of the training treebank is marked SpaceAfter=No: the tokenizer only splits at spaces")
        elif self.gaps.constant:
            warn("the tokenizer learns one decision for all places between characters, for lack of other examples")
        if self.sentences.constant:
            what = (
                "each word ends a sentence" if self.sentences.bias[0] > 0 else "only ends of paragraphs end sentences"
            )
            warn(f"ends of sentences cannot be learned from the training treebank: for the tokenizer, {what}")
        elif apart:
            warn("most sentences of the training treebank begin a paragraph: marks of paragraphs are left out")
        if self.splitter and self.splitter.tokens.constant:
            what = "each token" if self.splitter.tokens.bias[0] > 0 else "no token"
            warn(f"multiword tokens cannot be learned from the training treebank: for the tokenizer, {what} is one")

    @classmethod
    def _fit(cls, gold: GoldText) -> Self:
        text = Characters(gold.text)
        token_end = np.zeros(len(text.codes), dtype=np.bool_)
        token_end[gold.ends - 1] = True
        inner_spaces = any(" " in token.form for token in gold.tokens)
        places = _gaps(text, inner_spaces)
        contexts = np.unique(gap_features(CONTEXT, text, places[token_end[places] & _inside_letters(text, places)]))
        places = _open_gaps(text, places, contexts)
        gaps = HashedClassifier.fit(gap_features(GAP, text, places), token_end[places].astype(np.int64), C, MIN_COUNT)
        last = np.zeros(len(gold.tokens), dtype=np.int64)
        last[gold.last] = 1
        free = ~paragraph_ends(text, gold.ends)
        features = token_features(SENTENCE, text, gold.starts, gold.ends)[free]
        sentences = HashedClassifier.fit(features, last[free], SENTENCE_C, MIN_COUNT, logits=True)
        return cls(gaps, sentences, contexts, inner_spaces, Splitter.fit(text, gold.starts, gold.ends, gold.tokens))

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        values: dict[str, Any] = {"inner_spaces": self.inner_spaces}
        parts = {"gaps": self.gaps, "sentences": self.sentences}
        if self.splitter:
            values["seen"] = {form: list(words) for form, words in self.splitter.seen.items()}
            values["edits"] = list(self.splitter.edits)
            parts |= {"multiwords": self.splitter.tokens, "characters": self.splitter.characters}
        arrays = {f"{name}.{own}": getattr(part, own) for name, part in parts.items() for own in ARRAYS}
        return values, {"contexts": self.contexts.view(np.int64), **arrays}

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tokenizer of its :meth:`content`. Raises ShapeError for invalid content."""
        check_values(values, VALUES)
        check_arrays(arrays, {"contexts": Array("i", (None,))}, {})
        expect(("seen" in values) == ("edits" in values), "edits", "found seen without edits, or the reverse")

        def part(name: str, columns: int = 1) -> HashedClassifier:
            own = {key: arrays[f"{name}.{key}"] for key in ARRAYS if f"{name}.{key}" in arrays}
            with within(name):
                check_arrays(own, ARRAYS, {"columns": columns})
            return HashedClassifier(
                own["known"].astype(np.int32), own["weights"].astype(np.float32), own["bias"].astype(np.float32)
            )

        splitter = None
        if "edits" in values:
            seen, edits = {form: tuple(words) for form, words in values["seen"].items()}, tuple(values["edits"])
            characters = part("characters", 1 if len(edits) <= 2 else len(edits))
            splitter = Splitter(seen, edits, part("multiwords"), characters)
        contexts = np.sort(arrays["contexts"].astype(np.int64).view(np.uint64))
        return cls(part("gaps"), part("sentences"), contexts, values["inner_spaces"], splitter)

    def _biases(self, gold: GoldText) -> tuple[float, float]:
        """The amounts that, added to scores, give the best F1 of sentences and of multiword tokens."""
        text = Characters(gold.text)
        starts, ends = self.tokens(text)
        scores, multiword_scores = self._scores(text, starts, ends)
        closed = paragraph_ends(text, ends)
        correct = _spans(gold.ends[gold.last])
        several = _pairs(gold.starts, gold.ends, np.array([len(token.words) > 1 for token in gold.tokens]))
        sentences = _best(lambda bias: _f1(correct, _spans(ends[(scores + bias > 0) | closed])))
        multiwords = _best(lambda bias: _f1(several, _pairs(starts, ends, multiword_scores + bias > 0)))
        return 0.0 if self.sentences.constant else sentences, multiwords

    def tokens(self, text: Characters) -> tuple[Ints, Ints]:
        """(starts, ends) of the tokens (int64, (tokens,))."""
        end = ~text.space & np.roll(text.space, -1)
        places = _gaps(text, self.inner_spaces)
        if self.inner_spaces:
            following = text.following[places + 1]
            same_line = (text.codes[places + 1] != LINE_END) & (text.paragraph[following] == text.paragraph[places])
            end[places[same_line]] = False
        open_places = _open_gaps(text, places, self.contexts)
        end[open_places] |= self.gaps.scores(gap_features(GAP, text, open_places))[:, 0] > 0
        ends = np.flatnonzero(end) + 1
        return text.following[np.concatenate([[0], ends])[:-1]], ends

    def sentence_ends(self, text: str, starts: Ints, ends: Ints) -> Bools:
        """Whether a sentence ends after each of the given tokens of a text (bool, (tokens,)).

        starts, ends: first and last + 1 character of each token (int64, (tokens,)).
        """
        characters = Characters(text)
        scores = self.sentences.scores(token_features(SENTENCE, characters, starts, ends))[:, 0]
        return (scores > 0) | paragraph_ends(characters, ends)

    def segments(self, text: Characters, lines: bool = False) -> tuple[Ints, Ints, Bools, Bools]:
        """The tokens of a text; the last token always ends a sentence.

        lines: each line is a sentence.

        For each token, its first and its last + 1 character (int64), whether it ends a sentence, and whether it stands
        for several words (bool).
        """
        starts, ends = self.tokens(text)
        scores, multiword_scores = self._scores(text, starts, ends)
        if lines:
            last = text.lines[text.following[ends]] > text.lines[ends - 1]
        else:
            last = (scores > 0) | paragraph_ends(text, ends)
        return starts, ends, last, multiword_scores > 0

    def split(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The words of multiword tokens, by form."""
        return self.splitter.split(forms) if self.splitter and forms else {}

    def _scores(self, text: Characters, starts: Ints, ends: Ints) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The scores of tokens as ends of sentences and as multiword tokens (float32, (tokens,))."""
        sentences = self.sentences.scores(token_features(SENTENCE, text, starts, ends))[:, 0]
        if self.splitter is None:
            return sentences, np.full(len(starts), -np.inf, np.float32)
        return sentences, self.splitter.tokens.scores(token_features(MULTIWORD, text, starts, ends))[:, 0]


def paragraph_ends(text: Characters, ends: Ints) -> Bools:
    """Whether a paragraph ends at each position (bool, (k,)). ends: int64 (k,)."""
    return text.paragraph[text.following[ends]] > text.paragraph[ends - 1]


def _gaps(text: Characters, inner_spaces: bool) -> Ints:
    """The gaps that need a decision: inside chunks, and before spaces if tokens may contain them."""
    return np.flatnonzero(~text.space & (inner_spaces | ~np.roll(text.space, -1)))


def _inside_letters(text: Characters, gaps: Ints) -> Bools:
    """Whether the chunk around each gap consists of letters only, with the gap inside it."""
    others = np.concatenate([[0], np.cumsum(~text.letters)])
    end = text.end[gaps]
    return (others[end] == others[text.start[gaps]]) & (gaps + 1 < end)


def _open_gaps(text: Characters, gaps: Ints, contexts: Hashes) -> Ints:
    """The gaps that may end a token: most gaps in chunks of letters never do, and need no score."""
    inside = _inside_letters(text, gaps)
    keep = ~inside
    if len(contexts):
        keep[inside] = np.isin(gap_features(CONTEXT, text, gaps[inside])[:, 0], contexts)
    return gaps[keep]


def _spans(ends: Ints) -> set[tuple[int, int]]:
    """The spans between consecutive ends."""
    return set(pairwise([0, *ends.tolist()]))


def _pairs(starts: Ints, ends: Ints, chosen: Bools) -> set[tuple[int, int]]:
    return set(zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True))


def _f1(gold: set[tuple[int, int]], found: set[tuple[int, int]]) -> float:
    return 2 * len(gold & found) / max(1, len(gold) + len(found))


def _best(score: Callable[[float], float]) -> float:
    """The threshold with the highest score, the nearest to 0 of equal ones."""
    return max(sorted(THRESHOLDS.tolist(), key=abs), key=score)
