"""Output of parsers and blends on test sets, per treebank or all together (Nilsson 2009)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .....parser.blending.blend import blend_votes
from .....parser.blending.vote_weights import learn_weights
from .....parser.evaluate.comparison import Comparison, compare
from .....parser.evaluate.mcnemar import significance
from .....parser.evaluate.percent import Json
from .....parser.evaluate.scores import Scores
from .....parser.treebank.tree import Tree
from .....transitions.trees import roots

TOGETHER = "all together"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Gold trees of a treebank, and the trees that systems gave the sentences: ``trees[system][sentence]``."""

    treebank: str
    gold: Sequence[Tree]
    trees: Mapping[str, Sequence[Tree]]

    def comparison(self, system: str) -> Comparison:
        """The trees of a system against the gold trees."""
        return compare(self.gold, self.trees[system])


def joined(outputs: Sequence[Outputs], system: str | Mapping[str, str]) -> Comparison:
    """The outputs for several treebanks one after another, as the thesis does for its averages.

    system: one, or by treebank which one stands for it.
    """
    names = {own.treebank: system if isinstance(system, str) else system[own.treebank] for own in outputs}
    gold = [tree for own in outputs for tree in own.gold]
    return compare(gold, [tree for own in outputs for tree in own.trees[names[own.treebank]]])


def blended(by: str, parsers: Sequence[str], held_out: Outputs, test: Outputs) -> tuple[list[Tree], float]:
    """The blend of the parsers' trees, weighted by how they parsed the held-out sentences (section 7.1).

    With it, what blending took, but for learning the weights, in seconds of CPU. The trees have a single root if all
    gold trees of the held-out sentences do.
    """
    votes = [held_out.trees[parser] for parser in parsers]
    weights = learn_weights(by, held_out.gold, votes, tags_of(held_out.gold))
    start = time.process_time()
    own = [test.trees[parser] for parser in parsers]
    trees = blend_votes(own, weights, tags_of(test.gold), single_root(held_out.gold))
    return trees, time.process_time() - start


def tags_of(trees: Sequence[Tree]) -> list[Sequence[str]]:
    """The parts of speech of each sentence."""
    return [tree.columns["upos"] for tree in trees]


def single_root(trees: Sequence[Tree]) -> bool:
    """Whether all trees have one root."""
    return all(len(roots(tree.heads)) == 1 for tree in trees)


def best_of(scores: Mapping[str, Scores], names: Sequence[str]) -> str:
    """The one of the names with the most words right, head and label; the first of equals."""
    return max(names, key=lambda name: scores[name].all.las_correct)


def summary(scores: Scores, full: bool = False) -> dict[str, Json]:
    """The totals, error propagation and root words as JSON; full: also by position, arc length and depth."""
    values = scores.to_json()
    kept = ["las", "uas", "la", "lem", "uem", "tokens", "propagation", "root", "nonroot"]
    if full:
        kept += ["gold_arcs", "by_position", "by_arc_length", "by_depth"]
    return {key: values[key] for key in kept}


def verdict(first: Comparison, second: Comparison, score: str) -> str:
    """The p of McNemar's test, with a star if the second is better with p < 0.01."""
    test = significance(first, second, score)
    return f"{test.p:.2g}" + (" *" if test.winner == "second" and test.level == 0.01 else "")
