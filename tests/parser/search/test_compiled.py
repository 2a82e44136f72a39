"""The compiled loop, compared with driver and guide: the same trees and default transitions."""

import pickle
import random
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest
import random_stages
from crossarc.parser.learners.instances import MOST_CLASSES
from crossarc.parser.learners.linear.svm import LinearSVM
from crossarc.parser.learners.neighbours.knn import KNN
from crossarc.parser.search.beam import search
from crossarc.parser.search.compiled import loading as compiled, loop
from crossarc.parser.search.compiled.loading import LOADING, TO_COMPILE, TO_LOAD, LoadedLoop
from crossarc.parser.search.compiled.loop import compiled_loop
from crossarc.parser.search.greedy import record_margins
from crossarc.transitions.configuration import Configuration
from crossarc.transitions.registry import PASSES, SYSTEMS, make_system
from hypothesis import HealthCheck, given, settings, strategies as st
from random_stages import random_stage

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")


@pytest.fixture(autouse=True)
def _no_kernel_chosen(monkeypatch):
    monkeypatch.delenv("CROSSARC_KERNEL", raising=False)


class OfDerivations(LinearSVM):
    """As structured learners, which score derivations by the sum of their transitions' scores."""

    of_derivations = True

    def additive(self, scores):
        return scores.astype(np.float64) * self.sharpness


STAGES = (
    st.sampled_from(sorted(SYSTEMS)),
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 20), min_size=1, max_size=9),
    st.sampled_from([1, 30, 32767]),
)
"""Arguments of random stages: system, seed, lengths of sentences, largest weight."""


def as_lists(trees):
    return [trees.heads.tolist(), trees.deprels.tolist(), trees.defaults.tolist()]


def load_after(patch, enough):
    """Load the loop for this number of configurations."""
    for name in ("TO_COMPILE", "TO_LOAD", "TO_LOAD_NEXT"):
        patch.setattr(compiled, name, enough)


def parse_both_ways(stage, ids, lengths, monkeypatch):
    """Parse with the driver, with the loop, and with the loop after some steps of the driver."""
    initial = stage.system.initial
    margins = np.zeros((len(lengths), max(lengths) + 1))
    recorder = partial(record_margins, stage.system, margins)  # with an observer, only the driver parses
    expected = as_lists(stage.derive(initial(np.array(lengths)), ids, recorder))
    for enough in (0, compiled.STEP * 7, compiled.STEP * 40):
        with monkeypatch.context() as patch:
            load_after(patch, enough)
            one = replace(stage, loop=LoadedLoop())
            found = np.zeros_like(margins)
            assert as_lists(one.derive(initial(np.array(lengths)), ids, margins=found)) == expected
            assert found.tolist() == margins.tolist()
            assert enough or one.loop._loop is not None


