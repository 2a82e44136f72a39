"""Reading of treebanks: one-line errors with place, found and expected value, and constant memory."""

import bz2
import gzip
import io
import lzma
import sys
import tracemalloc

import pytest
from crossarc import CrossarcError, load_model, read_sentences, read_treebank, save_model, write_sentences
from crossarc.parser.treebank import read_pieces
from crossarc.parser.treebank.faults import PLAIN_TEXT
from refusals import refusal

TAIL = "\t_\tX\t_\t_\t0\troot\t_\t_\n"


UTF_16 = "UTF-16, expected UTF-8; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"


def rows(*ids):
    return "".join(f"{name}\tx{TAIL}" for name in ids)


def refused(text, format="conllu"):
    data = text if isinstance(text, bytes) else text.encode()
    return refusal(lambda: list(read_sentences(io.BytesIO(data), format))).removeprefix("<stream>:")


CONLL = "expected 10 (CoNLL-U, CoNLL-X) or 12 and more (CoNLL-2009), separated by TAB"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: empty file, expected at least one sentence"),
        ("# text = x\n\n", "1: no word in the sentence, expected at least one row with ID 1"),
        (rows("1") + "\n\n#\n\n" + rows("1"), "4: no word in the sentence, expected at least one row with ID 1"),
        (rows("0.1"), "1: no word in the sentence, expected at least one row with ID 1"),
        ("# a\n" + rows("1", "2").replace("2\tx\t_", "2\tx"), "3: 9 columns, expected 10"),
        (rows("1", "2", "3").replace("1\tx", "1\tx\ty"), "1: 11 columns, expected 10"),
        (rows("1") + "\n" + rows("1").replace("\t_\t_\n", "\n"), "3: 8 columns, expected 10"),
        (rows("1") + "2\n" + rows("3"), "2: 1 column, expected 10, separated by TAB"),
        (rows("1", "2")[:-5], "2: 8 columns, expected 10"),
        (rows("1", "3"), "2: ID '3', expected 2"),
        (rows("1", "1"), "2: ID '1', expected 2"),
        (rows("2"), "1: ID '2', expected 1"),
        (rows("01"), "1: ID '01', expected 1"),
        (rows("١"), "1: ID '١', expected 1"),
        (rows("x"), "1: ID 'x', expected 1"),
        (rows("9" * 5000), f"1: ID '{'9' * 59}..., expected 1"),
        (rows("1", "2-3", "2"), "2: multiword token up to 3, expected an end up to 2"),
        (rows("1", "1-2", "2"), "2: ID '1-2', expected 2"),
        (rows("1-2", "1", "2-3", "2", "3"), "3: ID '2-3', expected 2"),
        (rows("2-1", "1", "2"), "1: ID '2-1', expected 1"),
        (rows("1", "1.2", "2"), "2: ID '1.2', expected 2"),
        (rows("1", "1.1", "1.1"), "3: ID '1.1', expected 2"),
        (rows("1", "2.1", "2"), "2: ID '2.1', expected 2"),
        (rows("1") + "# text\n" + rows("2"), "2: comment inside a sentence, expected only before its first row"),
        ("# global.columns = X\n" + rows("1"), "1: global.columns 'X', expected different names, ID first, and FORM"),
        ("# global.columns = ID FORM HEAD\n" + rows("1"), "2: 10 columns, expected 3"),
        (f"{rows('1')}\n# é\n{rows('ä')}".encode("latin-1"), "3: byte 0xe9 at position 3 of the line, expected UTF-8"),
        (rows("1").encode("utf-16"), f" {UTF_16}"),
        (rows("1").replace("\n", "\r\n").encode() + b"\n\r\n2\xff",
         "4: byte 0xff at position 2 of the line, expected UTF-8"),
    ],
)  # fmt: skip
def test_invalid_rows_are_refused_with_their_line(text, message):
    assert refused(text) == message


def wide(*widths):
    """Rows of these numbers of columns."""
    return "".join("\t".join([str(number), *"_" * (width - 1)]) + "\n" for number, width in enumerate(widths, 1))


CONLLU_ONLY = "(multiword tokens and empty nodes are in CoNLL-U only)"


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("auto", "Dear Sir,\n\nno.\n", f"1: 1 column, {CONLL}{PLAIN_TEXT}"),
        ("auto", "# a\n1\tx\ty\n", f"2: 3 columns, {CONLL}"),
        ("auto", "a\tb\tc\td\te\tf\n", "1: ID 'a', expected 1"),
        ("auto", rows("1").replace("\t", "  "), f"1: 1 column, {CONLL}{PLAIN_TEXT}"),
        ("auto", b"\x89PNG\r\n\x1a\n\x00", "1: byte 0x89 at position 1 of the line, expected UTF-8"),
        ("auto", "Wort\n" * 300_000, f"1: not a CoNLL row, expected 10 or more columns separated by TAB{PLAIN_TEXT}"),
        ("conllx", rows("1-2", "1", "2"), f"1: ID '1-2', expected 1 {CONLLU_ONLY}"),
        ("conllx", rows("1", "1.1"), f"2: ID '1.1', expected 2 {CONLLU_ONLY}"),
        ("conllx", "1\tx\n", "1: 2 columns, expected 10 (CoNLL-X), separated by TAB"),
        ("conll09", "1\tx\n", "1: 2 columns, expected 14 (CoNLL-2009), separated by TAB"),
        ("conll09", f"{wide(15, 15)}\n{wide(17, 16, 17)}", "5: 16 columns, expected 17"),
        ("conll09", f"{wide(15, 15)}\n{wide(12)}", "4: 12 columns, expected 14"),
        ("conll09", f"{wide(12)}\n{wide(13)}", "3: 13 columns, expected 12"),
    ],
)
def test_files_of_other_formats_are_refused(format, text, message):
    assert refused(text, format) == message


