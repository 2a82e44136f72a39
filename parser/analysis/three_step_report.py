"""Reports on the three steps of Lacroix & Béchet (2014): derivations, and valencies that cannot be paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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


class PassOfSentence(NamedTuple):
    """One sentence in one pass.

    moved: number of words whose anchor is not their gold head.
    moves: number of times that each move was taken, by its name.
    """

    moved: int
    derivation: str
    moves: Counter[str]


@dataclass(frozen=True, slots=True)
class ThreeStepSentence:
    """One sentence in all steps.

    arcs: number of words with the gold head after the passes.
    reasons: one line for each word without the gold head.
    """

    id: str
    words: int
    passes: dict[str, PassOfSentence]
    heads: tuple[int, ...]
    arcs: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThreeStepReport:
    """The first step over the projectivized trees, and the passes over each sentence, in the order of the treebank."""

    first: OracleReport
    sentences: tuple[ThreeStepSentence, ...]

    @property
    def underivable(self) -> list[tuple[str, str]]:
        """The reasons for all heads that are not reached, as (sentence, reason)."""
        of_first = [(own.id, own.reason) for own in self.first.underivable if own.reason is not None]
        return of_first + [(own.id, reason) for own in self.sentences for reason in own.reasons]

    def derivations(self) -> list[str]:
        """Return the derivations of each sentence in the three steps, separated by bars."""
        return [
            " | ".join([first.derivation, *(taken.derivation for taken in own.passes.values())])
            for first, own in zip(self.first.sentences, self.sentences, strict=True)
        ]

    def to_json(self, *, derivations: bool = False) -> dict[str, Any]:
        """Return the report as JSON values. Scores are percentages, 100 for a treebank without words."""
        words = sum(own.words for own in self.sentences)
        arcs = sum(own.arcs for own in self.sentences)
        reached = sum(own.arcs == own.words for own in self.sentences)
        passes = {name: [own.passes[name] for own in self.sentences] for name in PASSES}
        report: dict[str, Any] = {
            "system": THREE_STEP,
            "single_root": self.first.single_root,
            "sentences": len(self.sentences),
            "words": words,
            "derived": reached,
            "derived_percent": share(reached, len(self.sentences)),
            "uas": share(arcs, words),
            "moved": {name: sum(own.moved for own in taken) for name, taken in passes.items()},
            "unpaired": words - arcs,
            "first": self.first.to_json(derivations=derivations),
            "moves": {
                name: {move.name: sum(own.moves[move.name] for own in taken) for move in PASSES[name].moves}
                for name, taken in passes.items()
            },
            "underivable": [{"id": name, "reason": reason} for name, reason in self.underivable],
        }
        if derivations:
            report["derivations"] = [
                {"id": own.id, **{name: taken.derivation for name, taken in own.passes.items()}}
                for own in self.sentences
            ]
        return report

    def to_text(self, *, every: bool = False) -> str:
        """Return the report as text: totals, then the words that cannot be reattached, grouped by reason.

        every: whether to list all these words.
        """
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
    result: dict[int, ThreeStepSentence] = {}
    batches = batches_by_length([len(tree) - 1 for tree in trees], BATCH)
    for batch in counted(batches, progress, "deriving, passes", "sentences", len(trees), size=len):
        gold, start = (Gold.of([own[row] for row in batch], names) for own in (wanted, anchored))
        hung = found = start.heads, start.deprels
        passes: list[dict[str, PassOfSentence]] = [{} for _ in batch]
        for name in PASSES:
            system, recorder = make_system(name), DerivationRecorder(len(batch))
            c = system.over(gold.lengths, hung, found, len(names))
            outcome = derive(system, ValencyOracle(system, gold, hung), c, Fallback(0, 0), recorder)
            found = outcome.heads, outcome.deprels
            for own, row, steps in zip(passes, batch, recorder.derivations(), strict=True):
                moves = Counter(system.moves[move].name for move, _ in steps)
                count = len(moved(name, trees[row], anchors[row]))
                own[name] = PassOfSentence(count, write_derivation(system, steps, names), moves)
        for place, row in enumerate(batch):
            tree, heads = trees[row], tuple(found[0][place, : len(trees[row])].tolist())
            right = sum(head == gold_head for head, gold_head in zip(heads[1:], tree[1:], strict=True))
            reasons = tuple(_reasons(tree, anchors[row], deprels[row]))
            result[row] = ThreeStepSentence(ids[row], len(tree) - 1, passes[place], heads, right, reasons)
    return ThreeStepReport(of_first, tuple(result[row] for row in range(len(trees))))


def _reasons(tree: Heads, anchors: Heads, deprels: Sequence[str]) -> Iterator[str]:
    """Yield one line for each word that does not get its gold head."""
    for name in PASSES:
        for word, other in sorted(unpaired(moved(name, tree, anchors), tree, deprels).items()):
            own = f"the valency {deprels[word]} of word {word} (head {tree[word]})"
            yield f"{own} crosses that of word {other} (head {tree[other]})"


def three_step_trees(trees: Sequence[Heads], deprels: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the heads that the oracles of the passes give to the trees: the best that a parser can reach."""
    ids = [str(number) for number in range(1, len(trees) + 1)]
    return [list(own.heads) for own in three_step_report("arc-eager", trees, deprels, ids).sentences]
