"""Three-step parsers: training, anchors, model files, and diagnosis of the passes."""

from dataclasses import replace

import pytest
from crossarc import Config, CrossarcError, TreebankOptions, load_model, read_treebank, save_model, train
from crossarc.experiments.papers.lacroix_bechet_2014.experiment import first_step, refused_cycles
from crossarc.transitions.trees import is_projective, is_tree

SHOWN = [("he", 3, "subj"), ("it", 4, "obj"), ("has", 0, "root"), ("seen", 3, "aux")]
"""The arcs from "seen" to "it" and from "has" to "he" cross."""


def conllx(sentences):
    """CoNLL-X text of words with form, head, deprel, and optionally phead and pdeprel."""
    text = ""
    for sentence in sentences:
        for word, (form, head, deprel, *anchor) in enumerate(sentence, 1):
            phead, pdeprel = anchor or ("_", "_")
            text += f"{word}\t{form}\t{form}\t{form}\t{form}\t_\t{head}\t{deprel}\t{phead}\t{pdeprel}\n"
        text += "\n"
    return text


def chosen(folder, text, **options):
    path = folder / "t.conll"
    path.write_text(text, "utf-8")
    treebank = TreebankOptions(train=str(path), format="conllx")
    base = Config(system="three-step", features="small", guide={"learner": "svm", "min_count": 1}, treebank=treebank)
    return replace(base, **options)


def parsed(model, config):
    sentences = read_treebank(config.treebank.train, "conllx").sentences
    return [(own.heads(), own.deprels()) for own in model.parse(sentences)]


@pytest.fixture(scope="module")
def model(small_treebank):
    treebank = TreebankOptions(train=str(small_treebank))
    return train(Config(system="three-step", features="small", passes="rich", treebank=treebank))


def test_the_passes_add_crossing_arcs_to_the_first_step(model, sentences):
    first = [own.heads() for own in first_step(model, sentences)]
    final = [own.heads() for own in model.parse(sentences)]
    assert all(map(is_projective, first))
    assert all(map(is_tree, final))
    assert sum(not is_projective(heads) for heads in final) >= 15
    assert [stage.system.name for stage in model.stages] == ["arc-eager", "three-step-left", "three-step-right"]
    assert len({stage.system.single_root for stage in model.stages}) == 1
    assert [stage.extractor.labels for stage in model.stages] == [len(model.labels)] * 3


def test_a_model_file_keeps_all_three_stages(model, sentences, tmp_path):
    save_model(model, str(tmp_path / "m"))
    read = load_model(str(tmp_path / "m"))
    assert read.config["passes"] == "rich"
    trees = [[(own.heads(), own.deprels()) for own in m.parse(sentences)] for m in (model, read)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize("order", [(1, 0, 2), (0, 1, 0), (2, 1)])
def test_misplaced_stages_are_refused(model, tmp_path, order):
    stages = tuple(model.stages[number] for number in order)
    save_model(replace(model, stages=stages), str(tmp_path / "m"))
    with pytest.raises(CrossarcError, match=r"damaged model: stages\[\d\]\.system: found a system for another stage"):
        load_model(str(tmp_path / "m"))


def test_refused_cycles_are_counted_for_each_pass(model, sentences):
    refused = refused_cycles(model, sentences)
    assert list(refused) == ["three-step-left", "three-step-right"]
    assert all(0 <= count.wanted <= count.steps for count in refused.values())


def test_crossing_arcs_are_learned(tmp_path):
    config = chosen(tmp_path, conllx([SHOWN] * 4))
    assert parsed(train(config), config)[0] == ([-1, 3, 4, 0, 3], ["", "subj", "obj", "root", "aux"])


def test_a_projective_treebank_trains_passes_that_change_nothing(tmp_path):
    config = chosen(tmp_path, conllx([[("he", 2, "subj"), ("sleeps", 0, "root")]] * 3))
    assert parsed(train(config), config)[0] == ([-1, 2, 0], ["", "subj", "root"])
