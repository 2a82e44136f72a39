"""Three-step parsers: training, and stages of models."""

from dataclasses import replace

import pytest
from crossarc import CrossarcError, Sentence, load_model, save_model, train
from crossarc.parser.config.config import ThreeStepConfig
from crossarc.transitions.trees import is_projective, is_tree


@pytest.fixture(scope="module")
def model(sentences):
    return train(ThreeStepConfig(features="small", passes="rich"), sentences=sentences)


def test_the_passes_add_crossing_arcs_to_the_first_step(model, sentences):
    assert model.config["passes"] == "rich"
    first = [sentence.heads() for sentence in replace(model, stages=model.stages[:1]).parse(sentences)]
    final = [sentence.heads() for sentence in model.parse(sentences)]
    assert all(map(is_projective, first))
    assert all(map(is_tree, final))
    assert sum(not is_projective(heads) for heads in final) >= 15
    assert [stage.system.name for stage in model.stages] == ["arc-eager", "three-step-left", "three-step-right"]
    assert len({stage.system.single_root for stage in model.stages}) == 1
    assert [stage.extractor.labels for stage in model.stages] == [len(model.labels)] * 3


@pytest.mark.parametrize("order", [(1, 0, 2), (0, 1, 0), (2, 1)])
def test_misplaced_stages_are_refused(model, tmp_path, order):
    stages = tuple(model.stages[number] for number in order)
    save_model(replace(model, stages=stages), str(tmp_path / "m"))
    with pytest.raises(CrossarcError, match=r"damaged model: stages\[\d\]\.system: found a system for another stage"):
        load_model(str(tmp_path / "m"))


@pytest.mark.parametrize(
    ("forms", "heads", "deprels"),
    [
        ("he it has seen", [3, 4, 0, 3], "subj obj root aux"),  # the arcs to "he" and "it" cross
        ("he sleeps", [2, 0], "subj root"),  # the passes change nothing
    ],
)
def test_trees_with_and_without_crossing_arcs_are_learned(forms, heads, deprels):
    words = forms.split()
    tree = {"heads": heads, "deprels": deprels.split()}
    sentence = Sentence.from_tokens(words, lemma=words, upos=words, xpos=words, **tree)
    config = ThreeStepConfig(features="small", guide={"learner": "svm", "min_count": 1})
    assert list(train(config, sentences=[sentence] * 4).parse([sentence])) == [sentence]
