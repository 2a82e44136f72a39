"""Kinds of parsers: configs with keys that a kind does not use are refused; in saved configs they are ignored."""

import crossarc
import pytest
from crossarc import CrossarcError, load_config
from crossarc.parser.base.parameters import parameters_of
from crossarc.parser.config.loading import make_config, saved_values
from installed import needs
from refusals import refusal


@pytest.mark.parametrize(
    ("config", "setting", "key"),
    [
        ("swap", "passes=rich", "passes"),
        ("three-step", "graph.order=2", "graph.order"),
        ("graph", "guide.C=0.3", "guide.C"),
        ("graph", "root.label=root", "root.label"),
        ("graph", "passes=rich", "passes"),
        ("graph", "explore=1", "explore"),
        ("graph", "underivable=skip", "underivable"),
    ],
)
@needs("graph")
def test_keys_that_a_kind_does_not_know_are_refused(config, setting, key):
    known = ", ".join(parameters_of(type(load_config(config))))
    assert refusal(lambda: load_config(config, [setting])) == f"{key}: unknown key of {config}; allowed: {known}"


@pytest.mark.parametrize(
    ("config", "settings"),
    [
        ("swap", []),
        ("explored", []),
        ("three-step", ["passes=rich", "guide.learner=maxent"]),
        ("graph", ["root.single=true", "transforms=[pseudo-projective]", "features=second-order"]),
    ],
)
@needs("graph")
def test_keys_that_a_kind_knows_are_accepted_and_saved(config, settings):
    own = load_config(config, settings)
    assert make_config(saved_values(own.to_json())).to_json() == own.to_json()


@needs("blending", "graph")
def test_shared_keys_apply_to_components_that_know_them():
    blend = crossarc.load_blend_config("seven-parsers", ["guide.C=0.5", "graph.epochs=2"])
    assert blend.components["arc-eager"].guide["C"] == 0.5
    assert blend.components["graph"].graph.epochs == 2
    for name, key in (("six-parsers", "graph.epochs"), ("seven-parsers", "passes")):
        with pytest.raises(CrossarcError, match=f"shared: {key}: no component has this key$"):
            crossarc.load_blend_config(name, [f"{key}=2"])


@needs("graph")
def test_graph_models_save_only_keys_of_graph_parsers():
    values = load_config("graph", ["graph.order=1"]).to_json()
    assert values["graph"]["order"] == 1
    assert not {"oracle", "guide", "beam"} & values.keys()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("graph.order=true", "graph.order: found True; allowed: 1, 2"),
        ("graph.nonprojective=mst", "found 'mst' with order 2; use order 1, or nonprojective none or npa"),
    ],
)
@needs("graph")
def test_errors_in_the_graph_section_are_reported_in_one_line(setting, message):
    assert message in refusal(lambda: load_config("graph", [setting]))
