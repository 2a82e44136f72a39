"""Reports on oracles: derivations of a treebank, coverage and number of transitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from ....oracles.derivations import DerivationRecorder, why_underivable, write_derivation
from ....oracles.oracle import Gold
from ....oracles.registry import make_oracle, oracle_names
from ....oracles.three_step import ValencyOracle, moved, unpaired
from ....transitions.registry import PASSES, SYSTEMS, make_system
from ....transitions.step import Observer
from ....transitions.system import TransitionSystem
from ....transitions.three_step import as_pass
from ....transitions.trees import Heads
from ...base.errors import check_names
from ...base.notes import format_notes, grouped_lines
from ...base.parameters import FLAG, check_value
from ...base.progress import Progress, counted, nothing
from ...config.config import FIRST, THREE_STEP
from ...search.greedy import DerivedTrees, Fallback, derive, naming_sentences
from ...transforms.lifting.projectivize import projectivized
from ...treebank import Sentence, only_sentences
from ...treebank.pairs import read_tree
from ...treebank.symbols import batches_by_length
from ...treebank.tree import Tree, usual_labels

BATCH = 256
Watching = TypeVar("Watching", bound=Observer | None)
NOTES = (
    ("derived", "number of trees that the oracle's transitions build completely"),
    ("attainable", "scores of the built trees (coverage), with default transitions if the oracle has none"),
    ("transitions", "number of each move"),
)


class OracleSentence(NamedTuple):
    """One sentence under an oracle.

    derivation: transitions as text, including default transitions where the oracle cannot continue.
    moves: number of times that each move was taken, by its name.
    heads, arcs: number of words with the gold head, and with the gold head and label.
    reason: reason why the gold tree was not reached, or None if it was.
    tree: the heads that were reached, with that of node 0.
    """

    id: str
    words: int
    derivation: str
    moves: Counter[str]
    heads: int
    arcs: int
    reason: str | None
    tree: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OracleReport:
    """The sentences of a treebank under one oracle of one system, in the order of the treebank.

    system: the system, or three-step.
    sentences: the derivations; those of three-step are its first step, over the projectivized trees.
    passes: the sentences in each pass of three-step, by the name of the pass; a gold head without its label counts as
        reached.
    """

    system: str
    oracle: str
    single_root: bool
    sentences: tuple[OracleSentence, ...]
    passes: Mapping[str, tuple[OracleSentence, ...]] = field(default_factory=dict)

    @property
    def final(self) -> tuple[OracleSentence, ...]:
        """The results of all sentences: of three-step parsing those of the last pass, otherwise those of the oracle."""
        return [self.sentences, *self.passes.values()][-1]

    @property
    def underivable(self) -> list[OracleSentence]:
        """The sentences whose gold tree was not reached, in the first step and in the last pass."""
        steps = (self.sentences, self.final) if self.passes else (self.sentences,)
        return [sentence for step in steps for sentence in step if sentence.reason is not None]

    @property
    def moves(self) -> Counter[str]:
        """Number of times that each move was taken, by its name; without passes."""
        return _moves(self.sentences)

    def derivations(self) -> list[str]:
        """The derivation of each sentence, with those of three-step separated by bars."""
        steps = zip(self.sentences, *self.passes.values(), strict=True)
        return [" | ".join(step.derivation for step in sentence) for sentence in steps]

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values. Scores are percentages, 100 for a treebank without words."""
        words = sum(sentence.words for sentence in self.final)
        reached = sum(sentence.reason is None for sentence in self.final)
        heads = sum(sentence.heads for sentence in self.final)
        moves = self.moves
        report: dict[str, Any] = {
            "system": self.system,
            "oracle": self.oracle,
            "single_root": self.single_root,
            "sentences": len(self.final),
            "words": words,
            "derived": reached,
            "derived_percent": share(reached, len(self.final)),
            "uas": share(heads, words),
            "las": share(sum(sentence.arcs for sentence in self.final), words),
            "transitions": moves.total(),
            "swaps": moves["SWAP"],
            "moves": {move.name: moves[move.name] for move in SYSTEMS[_first(self.system)].moves},
            "underivable": [{"id": sentence.id, "reason": sentence.reason} for sentence in self.underivable],
        }
        for name, taken in self.passes.items():
            counts = _moves(taken)
            report.setdefault("passes", {})[name] = {move.name: counts[move.name] for move in PASSES[name].moves}
        report["derivations"] = [
            {"id": sentence.id, "derivation": text, "derived": sentence.reason is None}
            for sentence, text in zip(self.final, self.derivations(), strict=True)
        ]
        return report

    def to_text(self) -> str:
        """Return the report as text: totals, then the sentences that were not derived, grouped by reason."""
        figures = self.to_json()
        las = "" if self.passes else f" LAS {figures['las']:.2f}"
        roots = "single root" if self.single_root else "any roots"
        lines = [
            f"system       {self.system} ({self.oracle} oracle, {roots})",
            f"sentences    {figures['sentences']} with {figures['words']} words",
            f"derived      {figures['derived']} ({figures['derived_percent']:.2f} %)",
            f"attainable   UAS {figures['uas']:.2f}{las}",
            f"transitions  {figures['transitions']}: {_counts(figures['moves'])}",
            *(f"{name}: {_counts(moves)}" for name, moves in figures.get("passes", {}).items()),
            *format_notes(NOTES),
        ]
        reasons = ((sentence.id, str(sentence.reason)) for sentence in self.underivable)
        return "\n".join([*lines, *grouped_lines((_kind(reason), f"{name}: {reason}") for name, reason in reasons)])


