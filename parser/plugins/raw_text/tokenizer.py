"""Tokenizers: from raw text to sentences of tokens and words, learned from a treebank."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Bools, Ints
from ...base.data_warnings import warn
from ...base.parameters import FLAG
from ...base.shapes import Record, check_values, expect
from ...treebank import Sentence
from .analyses import ContextSplitter, freely_made
from .characters import LINE_END, Characters, Hashes, is_space
from .features import GROUPED, SENTENCE, token_features
from .gaps import TOUCHING, Gaps, SpacedGaps, UnspacedGaps, open_places, touching
from .groups import WordGroups
from .linear import MIN_COUNT, HashedClassifier
from .raw_text import GoldText, text_of_sentences
from .splitting import Splitter, Words

SENTENCE_C = 4.0
"""Parameter of the classifier of sentence ends."""
OF_SPLITTER = {**ContextSplitter.VALUES, **Splitter.VALUES}
VALUES = Record({"inner_spaces": FLAG}, {"grouped": FLAG, **OF_SPLITTER})
"""The JSON values in model files."""
THRESHOLDS = np.linspace(-4, 4, 81)
"""Amounts that may be added to a score before it decides."""


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Splits raw text into sentences, tokens and words.

    gaps: decide in which gaps between characters a token ends.
    sentences: classifier of the ends of tokens as ends of sentences.
    inner_spaces: whether tokens may contain spaces.
    splitter: finds and splits multiword tokens; None without any in training.
    groups: groups of words, which stand in another step of the model; None if ends of sentences do not need them.
    """

    gaps: Gaps
    sentences: HashedClassifier
    inner_spaces: bool
    splitter: Splitter | ContextSplitter | None
    groups: WordGroups | None = None

    @classmethod
    def fit(cls, train: Sequence[Sentence], dev: Sequence[Sentence] = (), words: Collection[str] = ()) -> Self:
        """Learn from a treebank. Warns of decisions that cannot be learned from it.

        dev: balances precision and recall of sentences and of multiword tokens; without it, the last tenth of the
            training sentences does.
        words: more words of the language; they serve where words touch.
        """
        rest, dev = _held_out(train, dev)
        gold, apart = text_of_sentences(train)
        learned = cls._fit(gold, words)
        learned._warn_of_constants(gold, apart)
        if not dev:
            return learned
        tuned = learned if rest is train else cls._fit(text_of_sentences(rest)[0], words)
        sentence_bias, multiword_bias = tuned._biases(text_of_sentences(dev)[0])
        splitter = learned.splitter and learned.splitter.shifted(multiword_bias)
        return replace(learned, sentences=learned.sentences.shifted(sentence_bias), splitter=splitter)

    def with_groups(self, train: Sequence[Sentence], dev: Sequence[Sentence], groups: WordGroups) -> Self:
        """The tokenizer with ends of sentences learned again, now with groups of words.

        train, dev: see :meth:`fit`. Without ``dev``, it has learned from the ends of tokens of the last tenth, too.
        """
        rest, dev = _held_out(train, dev)
        learned = tuned = self._with_sentences(train, groups)
        if not dev:
            return learned
        if rest is not train:
            tuned = self._with_sentences(rest, groups)
        bias, _ = tuned._biases(text_of_sentences(dev)[0])
        return replace(learned, sentences=learned.sentences.shifted(bias))

    def _with_sentences(self, sentences: Sequence[Sentence], groups: WordGroups) -> Self:
        gold, _ = text_of_sentences(sentences)
        classifier = _sentence_classifier(gold, Characters(gold.text), groups)
        return replace(self, sentences=classifier, groups=groups)

    def _warn_of_constants(self, gold: GoldText, apart: bool) -> None:
        """Warn of decisions without examples of both sides. apart: see :func:`~.raw_text.text_of_sentences`."""
        if not gold.spaced:
            warn("no word of the training treebank is marked SpaceAfter=No: the tokenizer only splits at spaces")
        elif self.gaps.classifier.constant:
            warn("the tokenizer learns one decision for all places between characters, for lack of other examples")
        if self.sentences.constant:
            what = (
                "each word ends a sentence" if self.sentences.bias[0] > 0 else "only ends of paragraphs end sentences"
            )
            warn(f"ends of sentences cannot be learned from the training treebank: for the tokenizer, {what}")
        elif apart:
            warn("most sentences of the training treebank begin a paragraph: marks of paragraphs are left out")
        if isinstance(self.splitter, Splitter) and self.splitter.tokens.constant:
            what = "each token" if self.splitter.tokens.bias[0] > 0 else "no token"
            warn(f"multiword tokens cannot be learned from the training treebank: for the tokenizer, {what} is one")

    @classmethod
    def _fit(cls, gold: GoldText, words: Collection[str]) -> Self:
        text = Characters(gold.text)
        token_end = np.zeros(len(text.codes), dtype=np.bool_)
        token_end[gold.ends - 1] = True
        inner_spaces = any(any(map(is_space, token.form)) for token in gold.tokens)
        places = open_places(text, inner_spaces)
        if touching(gold, text) < TOUCHING:
            gaps: Gaps = SpacedGaps.fit(text, places, token_end)
        else:
            gaps = UnspacedGaps.fit(text, places, token_end, (gold.starts, gold.ends), words)
        sentences = _sentence_classifier(gold, text)
        splitter: Splitter | ContextSplitter | None = None
        if any(len(token.words) > 1 for token in gold.tokens):
            learned = ContextSplitter if freely_made(gold.tokens) else Splitter
            splitter = learned.fit(text, gold.starts, gold.ends, gold.tokens)
        return cls(gaps, sentences, inner_spaces, splitter)

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        values: dict[str, Any] = {"inner_spaces": self.inner_spaces} | ({"grouped": True} if self.groups else {})
        arrays = self.gaps.content() | self.sentences.content("sentences")
        if self.splitter:
            of_splitter, more = self.splitter.content()
            values, arrays = values | of_splitter, arrays | more
        return values, arrays

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tokenizer of its :meth:`content`, without groups of words. Raises ShapeError for invalid content."""
        check_values(values, VALUES)
        kind = ContextSplitter if "counts" in values else Splitter
        several = values.keys() & OF_SPLITTER.keys()
        expect(not several or several >= kind.VALUES.keys(), "splitter", f"expected all of {', '.join(kind.VALUES)}")
        splitter = kind.from_content(values, arrays) if several else None
        gaps: Gaps = (UnspacedGaps if "lexicon" in arrays else SpacedGaps).from_content(arrays)
        sentences = HashedClassifier.from_content(arrays, "sentences")
        groups = WordGroups() if values.get("grouped") else None
        return cls(gaps, sentences, values["inner_spaces"], splitter, groups)

    def _biases(self, gold: GoldText) -> tuple[float, float]:
        """The amounts that, added to scores, give the best F1 of sentences and of multiword tokens.

        A multiword token is right if it is found and, where the context decides, has the right words.
        """
        text = Characters(gold.text)
        starts, ends = self.tokens(text)
        scores = self._sentence_scores(text, starts, ends)
        closed = paragraph_ends(text, ends)
        correct = _spans(gold.ends[gold.last])
        sentences = _best(lambda bias: _f1(correct, _spans(ends[(scores + bias > 0) | closed])))
        multiwords = 0.0
        if self.splitter:
            margins, words = self.splitter.margins(text, starts, ends)
            gold_words = {number: token.words for number, token in enumerate(gold.tokens)} if words else {}
            several = np.array([len(token.words) > 1 for token in gold.tokens])
            right = _analysed(gold.starts, gold.ends, several, gold_words)
            multiwords = _best(lambda bias: _f1(right, _analysed(starts, ends, margins + bias > 0, words)))
        return 0.0 if self.sentences.constant else sentences, multiwords

    def tokens(self, text: Characters) -> tuple[Ints, Ints]:
        """(starts, ends) of the tokens (int64, (tokens,))."""
        end = ~text.space & np.roll(text.space, -1)
        places = open_places(text, self.inner_spaces)
        if self.inner_spaces:
            following = text.following[places + 1]
            same_line = (text.codes[places + 1] != LINE_END) & (text.paragraph[following] == text.paragraph[places])
            end[places[same_line]] = False
        end[self.gaps.ends(text, places)] = True
        ends = np.flatnonzero(end) + 1
        return text.following[np.concatenate([[0], ends])[:-1]], ends

    def sentence_ends(self, text: str, starts: Ints, ends: Ints) -> Bools:
        """Whether a sentence ends after each of the given tokens of a text (bool, (tokens,)).

        starts, ends: first and last + 1 character of each token (int64, (tokens,)).
        """
        characters = Characters(text)
        return (self._sentence_scores(characters, starts, ends) > 0) | paragraph_ends(characters, ends)

    def segments(self, text: Characters, lines: bool = False) -> tuple[Ints, Ints, Bools, Mapping[int, Words]]:
        """The tokens of a text; the last token always ends a sentence.

        lines: each line is a sentence.

        For each token, its first and its last + 1 character (int64), and whether it ends a sentence (bool); and the
        words of multiword tokens, by number of the token.
        """
        starts, ends = self.tokens(text)
        if lines:
            last = text.lines[text.following[ends]] > text.lines[ends - 1]
        else:
            last = (self._sentence_scores(text, starts, ends) > 0) | paragraph_ends(text, ends)
        return starts, ends, last, self.splitter.multiwords(text, starts, ends) if self.splitter else {}

    def _sentence_scores(self, text: Characters, starts: Ints, ends: Ints) -> NDArray[np.float32]:
        """The scores of tokens as ends of sentences (float32, (tokens,))."""
        return self.sentences.scores(_sentence_features(text, starts, ends, self.groups))[:, 0]


def _held_out(train: Sequence[Sentence], dev: Sequence[Sentence]) -> tuple[Sequence[Sentence], Sequence[Sentence]]:
    """(sentences to learn from, sentences to balance decisions on); without ``dev``, the latter are the last tenth."""
    tenth = 0 if dev else len(train) // 10
    return (train[:-tenth], train[-tenth:]) if tenth else (train, dev)


def _sentence_classifier(gold: GoldText, text: Characters, groups: WordGroups | None = None) -> HashedClassifier:
    last = np.zeros(len(gold.tokens), dtype=np.int64)
    last[gold.last] = 1
    free = ~paragraph_ends(text, gold.ends)
    features = _sentence_features(text, gold.starts, gold.ends, groups)[free]
    return HashedClassifier.fit(features, last[free], SENTENCE_C, MIN_COUNT, logits=True)


def _sentence_features(text: Characters, starts: Ints, ends: Ints, groups: WordGroups | None) -> Hashes:
    templates = f"{SENTENCE} {GROUPED}" if groups else SENTENCE
    return token_features(templates, text, starts, ends, groups)


def paragraph_ends(text: Characters, ends: Ints) -> Bools:
    """Whether a paragraph ends at each position (bool, (k,)). ends: int64 (k,)."""
    return text.paragraph[text.following[ends]] > text.paragraph[ends - 1]


def _spans(ends: Ints) -> set[tuple[int, int]]:
    """The spans between consecutive ends."""
    return set(pairwise([0, *ends.tolist()]))


def _analysed(starts: Ints, ends: Ints, chosen: Bools, words: Mapping[int, Words]) -> Set[tuple[int, int, Words]]:
    """Start, end and words of some tokens. words: by number of the token."""
    numbers = np.flatnonzero(chosen).tolist()
    return {(int(starts[number]), int(ends[number]), words.get(number, ())) for number in numbers}


def _f1(gold: Set[Any], parsed: Set[Any]) -> float:
    return 2 * len(gold & parsed) / max(1, len(gold) + len(parsed))


def _best(score: Callable[[float], float]) -> float:
    """The threshold with the highest score, the nearest to 0 of equal ones."""
    return max(sorted(THRESHOLDS.tolist(), key=abs), key=score)
