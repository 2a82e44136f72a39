"""K-best trees: their order, probabilities and options."""

from collections import Counter
from itertools import groupby

import pytest
from command_line import run
from crossarc import CrossarcError, read_sentences
from crossarc.parser.models.transition_model import with_best_trees
from crossarc.transitions.trees import is_tree


def comment(sentence, key):
    return next(line.partition("=")[2].strip() for line in sentence.comments if line.startswith(f"# {key} ="))


def test_trees_differ_and_are_sorted_by_probability(trained, sentences):
    model, gold = trained("arc-hybrid"), sentences
    parsed = with_best_trees(model, gold, 4)
    groups = [list(group) for _, group in groupby(parsed, key=lambda sentence: sentence.id)]
    assert [group[0].id for group in groups] == [sentence.id for sentence in gold]
    for group in groups:
        trees = {(tuple(sentence.heads()), tuple(sentence.deprels())) for sentence in group}
        assert 1 <= len(trees) == len(group) <= 4
        assert all(is_tree(heads) for heads, _ in trees)
        assert [comment(sentence, "k_best") for sentence in group] == [str(rank) for rank in range(1, len(group) + 1)]
        probabilities = [float(comment(sentence, "probability")) for sentence in group]
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0 < sum(probabilities) <= 1.001
    assert max(map(len, groups)) == 4


def test_one_best_tree_is_the_greedy_tree(trained, sentences):
    model, gold = trained("swap"), sentences
    greedy = list(model.parse(gold))
    best = with_best_trees(model, gold, 1)
    assert [sentence.columns for sentence in best] == [sentence.columns for sentence in greedy]
    assert all(comment(sentence, "probability") == "1.0000" for sentence in best)


def test_the_size_of_beams_is_limited(trained):
    with pytest.raises(CrossarcError, match=r"^beam: found 1001; allowed: a whole number from 1 to 1000$"):
        trained("swap").with_beam(1001)


def test_probabilities_of_all_trees_of_a_beam_sum_to_one(trained, sentences):
    """If fewer trees are requested, they are the first ones with the same probabilities."""
    model, gold = trained("arc-hybrid").with_beam(6), sentences
    every = with_best_trees(model, gold, 6)
    totals = Counter()
    for sentence in every:
        totals[sentence.id] += float(comment(sentence, "probability"))
    assert all(abs(total - 1) < 0.001 for total in totals.values())
    assert with_best_trees(model, gold, 2) == [own for own in every if int(comment(own, "k_best")) <= 2]


def test_parsers_of_several_passes_are_refused(trained, sentences):
    message = r"^k-best trees need a parser of one pass; scores of several passes cannot"
    with pytest.raises(CrossarcError, match=message):
        with_best_trees(trained("three-step"), sentences, 2)


def test_k_best_and_beam_on_the_command_line(here):
    assert run("parse", "m", "test.conllu", "--k-best", 3, "-o", "best.conllu") == 0
    assert len(list(read_sentences("best.conllu"))) > 12
    assert run("parse", "m", "test.conllu", "--k-best", 3, "--jobs", 2, "-o", "two.conllu") == 0
    assert (here / "two.conllu").read_bytes() == (here / "best.conllu").read_bytes()
    assert run("parse", "m", "test.conllu", "--beam", 1, "-o", "one.conllu") == 0
    assert run("parse", "m", "test.conllu", "-o", "plain.conllu") == 0
    assert (here / "one.conllu").read_bytes() == (here / "plain.conllu").read_bytes()
    assert run("parse", "m", "test.conllu", "--beam", 6, "-o", "six.conllu") == 0
    assert (here / "six.conllu").read_bytes() != (here / "plain.conllu").read_bytes()
