"""Trees as text: drawings checked by hand, and random trees whose arcs are read back from the lines."""

import pytest
from crossarc.parser.plugins.drawing.text_tree import draw_tree
from crossarc.parser.plugins.drawing.word_line import text_columns
from crossarc.parser.treebank import Sentence
from handmade import any_heads
from hypothesis import given, strategies as st

ENDS = "┌└╔╚"


def sentence(heads, deprels, forms):
    return Sentence.from_tokens(forms, heads=heads[1:], deprels=deprels)


def drawn(heads, words, labels=""):
    forms = words.split()
    return draw_tree(sentence(heads, labels.split() or forms, forms)).splitlines()


def test_drawing_of_a_projective_tree():
    assert drawn([-1, 3, 3, 0, 5, 3, 5], "the old cat of Rome .", "det amod root case nmod punct") == [
        "  ┌───> 1 the   3 det",
        "  │ ┌─> 2 old   3 amod",
        "┌─└─└── 3 cat   0 root",
        "│   ┌─> 4 of    5 case",
        "└─┌─└─> 5 Rome  3 nmod",
        "  └───> 6 .     5 punct",
    ]


def test_crossing_arcs_have_double_lines_and_stars():
    """The arc from word 1 to word 3 spans word 2, which word 1 does not dominate."""
    assert drawn([-1, 2, 0, 1, 2], "hearing scheduled issue today") == [
        "  ╔═┌─> 1 hearing    2 hearing",
        "┌─╫─└── 2 scheduled  0 scheduled",
        "│ ╚═══> 3 issue      1 issue *",
        "└─────> 4 today      2 today",
    ]


def test_drawings_of_one_word():
    assert draw_tree(sentence([-1, 0], ["root"], ["Go"])) == "  1 Go  0 root"
    assert draw_tree(sentence([-1, 0], ["_"], ["x"])) == "  1 x  0 _"


def test_wide_and_combining_characters_are_aligned():
    assert drawn([-1, 2, 0, 2], "日本 e\u0301 xyz", "a b c") == [
        "  ┌─> 1 日本  2 a",
        "┌─└── 2 e\u0301     0 b",
        "└───> 3 xyz   2 c",
    ]


@pytest.mark.parametrize(
    ("form", "columns"),
    [
        ("ที่", 1),
        ("น้ำ", 2),
        ("日本", 4),
        ("한국", 4),
        ("\u1112\u1161\u11ab", 2),
        ("क्\u200dष", 2),
        ("a\u20dd", 1),
        ("\u2060x", 1),
        ("co\u00adop", 5),
        ("שָׁלוֹם", 4),
    ],
)
def test_marks_and_joiners_take_no_column(form, columns):
    assert text_columns(form) == columns
    shown, other = draw_tree(sentence([-1, 0, 1], ["root", "x"], [form, "ABCDEFGH"])).splitlines()
    assert text_columns(shown[: shown.index("  0 root")]) == text_columns(other[: other.index("  1 x")])


def test_words_from_right_to_left_are_isolated():
    """A terminal that orders whole lines would else move numbers and labels between them."""
    shown, other = draw_tree(sentence([-1, 0, 1], ["root", "x"], ["שלום", "abc"])).splitlines()
    assert "\u2068שלום\u2069" in shown
    assert "\u2068" not in other


trees = st.builds(any_heads, st.integers(1, 25), st.integers(0, 10**9))


def vertical_lines(lines):
    """(first line, last line) of each arc, from the corners in each column."""
    arcs = []
    for column in range(0, max(map(len, lines)), 2):
        start = 0
        for number, line in enumerate(lines, 1):
            if line[column] in "┌╔":
                assert start == 0
                start = number
            elif line[column] in "└╚":
                arcs.append((start, number))
                start = 0
            else:
                assert (line[column] in "│║┼╪╫╬") == (start > 0)
        assert start == 0
    return sorted(arcs)


@given(trees)
def test_arcs_can_be_read_back_from_the_lines(heads):
    n = len(heads) - 1
    lines = draw_tree(sentence(heads, ["l"] * n, ["w"] * n)).splitlines()
    assert len(lines) == n
    size = lines[0].index(f" {' ' * (len(str(n)) - 1)}1 w")
    left = [line[:size] for line in lines]
    arcs = [(min(word, heads[word]), max(word, heads[word])) for word in range(1, n + 1) if heads[word] > 0]
    if arcs:
        assert vertical_lines(left) == sorted(arcs)
    assert [line.endswith(">") for line in left] == [head > 0 for head in heads[1:]]
    for line in left:
        corner = min((place for place, cell in enumerate(line) if cell in ENDS), default=size)
        assert " " not in line[corner:-1]


@given(trees, st.integers(1, 60))
def test_lines_fit_the_width(heads, width):
    n = len(heads) - 1
    lines = draw_tree(sentence(heads, ["label"] * n, ["a word of any length"] * n), width=width).splitlines()
    assert len(lines) == n
    assert max(map(len, lines)) <= width
