"""Sentences as a spreadsheet and back: nothing changes, and what spreadsheets do to tables is read."""

import csv
import io

import pytest
from command_line import run
from crossarc import CrossarcError, read_sentences
from crossarc.parser.plugins.annotation.sheet import COLUMNS, from_sheet, to_sheet
from crossarc.parser.treebank import conll_text
from hypothesis import given, strategies as st

CELLS = st.text(st.sampled_from("ab'\"=+-@|,;. é\u00a0_#"), min_size=1, max_size=5).filter(
    lambda text: text == text.strip(" ")
)
TEXT = (
    "# sent_id = a\n# text = =1 'tis zum\n1\t=1\t-1\tNUM\t_\t_\t0\troot\t_\t_\n"
    '2\t\'tis\t"q"\tVERB\t_\tA=B|C=D\t1\tx\t_\tGloss=it|@x\n3-4\tzum\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n'
    "3\tzu\tzu\tADP\t_\t_\t1\tx\t_\t_\n4\tdem\tder\tDET\t_\t_\t1\tx\t_\t_\n"
    "4.1\t_\t_\t_\t_\t_\t_\t_\t1:x\t_\n\n# sent_id = b\n1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)


def sentences(text):
    return list(read_sentences(io.StringIO(text), "conllu"))


def again(table, name="a.tsv"):
    return "".join(map(conll_text, from_sheet(table, name)))


def test_a_table_says_what_the_sentences_say():
    assert again("".join(to_sheet(sentences(TEXT)))) == TEXT


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4), CELLS)
def test_any_cell_comes_back(words, comment):
    rows = [f"{k}\t{form}\t{lemma}\t_\t_\t_\t_\t_\t_\t{misc}" for k, (form, lemma, misc) in enumerate(words, 1)]
    text = "\n".join([f"# {comment}", *rows, "", ""])
    assert again("".join(to_sheet(sentences(text)))) == text


def test_cells_cannot_be_formulas():
    for row in csv.reader(io.StringIO("".join(to_sheet(sentences(TEXT)))), dialect="excel-tab"):
        assert not [cell for cell in row if cell[:1] in "=+@" and len(cell) > 1]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.replace("\n", "\r\n"),
        lambda table: "\ufeff" + table,
        lambda table: table.rstrip("\n"),
        lambda table: "".join(f"{line}\t\t\n" for line in table.split("\n")),
        lambda table: table.replace("\t_\t", "\t\t").replace("\t_\t", "\t\t"),
        lambda table: "\n".join("\t".join([*line.split("\t")[1:], line.split("\t")[0]]) for line in table.split("\n")),
    ],
    ids=["line ends", "byte order mark", "no end", "empty cells behind", "empty cells", "other order"],
)
def test_what_spreadsheets_change_is_read(change):
    table = "".join(to_sheet(sentences(TEXT)))
    full = "\n".join(
        line + "\t" * (len(COLUMNS) - 1 - line.count("\t")) if line else line for line in table.split("\n")
    )
    assert again(change(full)) == TEXT


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", "a.tsv:1: found no column ID"),
        ("ID\tFORM\n1\tx\n", "a.tsv:1: found no column LEMMA"),
        ("\t".join(COLUMNS) + "\n\tx\n", "a.tsv:2: found no ID"),
        ("\t".join(COLUMNS) + "\n1\tx\n3\ty\n", "a.tsv:2: "),
        ("\t".join(COLUMNS) + '\n1\t"x\n', "a.tsv:"),
    ],
)
def test_other_tables_are_refused_with_their_line(table, message):
    with pytest.raises(CrossarcError) as caught:
        from_sheet(table, "a.tsv")
    assert message in str(caught.value)


def test_the_command_goes_both_ways(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.conllu").write_text(TEXT, "utf-8")
    assert run("sheet", "a.conllu", "-o", "a.tsv") == 0
    assert run("sheet", "a.tsv", "-o", "b.conllu") == 0
    assert (tmp_path / "b.conllu").read_bytes() == (tmp_path / "a.conllu").read_bytes()
    assert run("sheet", "missing.tsv") == 1
    assert "missing.tsv" in capsys.readouterr().err


def test_cells_beyond_the_headings_are_refused():
    """One cell that was pasted too much would move the others of its row."""
    row = "\t".join(["1", "Hi", "hi", "X", "", "", "0", "root", "", "Note=a"])
    lines = ["\t".join(COLUMNS), row, row.replace("1\tHi", "2\tHi").replace("\t0\t", "\tpasted\t0\t")]
    with pytest.raises(CrossarcError, match=":3: found more cells than headings, expected 10"):
        from_sheet("\n".join(lines), "name")
    (sentence,) = from_sheet("\n".join(lines[:2]) + "\t\t\n", "name")
    assert sentence.column("misc") == ("Note=a",)


def test_spaces_of_forms_and_comments_stay():
    """Elsewhere, at the ends of cells, they are slips of the keyboard; so are cells and rows of spaces alone."""
    cells = ["1", " ", " a ", "X ", " ", "", "0", " root", "", "Keep=Yes "]
    rows = ["#\t# text = a  ", "\t".join(cells), " \t \t ", "\t".join([*cells[:2], " ", *cells[3:9], " "])]
    one, other = from_sheet("\n".join(["\t".join(COLUMNS), *rows]), "name")
    names = ("form", "lemma", "upos", "xpos", "deprel", "misc")
    assert [one.column(name)[0] for name in names] == [" ", " a ", "X", "_", "root", "Keep=Yes"]
    assert [other.column(name)[0] for name in names] == [" ", "_", "X", "_", "root", "_"]
    assert one.comments == ("# text = a  ",)
