"""Training on treebanks without one of the tags, or without other columns."""

import warnings

import crossarc
import pytest
from command_line import generated
from crossarc import CrossarcError, load_config, train, write_sentences
from crossarc.parser.base.data_warnings import DataWarning
from crossarc.parser.models.files import model_bytes, model_in
from installed import needs

FEATURES = """templates:
  - xpos(Stack[0])
  - merge(xpos(Stack[1]), upos(Stack[0]))
  - form(Lookahead[0])
  - feats(Stack[0])
  - merge(morph(Stack[0]), morph(Stack[1]))
  - merge(morph(Stack[0]), distance(Stack[1], Stack[0]))
"""
GRAPH = ["graph.order=1", "graph.epochs=2", "graph.table_bits=14"]


@pytest.fixture(scope="module")
def treebank():
    return generated(1, 40, rate=0.3)


@needs("blending")
def test_untagged_development_data_is_refused_before_training(treebank, tmp_path):
    write_sentences(emptied(treebank, "upos", "xpos", "feats"), tmp_path / "bare.conllu")
    write_sentences(treebank, tmp_path / "train.conllu")
    files = {"treebank.train": str(tmp_path / "train.conllu"), "treebank.dev": str(tmp_path / "bare.conllu")}
    untagged = f"the sentence and {len(treebank) - 1} others have no tags, but the model reads UPOS, XPOS; tag it"
    message = f"{tmp_path / 'bare.conllu'}:3: {untagged}"
    said = []
    with pytest.raises(CrossarcError, match=f"^{message}"):
        train(load_config("swap", ["features=small"], files), said.append)
    (tmp_path / "blend.yaml").write_text("components: [arc-standard-small, swap-small]")
    with pytest.raises(CrossarcError, match=f"^{message}"):
        crossarc.train_blend(crossarc.load_blend_config(str(tmp_path / "blend.yaml"), [], files), said.append)
    assert said == []
    forms = tmp_path / "forms.yaml"
    forms.write_text("templates:\n- form(Stack[0])\n")
    model = train(load_config("swap", [f"features={forms}"], files), said.append)
    assert list(model.looked_at) == ["form"]


@needs("blending")
def test_equal_training_and_development_files_are_reported(treebank, tmp_path):
    for name in ("train.conllu", "dev.conllu"):
        write_sentences(treebank[:20], tmp_path / name)
    files = {"treebank.train": str(tmp_path / "train.conllu"), "treebank.dev": str(tmp_path / "dev.conllu")}
    warning = f"{tmp_path / 'dev.conllu'} is the training treebank: scores on it say nothing about other text"
    (tmp_path / "blend.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal")
    config = load_config("swap", ["features=small"], files)
    with pytest.warns(DataWarning, match=warning):
        train(config)
    with pytest.warns(DataWarning, match=warning):
        crossarc.train_blend(crossarc.load_blend_config(str(tmp_path / "blend.yaml"), [], files))
    write_sentences(treebank[20:], tmp_path / "dev.conllu")
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        train(config)


def emptied(sentences, *names):
    """The sentences without values in these columns."""
    return [sentence.with_columns({name: ("_",) * len(sentence) for name in names}) for sentence in sentences]


def filled_from(sentences, name, other):
    """The sentences with the values of column ``other`` in column ``name``."""
    return [sentence.with_columns({name: sentence.column(other)}) for sentence in sentences]


def trained(system, sentences, features="auto"):
    settings = GRAPH if system == "graph" else []
    lines = []
    return train(load_config(system, [*settings, f"features={features}"]), lines.append, sentences), lines


def trees(model, sentences):
    return [(sentence.heads(), sentence.deprels()) for sentence in model.parse(sentences)]


@pytest.mark.parametrize(
    ("system", "missing", "other"),
    [("arc-standard", "xpos", "upos"), ("three-step", "upos", "xpos"), ("graph", "upos", "xpos")],
)
@needs("graph")
def test_the_other_tag_is_read_in_place_of_a_tag_without_values(treebank, system, missing, other):
    bare, doubled = emptied(treebank, missing), filled_from(treebank, missing, other)
    model, said = trained(system, bare[:30])
    by_hand, said_by_hand = trained(system, doubled[:30])
    line = f"the training treebank has no {missing.upper()}: templates read {other.upper()} in its place"
    assert line in said
    assert line not in said_by_hand
    assert trees(model, bare[30:]) == trees(by_hand, doubled[30:])
    loaded = model_in(model_bytes(model), "m")
    assert trees(loaded, bare[30:]) == trees(by_hand, doubled[30:])
    assert trees(loaded, treebank[30:]) == trees(by_hand, doubled[30:]), "what a parsed file has there is not read"
    assert f"reads        {missing}={other}" in loaded.to_text().splitlines()
    assert loaded.to_json()["reads"] == {missing: other}
    assert missing not in loaded.looked_at
    assert by_hand.to_json()["reads"] == {}


def test_one_value_of_a_tag_is_enough_to_read_it(treebank):
    model, _ = trained("arc-standard", [treebank[0], *emptied(treebank[1:20], "xpos")])
    assert model.reads == {}


def test_templates_without_values_are_reported(treebank, tmp_path):
    (tmp_path / "f.yaml").write_text(FEATURES, "utf-8")
    features = str(tmp_path / "f.yaml")
    _, said = trained("arc-standard", emptied(treebank[:20], "feats"), features)
    wanted = "2 templates never have a value: feats(Stack[0]), merge(morph(Stack[0]), morph(Stack[1]))"
    assert f"the training treebank has no FEATS: {wanted}" in said
    _, said = trained("arc-standard", emptied(treebank[:20], "upos", "xpos"), features)
    wanted = "2 templates never have a value: xpos(Stack[0]), merge(xpos(Stack[1]), upos(Stack[0]))"
    assert f"the training treebank has no UPOS, XPOS: {wanted}" in said
    _, said = trained("arc-standard", treebank[:20], features)
    assert not any("never have a value" in line for line in said)
