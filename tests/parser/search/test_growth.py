"""The cost of long sentences grows about linearly with their words, measured by counts or by ratios of times."""

import random
import time
from importlib.util import find_spec

import numpy as np
import pytest
from crossarc.oracles.arc_standard import ArcStandardOracle
from crossarc.oracles.oracle import Gold
from crossarc.parser.search.compiled.loop import compiled_loop
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.transitions.arc_standard import ArcStandard
from random_stages import random_stage


class Counted(np.ndarray):
    """An array that counts the elements that are read."""

    looked_up = 0

    def __getitem__(self, index):
        Counted.looked_up += np.size(index)
        return np.asarray(self)[index]


def chain(n):
    return [-1, *range(n)]


def star(n):
    return [-1, *[n // 2 if word != n // 2 else 0 for word in range(1, n + 1)]]


def comb(n):
    """Odd words depend on the next word, even words on the next even word."""
    return [-1, *[word + 1 if word % 2 else min(word + 2, n) for word in range(1, n)], 0]


@pytest.mark.parametrize("tree", [chain, star, comb])
def test_arc_standard_reads_each_gold_dependent_a_few_times(tree, monkeypatch):
    for n in (50, 400):
        heads = tree(n)
        gold = Gold([heads], [[0] * (n + 1)])
        gold._dependents = gold._dependents.view(Counted)
        monkeypatch.setattr(Counted, "looked_up", 0)
        system = ArcStandard()
        found = derive(system, ArcStandardOracle(system, gold), system.initial(gold.lengths), Fallback(0, 0))
        assert found.heads[0, 1 : n + 1].tolist() == heads[1:]
        assert n // 2 <= Counted.looked_up <= 4 * n


@pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")
@pytest.mark.parametrize("name", ["arc-standard", "arc-eager", "swap"])
def test_compiled_loops_take_about_linear_time(name):
    """With features of every kind, four times the words take less than ten times the time."""
    lengths = [1000, 4000]
    stage, ids = random_stage(name, random.Random(3), [5], 100, templates=60)
    seconds = []
    for n in lengths:
        columns = {key: np.resize(array[:, 1:6], (1, n + 2, *array.shape[2:])) for key, array in ids.items()}
        loop = compiled_loop(stage.guide(columns))
        tries = []
        for _ in range(4):
            c = stage.system.initial(np.array([n]))
            begin = time.process_time()
            loop.run(c, columns, np.zeros(1, dtype=np.int64))
            tries.append(time.process_time() - begin)
        seconds.append(min(tries))
    assert seconds[1] < 10 * seconds[0]
