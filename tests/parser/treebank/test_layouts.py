"""Facts of a file hold for each of its sentences: its columns, its width, its format."""

import io
from itertools import pairwise

import pytest
from crossarc import CrossarcError, Sentence, check, read_sentences, write_sentences
from crossarc.parser.treebank import block_of, read_pieces
from hypothesis import given, strategies as st
from refusals import refusal

CONLLU = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
VALUES = {"HEAD": "0", "DEPREL": "root"}
ROW = "{}\tHello\thello\tINTJ\t_\t_\t{}\troot\t_\t_"
NINE = "1\tHe\the\the\tPRP\tPRP\t_\t_\t0\t0\tROOT\tROOT\t_\t_"


@st.composite
def layouts(draw):
    """Names of columns: ID, FORM and others in any order."""
    others = draw(st.lists(st.sampled_from([*CONLLU[2:], "PARSEME:MWE", "GLOSS"]), unique=True))
    return ["ID", *draw(st.permutations(["FORM", *others]))]


def text_of(names, sizes):
    """The text of sentences with these numbers of words, the first words of which form a multiword token."""
    parts = [f"# global.columns = {' '.join(names)}"]
    for number, size in enumerate(sizes):
        rows = [
            ["1-1", *("*" for _ in names[1:])],
            *(
                [str(word), *(VALUES.get(name, name.lower() + str(number)) for name in names[1:])]
                for word in range(1, size + 1)
            ),
        ]
        parts += [f"# sent_id = {number}", *map("\t".join, rows), ""]
    return "\n".join([*parts, ""])


def read(text, format="auto"):
    return list(read_sentences(io.BytesIO(text.encode() if isinstance(text, str) else text), format))


def written(sentences):
    stream = io.BytesIO()
    write_sentences(sentences, stream)
    return stream.getvalue()


