"""Reports on the three steps of Lacroix & Béchet (2014): derivations, and valencies that cannot be paired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...oracles.derivations import DerivationRecorder
from ...oracles.oracle import Gold
from ...oracles.three_step import ValencyOracle, moved, unpaired
from ...transitions.registry import PASSES, make_system
from ...transitions.three_step import as_pass
from ...transitions.trees import Heads
from ..base.notes import format_notes
from ..base.progress import Progress, counted, nothing
from ..config.config import THREE_STEP
from ..search.greedy import Fallback, derive
from ..transforms.lifting.projectivize import projectivized
from ..treebank.symbols import batches_by_length
from ..treebank.tree import Tree
from .oracle_report import (
    NOTES,
    OracleReport,
    OracleSentence,
    check_tree,
    oracle_report,
    oracle_sentences,
    share,
    underivable_lines,
)

BATCH = 256


@dataclass(frozen=True, slots=True)
class ThreeStepReport:
    """The three steps over a treebank. Each has the sentences in the order of the treebank.

    first: the first step, over the projectivized trees.
    passes: the sentences in each pass, by the name of the pass; a gold head without its label counts as reached.
    moved: number of words in each pass whose anchor is not their gold head.
    unpaired: (sentence, reason) for each word that does not get its gold head.
    """

    first: OracleReport
    passes: Mapping[str, Sequence[OracleSentence]]
    moved: Mapping[str, int]
    unpaired: Sequence[tuple[str, str]]

    @property
    def underivable(self) -> list[tuple[str, str]]:
        """The reasons for all heads that are not reached, as (sentence, reason)."""
        return [(own.id, str(own.reason)) for own in self.first.underivable] + list(self.unpaired)

    @property
    def trees(self) -> list[list[int]]:
        """The heads of each sentence after the passes, with that of node 0."""
        *_, last = self.passes.values()
        return [list(own.tree) for own in last]

    def derivations(self) -> list[str]:
        """Return the derivations of each sentence in the three steps, separated by bars."""
        steps = [self.first.sentences, *self.passes.values()]
        return [" | ".join(own.derivation for own in sentence) for sentence in zip(*steps, strict=True)]

    def to_json(self, *, derivations: bool = False) -> dict[str, Any]:
        """Return the report as JSON values. Scores are percentages, 100 for a treebank without words."""
        *_, last = self.passes.values()
        words = sum(own.words for own in last)
        heads = sum(own.heads for own in last)
        reached = sum(own.heads == own.words for own in last)
        report: dict[str, Any] = {
            "system": THREE_STEP,
            "single_root": self.first.single_root,
            "sentences": len(last),
            "words": words,
            "derived": reached,
            "derived_percent": share(reached, len(last)),
            "uas": share(heads, words),
            "moved": dict(self.moved),
            "unpaired": words - heads,
            "first": self.first.to_json(derivations=derivations),
            "moves": {
                name: {move.name: sum(own.moves[move.name] for own in taken) for move in PASSES[name].moves}
                for name, taken in self.passes.items()
            },
            "underivable": [{"id": name, "reason": reason} for name, reason in self.underivable],
        }
        if derivations:
            report["derivations"] = [
                {"id": both[0].id, **{name: own.derivation for name, own in zip(self.passes, both, strict=True)}}
                for both in zip(*self.passes.values(), strict=True)
            ]
        return report

    def to_text(self) -> str:
        """Return the report as text: totals, then the words that cannot be reattached, grouped by reason."""
        figures = self.to_json()
        moved = figures["moved"]
        lines = [
            f"system       {THREE_STEP} (first step {self.first.system})",
            f"sentences    {figures['sentences']} with {figures['words']} words",
            f"derived      {figures['derived']} ({figures['derived_percent']:.2f} %)",
            f"moved        {sum(moved.values())} words, of them {figures['unpaired']} that First Available cannot pair",
            f"attainable   UAS {figures['uas']:.2f}",
            f"first step   {figures['first']['transitions']} transitions",
        ]
        for name, moves in figures["moves"].items():
            counts = ", ".join(f"{count} {move}" for move, count in moves.items())
            lines.append(f"{name}: {moved[name]} words moved; {counts}")
        lines += format_notes([*NOTES[:2], ("moved", "words that a pass moves to another head, pairing valencies")])
        return "\n".join([*lines, *underivable_lines(self.underivable)])


def three_step_report(
    first: str,
    trees: Sequence[Heads],
    deprels: Sequence[Sequence[str]],
    ids: Sequence[str],
    *,
    oracle_name: str | None = None,
    single_root: bool = False,
    progress: Progress = nothing,
) -> ThreeStepReport:
    """Derive every tree in three steps with artificial anchors, and report coverage and counts of moves.

    first: projective system of the first step.
    trees, deprels, ids: as in :func:`.oracle_report.oracle_report`.
    oracle_name: oracle of the first step (default: that of the system).
    single_root: whether exactly one word depends on node 0.
    progress: receives reports, see :mod:`~crossarc.parser.base.progress`.

    Raises CrossarcError for an unknown system or oracle, and for heads that are not a tree.
    """
    for name, tree in zip(ids, trees, strict=True):
        check_tree(name, tree)
    wanted = [Tree(list(tree), list(own)) for tree, own in zip(trees, deprels, strict=True)]
    anchored = list(map(projectivized, wanted))
    anchors = [tree.heads for tree in anchored]
    of_first = oracle_report(
        first, anchors, deprels, ids, oracle_name=oracle_name, single_root=single_root, progress=progress
    )
    names = sorted({label for row in deprels for label in row[1:]})
    taken: dict[str, dict[int, OracleSentence]] = {name: {} for name in PASSES}
    batches = batches_by_length([len(tree) - 1 for tree in trees], BATCH)
    for batch in counted(batches, progress, "deriving, passes", "sentences", len(trees), size=len):
        gold, start = (Gold.of([own[row] for row in batch], names) for own in (wanted, anchored))
        hung = found = start.heads, start.deprels
        for name in PASSES:
            system, recorder = make_system(name), DerivationRecorder(len(batch))
            c = as_pass(system).over(gold.lengths, hung, found, len(names))
            outcome = derive(system, ValencyOracle(system, gold, hung), c, Fallback(0, 0), recorder)
            found = outcome.heads, outcome.deprels
            own = oracle_sentences(system, gold, outcome, recorder, names, [ids[row] for row in batch])
            taken[name].update(zip(batch, own, strict=True))
    return ThreeStepReport(
        of_first,
        {name: [own[row] for row in range(len(trees))] for name, own in taken.items()},
        {name: sum(len(moved(name, *pair)) for pair in zip(trees, anchors, strict=True)) for name in PASSES},
        [reason for own in zip(ids, trees, anchors, deprels, strict=True) for reason in _reasons(*own)],
    )


def _reasons(id: str, tree: Heads, anchors: Heads, deprels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (sentence, reason) for each word that does not get its gold head."""
    for name in PASSES:
        for word, other in sorted(unpaired(moved(name, tree, anchors), tree, deprels).items()):
            own = f"the valency {deprels[word]} of word {word} (head {tree[word]})"
            yield id, f"{own} crosses that of word {other} (head {tree[other]})"


def three_step_trees(trees: Sequence[Heads], deprels: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the heads that the oracles of the passes give to the trees: the best that a parser can reach."""
    ids = [str(number) for number in range(1, len(trees) + 1)]
    return three_step_report("arc-eager", trees, deprels, ids).trees
