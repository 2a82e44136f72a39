"""Suspects in a treebank: words that a parser of the other folds, or the same words elsewhere, annotate differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...base.progress import Progress, counted, nothing
from ...config.config import ParserConfig
from ...models.words import SentenceWords
from ...training.exploration import folds_of
from ...training.train import train
from ...treebank import Sentence
from ...treebank.tree import FlatTrees, Tree, flat_trees, trees_in, trees_of
from .calibration import Calibration, Floats
from .constraints import arcs_of

AROUND = 2
"""Number of words on each side that occurrences of a word share; their heads and labels are compared."""
DOUBT = 0.005
"""Added to probabilities and shares of 0."""
FEWEST = 3
"""Minimum number of occurrences that agree against one."""


class Suspect(NamedTuple):
    """A word whose annotation may be wrong.

    sentence: number of the sentence in the treebank, from 0.
    word: number of the word, from 1.
    gold, suggestion: (head, deprel) in the treebank, and as suggested.
    confidence: how certain it is that the treebank is wrong, from 0 to 1; see :func:`suspects`.
    reason: ``parser`` or ``sequence``.
    """

    sentence: int
    word: int
    gold: tuple[int, str]
    suggestion: tuple[int, str]
    confidence: float
    reason: str


def suspects(
    sentences: Sequence[Sentence],
    config: Callable[[Sequence[Sentence]], ParserConfig],
    folds: int = 4,
    seed: int = 1,
    progress: Progress = nothing,
) -> tuple[list[Suspect], list[Tree]]:
    """The suspects, the most certain first, and the trees of the parsers.

    The odds that a parser is right, estimated with the treebank itself, are divided by the share of similar arcs of the
    treebank that have the label of the word: an unusual label is more likely to be wrong.

    config: function from training sentences to the config of a parser.
    folds: number of parts; each is parsed by a parser that is trained on the others.
    seed: random seed of the parts.

    Raises CrossarcError for invalid trees and for fewer sentences than folds.
    """
    parsed: dict[int, Tree] = {}
    margins: dict[int, Floats] = {}
    parts = folds_of(len(sentences), folds, seed)
    for part in counted(parts, progress, "training parsers", "folds", folds):
        held_out = set(part)
        rest = [sentence for number, sentence in enumerate(sentences) if number not in held_out]
        words = SentenceWords([sentences[number] for number in part], retag=True)
        margins_of_part = np.zeros(int(words.lengths.sum()))
        trees = train(config(rest), sentences=rest).trees(words, margins=margins_of_part)
        parsed.update(zip(part, trees_in(trees), strict=True))
        margins.update(zip(part, np.split(margins_of_part, np.cumsum(words.lengths)[:-1]), strict=True))
    numbers = range(len(sentences))
    gold, trees = flat_trees(trees_of(sentences)), flat_trees([parsed[number] for number in numbers])
    every = np.concatenate([margins[number] for number in numbers])
    sure = Calibration.fit(every, trees, gold)(every, trees)[0]
    wrong = (1 - sure + DOUBT) * (_shares(sentences) + DOUBT)
    best = {(suspect.sentence, suspect.word): suspect for suspect in _contradicted(gold, trees, sure / (sure + wrong))}
    for other in repeated(sentences):
        place = other.sentence, other.word
        if place not in best or best[place].confidence < other.confidence:
            best[place] = other
    ranked = sorted(best.values(), key=lambda suspect: (-suspect.confidence, suspect.sentence, suspect.word))
    return ranked, [parsed[number] for number in numbers]


def _shares(sentences: Sequence[Sentence]) -> Floats:
    """The share of the other arcs like that of each word that have its label (float64, (words,))."""
    words = [
        (arc, label)
        for sentence in sentences
        for arc, label in zip(arcs_of(sentence), sentence.deprels()[1:], strict=True)
    ]
    labelled, arcs = Counter(words), Counter(arc for arc, _ in words)
    return np.array([(labelled[word] - 1) / (arcs[word[0]] + 1) for word in words])


def _contradicted(gold: FlatTrees, trees: FlatTrees, sure: Floats) -> list[Suspect]:
    """The words to which the parsers give another head or label."""
    contradicted = []
    starts = np.cumsum(gold.lengths) - gold.lengths
    owner = gold.sentences
    for word in range(len(sure)):
        sides = [(int(tree.heads[word]), tree.names[tree.labels[word]]) for tree in (gold, trees)]
        if sides[0] != sides[1]:
            number = int(owner[word])
            place = word - int(starts[number]) + 1
            contradicted.append(Suspect(number, place, sides[0], sides[1], float(sure[word]), "parser"))
    return contradicted


def repeated(sentences: Sequence[Sentence]) -> list[Suspect]:
    """The words that nearly all other occurrences in the same surroundings contradict, by head or label.

    An occurrence is a word with its :data:`AROUND` neighbours on each side. If its head is among them, the place of the
    head counts, otherwise only the label (after Dickinson & Meurers 2003).
    """
    places: dict[tuple[str, ...], list[tuple[int, int, tuple[int, str]]]] = defaultdict(list)
    for number, sentence in enumerate(sentences):
        forms = [*[""] * AROUND, *sentence.column("form"), *[""] * AROUND]
        heads, deprels = sentence.heads(), sentence.deprels()
        for word in range(1, len(sentence) + 1):
            offset = heads[word] - word
            near = offset if heads[word] and abs(offset) <= AROUND else 0
            places[tuple(forms[word - 1 : word + 2 * AROUND])].append((number, word, (near, deprels[word])))
    against = []
    for occurrences in places.values():
        counts = Counter(analysis for _, _, analysis in occurrences)
        ((near, label), most), *_ = counts.most_common(1)
        for number, word, analysis in occurrences if most >= FEWEST else ():
            if counts[analysis] == 1:
                annotation = sentences[number].heads()[word], sentences[number].deprels()[word]
                suggestion = word + near if near else annotation[0], label
                against.append(Suspect(number, word, annotation, suggestion, most / (len(occurrences) + 1), "sequence"))
    return against
