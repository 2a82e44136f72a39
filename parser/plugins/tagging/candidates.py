"""Tags and trees together: the parser tries the second best tags of uncertain words.

Each candidate is a sentence in which one word has another tag. The parser finds its best tree; the sentence gets the
tag whose tree and tag together are the most probable. Instead of a search over tags inside the parser (Bohnet & Nivre
2012), its trees choose among few sequences of tags: so the parser and its training stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....transitions.arrays import ranks
from ....transitions.configuration import Bools, Ints
from ...models.steps import Floats, Step, TreeScores
from ...models.words import Candidates, RepeatedWords, Words

SHARPNESS = 4.0
"""Factor of the scores of taggers, their mean over the directions, in logarithms of probabilities."""
MOST_GAP = 1.0
"""Maximum difference of both logarithms. With 1, LAS on the development sets of Greek, Afrikaans, French-Sequoia and
Wolof rose by 0.75, 1.00, 0.23 and 0.24, with 1.6 to 2.3 trees for each sentence; with 2 by 0.91, 1.11, 0.33 and 0.24,
with 2.3 to 3.4 trees."""


def few_candidates(words: Words, values: Ints, gaps: Floats, open: Bools, most: int) -> Candidates:
    """The candidates with a small gap, at most so many in a sentence, the smallest gaps first.

    Sentences with decided heads have none: their trees are not those that would be scored.

    values, gaps: second best value of each word, and its gap (int64 and float64, (words,)).
    open: the words that have candidates (bool, (words,)).
    """
    sentences = words.sentences_of_words
    if words.kept is not None:
        open = open & ~np.isin(sentences, sentences[words.kept.heads >= 0])
    places = np.flatnonzero(open & (gaps < MOST_GAP))
    order = np.lexsort((gaps[places], sentences[places]))
    places = np.sort(places[order[ranks(sentences[places[order]]) < most]])
    return Candidates(places, values[places], gaps[places])


def choose_by_trees(words: Words, column: str, steps: Sequence[Step], tree_scores: TreeScores) -> None:
    """Change one value in each sentence where a candidate, with the best tree for it, is more probable than the value.

    A candidate is the second best value of one word. Its gain is by how much the probability of the best tree grows,
    less the gap by which the tagger prefers its best value (all in logarithms). The largest gain above 0 decides.

    steps: those that fill columns after this one; they fill them again in sentences that change.
    tree_scores: see :meth:`.model.ParserModel.tree_scores`.
    """
    candidates = words.candidates.pop(column)
    if not len(candidates.words):
        return
    sentence_of = words.sentences_of_words[candidates.words]
    uncertain, sentence_as_tagged = np.unique(sentence_of, return_inverse=True)
    tried = RepeatedWords(words, np.concatenate([uncertain, sentence_of]))
    begins = np.cumsum(words.lengths) - words.lengths
    starts = (np.cumsum(tried.lengths) - tried.lengths)[len(uncertain) :]
    tried.tagged[column][0][starts + candidates.words - begins[sentence_of]] = candidates.values
    scores = tree_scores(tried)
    if scores is None:  # of a parser without probabilities
        return
    gains = scores[len(uncertain) :] - scores[sentence_as_tagged] - candidates.gaps
    order = np.lexsort((-gains, sentence_of))
    best = order[(ranks(sentence_of[order]) == 0) & (gains[order] > 0)]
    if not len(best):
        return
    words.replace(column, candidates.words[best], (candidates.values[best], words.tagged[column][1]))
    changed = RepeatedWords(words, sentence_of[best])
    later = [name for step in steps for name in step.fills if name in words.tagged]
    for name in later:
        del changed.tagged[name]
    for step in steps:
        step.annotate(changed)
    for name in later:
        if name in changed.tagged:  # not where the input has all values
            words.replace(name, changed.places, changed.tagged[name])
