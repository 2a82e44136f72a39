"""Checks of treebanks: faults and figures, compared with the definitions and with known figures."""

import io
import itertools
import json

import pytest
from crossarc import CrossarcError, Sentence, check, read_sentences
from crossarc.parser.treebank import conll_text
from crossarc.parser.treebank.check import format_report
from crossarc.parser.treebank.statistics import statistics
from hypothesis import given, strategies as st


def tree(*heads, form="x"):
    rows = [f"{word}\t{form}{word}\t_\tX\t_\t_\t{head}\td{head}\t_\t_\n" for word, head in enumerate(heads, 1)]
    return "".join(rows) + "\n"


def checked(text):
    return check(io.BytesIO(text if isinstance(text, bytes) else text.encode()))


def faults(text):
    return [(fault.line, fault.kind, fault.message) for fault in checked(text).faults]


def test_each_fault_is_reported_with_its_line():
    text = (
        tree(2, 0)  # lines 1-3
        + tree(2, 3, 2, 0)  # 4-8
        + tree(1, 0).replace("\t_\t_\n", "\t_\n", 1)  # 9-11
        + tree("x", 9, 0)  # 12-15
        + "# no words\n\n"  # 16-17
        + tree(0, 0, 1)  # 18-21
        + tree(2, 1).replace("2\tx2", "3\tx2").replace("1\tx1\t_", "1\tx1\t_\t_")  # 22-24
        + tree(1)  # 25-26
        + tree(0).replace("x1", "")  # 27-28
    )
    assert faults(text) == [
        (5, "cycle", "cycle through 2 'x2', 3 'x3', expected a tree"),
        (9, "columns", "9 columns, expected 10"),
        (12, "head", "HEAD 'x', expected a number from 0 to 3"),
        (13, "head", "HEAD '9' out of range, expected a number from 0 to 3"),
        (16, "no words", "no word in the sentence, expected at least one row with ID 1"),
        (19, "several roots", "2 words with HEAD 0 (1, 2), expected one"),
        (22, "columns", "11 columns, expected 10"),
        (23, "id", "ID '3', expected 2"),
        (25, "cycle", "cycle through 1 'x1', expected a tree"),
        (25, "no root", "no word with HEAD 0, expected one"),
        (27, "empty field", "empty FORM, expected a value or '_'"),
    ]
    report = checked(text)
    assert (report.sentences, report.faulty, report.words, report.without_tree) == (9, 6, 14, 0)
    assert report.statistics["sentences"] == 3
    assert [fault.kind for fault in report.faults if fault.warning] == ["several roots", "empty field"]
    assert not report.ok
    assert checked(tree(0, 0)).ok
    assert "warning: several roots: 1\n  line 19: 2 words with HEAD 0 (1, 2), expected one\n" in format_report(report)
    assert format_report(report).endswith("\n9 faults, 2 warnings\n")
    again = json.loads(json.dumps(report.to_json()))
    assert again["ok"] is False
    assert again["faults"][1] == {"line": 9, "kind": "columns", "message": "9 columns, expected 10", "warning": False}


@pytest.mark.parametrize("blank", [" ", "   ", "\t", "\t" * 9, " \t ", "\u00a0"])
def test_a_line_of_spaces_between_sentences_is_one_fault(blank):
    text = tree(2, 0).rstrip("\n") + f"\n{blank}\n# a comment\n# another\n" + tree(0, 1, 1)
    assert [(line, kind) for line, kind, _ in faults(text)] == [(3, "blank line")]


def test_sentences_with_encoding_faults_count_as_faulty():
    text = tree(2, 0) + tree(0)
    report = checked(text.replace("x1", "\xff", 1).encode("latin-1"))
    assert (report.sentences, report.faulty) == (2, 1)


