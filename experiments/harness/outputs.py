"""The trees of systems for the same sentences, beside the gold trees: the input of scores, tests and blends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ...parser.evaluate.comparison import Comparison, Ints, compare
from ...parser.evaluate.mcnemar import McNemar, pairwise, significance
from ...parser.evaluate.metrics import score_comparison
from ...parser.evaluate.over_sentences import sentence_counts
from ...parser.evaluate.resampling import SentenceCounts, randomization
from ...parser.evaluate.scores import Scores
from ...parser.plugins.blending.blend import blend_votes
from ...parser.plugins.blending.vote_weights import Weights, learn_weights
from ...parser.transforms.lifting.projectivize import projectivize
from ...parser.treebank.tree import Tree
from ...transitions.trees import roots

Counted = Literal["all", "no_punct"]


@dataclass(frozen=True, slots=True)
class Tested(McNemar):
    """McNemar's test over words, and the p of the paired randomization test over sentences.

    Errors of a sentence depend on each other, so the latter is usually higher (:func:`randomization`).
    """

    over_sentences: float


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
        return {system: compare(self.gold, trees) for system, trees in self.trees.items()}

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """The scores of each system."""
        return {
            system: score_comparison(comparison, breakdowns=self.counted)
            for system, comparison in self.comparisons.items()
        }

    def test(self, first: str, second: str, score: str = "las") -> Tested:
        """The tests of two systems. score: las or uas, as in :meth:`tests`."""
        mcnemar = significance(self.comparisons[first], self.comparisons[second], score, counted=self.counted)
        return self._over_sentences(score, {(first, second): mcnemar})[first, second]

    def tests(self, scores: Sequence[str] = ("las", "uas", "lem", "uem")) -> dict[str, dict[tuple[str, str], McNemar]]:
        """Tests of each pair of systems, see :func:`~crossarc.parser.evaluate.mcnemar.pairwise`.

        scores: las, uas, lem or uem; "las, nonprojective" counts only words with such a gold arc, for example.

        Tests of scores of words have p of the randomization test over sentences, too.
        """
        tests_of: dict[str, dict[tuple[str, str], McNemar]] = {}
        for name in scores:
            score, _, kind = name.partition(", ")
            arcs: Any = kind or None
            pairs = pairwise(self.comparisons, (score,), self.counted, arcs)[score]
            tests_of[name] = {**self._over_sentences(name, pairs)} if pairs and score in ("las", "uas") else pairs
        return tests_of

    def _over_sentences(self, score: str, tests: Mapping[tuple[str, str], McNemar]) -> dict[tuple[str, str], Tested]:
        """Tests of a score of words, with the test over sentences."""
        first, second = (self.counts(side, score) for side in zip(*tests, strict=True))
        both = zip(tests.items(), randomization(first, second).tolist(), strict=True)
        return {pair: Tested(test.b, test.c, test.z, test.p, test.level, test.winner, p) for (pair, test), p in both}

    def counts(self, systems: Sequence[str], score: str = "las") -> SentenceCounts:
        """By sentence the numbers of items, and of those that each system has right. score: as in :meth:`tests`."""
        score, _, kind = score.partition(", ")
        arcs: Any = kind or None
        return sentence_counts([self.comparisons[name] for name in systems], score, self.counted, arcs)

    def against(self, base: str) -> dict[str, Any]:
        """LAS, UAS and LEM of each system, its ``gain`` in LAS over the base, and the two p of its test."""
        las = self.scores[base].las
        tests = {name: None if name == base else self.test(base, name) for name in self.scores}
        return {
            name: {
                **{key: getattr(scores, key) for key in ("las", "uas", "lem")},
                "gain": None if name == base or scores.las is None or las is None else scores.las - las,
                **{key: getattr(tests[name], key, None) for key in ("p", "over_sentences")},
            }
            for name, scores in self.scores.items()
        }

    def weights(self, by: str, systems: Sequence[str]) -> Weights:
        """The weights of the systems' votes, learned from these sentences (Nilsson 2009, section 7.1)."""
        return learn_weights(by, self.gold, [self.trees[system] for system in systems], self.tags)

    def blended(self, systems: Sequence[str], weights: Weights, single_root: bool) -> list[Tree]:
        """The blended trees of several systems, one for each sentence."""
        return blend_votes([self.trees[system] for system in systems], weights, self.tags, single_root)

    @property
    def lifted(self) -> Ints:
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
    trees = {system: [tree for part in parts for tree in part.trees[system]] for system in parts[0].trees}
    return Outputs([tree for part in parts for tree in part.gold], trees, parts[0].counted)
