"""A graph-based parser with second-order features."""

import pytest
from crossarc import Config, TreebankOptions, train
from crossarc.parser.config.config import GraphOptions


@pytest.fixture(scope="package")
def graph(small_treebank):
    options, treebank = GraphOptions(epochs=2, table_bits=12), TreebankOptions(train=str(small_treebank))
    return train(Config(system="graph", features="second-order", graph=options, treebank=treebank))