def oracle_report(
    system: str,
    sentences: Iterable[Sentence],
    *,
    oracle: str | None = None,
    single_root: bool = False,
    progress: Progress = nothing,
) -> OracleReport:
    """Derive the trees of sentences with an oracle, and report coverage and counts of moves.

    system: a transition system, or three-step, whose first step is arc-eager over artificial anchors.
    oracle: one of the system's oracles (default: its own default).
    progress: receives reports, see :mod:`~crossarc.parser.base.progress`.

    Where the oracle cannot continue, default transitions follow. Raises CrossarcError for an unknown system or oracle,
    for values that are not sentences, and for heads that are not a tree.

    >>> import crossarc
    >>> crossing = crossarc.Sentence.from_tokens(list("abcd"), heads=[3, 4, 0, 3], deprels=["a", "b", "root", "c"])
    >>> report = crossarc.oracle_report("swap", [crossing])
    >>> report.moves["SWAP"], report.underivable
    (1, [])
    """
    chosen = list(only_sentences(sentences))
    trees, ids = list(map(read_tree, chosen)), [sentence.id for sentence in chosen]
    return tree_report(system, trees, ids, oracle=oracle, single_root=single_root, progress=progress)


def tree_report(
    name: str,
    trees: Sequence[Tree],
    ids: Sequence[str],
    *,
    oracle: str | None = None,
    single_root: bool = False,
    progress: Progress = nothing,
) -> OracleReport:
    """As :func:`oracle_report`, for trees. name: the system. ids: names of the sentences."""
    check_names("transition system", [name], (*SYSTEMS, THREE_STEP))
    allowed = oracle_names(_first(name))
    chosen = next(iter(allowed), "") if oracle is None else oracle
    check_names(f"oracle of {_first(name)}", [chosen], allowed)
    check_value(FLAG, single_root, "single_root")
    system, passes = make_system(_first(name), single_root=single_root), PASSES if name == THREE_STEP else ()
    built = list(map(projectivized, trees)) if passes else trees
    usual = usual_labels(built)
    labels = sorted({label for tree in trees for label in tree.deprels[1:]}.union(usual))
    fallback = Fallback(*map(labels.index, usual))
    reports_of: dict[str, dict[int, OracleSentence]] = {step: {} for step in ("", *passes)}
    batches = derived_batches(
        system, chosen, built, labels, fallback, lambda rows, _: DerivationRecorder(len(rows)), progress, ids=ids
    )
    for batch, gold, outcome, recorder in batches:
        own_ids = [ids[row] for row in batch]
        reports_of[""].update(
            zip(batch, oracle_sentences(system, gold, outcome, recorder, labels, own_ids), strict=True)
        )
        for step, reports in _passes([trees[row] for row in batch], gold, labels, own_ids) if passes else ():
            reports_of[step].update(zip(batch, reports, strict=True))
    steps = {step: tuple(reports[row] for row in range(len(trees))) for step, reports in reports_of.items()}
    return OracleReport(name, chosen, single_root, steps.pop(""), steps)


