"""Graph-based parsers as models: training from a config, saving, parsing, and use in blends."""

from dataclasses import replace

import pytest
from crossarc import (
    BlendConfig,
    Config,
    CrossarcError,
    Sentence,
    TreebankOptions,
    explain,
    load_model,
    save_model,
    score_on,
    train,
    train_blend,
    write_sentences,
)
from crossarc.parser.blending.vote_weights import equal_weights
from crossarc.parser.config.config import GraphOptions
from crossarc.parser.models.blend_model import BlendModel
from crossarc.parser.models.graph_model import MOST_WORDS, GraphModel
from crossarc.parser.treebank.tree import trees_of
from crossarc.transitions.trees import is_projective, is_tree, roots

FEATURES = (
    "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(form(Dependent), upos(Head))\n"
    "- merge(upos(Head), upos(Sibling), upos(Dependent))\n- merge(upos(Dependent), form(Grandchild))\n"
)
FIRST = "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(form(Dependent), upos(Head))\n"


@pytest.fixture(scope="module")
def graph(small_treebank, tmp_path_factory):
    folder = tmp_path_factory.mktemp("features")
    (folder / "2.yaml").write_text(FEATURES, "utf-8")
    (folder / "1.yaml").write_text(FIRST, "utf-8")

    made = {}

    def trained(options=None, fresh=False, **changes):
        key = repr((options, changes))
        if key in made and not fresh:
            return made[key]
        own = GraphOptions(**{"epochs": 2, "table_bits": 12, **(options or {})})
        config = Config(
            system="graph",
            features=str(folder / f"{own.order}.yaml"),
            graph=own,
            treebank=TreebankOptions(train=str(small_treebank)),
        )
        model = train(replace(config, **changes))
        assert isinstance(model, GraphModel)
        made[key] = model
        return model

    return trained


@pytest.fixture(scope="module")
def model(graph):
    return graph()


@pytest.mark.parametrize("options", [{}, {"nonprojective": "none"}, {"order": 1, "nonprojective": "mst"}, {"order": 1}])
def test_parses_are_trees_with_one_root_and_labels_of_training(graph, sentences, options):
    own = graph(options)
    parsed = trees_of(own.parse(sentences))
    for tree in parsed:
        assert is_tree(tree.heads)
        assert len(roots(tree.heads)) == 1
        assert set(tree.deprels[1:]) <= set(own.labels)
        assert options.get("nonprojective") != "none" or is_projective(tree.heads)


def test_training_trees_are_learned(graph, small_treebank):
    model, scores = score_on(graph({"epochs": 8}), TreebankOptions(dev=str(small_treebank)))
    assert scores.las > 90
    assert model.provenance["dev"]["las"] == scores.las


def test_several_roots_are_learned(graph, sentences, tmp_path):
    flat = [own.with_tree([-1] + [0] * len(own), [""] + ["root"] * len(own)) for own in sentences]
    write_sentences(flat, tmp_path / "flat.conllu")
    own = graph(treebank=TreebankOptions(train=str(tmp_path / "flat.conllu")))
    assert not own.single_root
    assert list(own.parse(sentences)) == flat


@pytest.mark.parametrize(("encoding", "cap"), [("head", ",label_cap=3"), ("path", ""), ("head+path", "")])
def test_pseudo_projective_encodings_are_inverted(graph, sentences, encoding, cap):
    spec = f"pseudo-projective:encoding={encoding}{cap}"
    own = graph({"nonprojective": "none", "epochs": 8}, transforms=(spec,))
    decorated = [label for label in own.labels if "↑" in label or "↓" in label]
    assert 0 < len(decorated) <= (3 if cap else 99)
    parsed = trees_of(own.parse(sentences))
    assert not any(set(label) & set("↑↓") for tree in parsed for label in tree.deprels)
    assert any(not is_projective(tree.heads) for tree in parsed)


def test_blends_can_contain_graph_based_parsers(graph, small_treebank, sentences, tmp_path):
    own = replace(Config(), features="small")
    config = Config(system="graph", features=str(tmp_path / "f.yaml"), graph=GraphOptions(epochs=2, table_bits=12))
    (tmp_path / "f.yaml").write_text(FEATURES, "utf-8")
    options = TreebankOptions(train=str(small_treebank))
    blend = train_blend(BlendConfig({"arc-standard": own, "graph": config}, options, "equal"))
    save_model(blend, tmp_path / "blend")
    again = load_model(tmp_path / "blend")
    assert list(again.parse(sentences)) == list(blend.parse(sentences))
    assert "order        2" in again.to_text()


def test_length_limits_of_second_order_parsers_and_blends(graph, model):
    first = graph({"order": 1})
    assert (model.longest, first.longest) == (200, None)
    weights = equal_weights(2)
    assert BlendModel({"first": first, "second": model}, weights, True, provenance={}).longest == 200
    assert BlendModel({"first": first, "again": first}, weights, True, provenance={}).longest is None


def test_unsupported_requests_are_refused(model, sentences):
    with pytest.raises(CrossarcError):
        explain(model, sentences[0])
    with pytest.raises(CrossarcError, match="jobs: found 0"):
        list(model.parse(sentences, jobs=0))
    with pytest.raises(CrossarcError, match=r"^the input has no tags, but the model reads UPOS"):
        list(model.parse([Sentence.from_tokens(["Dogs", "bark"])]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": "rich"}, "'rich'; allowed: auto, first-order, second-order, a file ending in .yaml"),
        ({"features": "first-order"}, "graph.order: found 2, but the features are of order 1"),
    ],
)
def test_wrong_configs_are_refused(graph, changes, message):
    pytest.importorskip("numba")
    with pytest.raises(CrossarcError, match=message):
        graph({"nonprojective": "none"}, fresh=True, **changes)


def test_sentences_that_need_too_much_memory_are_refused(model):
    sentence = Sentence.from_tokens(["a"] * (MOST_WORDS + 1), upos=["NOUN"] * (MOST_WORDS + 1))
    with pytest.raises(CrossarcError, match=f"a sentence of {MOST_WORDS + 1} words, .*; allowed: {MOST_WORDS} at most"):
        list(model.parse([sentence]))
