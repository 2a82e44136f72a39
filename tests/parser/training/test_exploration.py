"""Exploration: which configurations are added, and with which transitions."""

from functools import cache

import numpy as np
import pytest
from crossarc import Config, score_sentences, train
from crossarc.features.extractor import ColumnSize, Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.oracles.dynamic import IMPERMISSIBLE
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import DYNAMIC_ORACLES, make_dynamic_oracle, make_oracle
from crossarc.parser.config.ready import ready_features
from crossarc.parser.models.files import model_bytes
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.search.learned_guide import LearnedGuide
from crossarc.parser.training.exploration import Explorer, folds_of
from crossarc.transitions.registry import make_system
from every_derivation import projectivized, random_trees
from hypothesis import given, strategies as st


@given(st.integers(5, 60), st.integers(2, 5), st.integers(0, 9))
def test_folds_are_equal_parts_of_all_sentences(sentences, folds, seed):
    parts = folds_of(sentences, folds, seed)
    assert parts == folds_of(sentences, folds, seed)
    assert sorted(number for part in parts for number in part) == list(range(sentences))
    assert len(parts) == folds
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert all(part == sorted(part) for part in parts)


class Dice:
    """A learner with random scores that depend only on the features."""

    def __init__(self, classes):
        self.weights = np.random.default_rng(5).integers(0, 100, (1000, classes))

    def scores(self, keys):
        return self.weights[keys.sum(axis=1) % len(self.weights)].astype(np.float32)


def explorer(name, trees):
    """(explorer, guide, gold) of the trees, with labels 0 to 2 and features that identify two words of the stack."""
    system = make_system(name, single_root=False)
    gold = Gold(trees, [[-1, *(word % 3 for word in range(1, len(tree)))] for tree in trees])
    model = FeatureModel(tuple(parse_template(line, "test") for line in ("form(Stack[0])", "form(Stack[1])")))
    extractor = Extractor(model, {"form": ColumnSize(gold.heads.shape[1] + 2)}, 3)
    labels = [range(3) if move.labelled else (-1,) for move in system.moves]
    inventory = np.array([(move, label) for move, own in enumerate(labels) for label in own])
    columns = {"form": np.tile(np.arange(gold.heads.shape[1]), (len(trees), 1))}
    guide = LearnedGuide(Dice(len(inventory)), extractor, columns, inventory, system)
    oracles = make_dynamic_oracle(system, gold), make_oracle(system, gold)
    return Explorer(*oracles, inventory, np.zeros(len(trees), dtype=bool)), guide, gold


@pytest.mark.parametrize("name", DYNAMIC_ORACLES)
def test_exploration_keeps_everything_after_the_first_error(name):
    """In sentences with words without a gold head, it keeps what the gold arcs determine."""

    @given(st.lists(random_trees(single_root=False, longest=10), min_size=1, max_size=4), st.sampled_from([0.0, 0.4]))
    def check(trees, share):
        if make_system(name, single_root=False).projective:  # training explores trees that the system can derive
            trees = [projectivized(tree) for tree in trees]
        gone = np.random.default_rng(len(trees[0])).random((len(trees), 11)) < share
        trees = [
            (-1, *(-1 if lost else head for lost, head in zip(own, tree[1:], strict=False)))
            for own, tree in zip(gone.tolist(), trees, strict=True)
        ]
        kept, guide, gold = explorer(name, trees)
        system, oracle = guide.system, make_dynamic_oracle(guide.system, gold)
        expected = []
        astray = set(np.flatnonzero(gold.partial).tolist())

        def watch(step):
            kept(step)
            costs = oracle.class_costs(step.c, step.legal, guide.inventory)
            certain = oracle.certain(step.c, step.legal)
            for row, sentence in enumerate(step.sentences.tolist()):
                right = np.flatnonzero(costs[row] == costs[row].min())
                if sentence in astray and certain[row]:
                    best = int(right[np.argmax(step.decision.scores[row, right])])
                    expected.append((step.decision.keys[row].tolist(), best))
                if np.argmax(step.decision.scores[row]) not in right:
                    astray.add(sentence)

        derive(system, guide, system.initial(gold.lengths), Fallback(0, 0), watch)
        keys, targets = kept.recorded()
        assert list(zip(keys.decoded().tolist(), targets.tolist(), strict=True)) == expected

    check()


def test_a_gold_arc_with_a_wrong_label_costs_one():
    _, guide, gold = explorer("arc-eager", [(-1, 2, 0)])
    c = guide.system.initial(gold.lengths)
    guide.system.advance(c, np.array([0]), np.array([-1]))
    oracle = make_dynamic_oracle(guide.system, gold)
    names = [(guide.system.moves[move].short, label) for move, label in guide.inventory.tolist()]
    costs = oracle.class_costs(c, guide.system.legal(c), guide.inventory)[0].tolist()
    assert dict(zip(names, costs, strict=True)) == {
        ("SH", -1): 2,
        **{("LA", label): int(label != 1) for label in range(3)},
        **{("RA", label): 2 for label in range(3)},
        ("RE", -1): IMPERMISSIBLE,
    }


@pytest.fixture(scope="module")
def explored(sentences):
    """A function that trains a system with exploration once; it returns the model and the number of new instances."""

    @cache
    def trained(name, rounds=1, seed=1):
        features = "small" if "small" in ready_features()[name] else "rich"
        lines = []
        config = Config(system=name, features=features, guide={"learner": "svm", "seed": seed}, explore=rounds)
        model = train(config, lines.append, sentences)
        return model, int(next(line for line in lines if "off the gold path" in line).split()[0])

    return trained


@pytest.mark.parametrize("name", DYNAMIC_ORACLES)
def test_every_system_with_a_dynamic_oracle_explores(name, explored, sentences):
    model, added = explored(name)
    assert added > 100
    assert "explore=1" in model.to_text()
    assert score_sentences(sentences, model.parse(sentences)).las > 85


def test_rounds_and_seed_determine_the_model(explored):
    again, _ = explored("arc-eager", seed=1)
    assert model_bytes(again) == model_bytes(explored("arc-eager")[0])
    assert len({explored("arc-eager", **options)[1] for options in ({"rounds": 2}, {"seed": 1}, {"seed": 2})}) == 3


def test_underivable_trees_are_derived_at_minimal_cost(sentences):
    lines = {"minimal-cost": [], "projectivize": [], "best-effort": []}
    for way, own in lines.items():
        train(Config(system="arc-hybrid", features="small", underivable=way), own.append, sentences)
    assert any(line.endswith(": minimal-cost") for line in lines["minimal-cost"])
    assert len({str(value[-1]) for value in lines.values()}) == 3
