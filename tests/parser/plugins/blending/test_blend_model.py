"""Blends as models: training from a YAML file, saving in one file, and parsing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from crossarc import CrossarcError, load_blend_config, open_parser, read_sentences, save_model, train, train_blend
from crossarc.__main__ import main
from crossarc.parser.plugins.blending import choice, training, vote_weights
from crossarc.parser.plugins.blending.blend import blend_votes
from crossarc.parser.plugins.blending.vote_weights import Weights
from crossarc.parser.treebank import write_sentences
from crossarc.parser.treebank.tree import trees_of
from crossarc.transitions.trees import is_tree
from handmade import BLEND
from installed import needs


@pytest.fixture(scope="module")
def config(tmp_path_factory, small_treebank):
    path = tmp_path_factory.mktemp("blend") / "blend.yaml"
    path.write_text(BLEND + f"treebank: {{train: {small_treebank}}}\nmodel: blend.model\n")
    return path


@pytest.fixture(scope="module")
def model(config):
    return train_blend(load_blend_config(str(config)))


def test_blends_are_trained_saved_and_loaded(model, sentences, tmp_path):
    assert len(model.weights.special) == 2
    assert all(0 < weight <= 1 for weight in model.weights.overall)
    assert model.components["backwards"].provenance["train"]["sentences"] == 36
    parsed = list(model.parse(sentences))
    votes = [trees_of(component.parse(sentences)) for component in model.components.values()]
    upos = [sentence.column("upos") for sentence in sentences]
    expected = blend_votes(votes, model.weights, upos, model.single_root)
    assert [(sentence.heads(), sentence.deprels()) for sentence in parsed] == [
        (list(v.heads), list(v.deprels)) for v in expected
    ]
    assert all(is_tree(sentence.heads()) for sentence in parsed)
    path = str(tmp_path / "kept")
    save_model(model, path)
    again = open_parser(path)
    assert again.weights == model.weights
    assert list(again.parse(iter(sentences), jobs=2)) == parsed
    untagged = dict.fromkeys(("upos", "xpos", "feats"), ("_",) * len(sentences[0]))
    with pytest.raises(CrossarcError, match=r" no tags, but the model reads UPOS, XPOS; "):
        list(again.parse([sentences[0].with_columns(untagged)]))


CHOICE = """
choose: true
weights: auto
shared: {features: small}
components:
  - {name: arc-eager, config: explored, system: arc-eager}
  - {name: nothing to go by, config: arc-standard, features: {poor}}
  - {name: backwards, config: swap, transforms: [reversal]}
