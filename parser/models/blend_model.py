"""A blend as a model: several parsers and the weights of their votes, in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from ..blending.blend import blend_votes
from ..blending.vote_weights import WEIGHTS, Weights, weights_from_json
from ..errors import CrossarcError
from ..progress import Advance, nothing
from ..schema.parameters import FLAG, TEXT, shown
from ..schema.shapes import ANY, ListOf, MapOf, Record, check_values, expect, within
from ..treebank import Sentence
from ..treebank.tree import trees_of
from .graph_model import GraphModel
from .model import Content, ParserModel
from .transition_model import TransitionModel

__all__ = ["BlendModel"]

PARTS: Mapping[str, type[ParserModel]] = {model.kind: model for model in (TransitionModel, GraphModel)}
"""The kinds of models that a blend can have as components."""


BLEND = Record(
    {
        "components": ListOf(Record({"name": TEXT}), least=1),
        "weights": WEIGHTS,
        "single_root": FLAG,
        "provenance": MapOf(ANY),
    }
)
"""The JSON values of a blend; a component says more of its own."""


@dataclass(frozen=True, slots=True, repr=False)
class BlendModel(ParserModel):
    """components: the parsers by name. weights: of their votes, in that order. single_root: whether blended trees get
    exactly one dependent of node 0."""

    kind: ClassVar[str] = "blend"

    components: Mapping[str, ParserModel]
    weights: Weights
    single_root: bool
    provenance: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<blend of {', '.join(self.components)}, weights by {self.weights.by}>"

    def parse_chunk(
        self, sentences: Sequence[Sentence], confidences: bool = False, advance: Advance = nothing
    ) -> list[Sentence]:
        """See :meth:`ParserModel.parse_chunk`; a blend has no confidences."""
        if confidences:
            raise CrossarcError(f"{self!r} has no confidences; parse with one parser")
        share = len(self.components)
        votes = [
            trees_of(component.parse_chunk(sentences, advance=lambda words: advance(words / share)))
            for component in self.components.values()
        ]
        upos = [sentence.column("upos") for sentence in sentences]
        blended = blend_votes(votes, self.weights, upos, self.single_root)
        return [sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in zip(sentences, blended, strict=True)]

    @property
    def longest(self) -> int | None:
        """See :attr:`ParserModel.longest`: that of the component with the least."""
        return min((own.longest for own in self.components.values() if own.longest is not None), default=None)

    @property
    def looked_at(self) -> set[str]:
        """See :attr:`ParserModel.looked_at`."""
        return set().union(*(component.looked_at for component in self.components.values()))

    def with_provenance(self, **entries: Any) -> Self:
        """See :meth:`ParserModel.with_provenance`."""
        return replace(self, provenance={**self.provenance, **entries})

    def to_json(self) -> dict[str, Any]:
        """See :meth:`ParserModel.to_json`."""
        return {"components": {name: component.to_json() for name, component in self.components.items()}}

    def to_text(self) -> str:
        """See :meth:`ParserModel.to_text`."""
        return "\n\n".join(f"{name}:\n{component.to_text()}" for name, component in self.components.items())

    def content(self) -> Content:
        """See :meth:`ParserModel.content`."""
        arrays: dict[str, Any] = {}
        components = []
        for number, (name, component) in enumerate(self.components.items()):
            own = component.content()
            components.append({"name": name, "kind": component.kind, **own.values})
            arrays.update({f"component{number}/{key}": array for key, array in own.arrays.items()})
        values = {
            "components": components,
            "weights": self.weights.to_json(),
            "single_root": self.single_root,
            "provenance": self.provenance,
        }
        return Content(values, arrays)

    @classmethod
    def from_content(cls, content: Content) -> Self:
        """See :meth:`ParserModel.from_content`."""
        values = content.values
        check_values(values, BLEND)
        components: dict[str, ParserModel] = {}
        for number, own in enumerate(values["components"]):
            with within(f"components[{number}]"):
                name = own["name"]
                expect(name not in components, "name", f"found {shown(name)} a second time; expected names that differ")
                part = content.part(f"component{number}/", own)
                components[name] = _part(own).from_content(part)
        weights = weights_from_json(values["weights"], "weights", len(components))
        return cls(components, weights, values["single_root"], values["provenance"])


def _part(values: Mapping[str, Any]) -> type[ParserModel]:
    """The kind of a component; blends of the first versions say nothing of it."""
    kind = values.get("kind", TransitionModel.kind)
    expect(isinstance(kind, str) and kind in PARTS, "kind", f"found {shown(kind)}; expected {' or '.join(PARTS)}")
    return PARTS[kind]
