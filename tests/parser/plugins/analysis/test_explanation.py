"""Explanations: transitions, labels, features and neighbours in the text of a derivation by a model."""

import re

import pytest
from crossarc import Config, explain, read_treebank, save_model, train, write_sentences
from crossarc.__main__ import main
from crossarc.transitions.registry import SYSTEMS

TAKEN = re.compile(r" *\d+ .* \| .* ([A-Z0-9-]+)(?:\((\S+?)\))?  (-?\d+\.\d\d) \((\d+) %\)(?:  .*)?")
RUNNER_UP = re.compile(r"      runner-up (\S+), (\d+\.\d{3}) below")


def lines(model, path, number=0):
    return explain(model, read_treebank(path).sentences[number]).splitlines()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_transition_is_explained(system, trained, small_treebank, sentences):
    sentence = sentences[0]
    heading, *found = lines(trained(system), small_treebank)
    assert heading == f"# {sentence.id}"
    steps = [line for line in found if re.match(r" *\d+ .*\|", line)]
    taken = [line for line in steps if TAKEN.match(line)]
    defaults = [line for line in steps if "by default" in line]
    assert len(steps) == len(taken) + len(defaults) + 1 > len(sentence)
    for line, following in zip(found, [*found[1:], ""], strict=True):
        if RUNNER_UP.match(following):
            assert TAKEN.match(line)
    assert any(map(RUNNER_UP.match, found))


def test_labels_are_those_of_the_parsed_tree(trained, small_treebank, sentences):
    model = trained("arc-standard")
    (parsed,) = model.parse(sentences[:1])
    labels = [match[2] for line in lines(model, small_treebank) if (match := TAKEN.match(line)) and match[2]]
    assert sorted(labels) == sorted(parsed.deprels()[1:])


def test_features_have_the_values_of_the_words(trained, small_treebank, sentences):
    found = lines(trained("arc-standard"), small_treebank)
    sentence = sentences[0]
    features = [line.strip().split("  ", 1) for line in found if re.match(r"      [+-]\d", line)]
    assert len(features) > len(sentence)
    tags = {*sentence.column("upos"), "-", "ROOT"}
    named = [part for _, text in features for part in text.split(" & ") if part.startswith("upos(")]
    assert named
    assert {part.split(" = ")[1] for part in named} <= tags


def test_neighbours_are_listed_for_memory_based_guides(small_treebank, sentences):
    found = lines(train(Config(guide={"learner": "knn"}), sentences=sentences), small_treebank)
    nearest = [line for line in found if line.startswith("      distance ")]
    assert nearest
    assert all(re.fullmatch(r"      distance \d+\.\d{3}: .+ \d+", line) for line in nearest)


def test_show_explains_the_derivations_of_models(trained, small_treebank, sentences, tmp_path, capsys):
    model, few = tmp_path / "model", tmp_path / "few.conllu"
    save_model(trained("swap"), str(model))
    write_sentences(sentences[:5], few)
    assert main(["show", str(few), "--derivation", str(model)]) == 0
    out = capsys.readouterr().out
    assert out.count("# model\n") == 5
    assert set(lines(trained("swap"), small_treebank)[2:4]) & {*map(str.rstrip, out.splitlines())}
