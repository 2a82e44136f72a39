"""Checks before training: parameters of guides and transforms, memory, default features, and pipes."""

import os

import pytest
from crossarc import CrossarcError, load_config, train
from crossarc.parser.learners import memory


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["guide.C=-1"], "guide.C: found -1; allowed: a number above 0"),
        (
            ["guide.learner=plugin", "guide.parameters={alpha: much}"],
            "guide.parameters: The 'alpha' parameter of BernoulliNB must be .*",
        ),
        (
            ["guide.learner=svm-poly", "guide.split=nonsense"],
            "guide.split: found 'nonsense'.*; allowed: .*form.Stack.0.*",
        ),
        (
            ["guide.learner=voting", "guide.guides=[{learner: svm}, {learner: knn, k: 0}]"],
            r"guide.guides\[1\].k: found 0; allowed: a whole number from 1 to 2147483647",
        ),
        (
            ["guide.learner=voting", "guide.guides=[{learner: svm-poly, split: nonsense}]"],
            r"guide.guides\[0\].split: found 'nonsense'.*",
        ),
        (
            ["transforms=['pseudo-projective:label_cap=-1']"],
            "transform pseudo-projective: label_cap: found -1; allowed: none, or a whole number from 0 to 2147483647",
        ),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_wrong_parameters_are_refused_before_training(settings, message, small_treebank):
    said = []
    with pytest.raises(CrossarcError, match=f"^{message}$") as caught:
        train(load_config("arc-standard", settings, {"treebank.train": str(small_treebank)}), said.append)
    assert said == []
    assert "\n" not in str(caught.value)


def test_training_that_needs_too_much_memory_is_refused(small_treebank, monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 10**6)
    settings = ["guide.learner=plugin", "guide.dense=true", "features=small"]
    with pytest.raises(CrossarcError, match=r"^guide plugin: needs at least 0\.\d GB of memory; .*"):
        train(load_config("arc-standard", settings, {"treebank.train": str(small_treebank)}))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([], "rich"),
        (["guide.learner=maxent"], "rich"),
        (["guide.learner=knn"], "plain"),
        (["guide.learner=svm-poly"], "plain"),
        (["guide.learner=plugin"], "rich"),
        (["guide.learner=knn", "features=small"], "small"),
    ],
)
def test_default_features_depend_on_the_learner(settings, expected):
    assert load_config("swap", settings).features_name == expected


@pytest.mark.parametrize("part", ["train", "dev"])
def test_pipes_are_refused_without_being_read(part, tmp_path, small_treebank):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    files = {"treebank.train": str(small_treebank), f"treebank.{part}": str(pipe)}
    with pytest.raises(CrossarcError, match=f"^{pipe}: a pipe, which cannot be read twice; expected a file$"):
        train(load_config("arc-standard", (), files))
