"""Tokenizers: from raw text to sentences of tokens and words, learned from a treebank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools, Ints
from ..base.parameters import FLAG, TEXT, real
from ..base.shapes import Array, ListOf, MapOf, Record, check_arrays, check_values, expect, within
from ..treebank import Sentence
from .characters import LINE_END, Characters, Hashes
from .features import CONTEXT, GAP, MULTIWORD, SENTENCE, gap_features, token_features
from .linear import ARRAYS, HashedClassifier
from .raw_text import GoldText, gold_text
from .splitting import Splitter

C, MIN_COUNT = 0.3, 2
SENTENCE_C = 4.0
"""Parameters of the classifiers of gaps, sentence ends and multiword tokens."""
VALUES = Record(
    {"inner_spaces": FLAG, "sentence_bias": real(), "multiword_bias": real()},
    {"seen": MapOf(ListOf(TEXT, least=2)), "edits": ListOf(TEXT, least=1)},
)
"""The JSON values in model files."""
THRESHOLDS = np.linspace(-4, 4, 81)
"""Amounts that may be added to a score before it decides."""


class Segments(NamedTuple):
    """The tokens of a text.

    starts, ends: first and last + 1 character of each token (int64, (tokens,)).
    last: whether a token ends a sentence (bool, (tokens,)).
    multiword: whether a token stands for several words (bool, (tokens,)).
    """

    starts: Ints
    ends: Ints
    last: Bools
    multiword: Bools


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Splits raw text into sentences, tokens and words.

    gaps, sentences, multiwords: classifiers of the gaps between characters, of the ends of tokens as ends of sentences,
        and of tokens as multiword tokens.
    contexts: the contexts of gaps inside chunks of letters in which a token may end, see :data:`~.features.CONTEXT`
        (uint64, ascending).
    inner_spaces: whether tokens may contain spaces.
    sentence_bias, multiword_bias: added to the scores of the classifiers.
    splitter: splits multiword tokens; None without any in training.
    """

    gaps: HashedClassifier
    sentences: HashedClassifier
    multiwords: HashedClassifier
    contexts: Hashes
    inner_spaces: bool
    sentence_bias: float
    multiword_bias: float
    splitter: Splitter | None

    @classmethod
    def fit(cls, train: Sequence[Sentence], dev: Sequence[Sentence] = ()) -> Self:
        """Learn from a treebank. dev: chooses the biases; without it, the last tenth of the training sentences does."""
        if not dev and len(train) >= 10:
            held_out = cls.fit(train[: -(len(train) // 10)], train[-(len(train) // 10) :])
            return replace(
                cls._fit(gold_text(train)), sentence_bias=held_out.sentence_bias, multiword_bias=held_out.multiword_bias
            )
        learned = cls._fit(gold_text(train))
        return learned._with_biases(gold_text(dev)) if dev else learned

    @classmethod
    def _fit(cls, gold: GoldText) -> Self:
        text = Characters(gold.text)
        starts = gold.ends - np.fromiter((len(token.form) for token in gold.tokens), np.int64, len(gold.tokens))
        token_end = np.zeros(len(text) + 1, dtype=np.bool_)
        token_end[gold.ends] = True
        inner_spaces = bool(any(" " in token.form for token in gold.tokens))
        places = _gaps(text, inner_spaces)
        split = places[token_end[places + 1] & _inside_letters(text, places)]
        contexts = np.unique(gap_features(CONTEXT, text, split))
        places = _open_gaps(text, places, contexts)
        gaps = HashedClassifier.fit(
            gap_features(GAP, text, places), token_end[places + 1].astype(np.int64), C, MIN_COUNT
        )
        last = np.zeros(len(starts), dtype=np.int64)
        last[gold.last] = 1
        free = ~paragraph_ends(text, gold.ends)
        features = token_features(SENTENCE, text, starts, gold.ends)[free]
        sentences = HashedClassifier.fit(features, last[free], SENTENCE_C, MIN_COUNT, logits=True)
        multiword = np.array([len(token.words) > 1 for token in gold.tokens], dtype=np.int64)
        features = (
            token_features(MULTIWORD, text, starts, gold.ends) if multiword.any() else np.empty((0, 1), np.uint64)
        )
        multiwords = HashedClassifier.fit(features, multiword, C, MIN_COUNT)
        several = [(token.form, token.words) for token in gold.tokens if len(token.words) > 1]
        splitter = Splitter.fit(several) if several else None
        return cls(gaps, sentences, multiwords, contexts, inner_spaces, 0.0, 0.0, splitter)

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """(JSON values, arrays) for the model file."""
        values: dict[str, Any] = {
            "inner_spaces": self.inner_spaces,
            "sentence_bias": self.sentence_bias,
            "multiword_bias": self.multiword_bias,
        }
        parts = {"gaps": self.gaps, "sentences": self.sentences, "multiwords": self.multiwords}
        if self.splitter:
            values |= {
                "seen": {form: list(own) for form, own in self.splitter.seen.items()},
                "edits": [*self.splitter.edits],
            }
            parts["splitter"] = self.splitter.classifier
        arrays = {f"{name}.{own}": array for name, part in parts.items() for own, array in part.arrays().items()}
        return values, {"contexts": self.contexts.view(np.int64), **arrays}

    @classmethod
    def from_content(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tokenizer of its :meth:`content`. Raises ShapeError for invalid content."""
        check_values(values, VALUES)
        expect(("seen" in values) == ("edits" in values), "edits", "found seen without edits, or the reverse")
        columns = dict.fromkeys(("gaps", "sentences", "multiwords"), 1)
        if "edits" in values:
            edits = len(values["edits"])
            columns["splitter"] = 1 if edits <= 2 else edits
        parts = {}
        for name, count in columns.items():
            own = {key: arrays[f"{name}.{key}"] for key in ARRAYS if f"{name}.{key}" in arrays}
            with within(name):
                check_arrays(own, ARRAYS, {"columns": count})
            parts[name] = HashedClassifier.of(
                own["known"].astype(np.int32), own["weights"].astype(np.float32), own["bias"].astype(np.float32)
            )
        check_arrays(arrays, {"contexts": Array("i", (None,))}, {})
        splitter = None
        if "edits" in values:
            seen = {form: tuple(words) for form, words in values["seen"].items()}
            splitter = Splitter(seen, tuple(values["edits"]), parts["splitter"])
        contexts = np.sort(arrays["contexts"].astype(np.int64).view(np.uint64))
        biases = float(values["sentence_bias"]), float(values["multiword_bias"])
        return cls(
            parts["gaps"], parts["sentences"], parts["multiwords"], contexts, values["inner_spaces"], *biases, splitter
        )

    def _with_biases(self, gold: GoldText) -> Self:
        """The tokenizer with the biases that give the best F1 of sentences and of multiword tokens."""
        text = Characters(gold.text)
        starts, ends = self.tokens(text)
        scores, multiword_scores = self._scores(text, starts, ends)
        closed = paragraph_ends(text, ends)
        correct = _spans(gold.ends[gold.last])
        several = {
            (int(end) - len(token.form), int(end))
            for end, token in zip(gold.ends, gold.tokens, strict=True)
            if len(token.words) > 1
        }
        tokens = np.stack([starts, ends], axis=1)
        return replace(
            self,
            sentence_bias=_best(lambda bias: _f1(correct, _spans(ends[(scores + bias > 0) | closed]))),
            multiword_bias=_best(
                lambda bias: _f1(several, set(map(tuple, tokens[multiword_scores + bias > 0].tolist())))
            ),
        )

    def tokens(self, text: Characters) -> tuple[Ints, Ints]:
        """(starts, ends) of the tokens (int64, (tokens,))."""
        after = np.minimum(np.arange(len(text)) + 1, len(text) - 1)
        end = ~text.space & text.space[after]
        end[-1] = not text.space[-1]
        places = _gaps(text, self.inner_spaces)
        end[places] = False
        end[paragraph_ends(text, np.arange(len(text)) + 1) & ~text.space] = True
        if self.inner_spaces:
            end[places] |= text.codes[after[places]] == LINE_END
        open_places = _open_gaps(text, places, self.contexts)
        if len(open_places):
            end[open_places] |= self.gaps.scores(gap_features(GAP, text, open_places))[:, 0] > 0
        ends = np.flatnonzero(end) + 1
        starts = text.following[np.concatenate([[0], ends[:-1]])] if len(ends) else ends
        return starts, ends

    def segments(self, text: Characters, lines: bool = False) -> Segments:
        """The tokens of a text, with the ends of sentences; the last token always ends one.

        lines: each line is a sentence.
        """
        starts, ends = self.tokens(text)
        scores, multiword_scores = self._scores(text, starts, ends)
        if lines:
            passed = np.concatenate([[0], np.cumsum(text.codes == LINE_END)])
            last = passed[starts[1:]] > passed[ends[:-1]]
            last = np.append(last, True)
        else:
            last = (scores + self.sentence_bias > 0) | paragraph_ends(text, ends)
            last[-1:] = True
        return Segments(starts, ends, last, multiword_scores + self.multiword_bias > 0)

    def split(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The words of multiword tokens, by form."""
        return self.splitter.split(forms) if self.splitter and forms else {}

    def _scores(self, text: Characters, starts: Ints, ends: Ints) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The scores of tokens as ends of sentences and as multiword tokens (float32, (tokens,))."""
        sentences = self.sentences.scores(token_features(SENTENCE, text, starts, ends))[:, 0]
        if self.splitter is None:
            return sentences, np.full(len(starts), -np.inf, np.float32)
        return sentences, self.multiwords.scores(token_features(MULTIWORD, text, starts, ends))[:, 0]


def paragraph_ends(text: Characters, ends: Ints) -> Bools:
    """Whether a paragraph, which an empty line closes, ends at each position (bool, (k,)). ends: int64 (k,)."""
    following = text.following[np.minimum(ends, len(text) - 1)]
    return (text.paragraph[following] > text.paragraph[ends - 1]) | (following < ends) | text.space[following]


def _gaps(text: Characters, inner_spaces: bool) -> Ints:
    """The gaps that need a decision: inside chunks, and before spaces if tokens may contain them."""
    after = np.minimum(np.arange(len(text)) + 1, len(text) - 1)
    open_gap = ~text.space & (np.ones(1, np.bool_) if inner_spaces else ~text.space[after])
    open_gap[-1] = False
    return np.flatnonzero(open_gap)


def _inside_letters(text: Characters, gaps: Ints) -> Bools:
    """Whether the chunk around each gap consists of letters only, with the gap inside it."""
    others = np.concatenate([[0], np.cumsum(~text.letters)])
    end = text.end[gaps]
    return (others[end] == others[text.start[gaps]]) & (gaps + 1 < end)


def _open_gaps(text: Characters, gaps: Ints, contexts: Hashes) -> Ints:
    """The gaps that may end a token: most gaps in chunks of letters never do, and need no score."""
    inside = _inside_letters(text, gaps)
    keep = ~inside
    keep[inside] = np.isin(gap_features(CONTEXT, text, gaps[inside])[:, 0], contexts) if len(contexts) else False
    return gaps[keep]


def _spans(ends: Ints) -> set[tuple[int, int]]:
    """The spans between consecutive ends."""
    return set(pairwise([0, *ends.tolist()]))


def _f1(gold: set[tuple[int, int]], found: set[tuple[int, int]]) -> float:
    return 2 * len(gold & found) / max(1, len(gold) + len(found))


def _best(score: Callable[[float], float]) -> float:
    """The threshold with the highest score, the nearest to 0 of equal ones."""
    return max(sorted(THRESHOLDS.tolist(), key=abs), key=score)
