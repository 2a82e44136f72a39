"""Suspects in a treebank: words that a parser of the other folds, or the same words elsewhere, annotate differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ....transitions.trees import is_tree
from ...base.progress import Progress, nothing
from ...config.config import ParserConfig
from ...training.scoring import parsed_by_folds
from ...training.train import train
from ...treebank import Sentence
from ...treebank.tree import FlatTrees, Tree, flat_trees, trees_of
from .calibration import Calibration, Floats
from .constraints import arcs_of

AROUND = 2
"""Number of words on each side that occurrences of a word share; their heads and labels are compared."""
DOUBT = 0.005
"""Added to probabilities and shares of 0."""
FEWEST = 3
"""Minimum number of occurrences that agree against one."""
CHANGED = 1.0
"""Percentage of words that are changed to see how many of them become suspects."""
FIRST = (10, 50, 100)
"""Numbers of first suspects of which the expected number of errors is told."""


class Suspect(NamedTuple):
    """A word whose annotation may be wrong.

    sentence: number of the sentence in the treebank, from 0.
    word: number of the word, from 1.
    gold, suggestion: (head, deprel) in the treebank, and as suggested.
    confidence: how certain it is that the treebank is wrong, from 0 to 1; see :func:`suspects`. It orders suspects;
        :func:`expected_errors` makes a probability of it.
    reason: what contradicts the annotation: ``parser``, a parser that was trained on other sentences; ``sequence``, the
        annotation of the word where the same words are around it.
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
    parsed, margins = parsed_by_folds(
        sentences, lambda rest: train(config(rest), sentences=rest), folds, seed, progress, "training parsers"
    )
    gold, trees = flat_trees(trees_of(sentences)), flat_trees(parsed)
    sure = Calibration.fit(margins, trees, gold)(margins, trees)[0]
    wrong = (1 - sure + DOUBT) * (_shares(sentences) + DOUBT)
    best = {(suspect.sentence, suspect.word): suspect for suspect in _contradicted(gold, trees, sure / (sure + wrong))}
    for other in repeated(sentences):
        place = other.sentence, other.word
        if place not in best or best[place].confidence < other.confidence:
            best[place] = other
    ranked = sorted(best.values(), key=lambda suspect: (-suspect.confidence, suspect.sentence, suspect.word))
    return ranked, parsed


def expected_errors(
    sentences: Sequence[Sentence],
    ranked: Sequence[Suspect],
    config: Callable[[Sequence[Sentence]], ParserConfig],
    seed: int = 2,
    progress: Progress = nothing,
    listed: Callable[[Suspect], bool] = lambda suspect: True,
) -> tuple[list[Suspect], dict[int, float]]:
    """What the suspects of a treebank are worth, if :data:`CHANGED` percent of its words are wrong.

    ranked: the listed suspects that :func:`suspects` has found.
    seed: random seed of the changes.
    listed: whether a suspect is listed; others, of words that nobody has annotated, do not count.

    So many words are changed, and suspects are looked for again. Isotonic regression turns the confidence into the
    probability that a suspect is a changed word; other errors count as right words, so the probabilities are low rather
    than high. Returns the suspects with these probabilities; and, for the :data:`FIRST` suspects of the changed
    treebank, how many are changed words.
    """
    from sklearn.isotonic import IsotonicRegression  # slow to import, and parsing does without

    changed, changes = with_changes(sentences, CHANGED, seed)
    again = list(filter(listed, suspects(changed, config, seed=seed, progress=progress)[0]))
    hits = np.array([(suspect.sentence, suspect.word) in changes for suspect in again], dtype=np.float64)
    if not len(again) or not ranked:
        return list(ranked), {}
    curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    curve.fit([suspect.confidence for suspect in again], hits)
    probabilities = curve.predict([suspect.confidence for suspect in ranked]).tolist()
    worth = [suspect._replace(confidence=share) for suspect, share in zip(ranked, probabilities, strict=True)]
    return worth, {most: float(hits[:most].sum()) for most in FIRST if most <= min(len(again), len(ranked))}


def with_changes(
    sentences: Sequence[Sentence], percent: float, seed: int
) -> tuple[list[Sentence], set[tuple[int, int]]]:
    """The sentences with a share of the words changed, and these words as (sentence, word).

    A third get another head at random, a third another label at random, by the frequency of labels, and a third the
    head of their head: a typical error of attachment. The result of each change is a tree.
    """
    dice = np.random.default_rng(seed)
    labels = [label for sentence in sentences for label in sentence.deprels()[1:]]
    places = [(number, word) for number, sentence in enumerate(sentences) for word in range(1, len(sentence) + 1)]
    heads, deprels = [sentence.heads() for sentence in sentences], [sentence.deprels() for sentence in sentences]
    changes: set[tuple[int, int]] = set()
    for place in dice.permutation(len(places)).tolist():
        if len(changes) >= len(places) * percent / 100:
            break
        number, word = places[place]
        tree, kind = heads[number], len(changes) % 3
        before, roots = (tree[word], deprels[number][word]), tree.count(0)
        if kind == 0:
            deprels[number][word] = labels[int(dice.integers(len(labels)))]
        elif tree[word] > 0:
            tree[word] = tree[tree[word]] if kind == 1 else int(dice.integers(1, len(tree)))
        if not is_tree(tree) or tree.count(0) > max(1, roots):
            tree[word] = before[0]
        if (tree[word], deprels[number][word]) != before:
            changes.add((number, word))
    rows = zip(sentences, heads, deprels, strict=True)
    return [sentence.with_tree(new, names) for sentence, new, names in rows], changes


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
        ((near, label), most), *others = counts.most_common(2)
        tied = any(count == most for _, count in others)
        for number, word, analysis in occurrences if most >= FEWEST and not tied else ():
            if counts[analysis] == 1:
                annotation = sentences[number].heads()[word], sentences[number].deprels()[word]
                suggestion = word + near if near else annotation[0], label
                if suggestion != annotation:  # as where the head is too far away to be told
                    confidence = most / (len(occurrences) + 1)
                    against.append(Suspect(number, word, annotation, suggestion, confidence, "sequence"))
    return against
