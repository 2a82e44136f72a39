"""A graph-based parser with second-order features."""

import pytest
from crossarc import TreebankOptions, train
from installed import PLUGINS


@pytest.fixture(scope="package")
def graph(small_treebank):
    if "graph" not in PLUGINS:
        pytest.skip("without the plugin graph")
    from crossarc.parser.plugins.graph.config import GraphConfig, GraphOptions

    options, treebank = GraphOptions(epochs=2, table_bits=12), TreebankOptions(train=str(small_treebank))
    return train(GraphConfig(features="second-order", graph=options, treebank=treebank))
