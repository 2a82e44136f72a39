"""Own functions of the feature language: in templates, in models, and faults that are named."""

import crossarc
import numpy as np
import pytest
from crossarc.features.extractor import ColumnSize, Extractor
from crossarc.features.template import FeatureModel, TemplateError, parse_template
from crossarc.parser.base.errors import CrossarcError
from crossarc.transitions import plugins
from crossarc.transitions.registry import make_system

pytestmark = pytest.mark.usefixtures("no_other_parts")


def half(value):
    """The first half of a value, the rest of which decides nothing."""
    return value[: len(value) // 2]


def nextnode(c, node):
    return np.where((node > 0) & (node < c.lengths), node + 1, -1)


def model(sentences, folder, *templates):
    (folder / "own.yaml").write_text("templates:\n" + "".join(f"- {template}\n" for template in templates), "utf-8")
    config = crossarc.load_config("arc-standard", [f"features={folder / 'own.yaml'}"])
    return crossarc.train(config, sentences=sentences)


def trees(parser, sentences):
    return [sentence.heads() for sentence in parser.parse(sentences)]


def test_functions_of_values_are_used_and_saved(sentences, tmp_path):
    crossarc.register_feature(half)
    templates = ("upos(Stack[0])", "upos(Stack[1])", "half(form(Stack[0]))", "suffix(half(lemma(Stack[1])), 2)")
    parser = model(sentences, tmp_path, *templates)
    assert {"form/half()", "lemma/half()/suffix(2)"} <= set(parser.tables)
    forms = {form for sentence in sentences for form in sentence.column("form")}
    assert set(parser.tables["form/half()"].values) <= {half(form) or "_" for form in forms}
    crossarc.save_model(parser, tmp_path / "own.model")
    loaded = crossarc.load_model(tmp_path / "own.model")
    assert trees(loaded, sentences) == trees(parser, sentences)
    assert "half(form(Stack[0]))" in loaded.to_json()["stages"][0]["features"]


def test_functions_of_nodes_equal_installed_ones(sentences, tmp_path):
    crossarc.register_feature(nextnode)
    common = ("upos(Stack[0])", "upos(Stack[1])")
    own = model(sentences, tmp_path, *common, "upos(nextnode(Stack[0]))")
    installed = model(sentences, tmp_path, *common, "upos(succ(Stack[0]))")
    assert trees(own, sentences) == trees(installed, sentences)


def test_models_name_a_function_that_is_not_registered(sentences, tmp_path, monkeypatch):
    crossarc.register_feature(half)
    crossarc.save_model(model(sentences, tmp_path, "upos(Stack[0])", "half(form(Stack[0]))"), tmp_path / "m")
    monkeypatch.setattr(plugins, "_PARTS", {group: {} for group in plugins.GROUPS})
    with pytest.raises(CrossarcError, match="needs a feature that is not registered: half"):
        crossarc.load_model(tmp_path / "m")


def test_functions_that_fail_are_named(sentences, tmp_path):
    @crossarc.register_feature
    def seventh(value):
        return value[60]

    with pytest.raises(CrossarcError, match=r"^seventh\('.+'\): IndexError: string index out of range$"):
        model(sentences, tmp_path, "upos(Stack[0])", "seventh(form(Stack[0]))")


def test_functions_may_be_replaced():
    from crossarc.features.piece import piece_of

    def twice(value):
        return value + value

    crossarc.register_feature(twice)
    assert piece_of("a", "twice()") == "aa"
    twice = lambda value: value * 3  # noqa: E731
    twice.__name__ = "twice"
    crossarc.register_feature(twice)
    assert piece_of("a", "twice()") == "aaa"


def test_columns_come_before_functions_of_the_same_name():
    crossarc.register_feature(half)
    assert parse_template("half(Stack[0])", "t", ["half"]).parts[0].column == "half"
    extractor = Extractor(FeatureModel((parse_template("half(Stack[0])", "t", ["half"]),)), {"half": ColumnSize(3)}, 1)
    ids = {"half": np.array([[2, 1, 1, 0]])}
    assert extractor.keys(make_system("arc-standard").initial([2]), ids).tolist() == [[2]]


def test_invalid_functions_and_names_are_refused():
    with pytest.raises(ValueError, match="takes one argument, a value, or two"):
        crossarc.register_feature(lambda: None)
    for name in ("suffix", "ldep", "Stack", "merge", "distance"):
        own = type(half)(half.__code__, {}, name)
        with pytest.raises(ValueError, match=f"{name} is a name of the feature language"):
            crossarc.register_feature(own)
    with pytest.raises(TemplateError, match="unknown function 'nextnode'"):
        parse_template("upos(nextnode(Stack[0]))", "t")