@given(names=layouts(), sizes=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_a_part_of_a_file_keeps_its_columns(names, sizes):
    text = text_of(names, sizes)
    sentences = read(text)
    assert written(sentences) == text.encode()
    for start in range(len(sentences)):
        again = read(written(sentences[start:]))
        facts = [(sentence.format, sentence.columns, sentence.comments, sentence.extras) for sentence in again]
        assert facts == [
            (sentence.format, sentence.columns, sentence.comments, sentence.extras) for sentence in sentences[start:]
        ]
    for sentence in sentences:
        rows = [row.split("\t") for row in sentence.to_conllu().split("\n") if row and not row.startswith("#")]
        assert {len(row) for row in rows} == {10}
        assert [row[1] for row in rows[1:]] == list(sentence.column("form"))
        [alone] = read(sentence.to_conllu(), "conllu")
        assert all(
            alone.column(name) == sentence.column(name) for name in alone.format.names if name in sentence.format.index
        )


@given(pair=st.lists(layouts(), min_size=2, max_size=2))
def test_sentences_of_different_columns_make_no_file(pair):
    first, second = (read(text_of(names, [2])) for names in pair)
    if pair[0] == pair[1]:
        assert len(read(written([*first, *second]))) == 2
        return
    with pytest.raises(
        CrossarcError, match=r"^sentence 2 \(0\): found the columns ID .*, unlike those of the first one"
    ):
        written([*first, *second])
    text = text_of(pair[0], [2]) + text_of(pair[1], [2])
    line = text[: text.rindex("# global.columns")].count("\n") + 1
    report = check(io.BytesIO(text.encode()))
    assert [(fault.line, fault.kind) for fault in report.faults if not fault.warning] == [(line, "format")]
    assert refusal(lambda: read(text)).startswith(f"<stream>:{line}: columns named differently")
    assert any(block_of(piece) is None for piece in read_pieces(io.BytesIO(text.encode())))


def test_sentences_of_other_formats_and_of_ones_own_columns_make_no_file():
    plain = Sentence.from_tokens(["a"])
    own = Sentence.from_tokens(["a"], gloss=["b"])
    (nine,) = read(NINE + "\n\n")
    for first, second in pairwise([plain, own, nine, plain]):
        assert "write two files" in refusal(lambda first=first, second=second: written([first, second]))
    (again,) = read(written([own]))
    assert again.column("gloss") == ("b",)
    wider = read(f"{NINE}\n\n{NINE}\t_\n\n")  # as many APREDs as predicates
    assert len(read(written(wider))) == 2


def columns(rows, width):
    """The rows with more or fewer columns."""
    return [row + "\t_" * (width - 10) if width > 9 else row.rpartition("\t")[0] for row in rows]


@pytest.mark.parametrize("width", [9, 11, 12])
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("format", ["auto", "conllu"])
def test_the_first_sentence_does_not_decide_the_width(width, size, format):
    whole = [ROW.format(word, 0 if word == 1 else 1) for word in (1, 2, 3)]
    for wrong in range(1, size + 1):
        first = columns(whole[:wrong], width) + whole[wrong:size]
        text = "\n".join(["# a", *first, "", *whole, "", *whole, "", ""])
        report = check(io.BytesIO(text.encode()), format)
        assert [(fault.line, fault.message) for fault in report.faults if not fault.warning] == [
            (line, f"{width} columns, expected 10") for line in range(2, wrong + 2)
        ]
        assert report.words == 6
        assert refusal(lambda text=text: read(text, format)) == f"<stream>:2: {width} columns, expected 10"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (NINE, "conll09"),
        (f"# from the shared task\n{NINE}", "conll09"),
        (NINE.replace("\t0\t0\tROOT\tROOT", "\t_" * 4), "conll09"),
        ("1\tHe" + "\t_" * 12, "conll09"),
        (ROW.format(1, 0) + "\ta\tb\tc\td", "conllu"),
        (ROW.format(1, 0) + "\t_" * 4, "conllu"),
        (ROW.format(1, "_").replace("root", "_") + "\ta\tb\tc\td", "conllu"),
        (ROW.format(1, "_").replace("root", "_") + "\t_" * 4, "conllu"),
        ("1\tHe\the\tP\tPP\tCase=Nom" + "\t_" * 7, "conllx"),
        ("1\tHello\thello\tI\tI\t_\t0\troot\t0\troot\tx\ty", "conllx"),
    ],
)
def test_wide_files_are_recognised_by_their_values(text, format):
    """A short first sentence without evidence changes nothing."""
    assert check(io.BytesIO(f"{text}\n\n{text}\n\n".encode())).format == format
    empty = "1\tYes" + "\t_" * (text.rsplit("\n")[-1].count("\t") - 1)
    assert check(io.BytesIO(f"{empty}\n\n{text}\n\n".encode())).format == format


def test_files_that_fit_two_formats_are_asked_about():
    text = NINE.replace("\t_\t_\t0\t0", "\t0\t_\t0\t0") + "\n\n"
    message = "<stream>:1: the file fits CoNLL-2009 and CoNLL-U with 4 more columns; name one of them: "
    assert refusal(lambda: read(text)) == message + "--format conll09 or conllu"
    assert read(text, "conll09")[0].format.name == "conll09"
    for tags in ("P\tPP\t_", "P\t_\tsg|nom"):
        assert refusal(lambda tags=tags: read(f"1\tHe\the\t{tags}" + "\t_" * 8 + "\n\n")) == message + (
            "--format conll09 or conllu"
        )


def test_a_narrow_row_is_named_and_not_the_first_one():
    text = ROW.format(1, 0) + "\n \n \n"
    assert refusal(lambda: read(text)).startswith("<stream>:2: 1 column, expected 10 ")


def test_repeated_sent_ids_are_warnings():
    text = f"# sent_id = a\n{ROW.format(1, 0)}\n\n"
    report = check(io.BytesIO((text + text).encode()))
    assert report.ok
    assert [(fault.line, fault.kind, fault.warning) for fault in report.faults] == [(5, "sent_id", True)]