@pytest.mark.parametrize("before", ["", "# a\n", f"# {'c' * 2**20}\n"], ids=len)
def test_the_first_form_may_be_longer_than_one_read(before):
    data = f"{before}{rows('1').replace('x', 'w' * 3_000_000)}".encode()
    (sentence,) = read_sentences(io.BytesIO(data))
    assert len(sentence.column("form")[0]) == 3_000_000
    assert len(list(read_pieces(io.BytesIO(data)))) == 1
    long = before + rows("1").replace("x", "w" * 10_000_000)
    message = "found a line of more than 10000000 bytes; allowed: 10000000 at most"
    assert refused(long, "auto") == f"{2 if before else 1}: {message}"


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (["0", "x"], "3: HEAD 'x', expected a number from 0 to 2"),
        (["0", "3"], "3: HEAD '3' out of range, expected a number from 0 to 2"),
        (["300", "0"], "2: HEAD '300' out of range, expected a number from 0 to 2"),
        (["-1", "0"], "2: HEAD '-1', expected a number from 0 to 2"),
        (["_", "0"], "2: HEAD '_', expected a number from 0 to 2"),
        (["00", "0"], "2: HEAD '00', expected a number from 0 to 2"),
        (["9" * 9999, "0"], f"2: HEAD '{'9' * 59}... out of range, expected a number from 0 to 2"),
    ],
)
def test_heads_are_checked_only_when_they_are_used(heads, message):
    text = "1-2\tx" + "\t_" * 8 + "\n"
    text += "".join(f"{word}\tx\t_\tX\t_\t_\t{head}\troot\t_\t_\n" for word, head in enumerate(heads, 1))
    (sentence,) = read_sentences(io.BytesIO(text.encode()))
    assert sentence.with_tree([-1, 0, 1], ["", "a", "b"]).heads() == [-1, 0, 1]
    assert refusal(sentence.heads) == f"<stream>:{message}"


def test_unreadable_and_damaged_files_are_reported(tmp_path):
    def reading(name, content=None):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        return refusal(lambda: list(read_sentences(path))).removeprefix(str(path))

    assert reading("absent.conllu") == ": cannot be read: No such file or directory"
    assert reading("") == ": cannot be read: Is a directory"
    for name, content, kind in (("a.gz", b"1", ".gz"), ("b.xz", gzip.compress(b"1"), ".xz")):
        told = f":1: not compressed as {kind}, although the file name says so; rename the file"
        assert reading(name, content) == told
    sound = (rows("1", "2") + "\n").encode()
    packs = ((".gz", gzip.compress(sound)), (".bz2", bz2.compress(sound)), (".xz", lzma.compress(sound)))
    for suffix, packed in packs:
        assert reading(f"cut{suffix}", packed[:-9]).startswith(": damaged compressed data: ")
        assert reading(f"hit{suffix}", packed[:-8] + b"\xff" * 8).startswith(": damaged compressed data: ")


@pytest.mark.parametrize(("suffix", "head"), [(".zip", b"PK\x03\x04"), (".zst", b"\x28\xb5\x2f\xfd")])
def test_other_archives_are_refused_by_name(tmp_path, suffix, head):
    (tmp_path / "a").write_bytes(head + bytes(range(200)))
    said = refusal(lambda: list(read_sentences(tmp_path / "a")))
    assert said.endswith(f"a: compressed as {suffix}, which is not read; unpack it, or use one of .gz, .bz2, .xz")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    ("coding", "mark"), [("utf-16", ""), ("utf-16-be", "\ufeff"), ("utf-16-be", ""), ("utf-16-le", "")]
)
def test_files_in_utf_16_are_named_compressed_or_not(pack, coding, mark):
    said = refusal(lambda: list(read_sentences(io.BytesIO(pack((mark + 3 * rows("1")).encode(coding))))))
    assert said.endswith(UTF_16)


def test_concatenated_compressed_data_are_read_completely():
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        packed = b"".join(pack((rows("1") + "\n").encode()) for _ in range(3))
        assert len(list(read_sentences(io.BytesIO(packed)))) == 3


