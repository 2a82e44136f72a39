"""Training a graph-based parser: from trees and symbol tables to weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....features.template import FeatureModel, TemplateError
from ....transitions.trees import is_projective
from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...base.progress import Progress
from ...search.stage import column_sizes
from ...training.derivations import TrainingData
from ...transforms.lifting.projectivize import projectivized
from ...treebank.symbols import SymbolTable, encode_columns
from ...treebank.tree import Tree
from .config import GraphConfig
from .edges import EdgeFilter
from .factored_parser import LONGEST, FactoredParser, batches_by_cubes
from .features import TAGS, FactorFeatures, WordColumns
from .learning import BATCH, UNIT, GraphBatch, learn
from .model import GraphModel
from .scoring import table_size


def train_graph(
    config: GraphConfig,
    features: Mapping[str, FeatureModel],
    data: TrainingData,
    common: Mapping[str, Any],
    progress: Progress,
) -> GraphModel:
    """Train a graph-based parser. Raises CrossarcError for invalid options.

    features: its single feature model
    common: attributes that all models have
    """
    options, single_root = config.graph, config.root.single is True
    (model,) = features.values()
    trees, tables, labels = data.trees, data.tables, data.labels
    sizes = column_sizes(tables, model.columns)
    try:
        factor_features = FactorFeatures(model, sizes)
    except TemplateError as error:
        raise CrossarcError(str(error)) from error
    if factor_features.order != options.order:
        raise CrossarcError(
            f"graph.order: found {options.order}, but the features are of order {factor_features.order}; "
            "use the order of the features (features of order 2 have Sibling or Grandchild)"
        )
    if options.nonprojective == "none":
        trees = _projective(trees, progress)
    batches = _batches(trees, tables, labels)
    edge_filter = _edge_filter(batches, (len(tables[TAGS]), len(labels)))
    weights = np.zeros(table_size(options.table_bits, len(labels)), dtype=np.int32)
    untrained = FactoredParser(
        factor_features, edge_filter, weights, UNIT, options.table_bits, options.nonprojective, single_root
    )
    parser = learn(batches, untrained, options.candidates, options.epochs, progress)
    return GraphModel(parser=parser, **common)


def _projective(trees: Sequence[Tree], progress: Progress) -> list[Tree]:
    """The trees from which a parser without crossing arcs learns."""
    crossing = sum(not is_projective(tree.heads) for tree in trees)
    if crossing:
        share = f"{crossing} of {len(trees)} trees ({100 * crossing / len(trees):.1f} %)"
        progress(f"{share} have crossing arcs: projectivize")
    return list(map(projectivized, trees))


def _batches(trees: Sequence[Tree], tables: Mapping[str, SymbolTable], labels: Sequence[str]) -> list[GraphBatch]:
    short = [tree for tree in trees if len(tree.heads) - 1 <= LONGEST]
    if len(short) < len(trees):
        warn(f"left out: {len(trees) - len(short)} sentences of more than {LONGEST} words")
    if not short:
        raise CrossarcError(f"every sentence of the training treebank has more than {LONGEST} words; split them")
    label_numbers = {label: number for number, label in enumerate(labels)}
    lengths = [len(tree.heads) - 1 for tree in short]
    batches = []
    for numbers in batches_by_cubes(lengths, BATCH):
        batch = [short[number] for number in numbers]
        ids = encode_columns([tree.columns for tree in batch], tables)
        words = WordColumns(np.array([lengths[number] for number in numbers], dtype=np.int64), ids)
        heads = np.array([head for tree in batch for head in tree.heads], dtype=np.int64)
        names = [label for tree in batch for label in (-1, *map(label_numbers.__getitem__, tree.deprels[1:]))]
        batches.append(GraphBatch(words, heads, np.array(names, dtype=np.int64)))
    return batches


def _edge_filter(batches: Sequence[GraphBatch], sizes: tuple[int, int]) -> EdgeFilter:
    arcs: list[tuple[NDArray[Any], ...]] = []
    for batch in batches:
        words = np.flatnonzero(batch.heads >= 0)
        nodes = batch.words.lengths + 1
        heads = batch.heads[words] + np.repeat(np.cumsum(nodes) - nodes, nodes)[words]
        tags = batch.words.tags
        arcs.append((tags[heads], tags[words], heads < words, batch.labels[words]))
    head_tags, dependent_tags, rightwards, labels = map(np.concatenate, zip(*arcs, strict=True))
    return EdgeFilter.build(sizes, head_tags, dependent_tags, rightwards, labels)
