"""Choice of the parsers of a blend, on artificial votes."""

import random

import pytest
from crossarc.parser.plugins.blending.blend import blend_votes
from crossarc.parser.plugins.blending.choice import CrossValidated, select_blend
from crossarc.parser.plugins.blending.vote_weights import equal_weights, learn_weights
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_tree
from handmade import any_heads
from hypothesis import given, strategies as st

TAGS = ("N", "V")


def gold_trees(count, seed):
    return [
        Tree(any_heads(6, 1000 * seed + number), ["", *random.Random(number).choices("ab", k=6)])
        for number in range(count)
    ]


def errors_of(seed, gold, share):
    """Trees in which about this share of the words has errors; equal seeds give equal errors."""
    parsed = []
    for number, tree in enumerate(gold):
        draw = random.Random(f"{seed} {number}")
        heads, deprels = list(tree.heads), list(tree.deprels)
        for word in range(1, len(heads)):
            if draw.random() < share:
                changed = [*heads[:word], draw.randrange(len(heads)), *heads[word + 1 :]]
                if changed[word] != word and is_tree(changed):
                    heads = changed
                deprels[word] = "c"
        parsed.append(Tree(heads, deprels))
    return parsed


def cross_validated(gold, votes):
    upos = [[TAGS[(number + word) % 2] for word in range(6)] for number in range(len(gold))]
    return CrossValidated(gold, votes, [number % 3 for number in range(len(gold))], upos, single_root=False)


def las(gold, parsed):
    pairs = [
        (sentence.heads[word], sentence.deprels[word]) == (other.heads[word], other.deprels[word])
        for sentence, other in zip(gold, parsed, strict=True)
        for word in range(1, len(sentence.heads))
    ]
    return 100 * sum(pairs) / len(pairs)


def test_weak_parsers_with_the_same_errors_do_not_outvote_a_good_one():
    """With equal weights or by accuracy, the blend of all parsers is worse than the best parser, which is chosen."""
    gold = gold_trees(150, 1)
    data = cross_validated(gold, [errors_of(7, gold, 0.3) for _ in range(5)] + [errors_of(8, gold, 0.1)])
    best = las(gold, data.votes[5])
    for weights in (equal_weights(6), learn_weights("accuracy", gold, data.votes, data.upos)):
        assert las(gold, blend_votes(data.votes, weights, data.upos)) < best
    found = select_blend(data, ["pos", "accuracy", "equal"])
    assert found.parsers in ((5,), (0, 5))  # of two parsers, the better one decides
    assert found.las == pytest.approx(best)
    assert found.alone[5] == pytest.approx(best)


def test_parsers_with_different_errors_are_chosen_together():
    gold = gold_trees(150, 2)
    data = cross_validated(gold, [errors_of(seed, gold, 0.15) for seed in range(4)] + [errors_of(9, gold, 0.6)])
    found = select_blend(data, ["accuracy"])
    assert len(found.parsers) >= 3
    assert found.las > max(found.alone) + 3
    assert len(found.weights.overall) == len(found.parsers)


@given(st.integers(0, 10**6), st.lists(st.floats(0.05, 0.7), min_size=1, max_size=4))
def test_the_chosen_blend_is_at_least_as_good_as_each_parser(seed, shares):
    gold = gold_trees(30, seed % 1000)
    data = cross_validated(gold, [errors_of(seed + own, gold, share) for own, share in enumerate(shares)])
    found = select_blend(data, ["pos", "equal"])
    assert found.las >= max(found.alone) - 1e-9
    assert found.alone == pytest.approx([las(gold, votes) for votes in data.votes])
    chosen = [data.votes[parser] for parser in found.parsers]
    assert found.weights == learn_weights(found.weights.by, gold, chosen, data.upos)
    assert select_blend(data, ["pos", "equal"]) == found


def test_weights_are_learned_and_tried_on_different_sentences():
    """One parser is right on nouns, the other on verbs; in the other fold it is the reverse. Weights by part of speech
    that are learned and tried on the same fold would give a perfect blend."""
    gold = gold_trees(60, 3)
    upos = [[TAGS[word % 2] for word in range(6)] for _ in gold]
    votes = [[], []]
    for number, tree in enumerate(gold):
        for parser in (0, 1):
            wrong = TAGS[(parser + number) % 2]
            labels = ["c" if tag == wrong else own for tag, own in zip(upos[0], tree.deprels[1:], strict=True)]
            votes[parser].append(Tree(tree.heads, ["", *labels]))
    data = CrossValidated(gold, votes, [number % 2 for number in range(60)], upos, single_root=False)
    found = select_blend(data, ["pos"])
    assert found.las == pytest.approx(50)
    assert len(found.parsers) == 1
