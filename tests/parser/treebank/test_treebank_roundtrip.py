"""Reading and writing are inverses, byte for byte."""

import bz2
import gzip
import io
import lzma

import pytest
from crossarc.parser.treebank import conll_text, read_sentences, write_sentences
from handmade import sentence_texts
from hypothesis import given, strategies as st

FORMATS = ("conllx", "conllu", "conll09")


def texts(name):
    widths = st.integers(14, 17) if name == "conll09" else st.just(10)
    sentences = widths.flatmap(lambda width: sentence_texts(width, name == "conllu"))
    return st.lists(sentences, min_size=1, max_size=4).map("".join)


def read(text, format="auto"):
    return list(read_sentences(io.BytesIO(text if isinstance(text, bytes) else text.encode()), format))


def written(sentences):
    stream = io.BytesIO()
    write_sentences(sentences, stream)
    return stream.getvalue()


@given(st.data(), st.sampled_from(FORMATS))
def test_writing_a_read_treebank_gives_the_same_bytes(data, name):
    text = data.draw(texts(name))
    assert written(read(text, name)) == text.encode()


@given(texts("conllu"))
def test_line_ends_and_byte_order_marks_do_not_change_sentences(text):
    plain = read(text, "conllu")
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text, text[:-1], text[:-2]):
        assert read(other, "conllu") == plain
    spaced = read("\n\n\n" + text.replace("\n\n", "\n\n\n\n"), "conllu")
    assert [own.columns for own in spaced] == [own.columns for own in plain]


@given(texts("conllu"))
def test_sentences_have_the_line_numbers_of_their_file(text):
    rows = text.split("\n")
    for sentence in read(text, "conllu"):
        numbers = [rows[sentence.line_of(word) - 1].split("\t")[0] for word in range(1, len(sentence) + 1)]
        assert numbers == list(sentence.column("id"))
        assert not rows[sentence.line - 1].startswith("#")
        assert sentence.line == 1 or rows[sentence.line - 2] in ("", *sentence.comments)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".GZ"])
@given(text=texts("conllu"))
def test_compressed_files_round_trip(tmp_path_factory, suffix, text):
    path = tmp_path_factory.mktemp("treebank") / f"a.conllu{suffix}"
    sentences = read(text, "conllu")
    write_sentences(sentences, path)
    packed = path.read_bytes()
    unpack = {"": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}[suffix.lower()]
    assert unpack(packed) == text.encode()
    assert [s.columns for s in read_sentences(path, "conllu")] == [s.columns for s in sentences]
    assert read(packed, "conllu") == sentences, "compression is told by the first bytes where there is no name"
    write_sentences(sentences, path)
    assert path.read_bytes() == packed, "equal sentences give equal bytes"


@given(texts("conllu"), st.data())
def test_a_new_tree_changes_head_and_deprel_only(text, data):
    for sentence in read(text, "conllu"):
        n = len(sentence)
        heads = [-1, *(data.draw(st.integers(0, n)) for _ in range(n))]
        deprels = ["", *(data.draw(st.sampled_from(["a", "b:c"])) for _ in range(n))]
        changed = sentence.with_tree(heads, deprels, keep_deps=True)
        assert changed.heads() == heads
        assert changed.deprels() == deprels
        old = [row.split("\t") for row in conll_text(sentence).split("\n")]
        new = [row.split("\t") for row in conll_text(changed).split("\n")]
        for before, after in zip(old, new, strict=True):
            if before[0].isdecimal() and len(before) == 10:
                before[6], before[7] = str(heads[int(before[0])]), deprels[int(before[0])]
            assert after == before


def test_real_treebanks_are_written_with_the_same_bytes(treebanks):
    paths = sorted(treebanks.glob("*/dev.con*.xz"))
    assert paths
    for path in paths:
        with lzma.open(path) as stream:
            text = stream.read()
        assert written(read(text)) == text
