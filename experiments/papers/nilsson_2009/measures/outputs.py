"""What parsers and their blends made of test sets, one treebank at a time or all of them together (Nilsson 2009)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .....parser.blending.blend import blend_votes
from .....parser.blending.vote_weights import learn_weights
from .....parser.evaluate import Comparison, Scores, significance
from .....parser.evaluate.percent import Json
from .....parser.treebank import Sentence
from .....parser.treebank.tree import Tree, trees_of
from .....transitions.trees import roots
from ....harness.rows import Row
from .parses import comparison_of

__all__ = ["TOGETHER", "Keyed", "Outputs", "best_of", "blended", "elsewhere", "joined", "summary", "verdict"]

TOGETHER = "all together"
Keyed = Mapping[tuple[str, ...], Row]


@dataclass(frozen=True, slots=True)
class Outputs:
    """Sentences of a treebank, and the trees that systems gave them: ``trees[system][sentence]``."""

    treebank: str
    sentences: Sequence[Sentence]
    trees: Mapping[str, Sequence[Tree]]

    def comparison(self, system: str) -> Comparison:
        """The trees of a system against the gold trees."""
        return comparison_of(self.sentences, self.trees[system])


def joined(outputs: Sequence[Outputs], system: str | Mapping[str, str]) -> Comparison:
    """The outputs for several treebanks one after another, as the thesis does for its averages.

    system: one, or by treebank which one stands for it.
    """
    names = {own.treebank: system if isinstance(system, str) else system[own.treebank] for own in outputs}
    sentences = [sentence for own in outputs for sentence in own.sentences]
    return comparison_of(sentences, [tree for own in outputs for tree in own.trees[names[own.treebank]]])


def blended(by: str, parsers: Sequence[str], held_out: Outputs, test: Outputs) -> tuple[list[Tree], float]:
    """The blend of the parsers' trees, weighted by how they parsed the held-out sentences (section 7.1).

    With it, what blending took, but for learning the weights, in seconds of CPU. The trees have a single root if all
    gold trees of the held-out sentences do.
    """
    gold = trees_of(held_out.sentences)
    tags, test_tags = ([sentence.column("upos") for sentence in own.sentences] for own in (held_out, test))
    weights = learn_weights(by, gold, [held_out.trees[parser] for parser in parsers], tags)
    single_root = all(len(roots(vote.heads)) == 1 for vote in gold)
    votes = [test.trees[parser] for parser in parsers]
    start = time.process_time()
    trees = blend_votes(votes, weights, test_tags, single_root)
    return trees, time.process_time() - start


def best_of(scores: Mapping[str, Scores], names: Sequence[str]) -> str:
    """The one of the names with the most words right, head and label; the first of equals."""
    return max(names, key=lambda name: scores[name].all.attachment.las_correct)


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


def elsewhere(treebanks: str, rows: Keyed) -> dict[tuple[str, ...], Row]:
    """Published rows with the treebanks that they are of before their keys, as ours have them."""
    return {(treebanks, *key): row for key, row in rows.items()}