def test_checking_continues_after_wrong_encodings():
    text = tree(0).encode() + tree(0, form="é").encode("latin-1") + tree(2, 0, form="ü").encode()
    text += tree(0, 1, form="ß").encode("latin-1")
    found = [(3, "0xe9"), (8, "0xdf"), (9, "0xdf")]
    assert faults(text) == [
        (line, "encoding", f"byte {byte} at position 3 of the line, expected UTF-8") for line, byte in found
    ]
    assert checked(text).words == 6


def test_files_without_sentences_are_reported():
    assert faults("") == [(1, "empty file", "empty file, expected at least one sentence")]
    (fault,) = faults("Dear Sir,\n\nno.\n")
    assert fault[:2] == (1, "format")
    report = checked("")
    assert not report.ok
    assert report.statistics["arc_length"] is None
    assert "no CoNLL format" in format_report(report)
    assert [fault[:2] for fault in faults("# a\n\n" + tree(0))] == [(1, "no words")]


def test_sizes_and_cardinalities_are_counted():
    blank = "\t_" * 8 + "\n"
    text = f"# text = x1x2\n1-2\tx1x2{blank}{tree(2, 0)[:-1]}2.1\ty{blank}\n{tree(0)}"
    report = checked(text)
    assert report.format == "conllu"
    assert (report.sentences, report.words, report.multiword_tokens, report.empty_nodes) == (2, 3, 1, 1)
    assert report.deprels == {"d0": 2, "d2": 1}
    assert report.cardinalities == {
        "form": 2, "lemma": 0, "upos": 1, "xpos": 0, "feats": 0, "deprel": 2, "deps": 0, "misc": 0,
    }  # fmt: skip
    assert report.faults == ()
    assert report.ok


def test_sentences_without_trees_are_not_faults():
    report = checked(tree("_", "_") + tree(0))
    assert (report.without_tree, report.faults) == (1, ())
    assert report.deprels == {"d0": 1}
    assert checked("# global.columns = ID FORM\n1\tx\n").without_tree == 1


def test_figures_agree_with_figures_by_hand():
    # in the first tree, the arc from 4 to 2 spans the root 3, which does not descend from 4
    text = tree(3, 4, 0, 3) + tree(2, 0)
    found = statistics(read_sentences(io.BytesIO(text.encode())))
    assert found == {
        "sentences": 2,
        "nonprojective_sentences": 1,
        "nonprojective_sentences_percent": 50.0,
        "arcs": 6,
        "arc_length": (2 + 2 + 1 + 1) / 4,
        "projective_arcs": 5,
        "projective_arcs_percent": 100 * 5 / 6,
        "projective_arc_length": (2 + 1 + 1) / 3,
        "nonprojective_arcs": 1,
        "nonprojective_arcs_percent": 100 / 6,
        "nonprojective_arc_length": 2.0,
        "lifts": {"1": 1, "2": 0, "3": 0, ">3": 0},
    }


def test_lifts_agree_with_lifts_by_hand():
    # words 3 to 7 form a chain below 2; the arc to word 1 needs ``depth`` lifts
    for depth, key in ((1, "1"), (2, "2"), (3, "3"), (4, ">3"), (5, ">3")):
        heads = [depth + 2, 0, *range(2, 7)]
        found = statistics(read_sentences(io.BytesIO(tree(*heads).encode())))
        assert found["lifts"] == {**dict.fromkeys(("1", "2", "3", ">3"), 0), key: 1}


pieces = st.sampled_from(
    ["1", "2", "1-2", "0.1", "\t", "\t_" * 5, "\t_" * 9, "\n", "\n\n", "#", "\r", "\xff", "_", "é"]
)


def is_packed(data):
    """Whether the data begin as compressed files do."""
    return data.startswith((b"\x1f\x8b", b"\xfd7zXZ\x00"))


encoded = st.tuples(st.lists(pieces, max_size=12).map("".join), st.sampled_from(["utf-8", "latin-1"]))


