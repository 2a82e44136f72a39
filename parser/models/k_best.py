"""The best trees of each sentence, with their probabilities by a beam."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..base.errors import CrossarcError
from ..transforms import invert_all_flat
from ..treebank import Sentence, conll_text
from ..treebank.tree import Tree, trees_in
from .transition_model import TransitionModel
from .words import Batch, SentenceWords, Words


def with_best_trees(
    model: TransitionModel, sentences: Sequence[Sentence], count: int, retag: bool = False
) -> list[Sentence]:
    """Each sentence up to ``count`` times, with its best trees, all different, the likeliest first.

    Comments number them, ``# k_best = 1``, and give their normalised scores, ``# probability = 0.8312``: the softmax of
    the scores of the derivations that the beam ended with, summed over those of the same tree. They say how likely a
    tree is among those that the beam found, and sum to 1 over all of these, of which the best ``count`` are written.
    The beam is at least as wide as ``count``. Raises CrossarcError for a parser of several passes.
    """
    words = SentenceWords(sentences, retag)
    found = k_best_trees(model.with_beam(max(count, model.beam)), words, count)
    return [
        replace(
            sentence.with_tree(tree.heads, tree.deprels),
            comments=(*sentence.comments, f"# k_best = {rank}", f"# probability = {probability:.4f}"),
        )
        for sentence, trees in zip(words.with_tags(), found, strict=True)
        for rank, (tree, probability) in enumerate(trees, 1)
    ]


def best_texts(model: TransitionModel, count: int, retag: bool, sentences: Sequence[Sentence]) -> Iterable[str]:
    """The text of :func:`with_best_trees`."""
    return map(conll_text, with_best_trees(model, sentences, count, retag))


def k_best_trees(model: TransitionModel, words: Words, count: int) -> list[list[tuple[Tree, float]]]:
    """The ``count`` best trees of sentences given by their words, with their probabilities.

    The beam is the model's. Raises CrossarcError for a parser of several passes.
    """
    if len(model.stages) > 1:
        raise CrossarcError("k-best: several passes have no common scores; allowed: parsers of one pass")
    found: dict[int, list[tuple[Tree, float]]] = {}
    for batch in model.batches(words):
        found.update(zip(batch.numbers, _best(model, batch, count), strict=True))
    return [found[number] for number in range(len(words.lengths))]


def _best(model: TransitionModel, batch: Batch, count: int) -> list[list[tuple[Tree, float]]]:
    (stage,) = model.stages
    ranks, scores = stage.derive_best(stage.system.initial(batch.lengths), batch.ids, model.beam, model.beam)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    best: list[dict[tuple[tuple[int, ...], tuple[str, ...]], tuple[Tree, float]]] = [{} for _ in batch.numbers]
    for rank, derived in enumerate(ranks):
        trees = invert_all_flat(model.transforms, batch.flat(derived.heads, derived.deprels, model.labels))
        for number, tree in enumerate(trees_in(trees)):
            same = tuple(tree.heads), tuple(tree.deprels)
            first, before = best[number].get(same, (tree, 0.0))
            best[number][same] = first, before + float(probabilities[number, rank])
    return [sorted(own.values(), key=lambda scored: -scored[1])[:count] for own in best]
