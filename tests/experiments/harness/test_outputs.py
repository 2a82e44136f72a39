"""Outputs of systems: tests over words, and over sentences by brute force."""

import random
from itertools import product

import pytest
from crossarc.experiments.harness.outputs import Outputs
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate
from crossarc.parser.evaluate.align import scored_tree
from crossarc.parser.evaluate.mcnemar import pairwise

SENTENCES = [*generate(GeneratorOptions(sentences=8, rate=1.0))]


def damaged(trees, share, dice):
    """Trees in which whole sentences tend to have wrong labels."""
    bad = [dice.random() < 0.5 for _ in trees]
    return [
        sentence._replace(deprels=["x" if dice.random() < share + 0.4 * wrong else label for label in sentence.deprels])
        for sentence, wrong in zip(trees, bad, strict=True)
    ]


def outputs(counted="all"):
    gold = [scored_tree(own) for own in SENTENCES]
    dice = random.Random(3)
    return Outputs(
        gold, {name: damaged(gold, share, dice) for name, share in (("a", 0.1), ("b", 0.3), ("c", 0.1))}, counted
    )


@pytest.mark.parametrize(("counted", "arcs"), [("all", None), ("no_punct", None), ("all", "nonprojective")])
def test_p_over_sentences_is_the_share_of_exchanges(counted, arcs):
    own = outputs(counted)
    name = f"las, {arcs}" if arcs else "las"
    found = own.tests((name,))[name]
    words = pairwise(own.comparisons, ("las",), counted, arcs)["las"]
    for pair, test in found.items():
        assert all(getattr(test, key) == getattr(words[pair], key) for key in ("b", "c", "p", "winner"))
        first, second = (own.comparisons[name] for name in pair)
        where = ~first.punctuation if counted == "no_punct" else first.head_right | True
        where = where & first.gold.nonprojective if arcs else where
        difference = [
            int((second.token_right("las") & where & (first.sentence == number)).sum())
            - int((first.token_right("las") & where & (first.sentence == number)).sum())
            for number in range(len(SENTENCES))
        ]
        sums = [
            abs(sum(sign * value for sign, value in zip(signs, difference, strict=True)))
            for signs in product((-1, 1), repeat=8)
        ]
        share = sum(value >= abs(sum(difference)) for value in sums) / len(sums)
        assert test.over_sentences == pytest.approx(share, abs=0.02)


def test_one_test_is_that_of_the_pair():
    own = outputs()
    assert own.test("a", "b", "uas") == own.tests(("uas",))["uas"]["a", "b"]
