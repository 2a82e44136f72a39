"""Pairing and scoring of the sentences of two files, and errors that name their first difference."""

import pytest
from crossarc.parser.evaluate.align import score_sentences
from crossarc.parser.treebank import Format, Sentence
from crossarc.parser.treebank.pairs import pair_sentences
from refusals import refusal

COLUMNS = Format("conllu", ("id", "form", "upos", "head", "deprel"))


def read(words, tree="", source="gold.conllu", line=1):
    """A sentence as the reader returns it. words, tree: the forms and heads, separated by spaces."""
    forms = tuple(words.split())
    heads = tuple(tree.split()) or ("0",) * len(forms)
    deprels = tuple("dep" if head != "0" else "root" for head in heads)
    ids = tuple(str(number) for number in range(1, len(forms) + 1))
    return Sentence(COLUMNS, (ids, forms, ("X",) * len(forms), heads, deprels), source=source, line=line)


def test_sentences_are_paired_without_reading_ahead():
    taken = []

    def words_of(name):
        for word in "abc":
            taken.append(name + word)
            yield read(word)

    pairs = pair_sentences(words_of("g"), words_of("p"))
    first = next(pairs)
    assert [s.column("form") for s in first] == [("a",), ("a",)]
    assert taken == ["ga", "pa"]
    assert len(list(pairs)) == 2


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (["a b"], ["a c"], "gold:1: word 2 of the sentence is 'b', but 'c' at out:5"),
        (["a", "b c"], ["a", "b c d"], "gold:2: the sentence has 2 words, but 3 at out:6"),
        (["a", "b"], ["a"], "gold:2: sentence 2 has no counterpart, out has only 1 sentence"),
        (["a", "b"], ["a", "b", "c"], "out:7: sentence 3 has no counterpart, gold has only 2 sentences"),
        (["a"], [], "gold:1: sentence 1 has no counterpart, the predicted file has only 0 sentences"),
        ([], ["a"], "out:5: sentence 1 has no counterpart, the gold file has only 0 sentences"),
    ],
)
def test_errors_name_the_first_difference(gold, predicted, message):
    sides = [
        [read(words, source=source, line=line) for line, words in enumerate(texts, first)]
        for source, first, texts in (("gold", 1, gold), ("out", 5, predicted))
    ]
    assert refusal(lambda: list(pair_sentences(*sides))) == message


def test_scores_of_two_files():
    gold = [read("a b ,", "2 0 2"), read("c", "0")]
    predicted = [read("a b ,", "2 0 1"), read("c", "0")]
    scores = score_sentences(gold, predicted)
    assert (scores.las, scores.lem, scores.no_punct.las) == (75, 50, 100)
    assert score_sentences(gold, predicted, punctuation="upos:X").no_punct.las is None


@pytest.mark.parametrize(
    ("gold", "parsed", "message"),
    [
        ("ab", [], "gold sentences: found str, expected a list of sentences; make sentences with Sentence.from_tokens"),
        ([], [1], "predicted sentence 1: found int, expected a Sentence or a list of words"),
        ([read("a b", "2 0")], [read("a b", "2 1", "out", 4)], "out:4: not a tree, words 1 2 form a cycle"),
    ],
)
def test_other_values_and_cycles_are_refused(gold, parsed, message):
    assert refusal(lambda: score_sentences(gold, parsed)) == message
