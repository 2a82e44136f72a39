"""Explanations of parsing decisions: each transition of a sentence, the second best, and the features that decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.errors import CrossarcError
from ..drawing.derivation import FINISH, DrawnStep
from ..drawing.text_tree import draw_tree
from ..models.inputs import InputCheck
from ..models.model import ParserModel
from ..models.transition_model import TransitionModel
from ..treebank import Sentence
from .derivation import model_derivation

NODES = 5
"""Maximum number of nodes shown of the stack and of the buffer. The top of the stack is at the right."""


def explain(model: ParserModel, sentence: Sentence, allow_empty_columns: bool = False) -> Iterator[str]:
    """Explain how a model parses a sentence: each configuration, the transition taken, the second best, their scores.

    allow_empty_columns: accept a sentence without the tags that the model reads.

    Below each configuration are the features that contribute most to the difference of the two scores, or the nearest
    stored instances of a memory-based learner. The parsed tree comes last. Configurations are those of the sentence
    after transforms; with reversal they run from right to left. Raises CrossarcError for a model without transitions.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> [sentence, *_] = crossarc.read_sentences("test.conllu")
    >>> any("SHIFT, score" in line for line in crossarc.explain(model, sentence))
    True
    """
    for own in InputCheck(model, allow_empty_columns).sentences([sentence]):
        yield from explained(model, own)


def explained(model: ParserModel, sentence: Sentence) -> Iterator[str]:
    """Explain a sentence that has been checked, as :func:`explain` does."""
    model = TransitionModel.of(model, f"{model!r} has no transitions to explain; use a single transition-based parser")
    if model.beam > 1:
        raise CrossarcError("explanations are available only with a beam of 1; use --beam 1")
    derivation = model_derivation(model, "", sentence, judge=False)
    yield f"# {sentence.id}"
    system = model.stages[0].system.name if len(model.stages) == 1 else ""
    for step in derivation.steps:
        if step.system != system:
            system = step.system
            yield f"## {system}"
        if step.transition != FINISH:
            yield from _lines(step, ("ROOT", *derivation.forms))
    (parsed,) = model.parse_chunk([sentence])
    yield draw_tree(parsed.heads(), parsed.deprels(), sentence.column("form"))
    yield ""


def _lines(step: DrawnStep, forms: Sequence[str]) -> Iterator[str]:
    stack, buffer = ([f"{node} {forms[node]}" for node in nodes] for nodes in (step.before.stack, step.before.buffer))
    below, beyond = ["..."] * (len(stack) > NODES), ["..."] * (len(buffer) > NODES)
    yield f"stack [{', '.join([*below, *stack[-NODES:]])}] | buffer [{', '.join([*buffer[:NODES], *beyond])}]"
    if step.by_default:
        yield f"  {step.transition}, the default: no transition of the learner is permissible"
        return
    taken, *others = step.options
    line = f"  {taken.transition}, score {taken.score:.3f}, confidence {taken.confidence:.2f}"
    if not others:
        yield f"{line}: no other is permissible"
        return
    assert taken.score is not None
    assert others[0].score is not None
    yield f"{line}; runner-up {others[0].transition}, {taken.score - others[0].score:.3f} below"
    yield from (f"    distance {distance:.3f}: {what}" for distance, what in step.neighbours)
    yield from (f"    {amount:+.3f}  {feature}" for amount, feature in step.reasons)
