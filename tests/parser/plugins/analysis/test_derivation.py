"""Derivations by oracles and models: their configurations, costs and first errors."""

import numpy as np
import pytest
from crossarc import Config, CrossarcError, Sentence, save_model, train
from crossarc.oracles.registry import DYNAMIC_ORACLES
from crossarc.parser.config.config import THREE_STEP, ThreeStepConfig
from crossarc.parser.plugins.analysis import derivation
from crossarc.parser.plugins.analysis.derivation import deriver, model_derivation, system_derivation
from crossarc.parser.plugins.analysis.recording import DynamicJudge
from crossarc.parser.plugins.drawing.derivation import FINISH, first_error, moved_back, new_arcs
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.step import Decision
from drawn import hearing, parsed_sentences, sentence
from hypothesis import given

NONPROJECTIVE = ("swap", "covington")


def transitions(drawn):
    return [step.transition for step in drawn.steps]


def test_derivation_by_swap():
    found = system_derivation(hearing().sentence, "swap")
    assert transitions(found) == [
        "SHIFT", "SHIFT", "LEFT-ARC(det)", "SHIFT", "SHIFT", "SWAP", "RIGHT-ARC(acl)", "SHIFT", "LEFT-ARC(nsubj)",
        "SHIFT", "RIGHT-ARC(advmod)", "SHIFT", "RIGHT-ARC(punct)", "RIGHT-ARC(root)",
    ]  # fmt: skip
    before, after = found.snapshot(5), found.snapshot(6)
    assert (before.stack, before.buffer) == ((0, 2, 3, 4), (5, 6))
    assert (after.stack, after.buffer) == ((0, 2, 4), (3, 5, 6))
    assert (moved_back(before), moved_back(after)) == (set(), {3})
    assert new_arcs(found.snapshot(6), found.snapshot(7)) == [4]
    assert list(found.order) == [1, 2, 4, 3, 5, 6]


def test_derivation_by_covington():
    found = system_derivation(hearing().sentence, "covington")
    assert transitions(found)[:6] == ["SHIFT", "LEFT-ARC(det)", "SHIFT", "LEFT-ARC(nsubj)", "NO-ARC", "RIGHT-ARC(root)"]
    assert (found.snapshot(5).stack, found.snapshot(5).aside) == ((0,), (1, 2))
    assert (found.snapshot(7).stack, found.snapshot(7).aside) == ((0, 1, 2, 3), ())


def test_derivation_by_three_step():
    found = system_derivation(hearing().sentence, THREE_STEP)
    assert [step.system for step in found.steps].index("three-step-right") == 16
    put = transitions(found).index("PUT-VALENCY↘(acl)")
    assert found.snapshot(put + 1).waiting == ((4, "acl"),)
    pair = transitions(found).index("DIST-RIGHT(acl)")
    assert (found.snapshot(pair).tree.heads[4], found.snapshot(pair + 1).tree.heads[4]) == (3, 2)
    assert found.snapshot(pair + 1).waiting == ()


@given(parsed_sentences(9))
def test_nonprojective_systems_derive_the_gold_tree(made):
    for system in NONPROJECTIVE:
        found = system_derivation(made.sentence, system)
        if made.trees[0].heads.count(0) == 1 or system == "swap":
            assert found.end.tree == found.gold == made.trees[0]
        assert transitions(found).count(FINISH) <= 1


@given(parsed_sentences(9))
def test_nodes_are_in_one_list_and_arcs_are_kept(made):
    """Only in 2-planar parsing may a node be in two lists, the two stacks."""
    for system in SYSTEMS:
        found = system_derivation(made.sentence, system)
        for number in range(len(found.steps)):
            before, after = found.snapshot(number), found.snapshot(number + 1)
            nodes = [*after.stack, *after.buffer, *(after.aside if after.names[1] != "inactive" else ())]
            assert len(nodes) == len(set(nodes))
            assert after.names == found.snapshot(0).names
            assert all(now == old for old, now in zip(before.tree.heads, after.tree.heads, strict=True) if old >= 0)


def test_underivable_trees_are_finished_by_default_transitions():
    found = system_derivation(hearing().sentence, "arc-standard")
    assert transitions(found)[-1] == FINISH
    assert [step.by_default for step in found.steps[-3:]] == [True] * 3
    assert found.end.tree != found.gold
    assert found.snapshot(len(found.steps) - 1).tree.deprels[2] == ""


@pytest.mark.parametrize("system", SYSTEMS)
def test_derivations_by_a_model_give_its_parses(system, trained, sentences):
    model = trained(system)
    for gold in sentences[:4]:
        (parsed,) = model.parse([gold])
        found = model_derivation(model, "m", gold)
        assert (found.end.tree.heads, found.end.tree.deprels) == (parsed.heads(), parsed.deprels())
        for step in found.steps:
            if not step.by_default:
                assert step.options[0].transition == step.transition
                scores = [option.score for option in step.options]
                assert scores == sorted(scores, reverse=True)
        error = first_error(found.steps)
        if error is None and system in NONPROJECTIVE:
            assert found.end.tree == found.gold
        if error is not None:
            assert found.end.tree != found.gold
            assert found.steps[error].oracle not in ("", found.steps[error].transition)
            assert all(step.cost == 0 for step in found.steps[:error])


