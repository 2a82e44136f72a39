"""Pairing and scoring of the sentences of two files, and errors that name their first difference."""

from dataclasses import dataclass, field

import pytest
from crossarc.parser.evaluate.align import score_sentences
from crossarc.parser.treebank import Format
from crossarc.parser.treebank.pairs import pair_sentences
from refusals import refusal


@dataclass(frozen=True)
class Read:
    """Sentence as the reader returns it."""

    words: str
    tree: str = ""
    source: str = "gold.conllu"
    line: int = 1
    format: Format = field(default_factory=lambda: Format("conllu", ("id", "form", "upos", "head", "deprel")))

    def __len__(self):
        return len(self.column("form"))

    def column(self, name):
        words = tuple(self.words.split())
        return words if name == "form" else tuple("X" for _ in words)

    def heads(self, partial=False):
        return [-1, *map(int, self.tree.split())]

    def deprels(self):
        return ["", *("dep" if head != "0" else "root" for head in self.tree.split())]


def test_sentences_are_paired_without_reading_ahead():
    taken = []

    def read(name):
        for word in "abc":
            taken.append(name + word)
            yield Read(word)

    pairs = pair_sentences(read("g"), read("p"))
    first = next(pairs)
    assert [s.words for s in first] == ["a", "a"]
    assert taken == ["ga", "pa"]
    assert len(list(pairs)) == 2


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (
            [Read("a b", line=3)],
            [Read("a c", source="out.conllu", line=5)],
            "gold.conllu:3: word 2 of the sentence is 'b', but 'c' at out.conllu:5",
        ),
        (
            [Read("a"), Read("b c", line=9)],
            [Read("a", source="out.conllu"), Read("b c d", source="out.conllu", line=8)],
            "gold.conllu:9: the sentence has 2 words, but 3 at out.conllu:8",
        ),
        (
            [Read("a"), Read("b", line=3)],
            [Read("a", source="out.conllu")],
            "gold.conllu:3: sentence 2 has no counterpart, out.conllu has only 1 sentence",
        ),
        (
            [Read("a"), Read("b")],
            [Read("a", source="out.conllu"), Read("b"), Read("c", source="out.conllu", line=7)],
            "out.conllu:7: sentence 3 has no counterpart, gold.conllu has only 2 sentences",
        ),
        ([Read("a")], [], "gold.conllu:1: sentence 1 has no counterpart, the predicted file has only 0 sentences"),
        ([], [Read("a")], "gold.conllu:1: sentence 1 has no counterpart, the gold file has only 0 sentences"),
    ],
)
def test_errors_name_the_first_difference(gold, predicted, message):
    assert refusal(lambda: list(pair_sentences(gold, predicted))) == message


def test_scores_of_two_files():
    gold = [Read("a b ,", "2 0 2"), Read("c", "0")]
    predicted = [Read("a b ,", "2 0 1"), Read("c", "0")]
    scores = score_sentences(gold, predicted)
    assert (scores.las, scores.lem, scores.no_punct.las) == (75, 50, 100)
    assert score_sentences(gold, predicted, punctuation="upos:X").no_punct.las is None


def test_errors_for_cycles_name_file_and_line():
    assert (
        refusal(lambda: score_sentences([Read("a b", "2 0")], [Read("a b", "2 1", "out.conllu", 4)]))
        == "out.conllu:4: not a tree, words 1 2 form a cycle"
    )
