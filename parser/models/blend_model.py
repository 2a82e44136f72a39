"""A blend as a model: several parsers and the weights of their votes, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..annotation.calibration import Calibration
from ..base.parameters import FLAG, TEXT, one_of, real, shown, whole
from ..base.progress import Advance, nothing
from ..base.shapes import ListOf, MapOf, Record, check_values, expect, within
from ..blending.blend import blend_flat
from ..blending.vote_weights import WEIGHTS, Weights, weights_from_json
from ..config.kinds import KINDS
from ..tokenizer import Tokenizer
from ..treebank import SymbolTable
from ..treebank.tree import FlatTrees
from .model import MODELS, Content, Floats, ParserModel, joined
from .taggers import Tagger, tag, taggers_content, taggers_of
from .trained import facts_lines, tag_facts
from .words import Words

TAG = "upos"
"""The column whose values select the weights of votes."""
CHOICE = Record(
    {"folds": whole(2), "candidates": MapOf(real()), "chosen": ListOf(TEXT, least=1), "weights": TEXT, "las": real()}
)
"""For a blend that chose its components by cross-validation: LAS of each candidate and of the choice, in percent."""
BLEND = Record(
    {
        "components": ListOf(
            Record({"name": TEXT, "kind": one_of(*dict.fromkeys(own.name for own in KINDS if own.fit))}), least=1
        ),
        "weights": WEIGHTS,
        "single_root": FLAG,
        "provenance": Record({}, {"choice": CHOICE, "tags": MapOf(real())}),
    }
)
"""The JSON values of a blend; each component adds its own values."""


@dataclass(frozen=True, slots=True, repr=False)
class BlendModel(ParserModel):
    """A blend of several parsers.

    components: the parsers by name.
    weights: weights of their votes, in the same order.
    single_root: whether blended trees get exactly one dependent of node 0.
    """

    kind: ClassVar[str] = "blend"

    components: Mapping[str, ParserModel]
    weights: Weights
    single_root: bool
    provenance: Mapping[str, Any]
    taggers: tuple[Tagger, ...] = ()
    tokenizer: Tokenizer | None = None
    calibration: Calibration | None = None

    def __repr__(self) -> str:
        return f"<blend of {', '.join(self.components)}, weights by {self.weights.by}>"

    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        tag(words, self.taggers)
        share = len(self.components)
        votes = [own.trees(words, lambda words: advance(words / share)) for own in self.components.values()]
        return blend_flat(votes, self.weights, *words.values(TAG), self.single_root, margins)

    def hint_workload(self, words: int) -> None:
        for component in self.components.values():
            component.hint_workload(words)

    @property
    def longest(self) -> int | None:
        return min((own.longest for own in self.components.values() if own.longest is not None), default=None)

    @property
    def looked_at(self) -> dict[str, SymbolTable]:
        return {name: table for own in self.components.values() for name, table in own.looked_at.items()}

    @property
    def annotation(self) -> str:
        return next(iter(self.components.values())).annotation

    def to_json(self) -> dict[str, Any]:
        components = {name: component.to_json() for name, component in self.components.items()}
        facts = {"weights": self.weights.to_json(), "provenance": self.provenance, "components": components}
        return {**facts, "tags": [tagger.column for tagger in self.taggers]}

    def to_text(self) -> str:
        parts = [f"{name}:\n{component.to_text()}" for name, component in self.components.items()]
        return "\n\n".join([facts_lines(self._facts()), *parts])

    def _facts(self) -> list[tuple[str, str]]:
        named = zip(self.components, self.weights.overall, strict=True)
        rows = [("weights", f"{self.weights.by}: {', '.join(f'{name} {weight:.4f}' for name, weight in named)}")]
        if choice := self.provenance.get("choice"):
            alone = ", ".join(f"{name} {las:.2f}" for name, las in choice["candidates"].items())
            rows.append(("chosen from", f"{alone}: LAS in cross-validation, {choice['folds']} folds"))
            rows.append(("together", f"LAS {choice['las']:.2f}"))
        return [*rows, *tag_facts({"provenance": self.provenance})]

    def content(self) -> Content:
        parts = [component.content() for component in self.components.values()]
        named = zip(self.components.items(), parts, strict=True)
        arrays = joined({f"component{number}": own.arrays for number, own in enumerate(parts)})
        values = {
            "components": [{"name": name, "kind": component.kind, **own.values} for (name, component), own in named],
            "weights": self.weights.to_json(),
            "single_root": self.single_root,
            "provenance": self.provenance,
        }
        taggers = taggers_content(self.taggers)
        return Content({**values, **taggers.values}, {**arrays, **taggers.arrays})

    @classmethod
    def from_content(cls, content: Content) -> Self:
        values = content.values
        check_values(values, BLEND)
        components: dict[str, ParserModel] = {}
        for number, own in enumerate(values["components"]):
            with within(f"components[{number}]"):
                name = own["name"]
                expect(name not in components, "name", f"found {shown(name)} twice; expected different names")
                part = content.part(f"component{number}", own)
                components[name] = MODELS[own["kind"]].from_content(part)
        weights = weights_from_json(values["weights"], "weights", len(components))
        return cls(components, weights, values["single_root"], values["provenance"], taggers_of(content))
