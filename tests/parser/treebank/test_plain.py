"""Words without annotation: one sentence, or one word, per line."""

import io
import re

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.treebank import (
    WORD_FORMATS,
    block_of,
    conll_text,
    limits,
    read_pieces,
    read_sentences,
    sentences_in,
)
from hypothesis import given, strategies as st

HOSTILE = ["a", "#", "_", "1", "2-3", "\x00", "\x0b", "\x85", "\u2028", "\u3000", "x\N{NO-BREAK SPACE}y", "\ufeff", "é"]
SENTENCES = st.lists(st.lists(st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8")), min_size=1), min_size=1)
BREAKS = re.compile("[\t\n\r ]|^\ufeff")


@pytest.mark.parametrize("size", [0, 30, 10**6])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@given(sentences=SENTENCES)
def test_all_words_are_read(size, line_end, sentences):
    """Sentences and pieces contain the same words, with and without a byte order mark."""
    words = [[BREAKS.sub("x", word) or "x" for word in sentence] for sentence in sentences]
    horizontal = line_end.join(["", *(f" {'  '.join(word)}\t" for word in words)]) + 2 * line_end
    vertical = (3 * line_end).join(line_end.join(word) for word in words)
    for format, text in zip(WORD_FORMATS, (horizontal, vertical), strict=True):
        for mark in ("", "\ufeff"):
            data = (mark + text).encode()
            read = list(read_sentences(io.BytesIO(data), format))
            assert [list(sentence.column("form")) for sentence in read] == words
            pieces = list(read_pieces(io.BytesIO(data), format, size=size))
            assert len(pieces) == len(words) or size
            again = [conll_text(own) for piece in pieces for own in sentences_in(piece)]
            assert again == list(map(conll_text, read))


def test_sentences_have_line_numbers_and_pieces_are_regular():
    texts = ("\n\nA dog\n\nbarks\n", "\n\nA\ndog\n\nbarks\n")
    for format, text, lines in zip(WORD_FORMATS, texts, ([3, 5], [3, 6]), strict=True):
        assert [own.line for own in read_sentences(io.StringIO(text), format)] == lines
        pieces = list(read_pieces(io.StringIO(text), format, size=0))
        assert [own.line for piece in pieces for own in sentences_in(piece)] == lines
        assert all(map(block_of, pieces))


@pytest.mark.parametrize(
    ("format", "data", "message"),
    [
        ("words", b"", "1: empty file, expected at least one sentence"),
        ("words", b"a\n\nb\xff c\n", "3: byte 0xff at position 2 of the line, expected UTF-8"),
        ("words", b"a b\rc d\n", "1: a carriage return inside the line, expected lines that end in LF or CRLF"),
        ("words", b"# text = a\n1\ta" + b"\t_" * 8, "2: a row of CoNLL, expected words separated by spaces"),
        ("vertical", b"a\nb\tB\n", "2: a tab inside the line, expected one word per line"),
        ("words", b"a\na b c d e\n", "2: found a sentence of more than 4 words; allowed: 4 at most"),
        ("vertical", b"a\n\nb\n" * 2 + b"c\nd\ne\nf\n", "6: found a sentence of more than 4 words; allowed: 4 at most"),
        ("vertical", b"a\n" + b"b" * 101, "2: found a line of more than 100 bytes; allowed: 100 at most"),
        ("words", b"a\n" + b"b " * 3 + b"b" * 30, "2: found a sentence of more than 90 bytes; allowed: 90 at most"),
        ("vertical", (b"b" * 60 + b"\n") * 9, "1: found a sentence of more than 90 bytes; allowed: 90 at most"),
        ("horizontal", b"a", "format 'horizontal'; allowed: auto, conllx, conll09, conllu, words, vertical"),
    ],
)
def test_invalid_files_and_formats_are_refused(format, data, message, monkeypatch):
    for name, most in (("SENTENCE", 4), ("LINE", 100), ("BYTES", 90)):
        monkeypatch.setattr(limits, name, most)
    for read in (read_sentences, read_pieces):
        with pytest.raises(CrossarcError, match=re.escape(message)):
            list(read(io.BytesIO(data), format))
