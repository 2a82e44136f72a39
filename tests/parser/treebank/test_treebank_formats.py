"""Formats: how they are detected, and the unified names of their columns."""

import io

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.treebank import conll_text, read_pieces, read_sentences, sentences_in
from crossarc.parser.treebank.sentence import file_texts
from refusals import refusal

X = "1\tHun\thun\tP\tPP\tnum=s\t2\tsubj\t_\t_\n2\tgår\tgå\tV\tVA\t_\t0\tROOT\t_\t_\n"
CONLL09 = (
    "1\tHe\the\the_\tPRP\tPRP_\tgf\tpf\t2\t1\tSBJ\tOBJ\t_\t_\tA0\n"
    "2\tran\trun\trun_\tVBD\tVBD_\t_\t_\t0\t0\tROOT\tROOT\tY\trun.01\t_\n"
)


def only(text, format="auto", columns="gold"):
    (sentence,) = read_sentences(io.BytesIO(text.encode()), format, columns)
    return sentence


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (X, "conllx"),
        (X.replace("\t_\t_\n", "\t2\tsubj\n"), "conllx"),
        (X.replace("\t_\t_\n", "\t2:subj\t_\n"), "conllu"),
        (X.replace("\t_\t_\n", "\t_\tSpaceAfter=No\n"), "conllu"),
        ("# text = Hun går\n" + X, "conllu"),
        ("1-2\tx" + "\t_" * 8 + "\n" + X, "conllu"),
        (X + "2.1\tx" + "\t_" * 8 + "\n", "conllu"),
        (X.replace("\tP\t", "\tPRON\t").replace("\tV\t", "\tVERB\t"), "conllu"),
        (X.replace("\tP\t", "\tPRON\t").replace("\tV\t", "\t_\t"), "conllu"),
        (X.replace("\n", "\tI\tO\n"), "conllx"),
        (X.replace("\n", "\tI\n"), "conllx"),
        (CONLL09, "conll09"),
        (CONLL09.replace("\t2\t1\tSBJ\tOBJ", "\t_" * 4).replace("\t0\t0\tROOT\tROOT", "\t_" * 4), "conll09"),
        ("\n".join("\t".join(row.split("\t")[:12]) for row in CONLL09.split("\n")), "conll09"),
    ],
)
def test_formats_are_detected_by_content(text, name):
    sentence = only(text)
    assert sentence.format.name == name
    assert len(sentence) == 2
    assert conll_text(sentence) == text.rstrip("\n") + "\n\n"


def test_formats_are_detected_by_file_name(tmp_path):
    for name, format in (("a.conllu", "conllu"), ("a.conll", "conllx")):
        (tmp_path / name).write_text(X, "utf-8")
        assert next(read_sentences(f"{tmp_path}/{name}")).format.name == format


@pytest.mark.parametrize(("before", "sample"), [(1, 1), (100, 100), (150, 100)])
def test_values_that_contradict_a_guessed_format_are_refused(before, sample):
    """Files without comments whose MISC begins late; a file of CoNLL-X may have PDEPREL late, beside PHEAD."""
    plain = "1\tHe\the\tP\tPP\t_\t0\troot\t_\t_\n\n"
    for last, refused in (("_\tSpaceAfter=No", True), ("0\tsubj", False)):
        text = plain * before + plain.replace("_\t_\n", f"{last}\n")
        pieces = read_pieces(io.BytesIO(text.encode()), size=0, sample=sample)
        if refused:
            with pytest.raises(CrossarcError, match=rf":{2 * before + 1}: .*name the format: --format conllu"):
                [sentence for piece in pieces for sentence in sentences_in(piece)]
        else:
            assert len([sentence for piece in pieces for sentence in sentences_in(piece)]) == before + 1


def test_conllx_columns_have_unified_names():
    sentence = only(X)
    assert sentence.column("form") == ("Hun", "går")
    assert sentence.column("upos") == ("P", "V")
    assert sentence.column("xpos") == ("PP", "VA")
    assert sentence.column("phead") == sentence.column("pdeprel") == ("_", "_")
    assert sentence.heads() == [-1, 2, 0]
    assert sentence.deprels() == ["", "subj", "ROOT"]


def test_conll09_gold_and_predicted_columns():
    gold, predicted = only(CONLL09), only(CONLL09, columns="predicted")
    assert [gold.column(name)[0] for name in ("lemma", "upos", "xpos", "feats")] == ["he", "PRP", "PRP", "gf"]
    assert [predicted.column(name)[0] for name in ("lemma", "upos", "xpos", "feats")] == ["he_", "PRP_", "PRP_", "pf"]
    for sentence in (gold, predicted):
        assert sentence.heads() == [-1, 2, 0]
        assert sentence.deprels() == ["", "SBJ", "ROOT"]
        assert sentence.column("phead") == ("1", "0")
        assert sentence.column("glemma") == ("he", "run")
        assert sentence.column("ppos") == ("PRP_", "VBD_")
        assert sentence.column("pred") == ("_", "run.01")
        assert sentence.column("apred1") == ("A0", "_")
    heads, deprels = [-1, 0, 1], ["", "x", "y"]
    assert gold.with_tree(heads, deprels).column("phead") == ("1", "0")
    assert gold.with_tree(heads, deprels).column("pdeprel") == ("OBJ", "ROOT")
    assert gold.with_tree(heads, deprels).heads() == heads
    assert predicted.with_tree(heads, deprels).column("phead") == ("0", "1")
    assert predicted.with_tree(heads, deprels).column("pdeprel") == ("x", "y")
    assert predicted.with_tree(heads, deprels).heads() == heads


