"""Symbol tables and batches of integers, compared with a slow recomputation."""

import json

import numpy as np
import pytest
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.treebank import UNKNOWN, SymbolTable, symbols
from crossarc.parser.treebank.symbols import FIRST_KNOWN, NO_NODE, ROOT_NODE, batches_by_length, encode_columns
from hypothesis import example, given, strategies as st
from refusals import refusal

columns = st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), max_size=5)
sets = st.lists(st.sampled_from(["A=1", "B=2", "C=3", "D"]), max_size=4).map("|".join).map(lambda text: text or "_")
set_columns = st.lists(st.lists(sets, max_size=5), max_size=5)


def restored(table):
    return symbols.tables_from_json(json.loads(json.dumps(symbols.tables_json({"x": table}))))["x"]


def test_values_are_numbered_in_order_of_first_occurrence():
    table = SymbolTable.build("form", [["b", "a"], [], ["b", "c", "a"]])
    assert table.values == ("b", "a", "c")
    assert len(table) == 6
    found = table.lookup(["c", "x", "b", "a"])
    assert found.dtype == np.int32
    assert found.tolist() == [5, UNKNOWN, 3, 4]
    assert (NO_NODE, ROOT_NODE, UNKNOWN, FIRST_KNOWN) == (0, 1, 2, 3)
    assert restored(table) == table
    assert table.lookup([]).shape == (0,)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"values": ["a", "b", "a"]}, "columns.x: a value occurs twice"),
        ({"values": ["a"], "size": 5}, "columns.x.size: found 5; expected 4 at most"),
        ({"values": ["a"], "size": -1}, "columns.x.size: found -1; expected a whole number from 0 to 1024"),
        ({"values": "a"}, "columns.x.values: found 'a'; expected a list, each text"),
    ],
)
def test_invalid_tables_are_refused(state, message):
    assert refusal(lambda: symbols.tables_from_json({"x": state}), ShapeError) == message


def test_set_tables_number_the_atoms_of_sets():
    table = SymbolTable.build("feats", [["_", "Case=Nom|Number=Sing"], ["Case=Acc", "Number=Sing"]])
    assert table.values == ("Case=Nom", "Number=Sing", "Case=Acc")
    assert table.size == 2
    assert len(table) == 6
    values = ["_", "Case=Acc", "X=1|Number=Sing", "Case=Acc|Number=Sing|Case=Nom", "Case=Acc|Case=Acc", "", "|", "X"]
    rows = [[0, 0], [5, 0], [4, 0], [5, 4], [5, 0], [0, 0], [0, 0], [0, 0]]
    found = table.lookup(values)
    assert found.dtype == np.int32
    assert found.tolist() == rows
    assert restored(table) == table


@given(columns, columns)
def test_encoding_equals_a_loop(training, batch):
    table = SymbolTable.build("form", training)
    width = max(map(len, batch), default=0) + 2
    matrix = encode_columns([{"form": own} for own in batch], {"form": table})["form"]
    assert (matrix.shape, matrix.dtype) == ((len(batch), width), np.int32)
    for row, words in zip(matrix.tolist(), batch, strict=True):
        known = [table.values.index(word) + FIRST_KNOWN if word in table.values else UNKNOWN for word in words]
        assert row == [ROOT_NODE, *known, *[NO_NODE] * (width - 1 - len(words))]


@given(set_columns, set_columns)
def test_encoding_sets_equals_a_loop(training, batch):
    table = SymbolTable.build("feats", training)
    matrix = encode_columns([{"feats": own} for own in batch], {"feats": table})["feats"]
    width = max(map(len, batch), default=0) + 2
    assert matrix.shape == (len(batch), width, table.size)
    for number, words in enumerate(batch):
        for position in range(width):
            value = words[position - 1] if 1 <= position <= len(words) else "_"
            atoms = list(dict.fromkeys(value.split("|"))) if value != "_" else []
            ids = [table.values.index(atom) + FIRST_KNOWN for atom in atoms if atom in table.values]
            ids = ids[: table.size]
            assert matrix[number, position].tolist() == ids + [0] * (table.size - len(ids))


def test_piece_tables_number_the_pieces_that_their_key_names():
    table = SymbolTable.build("feats/Case", [["_", "Case=Nom|Number=Sing"], ["Case=Acc", "Case=Nom", "Number=Sing"]])
    assert table.values == ("_", "Nom", "Acc")
    assert table.lookup(["Case=Acc|Number=Plur", "Case=Dat", "Number=Plur", "_"]).tolist() == [5, UNKNOWN, 3, 3]
    assert restored(table) == table
    assert not table.blank
    assert SymbolTable.build("feats/Case", [["_", "Number=Sing"]]).blank
    assert SymbolTable.build("form/suffix(3)", [["walking"]]).lookup(["singing", "sings"]).tolist() == [3, UNKNOWN]
    matrix = encode_columns([{"c": ["Case=Nom"]}, {"c": ["_", "Case=Dat"]}], {"c": table})["c"]
    assert matrix.tolist() == [[ROOT_NODE, 4, NO_NODE, NO_NODE], [ROOT_NODE, 3, UNKNOWN, NO_NODE]]


@given(st.lists(st.integers(0, symbols.MOST_PLACES * 2), max_size=60), st.integers(1, 20))
@example([symbols.MOST_PLACES // 2 - 2] * 5, 5)
@example([symbols.MOST_PLACES // 2 - 1] * 5, 5)
def test_batches_have_each_sentence_once_and_limited_places(lengths, batch):
    batches = list(batches_by_length(lengths, batch))
    assert sorted(number for numbers in batches for number in numbers) == list(range(len(lengths)))
    for numbers in batches:
        assert 1 <= len(numbers) <= batch
        width = max(lengths[number] for number in numbers) + 2
        assert len(numbers) == 1 or len(numbers) * width <= symbols.MOST_PLACES
