"""Memory-based learning: votes and neighbours equal a recomputation from the definitions."""

from collections import Counter
from fractions import Fraction

import numpy as np
from crossarc.features.extractor import Slot
from crossarc.parser.learners.learner import Instances
from crossarc.parser.learners.neighbours.knn import KNN
from hypothesis import given, strategies as st

N_CLASSES = 4


def data(seed, size, values):
    random = np.random.default_rng(seed)
    slots = tuple(Slot(f"s{number}", 20 * number, 20) for number in range(3))
    keys = np.stack([slot.offset + np.minimum(random.geometric(2 / values, size), 15) for slot in slots], axis=1)
    target = (keys.sum(axis=1) + random.integers(0, 2, size)) % N_CLASSES
    return Instances.of(keys.astype(np.int64), target.astype(np.int32), slots, N_CLASSES)


def distance(train, threshold, slot, x, z):
    """Exact distance of two values, computed from the definitions."""
    column = train.keys[:, slot]
    times = [int(np.sum(column == value)) for value in (x, z)]
    if x == z and times[0]:
        return Fraction(0)
    if min(times) < threshold:
        return Fraction(1)
    shares = [Counter(train.target[column == value].tolist()) for value in (x, z)]
    differences = (abs(Fraction(shares[0][c], times[0]) - Fraction(shares[1][c], times[1])) for c in range(N_CLASSES))
    return sum(differences, Fraction(0)) / 2


def shares_of(train, query, k, threshold):
    far = [sum(distance(train, threshold, s, x, z) for s, (x, z) in enumerate(zip(query, row, strict=True)))
           for row in train.keys.tolist()]  # fmt: skip
    radii = sorted({round(float(d), 5) for d in far})[:k]
    votes = np.zeros(N_CLASSES)
    for d, cls in zip(far, train.target, strict=True):
        d = round(float(d), 5)
        if d > radii[-1]:
            continue
        votes[cls] += 1 / (d + 1e-6)
    return votes / votes.sum()


@given(
    seed=st.integers(0, 10**6),
    size=st.integers(3, 160),
    values=st.integers(3, 10),
    k=st.integers(1, 6),
    threshold=st.sampled_from([1, 2, 3, 4, 999]),
)
def test_votes_follow_the_definitions(seed, size, values, k, threshold):
    train, queries = data(seed, size, values), data(seed + 1, 3, values + 2).keys
    guide = KNN(k=k, threshold=threshold).fit(train)
    for query, scores in zip(queries.tolist(), guide.scores(queries), strict=True):
        expected = shares_of(train, query, k, threshold)
        np.testing.assert_allclose(np.maximum(scores, 0)[expected > 0], expected[expected > 0], atol=3e-3)
        assert (scores[expected == 0] < 1e-6).all()


def test_equal_instances_are_stored_once_and_keep_their_votes():
    slots = (Slot("a", 0, 3),)
    keys = np.array([[0], [0], [0], [1]], np.int64)
    guide = KNN(threshold=10**6, k=1).fit(Instances.of(keys, np.array([2, 2, 1, 0], np.int32), slots, 3))
    assert len(guide._codes) == 2
    np.testing.assert_allclose(guide.scores(keys[:1])[0, 1:], [1 / 3, 2 / 3], atol=1e-5)


def test_k_counts_distances():
    slots = (Slot("a", 0, 4), Slot("b", 4, 4))
    keys = np.array([[0, 4], [0, 4], [0, 5], [1, 5], [1, 6]], np.int64)
    guide = KNN(threshold=9, k=2).fit(Instances.of(keys, np.array([0, 1, 2, 3, 3], np.int32), slots, 4))
    query = np.array([[0, 4]], np.int64)
    assert len(guide.neighbours(query).instance) == 2
    assert np.flatnonzero(guide.scores(query)[0] > 0).tolist() == [0, 1, 2]


def test_neighbours_among_many_equal_those_of_a_full_search():
    random = np.random.default_rng(0)
    slots = tuple(Slot(str(number), 50 * number, 50) for number in range(6))
    keys = np.stack([slot.offset + random.integers(0, 30, 9000) for slot in slots], axis=1)
    train = Instances.of(keys, random.integers(0, 4, 9000).astype(np.int32), slots, 4)
    guide = KNN(threshold=10**6, k=3).fit(train)
    queries = keys[:70] + (random.random((70, 6)) < 0.4)
    found = guide.neighbours(queries)
    columns = [slot.values[column] for slot, column in zip(guide._metrics, guide._codes.T, strict=True)]
    stored = np.stack(columns, axis=1)
    for number, query in enumerate(queries):
        different = (stored != query).sum(axis=1)
        radius = np.unique(different)[2]
        assert set(found.instance[found.query == number]) == set(np.flatnonzero(different <= radius))


def test_small_votes_beside_an_equal_instance_are_ranked_by_their_number():
    """An equal instance outweighs all others, whose votes still decide if its class is not permissible."""
    slots = tuple(Slot(name, 100 * place, 100) for place, name in enumerate("abcd"))
    rows = [((1, 1, 1, 1), 0, 1), ((1, 1, 1, 2), 1, 3), ((1, 1, 1, 3), 2, 1), ((50, 50, 50, 5), 2, 50)]
    rows += [((50, 50, 50, 10 + number), number + 3, 6) for number in range(60)]  # so that class 1 is rare
    values = np.repeat([row for row, _, _ in rows], [times for *_, times in rows], axis=0)
    target = np.repeat([number for _, number, _ in rows], [times for *_, times in rows])
    keys = values + np.arange(4) * 100
    guide = KNN(threshold=10**6, k=2).fit(Instances.of(keys, target.astype(np.int32), slots, 63))
    scores = guide.scores(keys[:1])[0]
    assert scores[:3].argsort().tolist() == [2, 1, 0]
