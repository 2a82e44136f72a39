"""Suspects in a treebank: changed arcs, and words that other occurrences contradict."""

import pytest
from command_line import run
from crossarc import Config, Sentence, read_treebank
from crossarc.parser.plugins.annotation.suspects import expected_errors, repeated, suspects, with_changes
from crossarc.transitions.trees import is_tree


def small(sentences):
    return Config(features="small")


def test_changed_labels_come_first(sentences):
    treebank = [sentence.with_columns({"head": sentence.column("head")}) for sentence in sentences * 4]
    victim = treebank[7]
    arcs = zip(victim.column("head"), victim.column("deprel"), strict=True)
    labels = ["punct" if head == "0" else label for head, label in arcs]
    treebank[7] = victim.with_columns({"deprel": tuple(labels)})
    found, trees = suspects(treebank, small, folds=2)
    root = victim.column("head").index("0") + 1
    assert (found[0].sentence, found[0].word, found[0].gold) == (7, root, (0, "punct"))
    assert found[0].suggestion == (0, victim.column("deprel")[root - 1])
    assert len(trees) == len(treebank)
    assert [suspect.confidence for suspect in found] == sorted((suspect.confidence for suspect in found), reverse=True)


def test_trees_with_several_roots_are_changed_as_often():
    """None gets more roots than it had."""
    labels = ["a", "b", "c", "d", "e"]
    trees = [Sentence.from_tokens([*"abcde"], heads=[0, 1, 2, 0, 0], deprels=labels) for _ in range(60)]
    changed, places = with_changes(trees, 10, 2)
    assert len(places) == 30
    heads = sum(new.heads() != old.heads() for new, old in zip(changed, trees, strict=True))
    assert heads >= 10
    assert all(new.heads().count(0) <= 3 for new in changed)


def test_probabilities_keep_the_order_of_suspects(sentences):
    ranked, _ = suspects(sentences * 4, small, folds=2)
    few, _ = expected_errors(sentences * 4, ranked, small)
    assert [(suspect.sentence, suspect.word) for suspect in few] == [(one.sentence, one.word) for one in ranked]
    sure = [suspect.confidence for suspect in few]
    assert sure == sorted(sure, reverse=True)


@pytest.mark.parametrize(("percent", "seed"), [(5, 1), (10, 3)])
def test_changes_are_trees_and_their_words_are_known(percent, seed, sentences):
    changed, changes = with_changes(sentences, percent, seed)
    words = sum(map(len, sentences))
    assert len(changes) == -(-words * percent // 100)
    differing = {
        (number, word)
        for number, (one, other) in enumerate(zip(sentences, changed, strict=True))
        for word in range(1, len(one) + 1)
        if (one.heads()[word], one.deprels()[word]) != (other.heads()[word], other.deprels()[word])
    }
    assert differing == changes
    assert all(is_tree(sentence.heads()) for sentence in changed)


def test_expectations_hold_for_errors_of_the_same_kind(sentences):
    """Errors are planted, and the expected number among the first suspects is about the number found."""
    treebank, changes = with_changes(sentences * 6, 1.0, seed=5)
    ranked, _ = suspects(treebank, small)
    _, expected = expected_errors(treebank, ranked, small)
    for most, number in expected.items():
        hits = sum((suspect.sentence, suspect.word) in changes for suspect in ranked[:most])
        assert abs(number - hits) <= max(4, 0.4 * len(changes))


def test_words_that_all_other_occurrences_contradict():
    tokens = ["a", "b", "c", "d", "e"]
    usual = Sentence.from_tokens(tokens, heads=[3, 3, 0, 3, 3], deprels=["x", "x", "root", "x", "x"])
    other = Sentence.from_tokens(tokens, heads=[3, 3, 0, 5, 3], deprels=["x", "x", "root", "x", "y"])
    found = repeated([usual, usual, other, usual])
    assert [(suspect.sentence, suspect.word, suspect.gold, suspect.suggestion) for suspect in found] == [
        (2, 4, (5, "x"), (3, "x")),
        (2, 5, (3, "y"), (3, "x")),
    ]
    assert {suspect.confidence for suspect in found} == {3 / 5}
    assert repeated([usual, other, usual]) == []


def test_the_command_writes_a_table_and_a_page(here, capsys):
    capsys.readouterr()
    assert run("-q", "suspects", "train.conllu", "-o", "page.html") == 0
    heading, *rows = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert heading[-2:] == ["confidence", "reason"]
    gold = {own.id: own for own in read_treebank(here / "train.conllu").sentences}
    for name, word, form, head, deprel, other_head, other, sure, reason in rows:
        place = int(word) - 1
        assert [gold[name].column(column)[place] for column in ("form", "head", "deprel")] == [form, head, deprel]
        assert (head, deprel) != (other_head, other)
        assert 0 <= float(sure) <= 1
        assert reason in ("parser", "sequence")
    page = (here / "page.html").read_text("utf-8")
    assert rows[0][0] in page
    assert f"1: {rows[0][5]} {rows[0][6]}? ({rows[0][8]}" in page


def same_words(labels, heads=None):
    """Sentences of equal words, the last of which has the labels, and the heads."""
    heads = heads or [1] * len(labels)
    return [
        Sentence.from_tokens(list("abcde"), heads=[0, 1, 1, 1, head], deprels=["root", "x", "x", "x", label])
        for label, head in zip(labels, heads, strict=True)
    ]


def test_nothing_contradicts_without_a_most_frequent_analysis():
    for labels in ("AAABBBC", "BBBAAAC"):
        assert [suspect for suspect in repeated(same_words(labels)) if suspect.word == 5] == []
    assert [suspect.suggestion for suspect in repeated(same_words("AAAABC"))] == [(1, "A"), (1, "A")]


def test_a_suggestion_differs_from_the_annotation():
    for suspect in repeated(same_words("OOOO", [1, 1, 1, 4])):
        assert suspect.suggestion != suspect.gold