@needs_numba
@given(*STAGES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_loop_and_driver_give_the_same_trees(monkeypatch, name, seed, lengths, largest):
    """With weights of -1, 0 and 1, many scores are equal; the lower class is then chosen."""
    stage, ids = random_stage(name, random.Random(seed), lengths, largest)
    parse_both_ways(stage, ids, lengths, monkeypatch)


@needs_numba
@given(*STAGES, st.integers(2, 8), st.sampled_from([0.5, 2.0, np.inf]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_beams_are_the_same_with_the_loop(monkeypatch, name, seed, lengths, largest, width, threshold, normalized):
    """The loop finishes a beam at its beginning, after some steps, or never."""
    stage, ids = random_stage(name, random.Random(seed), lengths, largest)
    if not normalized:
        learner = OfDerivations()
        vars(learner).update(vars(stage.learner))
        stage = replace(stage, learner=learner)

    def derived(one):
        c = stage.system.initial(np.array(lengths))
        found = search(stage.system, stage.guide(ids), c, width, True, threshold, one.loop.finish)
        assert not found.running.size
        trees = found.c.heads_matrix(), found.c.deprels_matrix()
        score = found.score - found.score[np.searchsorted(found.sentence, found.sentence)]  # behind the best
        return [own.tolist() for own in (*trees, found.sentence, score, found.defaults, found.margins)]

    expected = None
    for enough in (10**9, 0, compiled.STEP * 7, compiled.STEP * 40):
        with monkeypatch.context() as patch:
            load_after(patch, enough)
            one = replace(stage, loop=LoadedLoop())
            expected = expected or derived(one)
            assert derived(one) == expected
            assert (one.loop._loop is not None) >= (enough == 0)


@needs_numba
def test_loop_and_driver_agree_on_as_many_classes_as_are_allowed(monkeypatch):
    class Dice(random.Random):
        def randint(self, a, b):  # which chooses the number of classes
            return b

    monkeypatch.setattr(random_stages, "LABELS", MOST_CLASSES // 2)
    lengths = [5, 7, 3]
    stage, ids = random_stage("arc-standard", Dice(1), lengths, 32767, templates=4)
    assert len(stage.inventory) > MOST_CLASSES
    parse_both_ways(stage, ids, lengths, monkeypatch)


@pytest.mark.parametrize("name", sorted(PASSES))
def test_passes_with_valencies_have_no_loop(name):
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)
    assert compiled_loop(replace(stage, system=make_system(name)).guide(ids)) is None


def test_other_learners_have_no_loop():
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)
    assert compiled_loop(replace(stage, learner=KNN()).guide(ids)) is None


@pytest.fixture
def loads(monkeypatch):
    """The guides whose loops were requested; no stored machine code is available."""
    asked = []
    monkeypatch.setattr(compiled, "enabled", lambda: compiled.chosen() != "numpy")
    monkeypatch.setattr(compiled, "compiled_ready", lambda: False)
    monkeypatch.setattr(loop, "compiled_loop", asked.append)
    return asked


@pytest.mark.parametrize(("kept", "enough"), [(True, TO_LOAD), (False, TO_COMPILE)])
def test_a_loop_is_loaded_for_enough_configurations(loads, monkeypatch, kept, enough):
    """A loop that must be compiled first needs more of them."""
    monkeypatch.setattr(compiled, "compiled_ready", lambda: kept)
    monkeypatch.setattr(compiled, "TO_LOAD_NEXT", TO_LOAD)  # other tests in this process may have loaded loops
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)

    def parse(configurations):
        stage.loop.hint_workload(configurations)
        stage.derive(Configuration(np.array([3])), ids)

    parse(enough - 1000)
    assert not loads
    parse(enough)
    assert len(loads) == 1
    parse(enough)
    assert len(loads) == 1


@pytest.mark.parametrize(("announced", "expected"), [(10, [10, 0]), (40, [40]), (79, [79]), (80, [0])])
def test_a_loop_is_not_loaded_near_the_end_of_the_work(loads, monkeypatch, announced, expected):
    """Equal parts of a file are announced one by one: the loop is loaded when one begins, or not at all."""
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 0)
    monkeypatch.setattr(compiled, "TO_COMPILE", 80)
    monkeypatch.setattr(compiled, "STEP", 7)
    parse_batch = stage.loop.batch_parser(stage.guide(ids))
    steps = []
    for _ in expected:
        stage.loop.hint_workload(announced)
        steps.append(0)
        while steps[-1] < announced and not loads:
            parse_batch(Configuration(np.array([3])), np.zeros(1, dtype=np.int64))
            steps[-1] += not loads
    assert steps == expected


def test_many_steps_load_the_loop_without_a_hint(loads, monkeypatch):
    """Covington's algorithm takes more than the expected two transitions per word."""
    stage, ids = random_stage("covington", random.Random(1), [90], 0)
    monkeypatch.setattr(compiled, "TO_COMPILE", 10 * (1 + compiled.STEP))
    met = []
    parse_batch = stage.loop.batch_parser(stage.guide(ids))
    c = Configuration(np.array([3]))
    while not loads:
        met.append(parse_batch(c, np.zeros(1, dtype=np.int64)))
    assert met == [False] * 10


def test_kernels_are_chosen_by_the_environment(loads, monkeypatch):
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)
    monkeypatch.setenv("CROSSARC_KERNEL", "numpy")
    stage.loop.hint_workload(10 * TO_COMPILE)
    stage.derive(Configuration(np.array([3])), ids)
    assert not loads
    monkeypatch.setenv("CROSSARC_KERNEL", "numba")
    stage.derive(Configuration(np.array([3])), ids)
    assert len(loads) == 1


def test_threads_parse_with_numpy_while_another_loads_the_loop(loads):
    stage, ids = random_stage("arc-standard", random.Random(1), [3], 9)
    stage.loop.hint_workload(2 * TO_COMPILE)
    with LOADING:
        trees = stage.derive(Configuration(np.array([3])), ids)
    assert not loads
    assert as_lists(trees) == as_lists(stage.derive(Configuration(np.array([3])), ids))
    assert len(loads) == 1


def test_loops_are_pickled_without_their_state():
    loop = LoadedLoop()
    loop.hint_workload(TO_LOAD)
    assert pickle.loads(pickle.dumps(loop))._due == 0
