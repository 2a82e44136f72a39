"""Why a parser did what it did: every transition of a sentence, what it was chosen over, and what spoke for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...features.decode import decode_key, value_text
from ...transitions.configuration import Bools, Configuration, Ints
from ...transitions.system import Move
from ..config.feature_files import feature_columns
from ..drawing.text_tree import draw_tree
from ..learners.knn import KNN
from ..learners.learner import Contribution
from ..models.greedy_parser import GreedyParser, as_batch
from ..models.transition_model import ParserModel
from ..search.greedy import DerivedTrees, Observer, derive
from ..search.learned_guide import LearnedGuide
from ..search.passes import derive_stages
from ..search.stage import Columns as Ids
from ..search.stage import Stage
from ..transforms import prepare_all
from ..treebank import FIRST_KNOWN, NO_NODE, ROOT_NODE, Sentence, SetTable

__all__ = ["ExplainingStage", "Texts", "explain"]

NODES = 5
"""How many nodes of the stack and of the buffer are shown."""
FEATURES = 8
NEIGHBOURS = 5
FORMS = "\tform"
"""The column in which transforms carry the words along; the tab keeps it apart from columns of files."""


def explain(model: ParserModel, sentence: Sentence) -> Iterator[str]:
    """The lines of an explanation: each configuration with its transition, the runner-up, and their scores.

    Under it the features that made most of the difference, positive ones for the transition taken, or the nearest
    stored instances of a memory-based guide. At the end the tree as parsed. Words and configurations are those of the
    sentence as transforms prepare it: with reversal, from right to left.
    """
    columns = {**feature_columns(sentence, model.columns), FORMS: sentence.column("form")}
    prepared = prepare_all(model.transforms, columns)
    texts = Texts(model, ("ROOT", *prepared[FORMS]))
    stages = [ExplainingStage.of(stage, texts) for stage in model.stages]
    derive_stages(stages, np.array([len(sentence)]), as_batch([prepared], model))
    yield f"# {sentence.id}"
    for stage in stages:
        yield from [f"## {stage.system.name}"] if len(stages) > 1 else []
        yield from stage.lines
    (parsed,) = GreedyParser(model).parse([sentence])
    yield draw_tree(parsed.heads(), parsed.deprels(), sentence.column("form"))
    yield ""


@dataclass(frozen=True, slots=True)
class Texts:
    """What a model knows by number, for one sentence with the words ``forms``, node 0 included."""

    model: ParserModel
    forms: Sequence[str]

    def node(self, node: int) -> str:
        return f"{node} {self.forms[node]}"

    def label(self, number: int) -> str:
        return self.model.labels[number]

    def transition(self, move: Move, label: int) -> str:
        return f"{move.name}({self.label(label)})" if move.labelled and label >= 0 else move.name

    def column_value(self, column: str, number: int) -> str:
        """The value that a symbol table numbers so."""
        table = self.model.tables[column]
        symbols = table.atoms if isinstance(table, SetTable) else table
        reserved = {NO_NODE: "-", ROOT_NODE: "ROOT"}
        return symbols.values[number - FIRST_KNOWN] if number >= FIRST_KNOWN else reserved.get(number, "unknown")


@dataclass(frozen=True, slots=True)
class ExplainingStage(Stage):
    """A stage that writes to ``lines`` what it does to a batch of one sentence, and why."""

    texts: Texts
    lines: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, stage: Stage, texts: Texts) -> Self:
        """The stage with the texts of the sentence that it will parse."""
        return cls(**{own.name: getattr(stage, own.name) for own in fields(Stage)}, texts=texts)

    def derive(self, c: Configuration, columns: Ids, observe: Observer | None = None) -> DerivedTrees:
        """As the stage does."""
        decider = _Remembering(LearnedGuide(self.guide, self.extractor, columns, self.inventory, self.system))

        def watch(c: Configuration, moves: Ints, labels: Ints, unguided: Bools) -> None:
            self._explain(c, int(moves[0]), bool(unguided[0]), decider)
            if observe is not None:
                observe(c, moves, labels, unguided)

        return derive(self.system, decider, c, self.fallback, watch)

    def _explain(self, c: Configuration, move: int, unguided: bool, decider: _Remembering) -> None:
        self.lines.append(f"stack {self._nodes(c.stack, c.stack_size)} | buffer {self._nodes(c.buffer, c.buffer_size)}")
        if unguided:
            self.lines.append(
                f"  {self.system.moves[move].name}, the default: no transition of the guide is permissible"
            )
            return
        scores = decider.scores[0]
        winner, *others = [
            int(number) for number in np.argsort(-scores, kind="stable") if not np.isneginf(scores[number])
        ]
        sure = self.guide.confidences(decider.scores)[0, winner]
        taken = f"  {self._class(winner)}, score {scores[winner]:.3f}, confidence {sure:.2f}"
        if not others:
            self.lines.append(f"{taken}: no other is permissible")
            return
        rival = others[0]
        self.lines.append(f"{taken}; runner-up {self._class(rival)}, {scores[winner] - scores[rival]:.3f} below")
        if isinstance(self.guide, KNN):
            self._explain_neighbours(self.guide, decider.keys)
        for contribution in self.guide.contributions(decider.keys[0], winner, rival)[:FEATURES]:
            self.lines.append(f"    {contribution.value:+.3f}  {self._feature(contribution, decider.keys[0])}")

    def _explain_neighbours(self, guide: KNN, keys: NDArray[np.int64]) -> None:
        found = guide.neighbours(keys)
        order = np.lexsort((found.instance, found.distance))
        for instance, distance in zip(found.instance[order][:NEIGHBOURS], found.distance[order], strict=False):
            classes = guide.counts_[[instance]].tocoo()
            votes = sorted(zip(classes.data.tolist(), classes.col.tolist(), strict=True), reverse=True)
            named = ", ".join(f"{self._class(number)} {count}" for count, number in votes)
            self.lines.append(f"    distance {distance:.3f}: {named}")
        if len(order) > NEIGHBOURS:
            self.lines.append(f"    and {len(order) - NEIGHBOURS} more neighbours")

    def _nodes(self, read: object, size: Ints) -> str:
        assert callable(read)
        count = int(size[0])
        shown = [self.texts.node(int(read(k)[0])) for k in range(min(count, NODES))]
        return f"[{', '.join(shown)}{', ...' if count > NODES else ''}]"

    def _class(self, number: int) -> str:
        move, label = self.inventory[number].tolist()
        return self.texts.transition(self.system.moves[move], label)

    def _feature(self, contribution: Contribution, keys: NDArray[np.int64]) -> str:
        return " & ".join(
            f"{value.part} = {value_text(value, self.texts.column_value, self.texts.label)}"
            for slot in contribution.slots
            for value in decode_key(self.extractor, slot, int(keys[slot]))
        )


class _Remembering:
    """Decides as a classifier and keeps the keys and the scores of what it decided last."""

    def __init__(self, classifier: LearnedGuide) -> None:
        self._classifier = classifier
        self.keys = np.empty((0, 0), dtype=np.int64)
        self.scores = np.empty((0, 0), dtype=np.float32)

    def decide(self, c: Configuration, legal: Bools) -> tuple[Ints, Ints]:
        self.keys = self._classifier.extractor.keys(c, self._classifier.columns)
        self.scores = self._classifier.scores(c, legal, self.keys)
        return self._classifier.choose(self.scores)
