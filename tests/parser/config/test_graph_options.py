"""The section graph of a config: defaults, values, and one line for each mistake."""

from __future__ import annotations

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.config import GraphOptions
from crossarc.parser.config.loading import load_config


def test_the_ready_configs() -> None:
    assert load_config("graph").graph == GraphOptions()
    first = load_config("graph-first-order")
    assert (first.graph.order, first.graph.nonprojective) == (1, "mst")
    assert first.first_system == "graph"


def test_what_a_model_keeps() -> None:
    values = load_config("graph", ["graph.order=1"]).to_json()
    assert values["graph"]["order"] == 1
    assert not {"oracle", "guide", "batch_size"} & values.keys()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("graph.order=3", "--set graph.order=3: graph.order: found 3; allowed: 1, 2"),
        ("graph.order=true", "graph.order: found True; allowed: 1, 2"),
        ("graph.labelled=1", "graph.labelled: found 1; allowed: true, false"),
        ("graph.nonprojective=best", "graph.nonprojective: found 'best'; allowed: none, npa, mst"),
        ("graph.threshold=-1", "graph.threshold: found -1; allowed: a number, 0 or more"),
        ("graph.threshold=.nan", "graph.threshold: found nan; allowed: a number, 0 or more"),
        ("graph.epochs=0", "graph.epochs: found 0; allowed: a whole number from 1 to 1000"),
        ("graph.epochs=1.5", "graph.epochs: found 1.5; allowed: a whole number from 1 to 1000"),
        ("graph.algorithm=sgd", "graph.algorithm: found 'sgd'; allowed: passive-aggressive, adagrad"),
        ("graph.held_out=1", "graph.held_out: found 1, which leaves no sentences; allowed: 0, or 2 and more"),
        ("graph.candidates=-1", "graph.candidates: found -1; allowed: a whole number from 0"),
        ("graph.C=0", "graph.C: found 0; allowed: a number above 0"),
        ("graph.table_bits=40", "graph.table_bits: found 40; allowed: a whole number from 8 to 28"),
        ("graph.seed=x", "graph.seed: found 'x'; allowed: a whole number from 0 to 2147483647"),
        ("graph.nonprojective=mst", "found 'mst' with order 2; allowed: order 1 for it, or none, npa"),
        ("graph.epoch=2", "unknown key 'graph.epoch' (did you mean 'graph.epochs'?)"),
        ("graph=2", "graph: found 2, expected a mapping with graph.order, graph.labelled"),
        ("underivable=minimal-cost", "underivable: has no effect where crossing arcs can be built; allowed: "),
        ("oracle=static", "oracle: unknown key of graph; allowed: "),
    ],
)
def test_mistakes_are_one_line(setting: str, message: str) -> None:
    with pytest.raises(CrossarcError) as caught:
        load_config("graph", [setting])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