"""


def test_components_and_weights_are_chosen_and_retrained(sentences, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "poor.yaml").write_text("templates:\n  - arity(Stack[0])\n")
    (tmp_path / "blend.yaml").write_text(CHOICE.replace("{poor}", str(tmp_path / "poor.yaml")))
    write_sentences(sentences[:20], "train.conllu")
    # joblib's workers may have been started by another test, in its folder
    config = load_blend_config("blend.yaml", [], {"treebank.train": str(tmp_path / "train.conllu"), "model": "m"})
    said = []
    model = train_blend(config, said.append)
    choice = model.provenance["choice"]
    assert list(choice["candidates"]) == list(config.components)
    assert choice["chosen"] == list(model.components)
    assert "nothing to go by" not in model.components
    assert choice["las"] >= max(choice["candidates"].values())
    (line,) = [line for line in said if line.startswith("chosen: ")]
    chosen = f"chosen: {', '.join(model.components)}; weights {model.weights.by}: LAS {choice['las']:.2f}"
    assert line.startswith(chosen)
    assert "nothing to go by" in model.to_text()
    name, component = next(iter(model.components.items()))
    alone = train(replace(config.components[name], treebank=config.treebank))
    assert json.dumps(component.state()[0]) == json.dumps(alone.state()[0]), "trained on all sentences"
    save_model(model, "m")
    save_model(train_blend(config, jobs=2), "two")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "two").read_bytes()
    assert list(open_parser("m").parse(sentences)) == list(model.parse(sentences))


def test_choosing_needs_one_sentence_per_fold(sentences, tmp_path):
    (tmp_path / "blend.yaml").write_text(CHOICE.replace("{poor}", "plain"))
    with pytest.raises(CrossarcError, match=r"^found 1 training sentences, expected 3 or more, one for each fold$"):
        train_blend(load_blend_config(str(tmp_path / "blend.yaml")), sentences=sentences[:1])


def test_equal_weights_need_no_held_out_sentences(config):
    model = train_blend(load_blend_config(str(config), ["weights=equal"]))
    assert model.weights == Weights("equal", (1.0, 1.0))
    assert model.components["backwards"].provenance["train"]["sentences"] == 40


def test_blends_on_the_command_line(config, small_treebank, sentences, tmp_path, capsys):
    model, one, two = str(config.parent / "blend.model"), str(tmp_path / "1.conllu"), str(tmp_path / "2.conllu")
    assert main(["train", str(config), "--dev", str(small_treebank)]) == 0
    assert "dev: LAS" in capsys.readouterr().err
    assert main(["parse", model, str(small_treebank), "-o", one]) == 0
    assert main(["info", model]) == 0
    assert "backwards:" in capsys.readouterr().out
    assert main(["blend", one, str(small_treebank), "--learn", str(small_treebank), "-o", two]) == 0
    assert json.loads(Path(two).read_text())["overall"][1] == 1.0
    assert main(["blend", one, str(small_treebank), "--weights", two, "-o", str(tmp_path / "3")]) == 0
    blended = [sentence.heads() for sentence in read_sentences(str(tmp_path / "3"))]
    assert blended == [sentence.heads() for sentence in sentences]


@pytest.mark.parametrize("keys", ["weights: accuracy", "choose: true\nweights: pos"])
@needs("annotation")
def test_weights_are_learned_from_decided_words_alone(keys, sentences, tmp_path, monkeypatch):
    """Arcs that a parser has completed say nothing about the components."""
    (tmp_path / "own.yaml").write_text(f"components: [arc-standard-small, swap-small]\n{keys}\n")
    heads = {sentence.id: sentence.column("head") for sentence in sentences}
    opened = {name: ("_", *column[1:]) for name, column in list(heads.items())[::3]}
    partial = [
        sentence.with_columns({"head": opened.get(sentence.id, heads[sentence.id])})
        for sentence in sentences
        if sentence.id not in opened or len(sentence) > 1
    ]
    counted, learn = [], vote_weights.learn_weights
    for module in (training, choice):
        monkeypatch.setattr(
            module, "learn_weights", lambda by, gold, *more: counted.append(gold) or learn(by, gold, *more)
        )
    train_blend(load_blend_config(str(tmp_path / "own.yaml")), sentences=partial)
    gold = counted[-1]
    learned_on = partial if "choose" in keys else partial[9::10]
    assert [tree.heads[1] == -1 for tree in gold] == [one.column("head")[0] == "_" for one in learned_on]
    assert any(tree.heads[1] == -1 for tree in gold)
    assert all(min(tree.heads[2:], default=0) >= 0 for tree in gold)


@pytest.mark.parametrize("keys", ["weights: accuracy", "weights: equal", "choose: true"])
def test_invalid_trees_are_refused_or_left_out_in_every_part(keys, sentences, tmp_path):
    """Also in those that weights are learned on, which no component learns from."""
    faulty = [
        sentence.with_columns({"head": ("2", "1", *sentence.column("head")[2:])})
        if number % 10 == 9 and len(sentence) > 1
        else sentence
        for number, sentence in enumerate(sentences)
    ]
    path, treebank = tmp_path / "own.yaml", tmp_path / "train.conllu"
    write_sentences(faulty, str(treebank))
    path.write_text(f"components: [arc-standard-small, swap-small]\n{keys}\n")
    files = {"treebank.train": str(treebank)}
    with pytest.raises(CrossarcError, match="not a tree"):
        train_blend(load_blend_config(str(path), (), files))
    model = train_blend(load_blend_config(str(path), ["treebank.faulty=skip"], files))
    valid = [one for one, other in zip(sentences, faulty, strict=True) if one == other]
    told = model.provenance["train"]
    assert (told["sentences"], told["words"]) == (len(valid), sum(map(len, valid)))
    alone = train_blend(load_blend_config(str(path)), sentences=valid)
    assert alone.weights == model.weights
