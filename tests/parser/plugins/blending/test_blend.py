import random

import numpy as np
import pytest
from command_line import run
from crossarc.parser.plugins.blending.blend import blend_sentences, blend_votes, select_parsers
from crossarc.parser.plugins.blending.vote_weights import Weights, equal_weights, learn_weights, weights_from_json
from crossarc.parser.treebank import read_sentences
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.spanning_tree import maximum_spanning_tree
from crossarc.transitions.trees import is_tree, roots
from handmade import any_heads, tree
from hypothesis import given, strategies as st
from refusals import refusal


def test_scores_of_different_labels_of_an_arc_are_not_added():
    """Figure 7.1: three votes for 0 -A-> 2, two for 1 -A-> 2, one for 1 -B-> 2."""
    votes = [[tree(own)] for own in ["0:R 0:A"] * 3 + ["0:R 1:A"] * 2 + ["0:R 1:B"]]
    assert blend_votes(votes, equal_weights(6), [["", ""]]) == [tree("0:R 0:A")]


def test_a_cycle_of_majority_arcs_is_broken():
    votes = [[tree(own)] for own in ("2:a 3:b 0:c", "2:a 0:b 1:c", "0:a 3:b 1:c")]
    weights = Weights("accuracy", (0.9, 0.8, 0.7))
    # majorities: 2 -> 1, 3 -> 2, 1 -> 3; without each: 1.7 + 1.6 + 0.9, 1.7 + 1.5 + 0.8, 1.6 + 1.5 + 0.7
    assert blend_votes(votes, weights, [["", "", ""]]) == [tree("2:a 3:b 0:c")]


def test_blends_have_a_single_root_even_if_no_vote_has():
    votes = [[tree("0:a 0:b")], [tree("0:a 0:c")]]
    assert blend_votes(votes, equal_weights(2), [["", ""]])[0].heads == [-1, 0, 0]
    blended = blend_votes(votes, equal_weights(2), [["", ""]], single_root=True)[0]
    assert len(roots(blended.heads)) == 1
    assert blended.deprels == ["", "a", "b"]


def random_vote(generator, n):
    heads = any_heads(n, generator.randrange(10**9))
    return Tree(heads, ["", *(generator.choice("ab") for _ in range(n))])


def near(generator, vote):
    """A tree that differs from another one in at most two words."""
    heads, deprels = list(vote.heads), list(vote.deprels)
    for _ in range(generator.randint(0, 2)):
        word = generator.randrange(1, len(heads))
        changed = list(heads)
        changed[word] = generator.randrange(len(heads))
        if changed[word] != word and is_tree(changed):
            heads = changed
        deprels[word] = generator.choice("ab")
    return Tree(heads, deprels)


def literally(votes, weights, upos, single_root):
    """(score of the best tree, scores of labelled arcs, matrix of the best scores of arcs)."""
    n = len(votes[0].heads) - 1
    score = {}
    for number, vote in enumerate(votes):
        own = weights.of(number, upos, vote.deprels[1:])
        for word in range(1, n + 1):
            arc = vote.heads[word], word, vote.deprels[word]
            score[arc] = score.get(arc, 0.0) + own[word - 1]
    for nothing in (-np.inf, 0.0):
        graph = np.full((n + 1, n + 1), nothing)
        for (head, word, _), value in score.items():
            graph[head, word] = max(graph[head, word], value)
        try:
            heads = maximum_spanning_tree(graph, single_root)
        except ValueError:
            continue
        break
    return sum(graph[heads[word], word] for word in range(1, n + 1)), score, graph


@given(st.integers(0, 10**9), st.booleans(), st.sampled_from(["equal", "accuracy", "pos", "deprel", "pos+deprel"]))
def test_the_blend_is_the_best_tree_over_the_votes(seed, single_root, by):
    generator = random.Random(seed)
    sentences = []
    for _ in range(generator.randint(1, 4)):
        n = generator.randint(1, 9)
        centre = random_vote(generator, n)
        own = [near(generator, centre) if generator.random() < 0.7 else random_vote(generator, n) for _ in range(4)]
        sentences.append(own)
    votes = list(zip(*sentences, strict=True))
    upos = [[generator.choice("NV") for _ in sentence[0].heads[1:]] for sentence in sentences]
    weights = learn_weights(by, [random_vote(generator, len(tags)) for tags in upos], votes, upos)
    blended = blend_votes(votes, weights, upos, single_root)
    assert len(blended) == len(sentences)
    for own, tags, vote in zip(sentences, upos, blended, strict=True):
        assert is_tree(vote.heads)
        best, score, graph = literally(own, weights, tags, single_root)
        assert not single_root or len(roots(vote.heads)) == 1
        arcs = [(vote.heads[word], word) for word in range(1, len(vote.heads))]
        assert sum(graph[arc] for arc in arcs) == pytest.approx(best, abs=1e-9)
        for arc, label in zip(arcs, vote.deprels[1:], strict=True):
            if any(known[:2] == arc for known in score):
                assert score[(*arc, label)] == pytest.approx(graph[arc])


