"""From the guide section of a config to the guide."""

from __future__ import annotations

from typing import Any

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.learners.registry import make_learner


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ({}, "svm"),
        ({"learner": "svm", "kernel": "linear", "C": 0.5}, "svm"),
        ({"learner": "svm", "kernel": "poly"}, "svm-poly"),
        ({"learner": "svm", "kernel": "poly", "expand": False, "gamma": 0.3}, "svm-poly"),
        ({"learner": "svm", "kernel": "poly", "expand": True}, "svm-poly-expanded"),
        ({"learner": "maxent"}, "maxent"),
        ({"learner": "knn", "k": 3}, "knn"),
        ({"learner": "voting", "guides": [{"learner": "knn"}, {"kernel": "poly"}]}, "voting"),
        ({"learner": "plugin"}, "plugin"),
    ],
)
def test_a_section_makes_its_guide(section: dict[str, Any], name: str) -> None:
    guide = make_learner(section)
    assert guide.name == name
    for key, value in section.items():
        if key not in ("learner", "kernel", "expand", "guides"):
            assert getattr(guide, key) == value


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            {"learner": "svn"},
            r"guide\.learner: found 'svn' \(did you mean 'svm'\?\); allowed: svm, maxent, perceptron, knn, .*",
        ),
        ({"kernel": "rbf"}, r"guide\.kernel: found 'rbf'; allowed: linear, poly"),
        ({"kernel": "poly", "expand": "yes"}, r"guide\.expand: found 'yes'; allowed: false, true"),
        ({"learner": "knn", "kernel": "poly"}, r"unknown key guide\.'kernel' .*; allowed: learner, k, .*"),
        ({"expand": True}, r"unknown key guide\.'expand'; allowed: learner, kernel, C, .*"),
        ({"learner": "knn", "metrik": "mvdm"}, r"unknown key guide\.'metrik' \(did you mean 'metric'\?\); allowed: .*"),
        ({"learner": "voting", "guides": "svm"}, r"guide\.guides: allowed: a list of guide sections, each with .*"),
    ],
)
def test_what_is_unknown_is_refused(section: dict[str, Any], message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{message}$"):
        make_learner(section)
