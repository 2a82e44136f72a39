"""Blocks: the same sentences, new trees and messages as with sentence objects, for valid and damaged files."""

import io

import numpy as np
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.treebank import block_of, conll_text, read_pieces, read_sentences, sentences_in
from handmade import sentence_texts
from hypothesis import example, given, strategies as st

NAMES = ["nsubj", "root", "é:ü", "_"]
FIELD = st.text(st.sampled_from("ab_.|=-#1 é字\x0b\x85\u2028"), min_size=1, max_size=4)
HOSTILE = st.sampled_from(
    [
        *("\t", "\n", "\n\n", "\n\n\n", "#", "# c\n", "1", "12", "01", "1-2\t", "2.1\t", "0.1", "-", ".", "\r"),
        *("\r\n", " ", "\x00", "\x08", "\x0c", "\ufeff", "10", "1\n", "\n1\t", "99999999999999999999999"),
    ]
)
BYTES = st.sampled_from([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\t", b"\n", b"\r"])


@st.composite
def files(draw):
    """CoNLL files of all formats, valid or damaged in a few places."""
    multiword = draw(st.booleans())
    width = draw(st.sampled_from([10, 10, 10, 6, 8, 12, 14, 16]))
    sentences = draw(st.lists(sentence_texts(width, multiword, FIELD), max_size=5))
    text = "".join(sentence + "\n" * draw(st.sampled_from([0] * 10 + [1, 2])) for sentence in sentences)
    text = draw(st.sampled_from(["", "", "", "\ufeff", "\n"])) + text
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(HOSTILE) + text[at + draw(st.integers(0, 3)) :]
    if draw(st.integers(0, 4)) == 0:
        text = text.replace("\n", "\r\n")
    data = text.encode()
    if draw(st.integers(0, 5)) == 0:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(BYTES) + data[at:]
    return data


def new_trees(lengths):
    """Arbitrary heads and label numbers of all words."""
    heads = [(7 * word + length) % (length + 1) for length in lengths for word in range(1, length + 1)]
    return heads, [head % len(NAMES) for head in heads]


def written(sentences):
    heads, labels = new_trees(list(map(len, sentences)))
    parsed, done = [], 0
    for sentence in sentences:
        own = slice(done, done + len(sentence))
        parsed.append(sentence.with_tree([-1, *heads[own]], ["", *(NAMES[label] for label in labels[own])]))
        done += len(sentence)
    return "".join(map(conll_text, parsed))


def slowly(data, format, columns):
    try:
        sentences = list(read_sentences(io.BytesIO(data), format, columns))
        return "".join(map(conll_text, sentences)), written(sentences)
    except CrossarcError as error:
        return "error", str(error)


def fast(data, format, columns, size):
    """(the file as read, the file with new trees, the number of regular pieces)."""
    same, parsed, regular = [], [], 0
    try:
        for piece in read_pieces(io.BytesIO(data), format, columns, size):
            sentences = list(sentences_in(piece))
            same += list(map(conll_text, sentences))
            block = block_of(piece)
            if block is None or not {"head", "deprel"} <= block.format.index.keys():
                parsed.append(written(sentences))
                continue
            regular += 1
            assert block.lengths.tolist() == list(map(len, sentences))
            last = len(block.format.names) - 1
            expected = [
                "\t".join(row).encode() for sentence in sentences for row in zip(*sentence.columns[1:], strict=True)
            ]
            assert block.values(1, last) == expected
            heads, labels = new_trees(block.lengths.tolist())
            parsed.append(block.with_trees(np.array(heads), np.array(labels), NAMES).decode())
    except CrossarcError as error:
        return "error", str(error), regular
    return "".join(same), "".join(parsed), regular


@given(files(), st.sampled_from(["auto", "conllu", "conllx", "conll09"]), st.booleans(), st.integers(0, 400))
@example(b"", "auto", False, 1)
@example(b"1\ta\t_\t_\t_\t_\t0\tr\t_\t_", "auto", False, 1)
@example("1\té\t_\t_\t_\t_\t0\tr\t_\t_\n\n# c\n1\tb\t_\t_\t_\t_\t0\tr\t_\n".encode(), "auto", False, 1)
def test_blocks_and_sentences_give_the_same_results(data, format, predicted, size):
    columns = "predicted" if predicted else "gold"
    found, expected = fast(data, format, columns, size)[:2], slowly(data, format, columns)
    if found[0] == expected[0] == "error" and "expected UTF-8" in expected[1]:
        # the readers decode different amounts at a time, so blocks may report an earlier fault
        lines = [int(message.split(":")[1]) for _, message in (found, expected)]
        assert lines[0] <= lines[1]
    else:
        assert found == expected


def test_each_sentence_before_a_fault_is_one_piece():
    text = b"# a\n1\ta" + b"\t_" * 8 + b"\n\n\n1\tb" + b"\t_" * 8 + b"\n\n1\t\xff\n\n"
    found = read_pieces(io.BytesIO(text), "conllu", size=0)
    lines = [(piece.line, piece.data.count(b"\n")) for piece in (next(found), next(found), next(found))]
    assert lines == [(1, 1), (5, 0), (7, 0)]


@given(st.lists(sentence_texts(10, True, FIELD), min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_all_pieces_of_valid_files_are_regular(sentences, line_end):
    data = "".join(sentences).replace("\n", line_end).encode()
    *_, regular = fast(data, "conllu", "gold", 1)
    assert regular == len(sentences)
