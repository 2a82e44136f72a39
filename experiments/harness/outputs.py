"""The trees of systems for the same sentences, beside the gold trees: the input of scores, tests and blends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...parser.blending.blend import blend_votes
from ...parser.blending.vote_weights import Weights, learn_weights
from ...parser.evaluate.comparison import Comparison, compare
from ...parser.evaluate.mcnemar import McNemar, pairwise, significance
from ...parser.evaluate.metrics import score_comparison
from ...parser.evaluate.scores import Scores
from ...parser.transforms.lifting.projectivize import projectivize
from ...parser.treebank.tree import Tree
from ...transitions.trees import roots

Counted = Literal["all", "no_punct"]


@dataclass(frozen=True)
class Outputs:
    """The trees of systems for the same sentences.

    gold: gold trees with the columns that scoring needs.
    trees: by system, one tree for each sentence.
    counted: the words that count in tests and breakdowns: all, or all except punctuation.
    """

    gold: Sequence[Tree]
    trees: Mapping[str, Sequence[Tree]]
    counted: Counted = "all"

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """Each system against the gold trees."""
        return {system: compare(self.gold, own) for system, own in self.trees.items()}

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """The scores of each system."""
        return {system: score_comparison(own, breakdowns=self.counted) for system, own in self.comparisons.items()}

    def test(self, first: str, second: str, score: str = "las") -> McNemar:
        """McNemar's test of two systems on all words."""
        return significance(self.comparisons[first], self.comparisons[second], score)

    def tests(
        self,
        scores: Sequence[str] = ("las", "uas", "lem", "uem"),
        arcs: Literal["projective", "nonprojective"] | None = None,
    ) -> dict[str, dict[tuple[str, str], McNemar]]:
        """McNemar's test of each pair of systems, see :func:`~crossarc.parser.evaluate.mcnemar.pairwise`."""
        return pairwise(self.comparisons, scores, self.counted, arcs)

    def against(self, base: str) -> dict[str, Any]:
        """LAS, UAS and LEM of each system, its ``gain`` in LAS over the base, and ``p`` of McNemar's test on LAS."""
        las = self.scores[base].las
        return {
            name: {
                **{key: getattr(own, key) for key in ("las", "uas", "lem")},
                "gain": None if name == base or own.las is None or las is None else own.las - las,
                "p": None if name == base else self.test(base, name).p,
            }
            for name, own in self.scores.items()
        }

    def words_right(self, system: str) -> NDArray[np.int64]:
        """The number of words with correct head and label in each sentence (int64, (sentences,))."""
        own = self.comparisons[system]
        return np.bincount(own.sentence[own.token_right("las")], minlength=len(own.lengths))

    def weights(self, by: str, systems: Sequence[str]) -> Weights:
        """The weights of the systems' votes, learned from these sentences (Nilsson 2009, section 7.1)."""
        return learn_weights(by, self.gold, [self.trees[system] for system in systems], self.tags)

    def blended(self, systems: Sequence[str], weights: Weights, single_root: bool) -> list[Tree]:
        """The blended trees of several systems, one for each sentence."""
        return blend_votes([self.trees[system] for system in systems], weights, self.tags, single_root)

    @property
    def lifted(self) -> NDArray[np.int64]:
        """The heads of all words after projectivizing the gold trees (int64, (words,))."""
        return np.array([head for tree in self.gold for head in projectivize(tree.heads)[0][1:]], dtype=np.int64)

    @property
    def tags(self) -> list[Sequence[str]]:
        """The parts of speech of each sentence."""
        return [tree.columns["upos"] for tree in self.gold]

    @property
    def single_root(self) -> bool:
        """Whether every gold tree has one root."""
        return all(len(roots(tree.heads)) == 1 for tree in self.gold)


def joined(parts: Sequence[Outputs]) -> Outputs:
    """The outputs for several treebanks or folds, concatenated (Nilsson 2009, chapters 7 to 9)."""
    if len(parts) == 1:
        return parts[0]
    trees = {system: [tree for own in parts for tree in own.trees[system]] for system in parts[0].trees}
    return Outputs([tree for own in parts for tree in own.gold], trees, parts[0].counted)