@given(
    (encoded.map(lambda own: own[0].encode(own[1])) | st.binary(max_size=200)).filter(lambda data: not is_packed(data))
)
def test_checking_finds_the_faults_that_stop_the_reader(data):
    report = checked(data)
    assert format_report(report).endswith(" warnings\n")
    json.dumps(report.to_json())
    shape = [fault for fault in report.faults if fault.kind not in ("head", "cycle", "no root", "empty field")]
    shape = [fault for fault in shape if not fault.warning]
    try:
        list(read_sentences(io.BytesIO(data)))
    except CrossarcError as error:
        assert str(error) in [f"<stream>:{fault.line}: {fault.message}" for fault in shape]  # noqa: PT017
    else:
        assert shape == []


# sentences, np sentences %, np arcs %, length of projective and np arcs, lifts 1/2/3/>3 %, deprels: train, dev and test
KNOWN = {
    "Gothic-PROIEL": (5401, 21.2, 2.93, 2.4, 4.5, [94.8, 4.2, 0.7, 0.4], 33),
    "Danish-CDT": (5540, 17.0, 1.16, 2.9, 8.0, [79.2, 12.1, 4.4, 4.2], 40),
    "French-Sequoia": (3099, 2.5, 0.12, 3.4, 6.6, [90.6, 9.4, 0.0, 0.0], 54),
}


@pytest.mark.parametrize(
    "name", [name if name == "Danish-CDT" else pytest.param(name, marks=pytest.mark.slow) for name in sorted(KNOWN)]
)
def test_figures_of_known_treebanks_are_reproduced(treebanks, name):
    files = sorted((treebanks / name).glob("*.xz"))
    if not files:
        pytest.skip(f"no treebank {name}")
    found = statistics(itertools.chain.from_iterable(map(read_sentences, files)))
    crossing = found["nonprojective_arcs"]
    reports = [check(path) for path in files]
    assert (
        found["sentences"],
        round(found["nonprojective_sentences_percent"], 1),
        round(found["nonprojective_arcs_percent"], 2),
        round(found["projective_arc_length"], 1),
        round(found["nonprojective_arc_length"], 1),
        [round(100 * number / crossing, 1) for number in found["lifts"].values()],
        len({deprel for report in reports for deprel in report.deprels}),
    ) == KNOWN[name]
    assert all(report.ok for report in reports)
    warnings = [fault.kind for report in reports for fault in report.faults]
    assert warnings == ["several roots"] * (232 if name == "Danish-CDT" else 0)


