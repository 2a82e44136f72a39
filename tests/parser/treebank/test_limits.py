"""Reading limits: input beyond them is refused with its line, and the rest of the file is not read."""

import gzip
import io
from contextlib import contextmanager

import pytest
from command_line import conllu
from crossarc import Config, CrossarcError, TreebankOptions, check, read_sentences, train
from crossarc.parser.treebank import block_of, conll_text, limits, read_pieces
from crossarc.parser.treebank.reader import sentences_in
from refusals import refusal

ROW = "\t_" * 8
TWO = f"# a\n1\tab{ROW}\n2\tc{ROW}\n\n1\tlonger{ROW}\n\n"
"""Lines of 3, 20, 19 and 24 bytes."""
EXACT = {"LINE": 24, "SENTENCE": 3, "BYTES": 44, "COLUMNS": 10}


def by_sentences(text):
    return "".join(map(conll_text, read_sentences(io.StringIO(text))))


def by_pieces(text):
    found = []
    for piece in read_pieces(io.StringIO(text)):
        block = block_of(piece)
        try:
            found.append("".join(map(conll_text, sentences_in(piece))))
        except CrossarcError:
            assert block is None
            raise
        assert block is not None
    return "".join(found)


def by_checking(text):
    report = check(io.StringIO(text))
    for fault in report.faults:
        if not fault.warning:
            raise fault.error(report.path)
    return text


@contextmanager
def limited(**values):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(limits, name, value)
        yield


@pytest.mark.parametrize("read", [by_sentences, by_pieces, by_checking])
@pytest.mark.parametrize(
    ("name", "most", "message"),
    [
        ("LINE", 19, "<stream>:2: found a line of more than 19 bytes; allowed: 19 at most"),
        ("LINE", 23, "<stream>:5: found a line of more than 23 bytes; allowed: 23 at most"),
        ("SENTENCE", 2, "<stream>:1: found a sentence of more than 2 lines; allowed: 2 at most"),
        ("BYTES", 43, "<stream>:1: found a sentence of more than 43 bytes; allowed: 43 at most"),
        ("COLUMNS", 9, "<stream>:2: found 10 columns; allowed: 9 at most"),
    ],
)
def test_input_beyond_a_limit_is_refused_with_its_line(read, name, most, message):
    with limited(**{name: most}):
        assert refusal(lambda: read(TWO)) == message


@pytest.mark.parametrize("read", [by_sentences, by_pieces, by_checking])
def test_input_within_the_limits_is_read(read):
    with limited(**EXACT):
        assert read(TWO) == TWO


def test_a_wide_row_after_the_first_sentence_is_refused():
    text = TWO + f"1\tx{ROW}{ROW}\n\n"
    with limited(COLUMNS=12):
        assert refusal(lambda: by_sentences(text)) == "<stream>:7: found 18 columns; allowed: 12 at most"


class Dribble(io.RawIOBase):
    """A stream that returns few bytes per read and counts them."""

    def __init__(self, data, size):
        self._data = io.BytesIO(data)
        self._size = size
        self.taken = 0

    def read(self, size=-1, /):
        data = self._data.read(min(self._size, size) if size >= 0 else self._size)
        self.taken += len(data)
        return data


@pytest.mark.parametrize(
    ("part", "changed", "message"),
    [
        (b"w" * 1000, {"LINE": 2 * 10**6}, "found a line of more than 2000000 bytes"),
        (b"# comment\n", {}, "found a sentence of more than 100000 lines"),
        (b"# " + b"w" * 10**6 + b"\n", {"BYTES": 5 * 10**6}, "found a sentence of more than 5000000 bytes"),
    ],
)
@pytest.mark.parametrize("read", [read_sentences, read_pieces])
def test_reading_stops_soon_after_a_limit_is_exceeded(read, part, changed, message):
    packed = gzip.compress(b"# " + part * (2**26 // len(part)))
    stream = Dribble(packed, 1000)
    with limited(**changed), pytest.raises(CrossarcError, match=f"{message}; allowed: "):
        list(read(stream, "conllu"))
    assert stream.taken < len(packed) / 4


def test_labels_are_counted_before_training(tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(conllu(1, 5), "utf-8")
    found = len({label for sentence in read_sentences(path) for label in sentence.deprels()[1:]})
    config = Config(features="small", treebank=TreebankOptions(train=str(path)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crossarc.parser.training.train.LABELS", found)
        train(config)
        patch.setattr("crossarc.parser.training.train.LABELS", found - 1)
        assert refusal(lambda: train(config)) == f"{path}: found {found} labels; allowed: {found - 1} at most"
