"""The derivation of a sentence by an oracle or by a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ....oracles.oracle import Gold
from ....oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle, make_oracle, oracle_names
from ....oracles.three_step import ValencyOracle
from ....transitions.configuration import Ints
from ....transitions.registry import PASSES, SYSTEMS, make_system
from ....transitions.system import TransitionSystem
from ....transitions.three_step import as_pass
from ....transitions.trees import projective_order, roots
from ...base.data_warnings import warn as data_warning
from ...base.errors import check_names
from ...base.progress import Progress
from ...config.config import FIRST, THREE_STEP
from ...models.files import load_model
from ...models.inputs import InputCheck
from ...models.model import ParserModel
from ...models.transition_model import TransitionModel
from ...models.words import SentenceWords
from ...search.greedy import Fallback, derive
from ...search.stage import Stage
from ...transforms.lifting.projectivize import projectivized
from ...transforms.transform import apply_all, word_order
from ...treebank import Sentence
from ...treebank.pairs import read_tree
from ...treebank.symbols import feature_columns
from ...treebank.tree import Tree
from ..drawing.derivation import DrawnDerivation
from ..drawing.derivation_text import derivation_text
from .recording import DynamicJudge, Judge, Reasons, Recording, StaticJudge

FORMS = "\tform"
"""Column in which transforms carry the words. The tab distinguishes it from columns of files."""


class Deriver(NamedTuple):
    """Derives sentences by a model, or by the oracle of a system.

    derive: the derivation of a sentence.
    columns: which columns of CoNLL-2009 are read, "gold" or "predicted", as in training; "" for a system.
    """

    derive: Callable[[Sentence], DrawnDerivation]
    columns: str = ""

    def __call__(self, sentence: Sentence) -> DrawnDerivation:
        return self.derive(sentence)


def deriver(name: str, title: str = "", warn: Progress = data_warning) -> Deriver:
    """Return the deriver for a name: a system, SYSTEM:ORACLE, or a model file.

    title: name of the derivations of a model (default: the name of its file).
    warn: receives warnings about sentences.

    Raises CrossarcError for other names and for blends, which have no derivations. The deriver raises it for sentences
    without the tags that the model reads.
    """
    system, _, oracle = name.partition(":")
    if system in SYSTEMS or system == THREE_STEP:
        allowed = oracle_names(FIRST if system == THREE_STEP else system)
        check_names(f"{system}: oracle", [oracle] if oracle else [], allowed)
        return Deriver(partial(system_derivation, system=system, oracle=oracle or None))
    if not Path(name).exists():
        check_names("derivation: found neither a model file nor a system", [name], [*SYSTEMS, THREE_STEP])
    loaded = load_model(name)
    refusal = f"{name}: {loaded!r} has no transitions to draw; allowed: a single transition-based parser"
    model = TransitionModel.of(loaded, refusal)
    title = (title or Path(name).name) + (" (greedily)" if model.beam > 1 else "")

    def derived(sentence: Sentence) -> DrawnDerivation:
        (checked,) = InputCheck(model, warn=warn).sentences([sentence])
        return model_derivation(model, title, checked)

    return Deriver(derived, model.annotation)


def system_derivation(sentence: Sentence, system: str, oracle: str | None = None) -> DrawnDerivation:
    """Return the derivation of a sentence's tree by an oracle of a system.

    system: a registered system, or three-step, which uses artificial anchors.
    oracle: name of the oracle (default: that of the system).

    Raises CrossarcError for an invalid tree.
    """
    tree = read_tree(sentence)
    names = sorted(set(tree.deprels[1:]))
    gold = Gold.of([tree], names)
    label = int(gold.deprels[0, tree.heads.index(0)])
    three_step = system == THREE_STEP
    first_system = make_system(FIRST if three_step else system, single_root=len(roots(tree.heads)) == 1)
    anchors = Gold.of([projectivized(tree)], names) if three_step else gold
    recording = Recording(first_system, names, dynamic_judge(first_system, anchors) or Judge())
    fallback, c = Fallback(label, label), first_system.initial(gold.lengths)
    derived = derive(first_system, make_oracle(first_system, anchors, oracle), c, fallback, recording)
    recording.finish(c, derived)
    recordings, start = [recording], (derived.heads, derived.deprels)
    for name in PASSES if three_step else ():
        own_pass = make_system(name)
        trees = derived.heads, derived.deprels
        recording = Recording(own_pass, names, Judge())
        c = as_pass(own_pass).over(gold.lengths, start, trees, len(names))
        derived = derive(own_pass, ValencyOracle(own_pass, gold, start), c, fallback, recording)
        recording.finish(c, derived)
        recordings.append(recording)
    title = f"{system} ({oracle} oracle)" if oracle else system
    derivation = drawn(title, sentence.column("form"), recordings, tree)
    built = recordings[-1].end.tree
    pairs = zip(zip(tree.heads, tree.deprels, strict=True), zip(built.heads, built.deprels, strict=True), strict=True)
    return replace(derivation, lost=sum(arc != derived_arc for arc, derived_arc in pairs))


def model_derivation(model: TransitionModel, name: str, sentence: Sentence, *, judge: bool = True) -> DrawnDerivation:
    """Return the derivation by which a model parses a sentence.

    name: name of the model, for the heading.
    judge: whether to judge each transition by the gold tree, if the sentence has one.

    Words and trees are those after the model's transforms. Raises CrossarcError for a sentence without the columns that
    the model reads, and for an invalid tree.
    """
    columns = {**feature_columns(sentence, model.columns, model.reads), FORMS: sentence.column("form")}
    tree = None
    if judge and len(sentence) and set(sentence.column("head")) != {"_"}:
        tree = apply_all(model.transforms, read_tree(sentence)._replace(columns=columns))
    names = [*model.labels, *sorted(set(tree.deprels[1:]) - set(model.labels) if tree else ())]
    (batch,) = model.batches(SentenceWords([sentence]))
    recordings: list[Recording] = []
    trees: tuple[Ints, Ints] | None = None
    anchors: tuple[Ints, Ints] | None = None
    for stage in model.stages:
        target = projectivized(tree) if tree and not recordings and len(model.stages) > 1 else tree
        gold = Gold.of([target], names) if target else None
        if trees is None:
            c = stage.system.initial(batch.lengths)
        else:
            anchors = anchors or trees
            c = as_pass(stage.system).over(batch.lengths, anchors, trees, len(names))
        judging = _judge(stage, gold, anchors) if gold else Judge()
        recording = Recording(stage.system, names, judging, Reasons(model, stage))
        derived = stage.derive(c, batch.ids, recording)
        recording.finish(c, derived)
        trees = derived.heads, derived.deprels
        recordings.append(recording)
    forms = [columns[FORMS][word] for word in word_order(model.transforms, np.array([len(sentence)]))]
    return drawn(name, forms, recordings, tree)


def explain(model: ParserModel, sentence: Sentence, allow_empty_columns: bool = False) -> str:
    """Explain how a model parses a sentence, with a beam of 1: each configuration, the transition taken, its reasons.

    allow_empty_columns: accept a sentence without the tags that the model reads.

    Below each configuration are the second-best transition and the features that contribute most to the difference of
    the two scores, or the nearest stored instances of a memory-based learner. Configurations are those of the sentence
    after transforms; with reversal they run from right to left. Raises CrossarcError for a model without transitions.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> [sentence, *_] = crossarc.read_sentences("test.conllu")
    >>> "runner-up" in crossarc.explain(model, sentence)
    True
    """
    parser = TransitionModel.of(model, f"{model!r} has no transitions to explain; use a single transition-based parser")
    (checked,) = InputCheck(parser, allow_empty_columns).sentences([sentence])
    return derivation_text(model_derivation(parser, sentence.id, checked, judge=False))


def _judge(stage: Stage, gold: Gold, anchors: tuple[Ints, Ints] | None) -> Judge:
    """Return a judge that uses the dynamic oracle of a stage's system, or the static one if there is none."""
    system = stage.system
    if anchors is not None:
        return StaticJudge(system, ValencyOracle(system, gold, anchors), gold, stage.fallback)
    return dynamic_judge(system, gold) or StaticJudge(system, make_oracle(system, gold), gold, stage.fallback)


def dynamic_judge(system: TransitionSystem, gold: Gold) -> DynamicJudge | None:
    """Return the judge by the dynamic oracle of a system, or None."""
    return DynamicJudge(make_dynamic_oracle(system, gold)) if system.name in DYNAMIC_ORACLES else None


def drawn(name: str, forms: Sequence[str], recordings: Sequence[Recording], gold: Tree | None) -> DrawnDerivation:
    """The derivation of a sentence from the recordings of a system, or of a first step and its passes.

    name: heading. forms: the words. gold: the tree by which steps were judged, if any.
    """
    steps = tuple(step for recording in recordings for step in recording.steps)
    reorders = any(move.name == "SWAP" for recording in recordings for move in recording.system.moves)
    order = projective_order(gold.heads)[1:] if gold and reorders else ()
    return DrawnDerivation(name, forms, steps, recordings[-1].end, gold and Tree(gold.heads, gold.deprels), order)