def test_parsers_are_selected_in_either_order():
    assert select_parsers(1, [0.5, 0.9, 0.7, 0.5], descending=True) == [1, 2, 0, 3]
    assert select_parsers(1, [0.5, 0.9, 0.7, 0.5], descending=False) == [1, 0, 3, 2]


def test_blends_of_no_sentences_and_of_no_words():
    assert blend_votes([[], []], equal_weights(2), []) == []
    empty = Tree([-1], [""])
    assert blend_votes([[empty], [empty]], equal_weights(2), [[]], single_root=True) == [empty]


def test_weights_are_accuracies_on_held_out_sentences():
    gold = [tree("2:s 0:r 2:o")]
    votes = [[tree("2:s 0:r 2:s")], [tree("0:s 0:r 2:o")]]
    upos = [["N", "V", "N"]]
    assert learn_weights("equal", gold, votes, upos) == equal_weights(2)
    assert learn_weights("accuracy", gold, votes, upos) == Weights("accuracy", (2 / 3, 2 / 3))
    by_pos = learn_weights("pos", gold, votes, upos)
    assert by_pos.special == ({"N": 0.5, "V": 1.0}, {"N": 0.5, "V": 1.0})
    by_deprel = learn_weights("deprel", gold, votes, upos)
    assert by_deprel.special == ({"r": 1.0, "s": 0.5}, {"o": 1.0, "r": 1.0, "s": 0.0})
    assert by_deprel.of(0, ["N", "X"], ["s", "new"]) == [0.5, 2 / 3]
    assert by_pos.of(1, ["N", "X"], ["s", "new"]) == [0.5, 2 / 3]
    both = learn_weights("pos+deprel", gold, votes, upos)
    assert both.special[0] == pytest.approx({"N s": (1 + 5 * 2 / 3) / 7, "V r": (1 + 5 * 2 / 3) / 6})
    assert both.of(0, ["V"], ["r"]) == pytest.approx([(1 + 5 * 2 / 3) / 6])
    assert weights_from_json(by_deprel.to_json(), "w", 2) == by_deprel
    without = [gold[0]._replace(heads=[-1, 2, 0, -1])]
    assert learn_weights("accuracy", without, votes, upos) == Weights("accuracy", (1.0, 0.5))


@pytest.mark.parametrize(
    ("by", "overall", "message"),
    [
        ("equal", [1], "found weights of 1 parsers; expected 2, one for each parser of the blend"),
        ("equal", [1, -1], "not weights of a blend: overall[1]: found -1; expected a number, 0 or more"),
        ("size", [1, 1], "by: found 'size'; allowed: equal, accuracy, pos, deprel, pos+deprel"),
        ("pos", [1, 1], "special: found weights of 0 parsers; expected 2 for weights by pos"),
    ],
)
def test_wrong_weights_are_refused(by, overall, message):
    document = {"by": by, "overall": overall, "special": []}
    assert refusal(lambda: weights_from_json(document, "w", 2)) == f"w: {message}"


def write(path, sentences):
    row = "{}\t{}\t_\tX\tX\t_\t{}\t{}\t_\t_\n".format
    rows = ["".join(row(number, *word) for number, word in enumerate(sentence, 1)) for sentence in sentences]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def test_files_are_blended_sentence_by_sentence(tmp_path):
    one = write(tmp_path / "1.conll", [[("a", 0, "r"), ("b", 1, "o")], [("c", 0, "r")]])
    two = write(tmp_path / "2.conll", [[("a", 2, "s"), ("b", 0, "r")], [("c", 0, "x")]])
    blended = blend_sentences([read_sentences(path) for path in (one, two, two)], equal_weights(3))
    found = [(sentence.heads(), sentence.deprels()) for sentence in blended]
    assert found == [([-1, 2, 0], ["", "s", "r"]), ([-1, 0], ["", "x"])]


@pytest.mark.parametrize("more", [["--weights", "gone.json"], ["--single-root"]])
def test_options_of_trees_are_refused_beside_learning(more, small_treebank, capsys):
    assert run("blend", small_treebank, small_treebank, "--learn", small_treebank, *more) == 1
    assert "omit --weights and --single-root" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ([[("a", 0, "r"), ("B", 1, "o")]], "1.conll:1: word 2 of the sentence is 'b', but 'B' at"),
        ([[("a", 0, "r"), ("b", 1, "o")], [("c", 0, "r")]], "2.conll:4: sentence 2 has no counterpart"),
        ([[("a", 2, "r"), ("b", 1, "o")]], "2.conll:1: not a tree, the heads form a cycle"),
    ],
)
def test_files_that_do_not_match_are_refused(tmp_path, others, message):
    one = write(tmp_path / "1.conll", [[("a", 0, "r"), ("b", 1, "o")]])
    two = write(tmp_path / "2.conll", others)
    files = [read_sentences(one), read_sentences(two)]
    assert message in refusal(lambda: list(blend_sentences(files, equal_weights(2))))