def test_conll09_sentences_have_as_many_apreds_as_predicates():
    without = "\n".join(row[: row.rindex("\t")] for row in CONLL09.replace("Y\trun.01", "_\t_").split("\n")[:2]) + "\n"
    first, second = read_sentences(io.BytesIO(f"{without}\n{CONLL09}\n".encode()))
    assert len(first.columns) == 14
    assert second.column("apred1") == ("A0", "_")


def test_rows_that_all_end_after_feats_are_completed():
    short = "1\tHun\thun\tP\tPP\tnum=s\n2\tgår\tgå\tV\tVA\t_\n"
    sentence = only(short)
    assert sentence.column("head") == ("_", "_")
    assert conll_text(sentence.with_tree([-1, 2, 0], ["", "subj", "ROOT"])) == X + "\n"
    multiword = only("1-2\tHun\t_\t_\t_\t_\n" + short)
    assert multiword.extras == ((0, "1-2\tHun" + "\t_" * 8),)
    nine = only("1\tHe\the\the_\tPRP\tPRP_\tgf\tpf\n", "conll09")
    assert len(nine.columns) == 14
    assert nine.column("xpos") == ("PRP",)


def test_conllu_plus_files_name_their_columns():
    text = "# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE\n1\tgo\tVERB\t{}\t1:VPC\n2\ton\tADP\t{}\t1\n\n"
    sentence = only(text.format("0\troot", "1\tx"))
    assert sentence.format.names == ("id", "form", "upos", "head", "deprel", "parseme:mwe")
    assert sentence.column("parseme:mwe") == ("1:VPC", "1")
    parsed = sentence.with_tree([-1, 2, 0], ["", "x", "root"])
    assert "".join(file_texts([parsed])) == text.format("2\tx", "0\troot")


def test_unnamed_user_columns_are_numbered():
    sentence = only(X.replace("\n", "\tB-PER\tO\n"))
    assert sentence.column("column11") == ("B-PER", "B-PER")
    assert sentence.column("column12") == ("O", "O")


def test_unknown_columns_are_refused_with_the_allowed_names():
    assert refusal(lambda: only(X).column("fetas")) == (
        "<stream>:1: no column 'fetas' (did you mean 'feats'?); allowed: "
        "id, form, lemma, upos, xpos, feats, head, deprel, phead, pdeprel"
    )


def test_sentence_ids_come_from_comments_or_lines():
    assert only("# newdoc\n#sent_id=a = b \n" + X).id == "a = b"
    assert only("# sent_ids = a\n" + X).id == "<stream>:2"


def test_unknown_column_choices_are_refused():
    message = "columns 'pred' (did you mean 'predicted'?); allowed: gold, predicted"
    assert refusal(lambda: read_sentences("-", "auto", "pred")) == message


def test_trees_and_columns_that_do_not_fit_raise_value_errors():
    sentence = only(X)
    with pytest.raises(ValueError, match="2 heads and 3 deprels, expected 3 of each"):
        sentence.with_tree([-1, 0], ["", "a", "b"])
    for heads in ([-1, 0, 3], [-1, -1, 0]):
        with pytest.raises(ValueError, match="expected 0 to 2"):
            sentence.with_tree(heads, ["", "a", "b"])
    for values in (("x", "y\tz"), ("x\n\n1\tGhost", "_"), ("x", 2), ("x", None)):
        with pytest.raises(ValueError, match="lemma: expected texts without tabs and line ends"):
            sentence.with_columns({"lemma": values})
    with pytest.raises(ValueError, match="heads: expected whole numbers"):
        sentence.with_tree([-1, 2.0, 0.0], ["", "a", "b"])
    with pytest.raises(ValueError, match="1 values for form, expected 2"):
        sentence.with_columns({"form": ("a",)})


def test_columns_are_declared_in_any_comment_of_the_first_sentence():
    text = "# newdoc id = a\n# global.columns = ID FORM HEAD DEPREL\n# text = go\n1\tgo\t0\troot\n\n"
    assert only(text).format.names == ("id", "form", "head", "deprel")
    assert ":3: global.columns 'X'" in refusal(lambda: only("# a\n# b\n# global.columns = X\n1\tgo\n\n"))