SOUND = [["1", "Dogs", "dog", "NOUN", "_", "Case=Nom", "2", "nsubj", "_", "SpaceAfter=No"]]
SOUND += [["2", "bark", "bark", "VERB", "_", "_", "0", "root", "_", "_"]]
BROKEN = {
    "text": ("# text = Dogsbark", "# text = Dogs bark", 3),
    "upos": ("\tVERB\t", "\tVREB\t", 4),
    "deprel": ("\tnsubj\t", "\t_\t", 3),
    "root": ("\tnsubj\t", "\troot:x\t", 3),
    "repeated key": ("Case=Nom", "Case=Nom|Case=Acc", 3),
    "space": ("\tbark\tVERB", "\tbark \tVERB", 4),
    "sent_id": ("# sent_id = b\n", "# id = b\n", 3),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_conventions_are_warnings_with_their_line(kind):
    right = "# sent_id = a\n# text = Dogsbark\n" + "".join("\t".join(row) + "\n" for row in SOUND) + "\n"
    assert check(io.StringIO(right)).faults == ()
    old, new, line = BROKEN[kind]
    other = right.replace("= a", "= b")
    assert check(io.StringIO(right + other)).faults == ()
    report = check(io.StringIO(right + other.replace(old, new)))
    assert [(fault.kind, fault.line, fault.warning) for fault in report.faults] == [(kind, 5 + line, True)]
    assert report.ok


def test_an_own_scheme_of_labels_and_tags_is_told_once():
    """Files with other labels for roots have no convention that "root" could break; parts of speech are told once."""
    rows = "1\ta\t_\tN\t_\t_\t2\tsubj\t_\t_\n2\tb\t_\tV\t_\t_\t0\tROOT\t_\t_\n\n"
    kinds = [fault.kind for fault in check(io.StringIO("# x\n" + rows * 3), "conllu").faults]
    assert kinds == ["upos", "upos"]


def test_text_is_compared_with_the_column_misc_wherever_it_is():
    """The last column of PARSEME's files is not MISC."""
    header = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
    rows = ["1-2\tdu" + "\t_" * 7 + "\tSpaceAfter=No\t*", "1\tde" + "\t_" * 4 + "\t0\troot\t_\t_\t*"]
    rows += ["2\tle" + "\t_" * 4 + "\t1\tdet\t_\t_\t*", "3\t." + "\t_" * 4 + "\t1\tpunct\t_\t_\t*"]
    text = header + "# text = du.\n" + "\n".join(rows) + "\n\n"
    assert check(io.StringIO(text)).faults == ()
    [fault] = check(io.StringIO(text.replace("text = du.", "text = du ."))).faults
    assert fault.kind == "text"


def test_an_empty_node_stands_before_the_multiword_token_of_the_next_word():
    rows = {number: "\t".join([number, *"_" * 9]) for number in ("1.1", "1.2", "2-3")}
    words = [f"{number}\tw\t_\tX\t_\t_\t{number - 1}\t{'dep' if number > 1 else 'root'}\t_\t_" for number in (1, 2, 3)]

    def faults(*order):
        lines = ["# sent_id = a", words[0], *(rows[number] for number in order), *words[1:], "", ""]
        return [(fault.kind, fault.line, fault.warning) for fault in check(io.StringIO("\n".join(lines))).faults]

    assert faults("1.1", "2-3") == []
    assert faults("2-3", "1.1") == [("order", 4, True)]
    assert faults("1.1", "1.2", "2-3") == []
    assert faults("2-3", "1.1", "1.2") == [("order", 4, True), ("order", 5, True)]


@pytest.mark.parametrize(
    ("spaces", "paragraphs", "sentences", "warnings"),
    [(True, False, 30, 0), (False, False, 30, 1), (True, True, 30, 1), (False, True, 30, 2), (False, True, 3, 0)],
)
def test_a_treebank_without_the_marks_of_raw_text_is_warned_of(spaces, paragraphs, sentences, warnings):
    """A small file may have no such marks by chance."""
    after = "SpaceAfter=No" if spaces else "_"
    rows = f"1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t{after}\n2\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    first, others = "# newpar\n# note\n", "# newpar\n# note\n" if paragraphs else "# note\n"
    faults = check(io.StringIO(first + rows + (others + rows) * (sentences - 1)), "conllu").faults
    assert [(fault.kind, fault.warning) for fault in faults] == [("raw text", True)] * warnings


@pytest.mark.parametrize(
    ("marks", "kinds", "partial"),
    [
        (("Keep=yes", "_"), ["mark"], 0),
        (("Keep=heads", "Keep=Yes"), ["mark"], 1),
        (("Keep=Yes", "Keep=head,deprel,upos"), [], 0),
    ],
)
def test_marks_that_cannot_be_read_are_faults(marks, kinds, partial):
    dogs = Sentence.from_tokens(["Dogs", "bark"], upos=["N", "V"], heads=[2, 0], deprels=["a", "root"], misc=marks)
    without_heads = dogs.with_columns({"head": ("_", "_"), "deprel": ("_", "_")})
    for sentence in (dogs, without_heads):
        report = check(io.BytesIO(conll_text(sentence).encode()), "conllu")
        assert [fault.kind for fault in report.faults if fault.kind == "mark"] == kinds
    report = check(io.BytesIO(conll_text(dogs).encode()), "conllu")
    assert [fault.kind for fault in report.faults if fault.kind == "mark"] == kinds
    assert report.partial == partial
