"""Ends of tokens inside chunks (sequences without spaces), for scripts with and without spaces.

Where words touch, as in Chinese and Thai, each gap between characters is considered, with a lexicon of the training
words, and again with the scores of the gaps around it. Elsewhere nearly all gaps between letters are inside of words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....transitions.configuration import Bools, Ints
from ...base.shapes import Array, check_arrays
from .characters import Characters, Hashes
from .features import CONTEXT, GAP, NEIGHBOURS, UNSPACED, gap_features
from .groups import word_hashes
from .linear import MIN_COUNT, C, HashedClassifier
from .raw_text import GoldText

TOUCHING = 0.1
"""Share of the tokens that touch the next one, letter to letter, from which on a script has no spaces. It is at least
0.67 in Chinese, Classical Chinese and Thai, and at most 0.003 in 27 treebanks with spaces."""
UNSPACED_C, UNSPACED_BITS = 0.05, 22
"""Parameters of the classifiers where words touch, chosen on the development sets of Chinese-GSD and Thai-TUD."""
LONGEST = 12
"""Length of the longest words of the lexicon, in characters."""
PARTS = 10
"""Parts of the training text. In each one, the lexicon has the words of the others, so that it lacks words as it will
lack them in other texts."""
STEPS = 4
"""Number of steps of scores above and below 0 that are told apart, each of 0.5."""


def touching(gold: GoldText, text: Characters) -> float:
    """The share of the tokens that touch the next one, letter to letter."""
    ends = gold.ends[:-1]
    return float((text.letters[ends - 1] & text.letters[ends]).mean()) if len(ends) else 0.0


@dataclass(frozen=True)
class SpacedGaps:
    """Ends of tokens where words are separated by spaces.

    classifier: decides the gaps.
    contexts: the contexts of gaps inside chunks of letters in which a token may end, see :data:`~.features.CONTEXT`
        (uint64, ascending).
    """

    classifier: HashedClassifier
    contexts: Hashes

    @classmethod
    def fit(cls, text: Characters, gaps: Ints, token_end: Bools) -> Self:
        """Learn from a text. gaps: the gaps that need a decision. token_end: whether a token ends, by character."""
        contexts = np.unique(gap_features(CONTEXT, text, gaps[token_end[gaps] & _inside_letters(text, gaps)]))
        gaps = _open_gaps(text, gaps, contexts)
        classes = token_end[gaps].astype(np.int64)
        return cls(HashedClassifier.fit(gap_features(GAP, text, gaps), classes, C, MIN_COUNT), contexts)

    def ends(self, text: Characters, gaps: Ints) -> Ints:
        """Those of the gaps in which a token ends (int64)."""
        gaps = _open_gaps(text, gaps, self.contexts)
        return gaps[self.classifier.scores(gap_features(GAP, text, gaps))[:, 0] > 0]

    def content(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"contexts": self.contexts.view(np.int64), **self.classifier.content("gaps")}

    @classmethod
    def from_content(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The decisions of their :meth:`content`. Raises ShapeError for invalid arrays."""
        check_arrays(arrays, {"contexts": Array("i", (None,))}, {})
        contexts = np.sort(arrays["contexts"].astype(np.int64).view(np.uint64))
        return cls(HashedClassifier.from_content(arrays, "gaps"), contexts)


