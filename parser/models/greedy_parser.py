"""Parsing streams of sentences with a trained model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from ..config.feature_files import feature_columns
from ..errors import CrossarcError
from ..search.greedy import DerivedTrees
from ..search.passes import derive_stages
from ..transforms import invert_all, prepare_all
from ..treebank import Sentence, encode_columns
from ..treebank.batches import batches_by_length
from ..treebank.tree import Columns, Tree
from .transition_model import ParserModel

__all__ = ["GreedyParser", "as_batch"]

CHUNK = 4096
"""Sentences that are read, sorted by length, parsed and written at a time: memory does not grow with the input."""


class GreedyParser:
    """Parses with a model: ``parser.parse(sentences)`` yields the same sentences with heads and labels filled in.

    model: a trained model. batch: how many sentences are advanced in lockstep; 0 takes the config's number.
    """

    def __init__(self, model: ParserModel, batch: int = 0) -> None:
        self.model = model
        self.batch = batch or int(model.config["sentences"])

    def parse(self, sentences: Iterable[Sentence], jobs: int = 1) -> Iterator[Sentence]:
        """The sentences in their order, with HEAD and DEPREL replaced; what the input says there is never looked at.

        jobs: worker processes that share the work chunk by chunk. Raises CrossarcError if a sentence lacks a column
        that the model's features look at, or ``jobs`` is no number above 0.
        """
        if jobs < 1:
            raise CrossarcError(f"jobs: found {jobs}, expected a number, 1 or more")
        stream = iter(sentences)
        chunks = iter(lambda: list(islice(stream, CHUNK)), [])
        if jobs == 1:
            for chunk in chunks:
                yield from self._parse_chunk(chunk)
            return
        with Parallel(n_jobs=jobs) as parallel:
            # so many chunks at a time, and no more until they are written: a slow reader must not pile up results
            while window := list(islice(chunks, 2 * jobs)):
                for parsed in parallel(delayed(self._parse_chunk)(chunk) for chunk in window):
                    yield from parsed

    def trees(self, columns: Sequence[Columns], lengths: Sequence[int]) -> list[Tree]:
        """The trees of sentences given by the columns that the model looks at, after the inverse transforms.

        lengths: the numbers of words; a model may look at no column at all.
        """
        transforms = self.model.transforms
        prepared = [prepare_all(transforms, own) for own in columns] if transforms else columns
        trees: dict[int, Tree] = {}
        for numbers in batches_by_length(lengths, self.batch):
            batch = self._parse_batch([prepared[n] for n in numbers], np.array([lengths[n] for n in numbers]))
            trees.update(zip(numbers, batch, strict=True))
        return [trees[number] for number in range(len(columns))]

    def _parse_chunk(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        columns = [feature_columns(sentence, self.model.columns) for sentence in sentences]
        trees = self.trees(columns, list(map(len, sentences)))
        return [sentence.with_tree(tree.heads, tree.deprels) for sentence, tree in zip(sentences, trees, strict=True)]

    def _parse_batch(self, batch: Sequence[Columns], lengths: NDArray[np.integer]) -> list[Tree]:
        derivation = self._derive(lengths, as_batch(batch, self.model))
        return self._inverted(batch, lengths, derivation)

    def _inverted(self, batch: Sequence[Columns], lengths: NDArray[np.integer], derivation: DerivedTrees) -> list[Tree]:
        """The trees of a batch with their columns, after the inverse transforms."""
        model = self.model
        names = np.array([*model.labels, ""], dtype=object)
        trees = []
        deprels = names[derivation.deprels]
        for own, n, heads, labels in zip(batch, lengths, derivation.heads.tolist(), deprels.tolist(), strict=True):
            tree = Tree(heads[: n + 1], labels[: n + 1], own)
            trees.append(invert_all(model.transforms, tree) if model.transforms else tree)
        return trees

    def _derive(self, lengths: NDArray[np.integer], columns: Mapping[str, np.ndarray]) -> DerivedTrees:
        return derive_stages(self.model.stages, lengths, columns)


def as_batch(batch: Sequence[Columns], model: ParserModel) -> Mapping[str, np.ndarray]:
    """The value ids of a batch's columns that the model looks at."""
    by_name = {name: [own[name] for own in batch] for name in model.columns}
    return {name: ids.astype(np.int64) for name, ids in encode_columns(by_name, model.tables).items()}
