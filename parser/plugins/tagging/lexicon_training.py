"""Lexicons in training: from the config key ``lexicon`` to a step, and a column that the taggers' features read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from ....features.template import FeatureModel, parse_template
from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...training.prepare import Preparation, StepTrainer
from ...treebank import Sentence
from .encodings import LEMMA, UPOS
from .lexicon import COLUMN, FEATS, Lexicon, read_lexicon

FEW = 0.2
"""Share of the words of a treebank that a lexicon knows below which it is probably of another language."""


class LexiconTrainer(StepTrainer):
    """Takes the lexicon of a file."""

    supplies: ClassVar[tuple[str, ...]] = (COLUMN,)

    def fills(self, read: Collection[str], sentences: Sequence[Sentence]) -> tuple[str, ...]:
        if not self.wanted["tags"]:
            raise CrossarcError("lexicon: only taggers read it; set tags, or another input than gold tags")
        return ()

    def train(self, data: Preparation) -> None:
        lexicon = Lexicon.of(read_lexicon(self.value), self.value)
        known = lexicon.known(data.spelled_forms())
        if not known:
            raise CrossarcError(f"{self.value}: no word of the training treebank is in it; use one of its language")
        said = f"{100 * known:.1f} % of the words of the training treebank are in it"
        if known < FEW:
            warn(f"{self.value}: only {said}; is the lexicon of the same language?")
        data.progress(f"lexicon: {len(lexicon.forms)} forms; {said}")
        data.provenance["lexicon"] = {"forms": len(lexicon.forms), "known": round(known, 4)}
        data.supply(lexicon)


def with_lexicon(model: FeatureModel, system: str, nodes: Collection[str]) -> FeatureModel:
    """The feature model with templates over a lexicon; that of a parser, which sees the tags, is left as it is.

    system: the transition system, or another method that builds trees.
    nodes: the nodes that its templates may address.
    """
    if system != "tagging":
        return model
    upos, feats, lemma = (f"{COLUMN}(Input[0], {key})" for key in (UPOS, FEATS, LEMMA))
    following = f"{COLUMN}(Input[1], {UPOS})"
    lines = [
        upos,
        feats,
        lemma,
        f"merge({upos}, shape(form(Input[0])))",
        f"merge({upos}, suffix(lower(form(Input[0])), 3))",
        following,
        f"merge({upos}, {following})",
        f"{COLUMN}(Stack[0], {UPOS})",
        f"merge(upos(Input[0]), {feats})",
        f"merge(upos(Input[0]), {lemma})",
        f"merge(morph(Input[0]), {lemma})",
    ]
    return model.with_templates(parse_template(line, "lexicon", None, nodes) for line in lines)