def _passes(
    trees: Sequence[Tree], anchors: Gold, names: Sequence[str], ids: Sequence[str]
) -> Iterator[tuple[str, list[OracleSentence]]]:
    """Yield the derivations of trees in each pass of three-step, which begins with the trees of the one before.

    anchors: the projectivized trees.
    """
    gold = Gold.of(trees, names)
    hung = reached = anchors.heads, anchors.deprels
    for name in PASSES:
        system, recorder = make_system(name), DerivationRecorder(len(trees))
        c = as_pass(system).over(gold.lengths, hung, reached, len(names))
        outcome = derive(system, ValencyOracle(system, gold, hung), c, Fallback(0, 0), recorder)
        reached = outcome.heads, outcome.deprels
        sentences = oracle_sentences(system, gold, outcome, recorder, names, ids)
        reasons = map(_crossing, trees, anchors.trees)
        yield name, [sentence._replace(reason=reason) for sentence, reason in zip(sentences, reasons, strict=True)]


def _crossing(tree: Tree, anchors: Heads) -> str | None:
    """Return the reason why a word does not get its gold head: its valency crosses one with the same label."""
    for name in PASSES:
        for word, other in sorted(unpaired(moved(name, tree.heads, anchors), tree.heads, tree.deprels).items()):
            crossed = f"the valency {tree.deprels[word]} of word {word} (head {tree.heads[word]})"
            return f"{crossed} crosses that of word {other} (head {tree.heads[other]})"
    return None


def derived_batches(
    system: TransitionSystem,
    oracle: str,
    trees: Sequence[Tree],
    labels: Sequence[str],
    fallback: Fallback,
    observer: Callable[[Sequence[int], Gold], Watching],
    progress: Progress = nothing,
    ids: Sequence[str] = (),
) -> Iterator[tuple[list[int], Gold, DerivedTrees, Watching]]:
    """Derive every tree with an oracle, in batches.

    observer: makes the observer of a batch from the numbers of its trees and its gold trees.
    ids: names of the sentences for messages (default: their numbers).

    Yields the numbers of the trees, the gold trees as the oracle sees them, the derived trees, and the observer.
    """
    batches = batches_by_length([len(tree.heads) - 1 for tree in trees], BATCH)
    for rows in counted(batches, progress, "deriving", "sentences", len(trees), size=len):
        gold = Gold.of([trees[row] for row in rows], labels)
        watching = observer(rows, gold)
        guide = make_oracle(system, gold, oracle)
        with naming_sentences([ids[row] if ids else f"sentence {row + 1}" for row in rows]):
            outcome = derive(system, guide, system.initial(gold.lengths), fallback, watching)
        yield rows, gold, outcome, watching


def oracle_sentences(
    system: TransitionSystem,
    gold: Gold,
    outcome: DerivedTrees,
    recorder: DerivationRecorder,
    names: Sequence[str],
    ids: Sequence[str],
) -> list[OracleSentence]:
    """Return the sentences of a batch, whose derivations ``recorder`` has observed. names: names of the labels."""
    right_heads = (outcome.heads == gold.heads) & (gold.heads >= 0)
    right_arcs = right_heads & (outcome.deprels == gold.deprels)
    heads, arcs = right_heads.sum(axis=1).tolist(), right_arcs.sum(axis=1).tolist()
    sentences = []
    for number, steps in enumerate(recorder.derivations()):
        words = int(gold.lengths[number])
        reached = arcs[number] == words
        sentences.append(
            OracleSentence(
                id=ids[number],
                words=words,
                derivation=write_derivation(system, steps, names),
                moves=Counter(system.moves[move].name for move, _ in steps),
                heads=heads[number],
                arcs=arcs[number],
                reason=None if reached else why_underivable(system, gold.trees[number], recorder.stuck.get(number)),
                tree=tuple(outcome.heads[number, : words + 1].tolist()),
            )
        )
    return sentences


def _kind(reason: str) -> str:
    """Return a reason without the words and labels of its sentence."""
    without_labels = re.sub(r"(?<=valency )\S+", "…", reason)
    return re.sub(r"\[[\d ]*\]|\d+(, \d+)*", "…", without_labels.partition(": ")[0])


def share(part: int, whole: int) -> float:
    """Return a percentage; 100 if the whole is 0."""
    return 100.0 * part / whole if whole else 100.0


def _first(system: str) -> str:
    """Return a system, or the system of the first step of three-step."""
    return FIRST if system == THREE_STEP else system


def _moves(sentences: Sequence[OracleSentence]) -> Counter[str]:
    return sum((sentence.moves for sentence in sentences), Counter())


def _counts(moves: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in moves.items())
