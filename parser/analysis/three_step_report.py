"""Coverage of the three steps of Lacroix & Béchet (2014): derivations, and valencies that cannot be paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...oracles.derivations import DerivationRecorder, write_derivation
from ...oracles.oracle import Gold
from ...oracles.three_step import ValencyOracle, moved, unpaired
from ...transitions.registry import PASSES, make_system
from ...transitions.trees import Heads
from ..base.notes import format_notes
from ..base.progress import Progress, counted, nothing
from ..config.config import THREE_STEP
from ..search.greedy import Fallback, derive
from ..transforms.lifting.projectivize import projectivized
from ..treebank.symbols import batches_by_length
from ..treebank.tree import Tree
from .oracle_report import NOTES, OracleReport, check_tree, oracle_report, share, underivable_lines

BATCH = 256


@dataclass(frozen=True, slots=True)
class ThreeStepSentence:
    """One sentence in the passes.

    moved: by pass, the number of words whose anchor is not their gold arc. derivations: by pass, as text. moves: by
    pass, how often each move was taken, by its name. arcs: words with the gold head in the end. reasons: why others do
    not have it, a line for each.
    """

    id: str
    words: int
    moved: dict[str, int]
    derivations: dict[str, str]
    moves: dict[str, Counter[str]]
    heads: tuple[int, ...]
    arcs: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThreeStepReport:
    """The first step over the projectivized trees, and the sentences in the passes, in the treebank's order."""

    first: OracleReport
    sentences: tuple[ThreeStepSentence, ...]

    @property
    def underivable(self) -> list[tuple[str, str]]:
        """(id, reason) for whatever is not reached."""
        of_first = [(own.id, own.reason) for own in self.first.underivable if own.reason is not None]
        return of_first + [(own.id, reason) for own in self.sentences for reason in own.reasons]

    def derivations(self) -> list[str]:
        """The derivations of each sentence in the three steps, with bars between them."""
        return [
            " | ".join([first.derivation, *own.derivations.values()])
            for first, own in zip(self.first.sentences, self.sentences, strict=True)
        ]

    def to_json(self, *, derivations: bool = False) -> dict[str, Any]:
        """The report as JSON values; scores in percent, 100 for a treebank without words."""
        words = sum(own.words for own in self.sentences)
        arcs = sum(own.arcs for own in self.sentences)
        reached = sum(own.arcs == own.words for own in self.sentences)
        first = self.first.to_json(derivations=derivations)
        report: dict[str, Any] = {
            "system": THREE_STEP,
            "single_root": self.first.single_root,
            "sentences": len(self.sentences),
            "words": words,
            "derived": reached,
            "derived_percent": share(reached, len(self.sentences)),
            "uas": share(arcs, words),
            "moved": {name: sum(own.moved[name] for own in self.sentences) for name in PASSES},
            "unpaired": words - arcs,
            "first": first,
            "moves": {
                name: {
                    move.name: sum(own.moves[name][move.name] for own in self.sentences) for move in PASSES[name].moves
                }
                for name in PASSES
            },
            "underivable": [{"id": name, "reason": reason} for name, reason in self.underivable],
        }
        if derivations:
            report["derivations"] = [{"id": own.id, **own.derivations} for own in self.sentences]
        return report

    def to_text(self, *, every: bool = False) -> str:
        """The report for people: totals, then the words that cannot be reattached, by reason, or ``every`` one."""
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
        lines += format_notes([*NOTES[:2], ("moved", "words that a pass hangs on another head, its valencies paired")])
        return "\n".join(lines + underivable_lines(self.underivable, every))


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
    """Derive every tree in three steps, with artificial anchors: by the projective system ``first`` and the passes.

    oracle_name: an oracle of the first step. progress: see :mod:`~crossarc.parser.base.progress`. CrossarcError for an
    unknown system or oracle, and for heads that are not a tree.
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
    result: dict[int, ThreeStepSentence] = {}
    batches = batches_by_length([len(tree) - 1 for tree in trees], BATCH)
    for batch in counted(batches, progress, "deriving, passes", "sentences", len(trees), size=len):
        gold, start = (Gold.of([own[row] for row in batch], names) for own in (wanted, anchored))
        found = start.heads, start.deprels
        derivations = {}
        for name in PASSES:
            system, recorder = make_system(name), DerivationRecorder(len(batch))
            c = system.over(gold.lengths, (start.heads, start.deprels), found, len(names))
            oracle = ValencyOracle(system, gold, (start.heads, start.deprels))
            outcome = derive(system, oracle, c, Fallback(0, 0), recorder)
            found = outcome.heads, outcome.deprels
            derivations[name] = recorder.derivations()
        for place, row in enumerate(batch):
            steps = {name: derivations[name][place] for name in PASSES}
            heads = tuple(found[0][place, : len(trees[row])].tolist())
            result[row] = _sentence(ids[row], trees[row], anchors[row], deprels[row], heads, steps, names)
    return ThreeStepReport(of_first, tuple(result[row] for row in range(len(trees))))


def three_step_trees(trees: Sequence[Heads], deprels: Sequence[Sequence[str]]) -> list[list[int]]:
    """The heads that the passes' oracles give to trees, for the best that a parser can reach."""
    ids = [str(number) for number in range(1, len(trees) + 1)]
    return [list(own.heads) for own in three_step_report("arc-eager", trees, deprels, ids).sentences]


def _sentence(
    name: str,
    tree: Heads,
    anchors: Heads,
    deprels: Sequence[str],
    heads: tuple[int, ...],
    steps: dict[str, list[tuple[int, int]]],
    names: Sequence[str],
) -> ThreeStepSentence:
    ahead = {own: moved(own, tree, anchors) for own in PASSES}
    reasons = []
    for words in ahead.values():
        for word, other in sorted(unpaired(words, tree, deprels).items()):
            reasons.append(
                f"the valency {deprels[word]} of word {word} (head {tree[word]}) crosses that of word {other} "
                f"(head {tree[other]})"
            )
    return ThreeStepSentence(
        id=name,
        words=len(tree) - 1,
        moved={own: len(words) for own, words in ahead.items()},
        derivations={own: write_derivation(make_system(own), steps[own], names) for own in PASSES},
        moves={own: Counter(PASSES[own].moves[move].name for move, _ in steps[own]) for own in PASSES},
        heads=heads,
        arcs=int(np.count_nonzero(np.array(heads[1:]) == np.array(tree[1:]))),
        reasons=tuple(reasons),
    )