@dataclass(frozen=True)
class UnspacedGaps:
    """Ends of tokens where words touch.

    classifier: gives each gap a first score.
    again: decides, with the first scores of the gaps around.
    lexicon: hashes of known words (uint64, ascending).
    """

    classifier: HashedClassifier
    again: HashedClassifier
    lexicon: Hashes

    @classmethod
    def fit(
        cls, text: Characters, gaps: Ints, token_end: Bools, tokens: tuple[Ints, Ints], others: Collection[str] = ()
    ) -> Self:
        """Learn from a text.

        gaps, token_end: see :meth:`SpacedGaps.fit`. tokens: starts and ends of the tokens (int64).
        others: more words of the language.
        """
        words, known = text.hashes("word", *tokens), word_hashes(others)
        part_of_token = np.arange(len(words)) * PARTS // len(words)
        part_of_gap = part_of_token[np.searchsorted(tokens[1], gaps, side="right").clip(max=len(words) - 1)]
        features = np.empty((len(gaps), len(UNSPACED.split())), np.uint64)
        for part in range(PARTS):
            lexicon = np.unique(np.concatenate([words[part_of_token != part], known]))
            inside = part_of_gap == part
            features[inside] = _first_features(text, gaps[inside], lexicon)
        classes = token_end[gaps].astype(np.int64)
        fit = partial(HashedClassifier.fit, C=UNSPACED_C, min_count=MIN_COUNT, bits=UNSPACED_BITS)
        scores = np.zeros(len(gaps), np.float32)
        late = part_of_gap >= (PARTS + 1) // 2
        for half in (late, ~late):
            scores[half] = fit(features[~half], classes[~half]).scores(features[half])[:, 0]
        again = fit(np.hstack([features, _second_features(text, gaps, scores)]), classes)
        return cls(fit(features, classes), again, np.unique(np.concatenate([words, known])))

    def ends(self, text: Characters, gaps: Ints) -> Ints:
        """Those of the gaps in which a token ends (int64)."""
        features = _first_features(text, gaps, self.lexicon)
        second = _second_features(text, gaps, self.classifier.scores(features)[:, 0])
        return gaps[self.again.scores(np.hstack([features, second]))[:, 0] > 0]

    def content(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        classifiers = self.classifier.content("gaps") | self.again.content("again")
        return {"lexicon": self.lexicon.view(np.int64), **classifiers}

    @classmethod
    def from_content(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The decisions of their :meth:`content`. Raises ShapeError for invalid arrays."""
        check_arrays(arrays, {"lexicon": Array("i", (None,))}, {})
        first, again = (HashedClassifier.from_content(arrays, name, bits=UNSPACED_BITS) for name in ("gaps", "again"))
        return cls(first, again, np.sort(arrays["lexicon"].astype(np.int64).view(np.uint64)))


Gaps: TypeAlias = SpacedGaps | UnspacedGaps


def word_values(text: Characters, gaps: Ints, lexicon: Hashes) -> dict[str, Hashes]:
    """What a lexicon knows of gaps, for templates (uint64, (k,)).

    gaps: the characters before the gaps, ascending (int64, (k,)). lexicon: hashes of words (uint64, ascending).

    ending, starting, covering: the length of the longest word that ends at the gap, starts there, goes across; or 0.
    place: the number of characters of the covering word before the gap.
    left, right: hashes of the longest words that end and start at the gap, or of the empty text.
    """
    n, after = len(text.codes), gaps + 1
    ending, starting, covering, place = (np.zeros(len(gaps), np.int64) for _ in range(4))
    if len(gaps) and len(lexicon):
        starts = np.arange(after[0] - LONGEST, after[-1] + 1)  # those before the text begin no word
        after_gap = after - starts[0]  # index in starts of the character after each gap
        for length in range(1, LONGEST + 1):
            ends = starts + length
            hashes = text.hashes("word", np.maximum(starts, 0), np.clip(ends, 0, n))
            at = np.searchsorted(lexicon, hashes).clip(max=len(lexicon) - 1)
            is_word = (lexicon[at] == hashes) & (starts >= 0) & (ends <= n)
            ending[is_word[after_gap - length]] = length
            starting[is_word[after_gap]] = length
            for before in range(1, length):  # longer words count, and of these the first
                across = is_word[after_gap - before]
                covering[across], place[across] = length, before
    numbers = {"ending": ending, "starting": starting, "covering": covering, "place": place}
    words = {
        "left": text.hashes("word", after - ending, after),
        "right": text.hashes("word", after, np.minimum(after + starting, n)),
    }
    return {name: values.astype(np.uint64) for name, values in numbers.items()} | words


def score_values(gaps: Ints, scores: NDArray[np.float32], characters: int) -> dict[str, Hashes]:
    """The scores of each gap, and of the two gaps before and after it, in steps, for templates (uint64, (k,)).

    characters: length of the text.
    """
    steps = np.full(characters + 4, 2 * STEPS + 1, np.uint64)
    steps[gaps + 2] = (np.clip(np.rint(2 * scores), -STEPS, STEPS) + STEPS).astype(np.uint64)
    return {f"score{distance}": steps[gaps + 2 + distance] for distance in range(-2, 3)}


def _first_features(text: Characters, gaps: Ints, lexicon: Hashes) -> Hashes:
    return gap_features(UNSPACED, text, gaps, word_values(text, gaps, lexicon))


def _second_features(text: Characters, gaps: Ints, scores: NDArray[np.float32]) -> Hashes:
    return gap_features(NEIGHBOURS, text, gaps, score_values(gaps, scores, len(text.codes)))


def open_places(text: Characters, inner_spaces: bool) -> Ints:
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
