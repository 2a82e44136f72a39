"""Derivations for training: the same instances, in the same order, as from deriving the trees batch by batch."""

import numpy as np
import pytest
from crossarc.features.extractor import ColumnSize, Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import make_oracle
from crossarc.parser.config.loading import load_config
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.training import derivations as derivation_module
from crossarc.parser.training.derivations import Derivations, InstanceRecorder, TrainingData, merge_instances
from crossarc.parser.transforms.lifting.projectivize import projectivize
from crossarc.parser.treebank.symbols import SymbolTable, batches_by_length, encode_columns
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.registry import make_system
from crossarc.transitions.trees import inversions, is_projective

HEADS = [[-1, 2, 0], [-1, 3, 4, 0, 3], [-1, 0], [-1, 2, 0, 2, 1], [-1, 3, 0, 2, 3], [-1, 0, 4, 1, 1], [-1, 2, 0, 2]]
TREES = [Tree(heads, ["", *"ab" * 4][: len(heads)], {"form": list("xyzuv"[: len(heads) - 1])}) for heads in HEADS]
TABLE = SymbolTable(tuple("xyzuv"))
NAMES = [str(number) for number in range(len(TREES))]
DATA = TrainingData(TREES, TREES, NAMES, ("a", "b"), {"form": TABLE}, Fallback(0, 0))
LINES = ("merge(form(Stack[0]), form(Stack[1]))", "form(Lookahead[0])", "deprel(rdep(Stack[1]))")


def derivations(all_steps=False, **settings):
    model = FeatureModel(tuple(parse_template(line, "test") for line in LINES))
    extractor = Extractor(model, {"form": ColumnSize(len(TABLE))}, 2)
    config = load_config("arc-standard", [f"{key}={value}" for key, value in settings.items()])
    system = make_system("arc-standard", single_root=True)
    return Derivations(config, system, extractor, DATA, all_steps)


def anew(heads, size, left_out):
    """(keys, decisions) of deriving these trees in batches of similar length, without the trees in ``left_out``."""
    own = derivations()
    keys = []
    decisions = []
    for numbers in batches_by_length([len(tree) - 1 for tree in heads], size):
        deprels = [[-1, *(DATA.labels.index(label) for label in TREES[number].deprels[1:])] for number in numbers]
        gold = Gold([heads[number] for number in numbers], deprels)
        ids = encode_columns([TREES[number].columns for number in numbers], {"form": TABLE})
        recorder = InstanceRecorder(own.extractor, ids, len(numbers))
        derive(own.system, make_oracle(own.system, gold), own.system.initial(gold.lengths), DATA.fallback, recorder)
        found = recorder.recorded()
        kept = [numbers[sentence] not in left_out for sentence in found.sentence.tolist()]
        keys += found.matrix.decoded()[kept].tolist()
        decisions += found.decisions[kept].tolist()
    return keys, decisions


def lifting_distance(heads, lifted):
    """The total number of lifts of all words."""
    steps = 0
    for word in range(1, len(heads)):
        head = heads[word]
        while head != lifted[word]:
            head, steps = heads[head], steps + 1
    return steps


@pytest.mark.parametrize("single", [True, False])
def test_a_tree_of_very_many_swaps_is_projectivized_and_said(single, monkeypatch):
    """HEADS has one tree of two inversions and some of one."""
    monkeypatch.setattr(derivation_module, "MOST_SWAPS", 1)
    own = derivations()
    config = load_config("swap")
    system = make_system("swap", single_root=single)
    crowded = [number for number, heads in enumerate(HEADS) if inversions(heads) > 1]
    said = []
    [[batch]] = Derivations(config, system, own.extractor, DATA).of([range(len(HEADS))], 10, said.append)
    several = [number for number, heads in enumerate(HEADS) if single and heads.count(0) > 1]
    assert len(crowded) < sum(not is_projective(heads) for heads in HEADS)
    for number, heads in zip(batch.numbers, batch.batch.gold.trees, strict=True):
        assert list(heads) == (projectivize(HEADS[number])[0] if number in crowded + several else HEADS[number])
    assert f"{len({*crowded, *several})} of {len(HEADS)} trees" in said[0]
    assert "1 swaps" in said[0]


@pytest.mark.parametrize("size", [1, 2, 3, 10])
@pytest.mark.parametrize("underivable", ["projectivize", "skip", "best-effort"])
def test_instances_are_those_of_a_fresh_derivation(underivable, size):
    [derived] = derivations(underivable=underivable).of([range(len(TREES))], size, lambda line: None)
    taught = [own.recorded.without(own.batch.skip) for own in derived]
    found, inventory, _ = merge_instances(taught, derivations().extractor)
    lost = {number for number, heads in enumerate(HEADS) if projectivize(heads)[0] != heads}
    assert lost == {1, 3, 4, 5}
    heads = [projectivize(own)[0] if underivable == "projectivize" else own for own in HEADS]
    keys, decisions = anew(heads, size, lost if underivable == "skip" else set())
    assert found.keys.tolist() == keys
    assert inventory[found.target].tolist() == decisions
    derivable = [[-1, *own.batch.gold.heads[row, 1:].tolist()] for own in derived for row in range(len(own.numbers))]
    numbers = [number for own in derived for number in own.numbers]
    found = [row[: len(heads[number])] for row, number in zip(derivable, numbers, strict=True)]
    assert found == [heads[number] for number in numbers]


def test_trees_are_lifted_until_the_oracle_derives_them():
    """arc-standard derives projective trees; projectivization may take more lifts."""
    [derived] = derivations(underivable="lift").of([range(len(TREES))], 10, lambda line: None)
    for own in derived:
        for row, number in enumerate(own.numbers):
            heads = own.batch.gold.heads[row, : len(HEADS[number])].tolist()
            assert is_projective(heads)
            assert lifting_distance(HEADS[number], heads) <= sum(projectivize(HEADS[number])[1].lifts.values())


def test_instances_are_grouped_by_sentence():
    [derived] = derivations(all_steps=True).of([range(len(TREES))], 3, lambda line: None)
    _, _, sentences = merge_instances([own.recorded for own in derived], derivations().extractor, by_sentence=True)
    for own, found in zip(derived, sentences, strict=True):
        assert (np.diff(found) >= 0).all()
        assert np.bincount(found).tolist() == [2 * (len(TREES[number].heads) - 1) for number in own.numbers]