def test_derivations_by_three_step_models_have_three_passes(sentences):
    model = train(ThreeStepConfig(features="small"), sentences=sentences)
    for gold in sentences[:4]:
        (parsed,) = model.parse([gold])
        found = model_derivation(model, "m", gold)
        assert (found.end.tree.heads, found.end.tree.deprels) == (parsed.heads(), parsed.deprels())
        systems = list(dict.fromkeys(step.system for step in found.steps))
        assert systems == ["arc-eager", "three-step-left", "three-step-right"]


def test_transforms_are_applied_to_words_and_gold_tree(sentences):
    sentence = sentences[0]
    backwards = train(Config(features="small", transforms=("reversal",)), sentences=sentences)
    found = model_derivation(backwards, "m", sentence)
    assert list(found.forms) == list(reversed(sentence.column("form")))
    n = len(sentence)
    assert found.gold.heads[1:] == [n + 1 - head if head else 0 for head in reversed(sentence.heads()[1:])]


def test_sentences_without_a_tree_have_no_costs(trained, sentences):
    sentence = sentences[0]
    blank = sentence.with_columns({"head": ("_",) * len(sentence), "deprel": ("_",) * len(sentence)})
    found = model_derivation(trained("swap"), "m", blank)
    assert found.gold is None
    assert {(step.oracle, step.cost) for step in found.steps} == {("", None)}


class Prices:
    """Dynamic oracle in which the cost of a move is its number and SHIFT is the best transition."""

    def costs(self, c, legal):
        return np.where(legal, np.arange(legal.shape[1]), 2**31)

    def labels(self, c):
        return np.zeros((1, 4), dtype=np.int64), np.ones((1, 4), dtype=np.bool_)

    def decide(self, c, legal):
        return Decision(np.array([0]), np.array([-1]))


def test_costs_are_those_of_the_dynamic_oracle(trained, sentences, monkeypatch):
    """The cost is that of the move minus the lowest one, plus 1 for a label other than the gold label."""
    monkeypatch.setattr(derivation, "dynamic_judge", lambda system, gold: DynamicJudge(Prices()))
    model = trained("arc-standard")
    found = model_derivation(model, "m", sentences[0])
    assert {step.oracle for step in found.steps} == {"SHIFT"}
    numbers = {"SHIFT": 0, "LEFT-ARC": 1, "RIGHT-ARC": 2}
    seen = set()
    for step in found.steps:
        least = set()
        for option in step.options:
            move, _, label = option.transition.partition("(")
            wrong = move == "SHIFT" or label != f"{model.labels[0]})"
            least.add(numbers[move] + wrong - option.cost)
            seen.add(move)
        assert least in ({0}, {1}, {2})
    assert seen == set(numbers)


@given(parsed_sentences(8))
def test_transitions_of_the_static_oracle_have_no_cost(made):
    """If the system derives the tree, its dynamic oracle gives the transitions of the static oracle cost 0."""
    for system in sorted(DYNAMIC_ORACLES):
        found = deriver(system)(made.sentence)
        if found.end.tree == found.gold and FINISH not in transitions(found):
            for step in found.steps:
                costs = {option.transition.partition("(")[0]: option.cost for option in step.options}
                assert costs[step.transition.partition("(")[0]] == 0


def test_cycles_are_refused():
    with pytest.raises(CrossarcError, match=r"not a tree, words 1 2 form a cycle$"):
        system_derivation(sentence(["a", "b"], [2, 1], ["x", "x"]), "swap")


def test_derivers_are_found_by_their_names(trained, sentences, tmp_path):
    own = sentences[0]
    save_model(trained("swap"), str(tmp_path / "own.model"))
    assert deriver(str(tmp_path / "own.model"))(own).name == "own.model"
    with pytest.raises(CrossarcError, match=r"^sentence 1: the sentence has no tags, but the model reads"):
        deriver(str(tmp_path / "own.model"))(Sentence.from_tokens(["Dogs", "bark"]))
    assert deriver("swap:eager")(own).name == "swap (eager oracle)"
    assert deriver("three-step")(own).name == "three-step"


@pytest.mark.parametrize(("system", "lost"), [("swap", 0), ("attardi", 0), ("arc-eager", 3), ("arc-standard", 5)])
def test_arcs_that_a_derivation_lacks_are_counted(system, lost):
    found = system_derivation(hearing().sentence, system)
    told = f"  (tree not derived; missing arcs: {lost})" if lost else ""
    assert (found.lost, found.title) == (lost, f"{system}{told}")
    assert found.heading(len(found.steps)).endswith(told)
    assert "missing" not in found.heading(0)
