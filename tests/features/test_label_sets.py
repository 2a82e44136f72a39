"""Sets of labels as features: valencies in θ, labels of dependents, and the limit on their number."""

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, LABEL_SETS, Extractor
from crossarc.features.template import FeatureModel, TemplateError, parse_template
from crossarc.transitions.registry import PASSES, SYSTEMS, make_system

LABELS = 9


def keys_of(line, c):
    extractor = Extractor(FeatureModel((parse_template(line, "here"),)), {}, LABELS)
    keys = extractor.keys(c, {})
    return extractor, [{int(key) for key in row if key != ABSENT} for row in keys]


def labels_of(line, c):
    """Set of labels of each row; in templates of one part, a key is label + 1."""
    extractor, keys = keys_of(line, c)
    return [{key - 1 - extractor.slots[0].offset for key in row} for row in keys]


def start(name, heads, deprels):
    width = max(map(len, heads)) + 1
    tree = np.array([row + [-1] * (width - len(row)) for row in heads])
    labels = np.array([row + [-1] * (width - len(row)) for row in deprels])
    return make_system(name).over(np.array([len(row) - 1 for row in heads]), (tree, labels), (tree, labels), LABELS)


def test_valencies_are_the_labels_in_the_list():
    system = make_system("three-step-left")
    c = start("three-step-left", [[-1, 0, 1, 1, 1], [-1, 0, 1]], [[-1, 0, 0, 0, 0], [-1, 0, 0]])
    assert labels_of("valencies()", c) == [set(), set()]
    system.advance(c, np.array([1, 0]), np.array([4, -1]))
    assert labels_of("valencies()", c) == [{4}, set()]
    one = c.at(np.array([0]))
    system.advance(one, np.array([1]), np.array([8]))
    system.advance(one, np.array([1]), np.array([4]))
    assert labels_of("valencies()", c) == [{4, 8}, set()]
    assert labels_of("valencies()", one.compact()) == [{4, 8}]


def test_highest_labels_beyond_the_limit_are_left_out():
    system = make_system("three-step-left")
    n = LABEL_SETS["valencies"] + 2
    c = start("three-step-left", [[-1, *[0] * n]], [[-1, *[0] * n]])
    for label in range(n - 1):
        system.advance(c, np.array([1]), np.array([LABELS - 1 - label]))
    lowest = LABELS - (n - 1)
    assert labels_of("valencies()", c) == [set(range(lowest, lowest + LABEL_SETS["valencies"]))]


def test_dependents_are_the_labels_on_one_side():
    c = start("three-step-left", [[-1, 2, 0, 2, 2, 2], [-1, 0]], [[-1, 5, 0, 3, 7, 3], [-1, 1]])
    assert labels_of("dependents(head(Input[0]), right)", c) == [{3, 7}, {1}]
    assert labels_of("dependents(head(Input[0]), left)", c) == [{5}, set()]
    assert labels_of("dependents(Stack[1], left)", c) == [set(), set()]


def test_merges_with_a_set_have_one_key_per_label():
    c = start("three-step-left", [[-1, 2, 0, 2, 2], [-1, 2, 0, 2, 2]], [[-1, 5, 0, 3, 7], [-1, 6, 0, 3, 7]])
    _, (first, second) = keys_of("merge(dependents(head(Input[0]), right), deprel(Input[0]))", c)
    assert len(first) == len(second) == 2
    assert not first & second


def test_waiting_0_is_the_nearest_word_with_a_valency():
    system = make_system("three-step-right")
    c = start("three-step-right", [[-1, 0, 1, 1]], [[-1, 2, 5, 6]])
    assert keys_of("deprel(Waiting[0])", c)[1] == [{0}]
    system.advance(c, np.array([1]), np.array([4]))
    assert keys_of("deprel(Waiting[0])", c)[1] == [{6 + 1}]
    system.advance(c, np.array([1]), np.array([0]))
    assert keys_of("deprel(Waiting[0])", c)[1] == [{5 + 1}]
    assert keys_of("deprel(Waiting[1])", c)[1] == [{0}]


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_without_valencies_refuse_features_of_them(name):
    with pytest.raises(TemplateError, match=r"unknown column 'valencies'.*allowed: form, deprel, distance"):
        parse_template("valencies()", "here", ["form"], SYSTEMS[name].sources)


@pytest.mark.parametrize("name", PASSES)
def test_passes_have_features_of_valencies(name):
    assert str(parse_template("merge(valencies(), form(Waiting[0]))", "here", ["form"], PASSES[name].sources)) == (
        "merge(valencies(), form(Waiting[0]))"
    )
