"""A blend as a model: several parsers and the weights of their votes, in one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from joblib import Parallel, delayed

from ..blending.blend import blend_votes
from ..blending.weights import Weights, weights_from_json
from ..config.feature_files import feature_columns
from ..errors import CrossarcError
from ..treebank import Sentence
from ..treebank.tree import Tree
from .archive import DAMAGE, damaged, read_archive, write_archive
from .greedy_parser import GreedyParser
from .transition_model import ParserModel, model_content, model_from_content

__all__ = ["BlendModel", "BlendParser", "component_votes", "load_any_model", "open_parser", "save_blend"]

CHUNK = 2048
"""Sentences that are read, parsed by all components, blended and written at a time."""


@dataclass(frozen=True, slots=True)
class BlendModel:
    """components: the parsers by name. weights: of their votes, in that order. single_root: whether blended trees get
    exactly one dependent of node 0. provenance: treebank checksums and scores."""

    components: Mapping[str, ParserModel]
    weights: Weights
    single_root: bool
    provenance: Mapping[str, Any]


def save_blend(model: BlendModel, path: str) -> None:
    """Write the blend to one file, atomically. Raises CrossarcError when it cannot be written."""
    arrays: dict[str, Any] = {}
    components = []
    for number, (name, component) in enumerate(model.components.items()):
        values, own = model_content(component)
        components.append({"name": name, **values})
        arrays.update({f"component{number}/{key}": array for key, array in own.items()})
    metadata = {
        "kind": "blend",
        "components": components,
        "weights": model.weights.to_json(),
        "single_root": model.single_root,
        "provenance": model.provenance,
    }
    write_archive(path, metadata, arrays)


def load_any_model(path: str) -> ParserModel | BlendModel:
    """The parser or the blend in a model file. Raises CrossarcError for anything else."""
    metadata, arrays = read_archive(path)
    try:
        if metadata.get("kind") != "blend":
            return model_from_content(metadata, arrays)
        components = {}
        for number, values in enumerate(metadata["components"]):
            prefix = f"component{number}/"
            own = {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}
            components[str(values["name"])] = model_from_content(values, own)
        weights = weights_from_json(metadata["weights"], path, len(components))
        return BlendModel(components, weights, bool(metadata["single_root"]), metadata["provenance"])
    except (*DAMAGE, CrossarcError) as error:
        raise damaged(path, error) from error


def open_parser(path: str) -> GreedyParser | BlendParser:
    """The parser for a model file of either kind. Raises CrossarcError for anything else."""
    model = load_any_model(path)
    return BlendParser(model) if isinstance(model, BlendModel) else GreedyParser(model)


class BlendParser:
    """Parses with all components and blends: ``parser.parse(sentences)``, as with a single parser."""

    def __init__(self, model: BlendModel) -> None:
        self.model = model

    def parse(self, sentences: Iterable[Sentence], jobs: int = 1) -> Iterator[Sentence]:
        """The sentences in their order, with HEAD and DEPREL replaced.

        jobs: worker processes that share the components. Raises CrossarcError if a sentence lacks a column that one of
        them looks at, or ``jobs`` is no number above 0.
        """
        if jobs < 1:
            raise CrossarcError(f"jobs: found {jobs}, expected a number, 1 or more")
        stream = iter(sentences)
        model = self.model
        with Parallel(n_jobs=jobs) as parallel:
            while chunk := list(islice(stream, CHUNK)):
                votes = parallel(delayed(component_votes)(own, chunk) for own in model.components.values())
                upos = [sentence.column("upos") for sentence in chunk]
                blended = blend_votes(votes, model.weights, upos, model.single_root)
                for sentence, vote in zip(chunk, blended, strict=True):
                    yield sentence.with_tree(vote.heads, vote.deprels)


def component_votes(model: ParserModel, sentences: Sequence[Sentence]) -> list[Tree]:
    """The trees of one parser."""
    columns = [feature_columns(sentence, model.columns) for sentence in sentences]
    trees = GreedyParser(model).trees(columns, list(map(len, sentences)))
    return [Tree(tree.heads, tree.deprels) for tree in trees]
