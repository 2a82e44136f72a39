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
        ("graph.order=true", "graph.order: found True; allowed: 1, 2"),
        ("graph.held_out=1", "graph.held_out: found 1, which leaves no sentences; allowed: 0, or 2 and more"),
        ("graph.table_bits=40", "graph.table_bits: found 40; allowed: a whole number from 8 to 28"),
        ("graph.nonprojective=mst", "found 'mst' with order 2; allowed: order 1 for it, or none, npa"),
        ("underivable=minimal-cost", "underivable: has no effect where crossing arcs can be built; allowed: "),
    ],
)
def test_mistakes_are_one_line(setting: str, message: str) -> None:
    with pytest.raises(CrossarcError) as caught:
        load_config("graph", [setting])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
