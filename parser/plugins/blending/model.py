"""A blend as a model: several parsers and the weights of their votes, in one file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.parameters import FLAG, TEXT, one_of, real, shown, whole
from ...base.progress import Advance, nothing
from ...base.shapes import ListOf, MapOf, Record, check_values, expect, within
from ...learners.common import taken
from ...models.description import described
from ...models.model import MODELS, Bools, ParserModel, joined
from ...models.steps import Floats, State
from ...models.trained import PROVENANCE
from ...models.words import Words
from ...treebank import SymbolTable
from ...treebank.tree import FlatTrees
from .blend import blend_flat
from .config import BlendConfig
from .vote_weights import WEIGHTS, Weights, weights_from_json

TAG = "upos"
"""The column whose values select the weights of votes."""
CHOICE = Record(
    {"folds": whole(2), "candidates": MapOf(real()), "chosen": ListOf(TEXT, least=1), "weights": TEXT, "las": real()}
)
"""For a blend that chose its components by cross-validation: LAS of each candidate and of the choice, in percent."""
BLEND = Record(
    {
        "components": ListOf(
            Record({"name": TEXT, "kind": one_of(*(kind for kind in MODELS if kind != BlendConfig.kind))}), least=1
        ),
        "weights": WEIGHTS,
        "single_root": FLAG,
        "provenance": Record({}, {**PROVENANCE.optional, "choice": CHOICE}),
    }
)
"""The JSON values of a blend; each component adds its own values."""


@dataclass(frozen=True, slots=True, repr=False)
class BlendModel(ParserModel):
    """A blend of several parsers.

    components: the parsers by name.
    weights: weights of their votes, in the same order.
    one_root: whether blended trees get exactly one dependent of node 0.
    """

    kind: ClassVar[str] = BlendConfig.kind

    components: Mapping[str, ParserModel]
    weights: Weights
    one_root: bool

    def __repr__(self) -> str:
        return f"<blend of {', '.join(self.components)}, weights by {self.weights.by}>"

    @property
    def single_root(self) -> bool:
        return self.one_root

    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        self.fill(words)
        share = len(self.components)
        votes = [component.trees(words, lambda words: advance(words / share)) for component in self.components.values()]
        blended = blend_flat(votes, self.weights, *words.values(TAG), self.single_root, margins)
        unsupported = ~np.any([vote.heads == blended.heads for vote in votes], axis=0)
        return self.labelled(words, blended, unsupported) if unsupported.any() else blended

    def tree_scores(self, words: Words) -> Floats | None:
        """Those of the first component that has some."""
        scores = (component.tree_scores(words) for component in self.components.values())
        return next((scores_of for scores_of in scores if scores_of is not None), None)

    @property
    def label_places(self) -> tuple[Collection[str], Collection[str]]:
        below, top = zip(*(component.label_places for component in self.components.values()), strict=True)
        return {*chain.from_iterable(below)}, {*chain.from_iterable(top)}

    def labelled(self, words: Words, trees: FlatTrees, open: Bools) -> FlatTrees:
        votes = [component.labelled(words, trees, open) for component in self.components.values()]
        return blend_flat(votes, self.weights, *words.values(TAG))

    def hint_workload(self, words: int) -> None:
        ParserModel.hint_workload(self, words)
        for component in self.components.values():
            component.hint_workload(words)

    @property
    def longest(self) -> int | None:
        return min(
            (component.longest for component in self.components.values() if component.longest is not None), default=None
        )

    @property
    def looked_at(self) -> dict[str, SymbolTable]:
        return {name: table for component in self.components.values() for name, table in component.looked_at.items()}

    @property
    def annotation(self) -> str:
        return next(iter(self.components.values())).annotation

    def to_json(self) -> dict[str, Any]:
        components = {name: component.to_json() for name, component in self.components.items()}
        weights = self.weights.to_json()
        return {"weights": weights, "provenance": self.provenance, "tags": self.filled, "components": components}

    def to_text(self) -> str:
        overall = dict(zip(self.components, self.weights.overall, strict=True))
        facts = {**self.to_json(), "weights": {"by": self.weights.by, **overall}}
        del facts["components"]
        parts = [f"{name}:\n{component.to_text()}" for name, component in self.components.items()]
        return "\n\n".join(["\n".join(described(facts)), *parts])

    def state(self) -> State:
        states = {name: component.state() for name, component in self.components.items()}
        arrays = joined(
            {
                f"component{number}": arrays_of_component
                for number, (_, arrays_of_component) in enumerate(states.values())
            }
        )
        kinds = {name: {"name": name, "kind": component.kind} for name, component in self.components.items()}
        return {
            "components": [{**kinds[name], **values} for name, (values, _) in states.items()],
            "weights": self.weights.to_json(),
            "single_root": self.single_root,
            "provenance": self.provenance,
        }, arrays

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        check_values(values, BLEND)
        components: dict[str, ParserModel] = {}
        for number, state in enumerate(values["components"]):
            with within(f"components[{number}]"):
                name = state["name"]
                expect(name not in components, "name", f"found {shown(name)} twice; expected different names")
                components[name] = MODELS[state["kind"]].from_state(state, taken(arrays, f"component{number}/"))
        weights = weights_from_json(values["weights"], "weights", len(components))
        return cls(components, weights, values["single_root"], provenance=values["provenance"])
