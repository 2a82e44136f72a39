"""Checks before training: parameters of configs, guides and transforms, memory, default features, and pipes."""

import os
import re

import pytest
from crossarc import CrossarcError, load_config, train
from crossarc.oracles.registry import DYNAMIC_ORACLES
from installed import needs
from refusals import refusal

DYNAMIC = f"allowed: {', '.join(DYNAMIC_ORACLES)}"

VOTING = "guide.learner=voting"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["tags=[form]"], r".*tags: found \['form'\]; allowed: auto, or a list of upos, xpos, feats, lemma"),
        (["tags=yes"], ".*tags: found True; allowed: auto, or a list of upos, xpos, feats, lemma"),
        (["guide.learner=perceptron", "explore=1"], "explore: the perceptron already learns from its own errors; .*"),
        (["system=swap", "explore=1"], f"explore: swap has no dynamic oracle; {DYNAMIC}"),
        (
            ["system=attardi", "underivable=minimal-cost"],
            f"underivable: minimal-cost: attardi has no dynamic oracle; {DYNAMIC}",
        ),
        (["guide.C=-1"], "guide.C: found -1; allowed: a number above 0"),
        (["guide.learner=plugin", "guide.parameters={alpha: much}"], "guide.parameters: The 'alpha' parameter .*"),
        (["guide.learner=svm-poly", "guide.split=nonsense"], "guide.split: found 'nonsense'.* form.Stack.0.*"),
        ([VOTING, "guide.guides=[{learner: svm}, {learner: knn, k: 0}]"], r"guide.guides\[1\].k: found 0; .*"),
        ([VOTING, "guide.guides=[{learner: svm-poly, split: x}]"], r"guide.guides\[0\].split: found 'x'.*"),
        (["transforms=['pseudo-projective:label_cap=-1']"], "transform pseudo-projective: label_cap: found -1; .*"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
@needs("further_learners")
def test_wrong_parameters_are_refused_before_training(settings, message, small_treebank):
    said = []
    files = {"treebank.train": str(small_treebank)}
    found = refusal(lambda: train(load_config("arc-standard", settings, files), said.append))
    assert re.fullmatch(message, found), found
    assert said == []


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
@needs("further_learners")
def test_default_features_depend_on_the_learner(settings, expected):
    assert load_config("swap", settings).feature_names == {"swap": expected}


@pytest.mark.parametrize("part", ["train", "dev"])
def test_pipes_are_refused_without_being_read(part, tmp_path, small_treebank):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    files = {"treebank.train": str(small_treebank), f"treebank.{part}": str(pipe)}
    with pytest.raises(CrossarcError, match=f"^{pipe}: a pipe, which cannot be read twice; expected a file$"):
        train(load_config("arc-standard", (), files))
