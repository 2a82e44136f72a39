"""A graph-based parser with second-order features."""

import pytest
from crossarc import TreebankOptions, train
from crossarc.parser.plugins.graph.config import GraphConfig, GraphOptions


@pytest.fixture(scope="package")
def graph(small_treebank):
    options, treebank = GraphOptions(epochs=2, table_bits=12), TreebankOptions(train=str(small_treebank))
    return train(GraphConfig(features="second-order", graph=options, treebank=treebank))
