"""Columns that describe the tree of the input do not stay beside a new tree."""

import io

import pytest
from crossarc.parser.models.pieces import PieceParser, texts
from crossarc.parser.treebank import block_of, conll_text, read_pieces, read_sentences

ROWS = {
    "conllu": "# text = a b c\n1-2\tab{blank}\t_\t_\n1\ta\t_\tX\tX\t_\t2\tdet\t{given}\t_\n"
    "2\tb\t_\tX\tX\t_\t0\troot\t{given}\tMorph=x\n2.1\te\t_\tX\tX\t_\t_\t_\t{given}\t_\n"
    "3\tc\t_\tX\tX\t_\t2\tobj\t{given}\t_\n\n",
    "conllx": "1\ta\t_\tX\tX\t_\t2\tdet\t{given}\t{given}\n2\tb\t_\tX\tX\t_\t0\troot\t{given}\t{given}\n\n",
}


@pytest.mark.parametrize("format", ROWS)
@pytest.mark.parametrize("keep", [False, True])
def test_derived_columns_are_emptied(format, keep, trained):
    model = trained("swap")
    text = ROWS[format].format(given="2:x", blank="\t_" * 6)
    [piece] = read_pieces(io.StringIO(text), format)
    [sentence] = read_sentences(io.StringIO(text), format)
    assert block_of(piece) is not None
    by_sentence = "".join(texts(model, {"keep_deps": keep}, [sentence]))
    assert PieceParser(model, keep_deps=keep)(piece).data.decode() == by_sentence
    assert conll_text(next(model.parse([sentence], keep_deps=keep))) == by_sentence
    assert by_sentence.count("2:x") == (text.count("2:x") if keep else 0)
    assert by_sentence.count("Morph=x") == text.count("Morph=x")


@pytest.mark.parametrize("places", [(0,), (1,), (3,), (0, 0, 1, 3, 3)])
@pytest.mark.parametrize("keep", [False, True])
def test_empty_nodes_stay_with_deps_alone(places, keep, trained):
    """Without DEPS nothing refers to them, and validators refuse the file."""
    rows = [f"{word}\tw\t_\tX\tX\t_\t{word - 1}\tdep\t_\t_\n" for word in (1, 2, 3)]
    for number, place in reversed(list(enumerate(places))):
        rank = 1 + places[:number].count(place)
        rows.insert(place, f"{place}.{rank}\tempty\t_\t_\t_\t_\t_\t_\t1:x\tCopyOf=1\n")
    text = "".join([*rows, "\n", "# sent_id = next\n", *rows, "\n"])
    [piece] = read_pieces(io.StringIO(text), "conllu")
    assert block_of(piece) is not None
    model = trained("swap")
    by_block = PieceParser(model, keep_deps=keep)(piece).data.decode()
    assert by_block == "".join(texts(model, {"keep_deps": keep}, list(read_sentences(io.StringIO(text), "conllu"))))
    assert by_block.count("empty") == (2 * len(places) if keep else 0)
    assert [line.split("\t")[0] for line in by_block.splitlines() if line and line[0] in "123"] == [
        "1",
        "2",
        "3",
    ] * 2 or keep


def test_empty_nodes_stay_where_no_tree_is_replaced():
    text = ROWS["conllu"].format(given="2:x", blank="\t_" * 6)
    [sentence] = read_sentences(io.StringIO(text), "conllu")
    assert sentence.to_conllu() == conll_text(sentence) == text
