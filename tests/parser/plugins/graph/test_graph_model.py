"""Graph-based parsers as models: training from a config, saving, parsing, and use in blends."""

from functools import cache

import pytest
from crossarc import BlendConfig, Config, CrossarcError, TreebankOptions, explain, score_on, train, train_blend
from crossarc.parser.models.files import model_bytes, model_in
from crossarc.parser.plugins.blending.model import BlendModel
from crossarc.parser.plugins.blending.vote_weights import equal_weights
from crossarc.parser.plugins.graph import model as graph_model
from crossarc.parser.plugins.graph.config import GraphConfig, GraphOptions
from crossarc.parser.treebank.tree import trees_of
from crossarc.transitions.trees import is_projective, is_tree, roots

FIRST = "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(form(Dependent), upos(Head))\n"
FEATURES = FIRST + "- merge(upos(Head), upos(Sibling), upos(Dependent))\n- merge(upos(Dependent), form(Grandchild))\n"


@pytest.fixture(scope="module")
def graph(sentences, tmp_path_factory):
    """A function that trains a graph-based parser, once for the same options."""
    folder = tmp_path_factory.mktemp("features")
    (folder / "2.yaml").write_text(FEATURES, "utf-8")
    (folder / "1.yaml").write_text(FIRST, "utf-8")

    @cache
    def trained(treebank=(), features="", transforms=(), **options):
        own = GraphOptions(**{"epochs": 2, "table_bits": 12, **options})
        features = features or str(folder / f"{own.order}.yaml")
        config = GraphConfig(features=features, graph=own, transforms=transforms)
        return train(config, sentences=list(treebank or sentences))

    return trained


@pytest.mark.parametrize("options", [{}, {"nonprojective": "none"}, {"order": 1, "nonprojective": "mst"}, {"order": 1}])
def test_parses_are_trees_with_one_root_and_labels_of_training(graph, sentences, options):
    model = graph(**options)
    parsed = trees_of(model.parse(sentences))
    for tree in parsed:
        assert is_tree(tree.heads)
        assert len(roots(tree.heads)) == 1
        assert set(tree.deprels[1:]) <= set(model.labels)
        assert options.get("nonprojective") != "none" or is_projective(tree.heads)


def test_training_trees_are_learned(graph, small_treebank):
    model, scores = score_on(graph(epochs=8), TreebankOptions(dev=str(small_treebank)))
    assert scores.las > 90
    assert model.provenance["dev"]["las"] == scores.las


def test_several_roots_are_learned(graph, sentences):
    flat = [sentence.with_tree([-1] + [0] * len(sentence), [""] + ["root"] * len(sentence)) for sentence in sentences]
    model = graph(treebank=tuple(flat))
    assert not model.single_root
    assert list(model.parse(sentences)) == flat


@pytest.mark.parametrize(("encoding", "cap"), [("head", ",label_cap=3"), ("path", ""), ("head+path", "")])
def test_pseudo_projective_encodings_are_inverted(graph, sentences, encoding, cap):
    model = graph(nonprojective="none", epochs=8, transforms=(f"pseudo-projective:encoding={encoding}{cap}",))
    decorated = [label for label in model.labels if "↑" in label or "↓" in label]
    assert 0 < len(decorated) <= (3 if cap else 99)
    parsed = trees_of(model.parse(sentences))
    assert not any(set(label) & set("↑↓") for tree in parsed for label in tree.deprels)
    assert any(not is_projective(tree.heads) for tree in parsed)


def test_blends_can_contain_graph_based_parsers(sentences, tmp_path):
    (tmp_path / "f.yaml").write_text(FEATURES, "utf-8")
    graph = GraphConfig(features=str(tmp_path / "f.yaml"), graph=GraphOptions(epochs=2, table_bits=12))
    config = BlendConfig({"arc-standard": Config(features="small"), "graph": graph}, weights="equal")
    blend = train_blend(config, sentences=sentences)
    again = model_in(model_bytes(blend), "m")
    assert list(again.parse(sentences)) == list(blend.parse(sentences))
    assert "order        2" in again.to_text()


def test_length_limits_of_second_order_parsers_and_blends(graph):
    first, second, weights = graph(order=1), graph(), equal_weights(2)
    assert (second.longest, first.longest) == (200, None)
    assert BlendModel({"first": first, "second": second}, weights, True, provenance={}).longest == 200
    assert BlendModel({"first": first, "again": first}, weights, True, provenance={}).longest is None


def test_unsupported_requests_are_refused(graph, sentences):
    with pytest.raises(CrossarcError):
        explain(graph(), sentences[0])
    with pytest.raises(CrossarcError, match="jobs: found 0"):
        list(graph().parse(sentences, jobs=0))


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("rich", "'rich'; allowed: auto, first-order, second-order, a file ending in .yaml"),
        ("first-order", "graph.order: found 2, but the features are of order 1"),
    ],
)
def test_wrong_configs_are_refused(graph, features, message):
    pytest.importorskip("numba")
    with pytest.raises(CrossarcError, match=message):
        graph(features=features, nonprojective="none")


def test_sentences_that_need_too_much_memory_are_refused(graph, sentences, monkeypatch):
    longest = max(map(len, sentences))
    monkeypatch.setattr(graph_model, "MOST_WORDS", longest - 1)
    message = f"a sentence of {longest} words, .*; allowed: {longest - 1} at most"
    with pytest.raises(CrossarcError, match=message):
        list(graph().parse(sentences))
