import time

import pytest
from crossarc.parser.transforms.lifting.projectivize import Lifting, crosses, lifted_until, projectivize
from crossarc.transitions.trees import depths, is_projective, is_tree, lifts, nonprojective_arcs
from every_derivation import all_trees
from handmade import any_heads
from hypothesis import given, strategies as st

# Czech sentence of Nilsson (2009, figure 5.1, section 5.1.3): word 3, the root, lies between word 1 and its head, 5
CZECH = [-1, 5, 1, 0, 5, 3, 3, 6, 0]
CZECH_PROJECTIVE = [-1, 3, 1, 0, 5, 3, 3, 6, 0]


trees = st.builds(any_heads, st.integers(1, 25), st.integers(0, 10**9))


def literally(heads, order):
    """Result of the papers' loop; each arc is selected from scratch."""
    heads = list(heads)
    steps, path = {}, {}
    while True:
        waiting = [word for word, crossing in enumerate(nonprojective_arcs(heads)) if crossing]
        if not waiting:
            return heads, steps, path
        deep = depths(heads)
        word = min(waiting, key=lambda w: (abs(heads[w] - w) if order == "shortest" else -deep[w], min(heads[w], w), w))
        path.setdefault(heads[word], []).append(word)
        steps[word] = steps.get(word, 0) + 1
        heads[word] = heads[heads[word]]


def test_czech_sentence_needs_one_lift():
    heads, lifting = projectivize(CZECH)
    assert heads == CZECH_PROJECTIVE
    assert lifting == Lifting({1: 1}, {5: [1]})


@pytest.mark.parametrize("order", ["shortest", "deepest"])
def test_trees_up_to_four_words_are_lifted_as_in_the_papers(order):
    for n in range(1, 5):
        for heads in map(list, all_trees(n, single_root=False)):
            result, lifting = projectivize(heads, order)
            assert (result, dict(lifting.lifts), dict(lifting.path)) == literally(heads, order)
            assert is_projective(result)


@pytest.mark.parametrize("order", ["shortest", "deepest"])
@given(trees)
def test_random_trees_are_lifted_as_in_the_papers(order, heads):
    result, lifting = projectivize(heads, order)
    assert (result, dict(lifting.lifts), dict(lifting.path)) == literally(heads, order)
    assert is_tree(result)
    assert is_projective(result)
    assert projectivize(result, order) == (result, Lifting())


@given(trees, st.data())
def test_crosses_tests_the_arc_as_if_it_were_in_the_tree(heads, data):
    word = data.draw(st.integers(1, len(heads) - 1))
    head = data.draw(st.integers(0, len(heads) - 1))
    moved = [*heads[:word], head, *heads[word + 1 :]]
    if head != word and is_tree(moved):
        assert crosses(heads, head, word) == nonprojective_arcs(moved)[word]


@pytest.mark.parametrize("order", ["shortest", "deepest"])
def test_lifting_is_fast_even_for_many_lifts(order):
    # words 1 to 500 are a chain, and word k + 500 depends on word k: about 125 000 lifts
    heads = [-1, *range(500), *range(1, 501)]
    start = time.process_time()
    _, lifting = projectivize(heads, order)
    steps = lifts(heads)
    assert time.process_time() - start < 2
    assert sum(lifting.lifts.values()) == sum(steps) == 499 * 500 // 2


def fewest_lifts(heads):
    """Smallest number of lifts of non-projective arcs, by brute force."""
    crossing = [word for word, crosses in enumerate(nonprojective_arcs(heads)) if crosses]
    lifted = ((*heads[:word], heads[heads[word]], *heads[word + 1 :]) for word in crossing)
    return 1 + min(map(fewest_lifts, lifted)) if crossing else 0


def test_lifted_until_finds_the_accepted_tree_with_fewest_lifts():
    asked = []

    def accepts(trees):
        asked.append(trees)
        return list(map(is_projective, trees))

    for heads in map(list, all_trees(5, single_root=False)):
        asked.clear()
        assert is_projective(lifted_until(heads, accepts))
        # all trees with the same number of lifts are tested in one call
        assert len(asked) == max(fewest_lifts(tuple(heads)), 1)


def test_trees_that_are_never_accepted_are_projectivized():
    heads = (-1, 3, 5, 0, 1, 3, 2)
    assert lifted_until(heads, lambda trees: [False] * len(trees)) == projectivize(heads)[0]
