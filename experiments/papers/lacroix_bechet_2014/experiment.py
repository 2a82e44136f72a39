"""Lacroix & Béchet (2014): three-step parsing against Covington's algorithm and pseudo-projective parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....parser.config.config import ParserConfig
from ....parser.evaluate.comparison import Comparison, Ints
from ....parser.evaluate.percent import percentage
from ....parser.models.transition_model import TransitionModel
from ....parser.models.words import SentenceWords
from ....parser.search.stage import Stage
from ....parser.treebank import Sentence
from ....parser.treebank.tree import trees_of
from ....transitions.step import DerivationStep
from ....transitions.three_step import ValencyPass
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank, parses, tests_json
from ...harness.parsing import pack, trained_and_run, transition_based


def staged(config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart]) -> Json:
    """Train and run a three-step parser.

    The result is that of :func:`~...harness.parsing.parses`. Its ``parts`` also have ``first``, the trees after the
    first step; ``refused`` has, for each pass, the counts of pairs refused because of cycles.
    """
    learned, result = trained_and_run(config, train_part, tests)
    model, sentences = transition_based(learned, config), list(tests["test"].sentences())
    first = pack(trees_of(replace(model, stages=model.stages[:1]).parse(sentences)))
    return {**result, "parts": {**result["parts"], "first": first}, "refused": refused_cycles(model, sentences)}


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parsers."""
    return treebank.each_fold(lambda config: staged if config.projectivizes else parses)


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """Table 7, non-projective arcs by direction, anchors, and tests between parsers."""
    outputs = treebank.parsed(counted="no_punct")
    passes = [name for name, config in treebank.parsers.items() if config.projectivizes]
    first = treebank.parsed("first", systems=passes)
    anchors: dict[str, Json] = {}
    for name in passes:
        refused = [treebank[f"{name} {number}"]["refused"] for number in range(len(treebank.folds()))]
        anchors[name] = anchor_rows(outputs.lifted, outputs.comparisons[name], first.comparisons[name], refused)
    scores, tests = outputs.scores, outputs.tests(("uas", "las", "las, projective", "las, nonprojective"))
    return {
        "table": treebank.rows("table 7", scores),
        "sides": treebank.rows("sides", scores),
        "anchors": anchors,
        **tests_json(tests),
        "full": {"performance": {name: score.to_json() for name, score in scores.items()}},
    }


def anchor_rows(
    lifted: Ints, final: Comparison, first: Comparison, refused: Sequence[Mapping[str, Mapping[str, int]]]
) -> dict[str, Json]:
    """Figures of the arcs that the passes ``left`` and ``right`` have to find.

    lifted: heads of all words after projectivizing the gold trees (int64, (words,)).
    final, first: comparison of the parser's trees, and of the trees of its first step, with the gold trees.
    refused: for each fold, the counts of refused pairs by pass.

    The arcs are the gold arcs of words that projectivization lifts, without punctuation. The anchor of a word is right
    if the first step gives it the head and label of the projectivized gold tree.

    - ``arcs``: number of arcs.
    - ``label``, ``anchor``: percentage of words with the right label, and with the right anchor, after the first step.
    - ``found_right``, ``found_wrong``: percentage of arcs found among words with a right and with a wrong anchor.
    - ``refused``, ``wanted``: number of steps with a refused pair, and of steps at which the guide wanted this pair.
    """
    anchor_right = (first.predicted.heads == lifted) & first.label_right
    heads, position = final.gold.heads, final.position
    moved = (heads != lifted) & ~final.punctuation
    reached = final.head_right & final.label_right
    rows: dict[str, Json] = {}
    for name, side in (("left", position < heads), ("right", position > heads)):
        here = moved & side
        right, wrong = here & anchor_right, here & ~anchor_right
        rows[name] = {
            "arcs": int(here.sum()),
            "label": percentage(int((here & first.label_right).sum()), int(here.sum())),
            "anchor": percentage(int(right.sum()), int(here.sum())),
            "found_right": percentage(int((right & reached).sum()), int(right.sum())),
            "found_wrong": percentage(int((wrong & reached).sum()), int(wrong.sum())),
            "refused": sum(row[f"three-step-{name}"]["steps"] for row in refused),
            "wanted": sum(row[f"three-step-{name}"]["wanted"] for row in refused),
        }
    return rows


def refused_cycles(model: TransitionModel, sentences: Sequence[Sentence]) -> dict[str, Json]:
    """Count for each pass the pairs that were not permissible because they would close a cycle.

    - ``steps``: number of steps at which a waiting valency could not be paired because its word dominates the current
      one.
    - ``wanted``: number of these steps at which the learner scored that pair best, so that the refusal changed the
      parse.
    """
    watchers = [_Watcher(stage) for stage in model.stages[1:]]
    for batch in model.batches(SentenceWords(sentences)):
        model.parse_batch(batch, observers=[None, *watchers])
    return {watcher.stage.system.name: {"steps": watcher.steps, "wanted": watcher.wanted} for watcher in watchers}


@dataclass(slots=True)
class _Watcher:
    stage: Stage
    steps: int = 0
    wanted: int = 0

    def __call__(self, step: DerivationStep) -> None:
        system, inventory = self.stage.system, self.stage.inventory
        assert isinstance(system, ValencyPass)
        rows = np.flatnonzero(system.cyclic(step.c).any(axis=1))
        if not rows.size:
            return
        assert step.decision.keys is not None
        self.steps += len(rows)
        view = step.c.at(rows)
        is_pair = inventory[:, 0] == system.moves.index(system.pair)
        label = np.maximum(inventory[:, 1], 0)
        refused = is_pair & system.cyclic(view)[:, label]
        allowed = np.where(is_pair, system.pairable(view)[:, label], system.legal(view)[:, inventory[:, 0]])
        scores = self.stage.learner.scores(step.decision.keys[rows])
        best = np.argmax(np.where(refused | allowed, scores, -np.inf), axis=1)
        self.wanted += int(refused[np.arange(len(rows)), best].sum())


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
