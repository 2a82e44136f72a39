"""Replayed moves: those of an oracle give its derivation; others are judged, or refused with a reason."""

from dataclasses import replace

import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, replayed, write_sentences
from crossarc.parser.plugins.analysis.derivation import system_derivation
from crossarc.parser.plugins.analysis.replay import moves_in
from crossarc.transitions.registry import SYSTEMS
from every_derivation import random_trees
from hypothesis import assume, given, strategies as st

NEWS = Sentence.from_tokens(["Economic", "news", "had", "effect"]).with_tree(
    [-1, 2, 3, 0, 3], ["", "nmod", "sbj", "root", "obj"]
)


@given(random_trees(single_root=True, longest=6), st.sampled_from([name for name in SYSTEMS if name != "tagging"]))
def test_the_moves_of_an_oracle_give_its_derivation(tree, system):
    assume(len(tree) > 1)
    sentence = Sentence.from_tokens([f"w{word}" for word in range(1, len(tree))]).with_tree(
        tree, ["", *["x"] * (len(tree) - 1)]
    )
    derivation = system_derivation(sentence, system)
    steps = [step for step in derivation.steps if not step.by_default]
    assume(len(steps) == len(derivation.steps))  # the system can derive the tree
    again = replayed(sentence, system, [step.transition for step in steps])
    assert [(step.before, step.transition, step.cost) for step in again.steps] == [
        (step.before, step.transition, step.cost) for step in steps
    ]
    assert again.end.tree.heads == derivation.end.tree.heads


def test_moves_are_judged_and_the_tree_so_far_is_drawn():
    derivation = replayed(NEWS, "arc-eager", moves_in("SHIFT, LEFT-ARC(nmod), sh, SHIFT, RIGHT-ARC(a,b)"))
    assert [step.cost for step in derivation.steps] == [0, 0, 0, 2, 1]
    assert derivation.end.tree.heads == [-1, 2, -1, -1, 3]
    assert derivation.end.tree.deprels[4] == "a,b"
    assert not replayed(NEWS, "arc-standard", []).steps


def test_sentences_without_a_tree_are_not_judged():
    derivation = replayed(Sentence.from_tokens(["a", "b"]), "arc-eager", ["SHIFT", "LEFT-ARC(x)"])
    assert [step.cost for step in derivation.steps] == [None, None]


@pytest.mark.parametrize(
    ("moves", "number", "said"),
    [
        (
            "SHIFT, REDUCE",
            2,
            "stack [0 1], buffer [2 3 4], words with a head: none; allowed: SHIFT, LEFT-ARC, RIGHT-ARC",
        ),
        ("LEFT-ARC(x)", 1, "allowed: SHIFT"),
        ("SHIFT, LEFTARC(x)", 2, "did you mean 'LEFT-ARC'"),
        ("SHIFT, LEFT-ARC", 2, "expected a label"),
        ("SHIFT(x)", 1, "expected no label"),
        ("SHIFT SHIFT", 1, "expected a move"),
    ],
)
def test_moves_that_cannot_be_taken(moves, number, said):
    with pytest.raises(CrossarcError) as raised:
        replayed(NEWS, "arc-eager", moves_in(moves))
    assert str(raised.value).startswith(f"move {number}: ")
    assert said in str(raised.value)


def test_the_command_replays_moves_of_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_sentences([NEWS], "news.conllu")
    command = ["show", "news.conllu", "--id", "1", "--derivation", "arc-eager", "--moves"]
    assert run(*command, "SHIFT, SHIFT") == 0
    assert "costs 1" in capsys.readouterr().out
    assert run(*command, "SHIFT, LEFT-ARC(nmod)", "-o", "steps.html") == 0
    for wrong in (["show", "news.conllu", "--moves", "SHIFT"], [*command, "REDUCE"]):
        assert run(*wrong) == 1
    write_sentences([NEWS, replace(NEWS, comments=("# sent_id = 1",))], "two.conllu")
    assert run("show", "two.conllu", *command[2:], "SHIFT") == 1
    assert "--moves: found several sentences" in capsys.readouterr().err