def test_sentences_are_returned_when_their_blank_line_is_read():
    class Pieces(io.RawIOBase):
        left = [rows("1").encode(), b"\n", rows("1", "2").encode()]  # noqa: RUF012

        def readable(self):
            return True

        def readinto(self, buffer):
            piece = self.left.pop(0) if self.left else b""
            buffer[: len(piece)] = piece
            return len(piece)

    stream = Pieces()
    sentences = read_sentences(io.BufferedReader(stream), "conllu")
    assert len(next(sentences)) == 1
    assert len(stream.left) == 1
    assert len(next(sentences)) == 2


@pytest.mark.parametrize("pack", [bytes, lzma.compress])
def test_standard_input_may_be_compressed(pack, monkeypatch, capsysbinary):
    text = ("# é\n" + rows("1", "2") + "\n").encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(text))))
    write_sentences(read_sentences("-"), "-")
    assert capsysbinary.readouterr() == (text, b"")


class Endless(io.RawIOBase):
    """A stream of ``copies`` of a sentence, which are not stored."""

    def __init__(self, copies):
        self.piece = (rows(*map(str, range(1, 21))) + "\n").encode()
        self.left = copies

    def readable(self):
        return True

    def readinto(self, buffer):
        number = min(self.left, len(buffer) // len(self.piece))
        self.left -= number
        buffer[: number * len(self.piece)] = self.piece * number
        return number * len(self.piece)


def test_memory_does_not_grow_with_the_file():
    def peak(copies):
        tracemalloc.start()
        assert sum(1 for _ in read_sentences(io.BufferedReader(Endless(copies)))) == copies
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(9_000) < 1.2 * peak(3_000)


def test_a_treebank_in_memory_shares_equal_values():
    data = (rows("1", "2") + "\n" + rows("1")).encode()
    treebank = read_treebank(io.BytesIO(data), "conllu")
    assert (len(treebank), treebank.words, treebank.format.name, treebank.path) == (2, 3, "conllu", "<stream>")
    labels = [label for sentence in treebank for label in sentence.deprels()[1:]]
    assert labels == ["root"] * 3
    assert len(set(map(id, labels))) == 1
    assert list(treebank) == list(read_sentences(io.BytesIO(data), "conllu"))


@pytest.mark.parametrize("end", [b"\r", b"\r\r\n\r\n", b"\r\r", b"\r\n\r\n\r"])
def test_carriage_returns_at_line_ends_are_removed(end):
    """Found by fuzzing: written values were read back without them."""
    row = b"\t".join([b"1", b"w", *[b"_"] * 4, b"0", b"root", b"_", b"a\rb"])
    (sentence,) = read_sentences(io.BytesIO(row + end))
    assert sentence.column("misc") == ("a\rb",)


def test_blank_lines_are_skipped_in_few_calls(tmp_path):
    """An earlier reader treated each blank line as a sentence without words."""
    path = tmp_path / "blank.conllu"
    path.write_bytes(b"\n" * 3_000_000)
    calls = []
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    try:
        with pytest.raises(CrossarcError, match=r":1: empty file, expected at least one sentence$"):
            read_treebank(path)
    finally:
        sys.setprofile(None)
    assert len(calls) < 10_000


def test_closed_streams_are_refused():
    stream = io.BytesIO()
    stream.close()
    with pytest.raises(CrossarcError, match=r"^<stream>: is closed, expected a file that is open to read$"):
        next(read_sentences(stream))
    with pytest.raises(CrossarcError, match=r"^<stream>: is closed, expected a file that is open to write$"):
        write_sentences([], stream)


@pytest.mark.parametrize("read", [read_treebank, load_model])
def test_invalid_file_names_are_refused(read):
    with pytest.raises(CrossarcError, match=r"^'a\\x00': cannot .*: embedded null "):
        read("a\0")


def test_only_models_can_be_saved(tmp_path):
    with pytest.raises(CrossarcError, match=r"^model: found str, expected a model from train or load_model$"):
        save_model("x", tmp_path / "x")


def test_models_are_saved_to_paths(trained):
    for path in (None, io.BytesIO()):
        with pytest.raises(CrossarcError, match=rf"^path: found {type(path).__name__}, expected the path of a file$"):
            save_model(trained("swap"), path)


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("end", ["", "\r", "\r\r"])
def test_lines_that_end_in_cr_alone_are_told(rows, end, tmp_path):
    text = "\r".join(["# text = a", *("\t".join([str(n), "a", *"_" * 8]) for n in range(1, rows + 1))]) + end
    (tmp_path / "old.conllu").write_bytes(text.encode())
    assert "old.conllu: lines end in CR alone" in refusal(lambda: read_treebank(str(tmp_path / "old.conllu")))
    (tmp_path / "old.conllu").write_bytes(text.rstrip("\r").replace("\r", "\r\n").encode() + b"\r")
    assert len(read_treebank(str(tmp_path / "old.conllu")).sentences[0]) == rows
