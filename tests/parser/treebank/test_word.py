"""Words of sentences, and sentences as text, CoNLL-U and graphs."""

from io import StringIO

import networkx
import pytest
from command_line import conllu
from crossarc.parser.treebank import Sentence, conll_text, read_sentences
from spoken import rows

SENTENCES = list(read_sentences(StringIO(conllu(1, 30))))


@pytest.mark.parametrize("sentence", SENTENCES[:10])
def test_words_agree_with_columns_and_with_the_graph(sentence):
    words = list(sentence)
    assert [word.form for word in words] == list(sentence.column("form"))
    assert [-1, *(word.head for word in words)] == sentence.heads()
    assert ["", *(word.deprel for word in words)] == sentence.deprels()
    assert (sentence[-1], sentence[1:3]) == (words[-1], words[1:3])
    with pytest.raises(IndexError, match=f"the sentence has {len(words)} words"):
        sentence[len(words)]
    graph = sentence.to_networkx()
    assert networkx.is_arborescence(graph)
    for word in words:
        assert [own.id for own in word.children] == sorted(graph.successors(word.id))
        assert {own.id for own in word.subtree} == {word.id} | networkx.descendants(graph, word.id)
        assert graph.nodes[word.id]["form"] == word.form
    assert sentence.to_conllu() == conll_text(sentence)


def test_text_has_multiword_tokens_and_no_space_where_none_was():
    text = rows([("Hund", "SpaceAfter=No"), (".", "_")], multiword=True)
    (sentence,) = read_sentences(StringIO(text))
    assert sentence.text == "zum Hund."
    (sentence,) = read_sentences(StringIO(f"# text = zum  Hund .\n{text}"))
    assert sentence.text == "zum  Hund ."
    assert sentence.to_conllu() == f"# text = zum  Hund .\n{text}"


def test_other_formats_become_conllu():
    text = "1\tHund\tHund\tN\tNN\t_\t0\tROOT\t0\tROOT\n\n"
    (sentence,) = read_sentences(StringIO(text), "conllx")
    assert sentence.to_conllu() == "1\tHund\tHund\tN\tNN\t_\t0\tROOT\t_\t_\n\n"


def test_unknown_columns_are_refused_and_cycles_end():
    sentence = Sentence.from_tokens(["a", "b", "c"], heads=[2, 1, 0])
    assert [word.id for word in sentence[0].subtree] == [1, 2]
    with pytest.raises(AttributeError, match="the word has no column 'froms'"):
        _ = sentence[0].froms
