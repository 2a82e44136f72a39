"""Taggers compiled together, compared with taggers that tag by themselves."""

import pickle
import random
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from crossarc.features.extractor import Extractor
from crossarc.features.template import FeatureModel, TemplateError
from crossarc.parser.learners.neighbours.knn import KNN
from crossarc.parser.plugins.tagging.chains import (
    Directions,
    LoadedChains,
    depends_on_tags,
    labels_apart,
    scores_apart,
    shared_chains,
)
from crossarc.parser.search.compiled.loading import TO_COMPILE
from hypothesis import given, reject, strategies as st
from plain_configurations import SIZES
from random_stages import MAX_TEMPLATES, random_stage, stage_with

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")


def taggers(seed, lengths, largest, labels, templates=None):
    """(stages with the same templates and different labels, value ids)."""
    dice = random.Random(seed)
    try:
        first, ids = random_stage("tagging", dice, lengths, largest, templates)
    except TemplateError:  # all columns of the random templates are empty
        reject()
    stages = []
    for count in labels:
        extractor = Extractor(first.features, SIZES, count)
        inventory = np.array([(0, label) for label in sorted(dice.sample(range(count), dice.randint(1, count)))])
        stages.append(stage_with(first.system, extractor, inventory, None, ids, lengths, largest, dice))
    return stages, ids


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 20), min_size=1, max_size=9),
    st.sampled_from([1, 30, 32767]),
    st.lists(st.integers(2, 12), min_size=1, max_size=5),
)
def test_labels_are_the_same_together_and_apart(seed, lengths, largest, labels):
    """With weights of -1, 0 and 1 many scores are equal; the lower class is then chosen."""
    stages, ids = taggers(seed, lengths, largest, labels)
    chains = shared_chains(stages)
    if chains is None:
        slots = {slot.template for slot in stages[0].extractor.slots}
        templates = stages[0].features.templates
        kinds = {depends_on_tags(template) for template in templates}
        assert {depends_on_tags(template) for template in templates if str(template) in slots} != kinds | {False}
        return
    assert_same_labels(chains, stages, lengths, ids)


def assert_same_labels(chains, stages, lengths, ids):
    nodes = np.arange(max(lengths) + 2)
    words = (nodes > 0) & (nodes <= np.array(lengths)[:, None])
    for together, apart in ((chains.labels, labels_apart), (chains.scores, scores_apart)):
        found = [values[words].tolist() for values in together(np.array(lengths), ids)]
        assert found == [values[words].tolist() for values in apart(stages, np.array(lengths), ids)]


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(2, 6))
def test_scores_of_both_directions_are_added(seed, lengths, labels):
    """Compared with sentences that are tagged one by one, from either end."""
    stages, ids = taggers(seed, lengths, 30, [labels, labels])
    forward, back = stages
    back = replace(back, inventory=forward.inventory, learner=forward.learner)
    found, *_ = Directions([forward], [back]).labels(np.array(lengths), ids)
    for row, length in enumerate(lengths):
        alone = {name: values[row : row + 1] for name, values in ids.items()}
        order = np.array([0, *range(length, 0, -1), *range(length + 1, max(lengths) + 2)])
        reversed_ids = {name: values[:, order][:, : length + 2] for name, values in alone.items()}
        alone = {name: values[:, : length + 2] for name, values in alone.items()}
        (one,), (other,) = (
            scores_apart([way], np.array([length]), of_way) for way, of_way in ((forward, alone), (back, reversed_ids))
        )
        sums = one[0, 1 : length + 1] + other[0, length:0:-1]
        assert found[row, 1 : length + 1].tolist() == forward.inventory[sums.argmax(axis=1), 1].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_taggers_without_features_of_tags_need_one_loop(seed):
    dice, lengths = random.Random(seed), [4, 9, 2]
    (first, *_), ids = taggers(seed, lengths, 3, [4], MAX_TEMPLATES)
    model = FeatureModel(tuple(template for template in first.features.templates if not depends_on_tags(template)))
    stages = []
    for count in (3, 5):
        extractor = Extractor(model, SIZES, count)
        inventory = np.array([(0, label) for label in range(count)])
        stages.append(stage_with(first.system, extractor, inventory, None, ids, lengths, 3, dice))
    chains = shared_chains(stages)
    assert len(chains.loops) == 1
    assert_same_labels(chains, stages, lengths, ids)
    stages[1].learner.bias_ = np.array([0, 2**23, 0, 0, 0])
    assert shared_chains(stages) is None  # as numbers of 32 bits, such scores can be equal


def test_different_templates_and_other_learners_are_not_shared():
    stages, _ = taggers(1, [3], 5, [3, 4])
    other, _ = taggers(2, [3], 5, [3])
    assert shared_chains(stages) is not None
    assert shared_chains([*stages, *other]) is None
    assert shared_chains([stages[0], replace(stages[1], learner=KNN())]) is None


def test_taggers_are_shared_from_enough_words_on():
    stages, _ = taggers(1, [3], 5, [3, 4])
    loaded = LoadedChains(stages)
    loaded.load(1, 2)
    loaded.hint_workload(TO_COMPILE)
    assert loaded.chains is None
    loaded.load(TO_COMPILE, 3)
    assert loaded.chains is None
    loaded.load(TO_COMPILE, 2)
    assert (chains := loaded.chains) is not None
    loaded.load(1, 2)
    assert loaded.chains is chains
    assert pickle.loads(pickle.dumps(loaded)).chains is None
