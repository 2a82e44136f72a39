"""Why a parser did what it did: every transition of a sentence, what it was chosen over, and what spoke for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...features.decode import decode_key, value_text
from ...transitions.configuration import Ints
from ...transitions.step import Step
from ...transitions.system import Move
from ..config.feature_files import feature_columns
from ..drawing.text_tree import draw_tree
from ..errors import CrossarcError
from ..learners.knn import KNN
from ..learners.learner import Contribution
from ..models.model import ParserModel
from ..models.transition_model import TransitionModel
from ..search.stage import Stage
from ..transforms import prepare_all
from ..treebank import FIRST_KNOWN, NO_NODE, ROOT_NODE, Sentence, SetTable

__all__ = ["Explainer", "Texts", "explain"]

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
    sentence as transforms prepare it: with reversal, from right to left. Raises CrossarcError for a model that takes no
    transitions.
    """
    if not isinstance(model, TransitionModel):
        raise CrossarcError(f"{model!r} has no transitions to explain; parse with one parser")
    columns = {**feature_columns(sentence, model.columns), FORMS: sentence.column("form")}
    prepared = prepare_all(model.transforms, columns)
    texts = Texts(model, ("ROOT", *prepared[FORMS]))
    explainers = [Explainer(stage, texts) for stage in model.stages]
    model.derive([prepared], np.array([len(sentence)]), explainers)
    yield f"# {sentence.id}"
    for explainer in explainers:
        yield from [f"## {explainer.stage.system.name}"] if len(explainers) > 1 else []
        yield from explainer.lines
    (parsed,) = model.parse([sentence])
    yield draw_tree(parsed.heads(), parsed.deprels(), sentence.column("form"))
    yield ""


@dataclass(frozen=True, slots=True)
class Texts:
    """What a model knows by number, for one sentence with the words ``forms``, node 0 included."""

    model: TransitionModel
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
class Explainer:
    """An observer of a stage that parses a batch of one sentence: it writes to ``lines`` what is done, and why."""

    stage: Stage
    texts: Texts
    lines: list[str] = field(default_factory=list)

    def __call__(self, step: Step) -> None:
        c, keys, scores = step.c, step.decision.keys, step.decision.scores
        assert keys is not None
        assert scores is not None
        self.lines.append(f"stack {self._nodes(c.stack, c.stack_size)} | buffer {self._nodes(c.buffer, c.buffer_size)}")
        if step.unguided[0]:
            name = self.stage.system.moves[int(step.moves[0])].name
            self.lines.append(f"  {name}, the default: no transition of the guide is permissible")
            return
        self._compare(keys, scores)

    def _compare(self, keys: NDArray[np.int64], scores: NDArray[np.float32]) -> None:
        """The transition taken, the runner-up, and what made the difference."""
        learner, own = self.stage.learner, scores[0]
        winner, *others = [int(number) for number in np.argsort(-own, kind="stable") if not np.isneginf(own[number])]
        sure = learner.confidences(scores)[0, winner]
        taken = f"  {self._class(winner)}, score {own[winner]:.3f}, confidence {sure:.2f}"
        if not others:
            self.lines.append(f"{taken}: no other is permissible")
            return
        rival = others[0]
        self.lines.append(f"{taken}; runner-up {self._class(rival)}, {own[winner] - own[rival]:.3f} below")
        if isinstance(learner, KNN):
            self._explain_neighbours(learner, keys)
        for contribution in learner.contributions(keys[0], winner, rival)[:FEATURES]:
            self.lines.append(f"    {contribution.value:+.3f}  {self._feature(contribution, keys[0])}")

    def _explain_neighbours(self, learner: KNN, keys: NDArray[np.int64]) -> None:
        found = learner.neighbours(keys)
        order = np.lexsort((found.instance, found.distance))
        for instance, distance in zip(found.instance[order][:NEIGHBOURS], found.distance[order], strict=False):
            classes = learner.counts_[[instance]].tocoo()
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
        move, label = self.stage.inventory[number].tolist()
        return self.texts.transition(self.stage.system.moves[move], label)

    def _feature(self, contribution: Contribution, keys: NDArray[np.int64]) -> str:
        return " & ".join(
            f"{value.part} = {value_text(value, self.texts.column_value, self.texts.label)}"
            for slot in contribution.slots
            for value in decode_key(self.stage.extractor, slot, int(keys[slot]))
        )
