"""The search for arcs, compared with counts by hand and with a naive search."""

import pytest
from command_line import CYCLE, run
from crossarc import CrossarcError, Sentence, read_sentences, write_sentences
from crossarc.parser.plugins.analysis.arc_search import (
    FIELDS,
    MOST_NAMED,
    arc_condition,
    arcs_in,
    counted_arcs,
    found_arcs,
)

HEARING = Sentence.from_tokens(
    ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    lemma=["a", "hearing", "be", "schedule", "on", "the", "issue", "today", "."],
    upos=["DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "NOUN", "PUNCT"],
    feats=["_", "Number=Sing|Case=Nom", *"_______"],
    heads=[2, 3, 0, 3, 2, 7, 5, 4, 3],
    deprels=["det", "nsubj", "root", "vg", "nmod", "det", "pobj", "tmod", "punct"],
)


@pytest.fixture
def file(tmp_path):
    write_sentences([HEARING], tmp_path / "hearing.conllu")
    return tmp_path / "hearing.conllu"


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ([], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (["crossing=1"], [5, 8]),
        (["label=det,nsubj"], [1, 2, 6]),
        (["label!=det,nsubj"], [3, 4, 5, 7, 8, 9]),
        (["direction=left", "head.upos=NOUN"], [1, 6]),
        (["direction=root"], [3]),
        (["distance>3"], [8, 9]),
        (["distance=4,6"], [8, 9]),
        (["distance<=1", "direction=right"], [4]),
        (["lemma~^(hear|sched)"], [2, 4]),
        (["feats=Case=Nom"], [2]),
        (["head.feats=Number=Sing"], [1, 5]),
        (["feats!=Case=Nom,Case=Gen"], [1, 3, 4, 5, 6, 7, 8, 9]),
        (["head.lemma=be", "upos=NOUN,VERB"], [2, 4]),
        (["lifts>=1"], [5, 8]),
        (["label=none"], []),
        (["label=det and not distance=1 or crossing and head = 2"], [5]),
        (["word > 7 and not crossing"], [9]),
    ],
)
def test_arcs_are_found(file, capsys, conditions, words):
    assert run("arcs", file, *(word for text in conditions for word in ("--where", text))) == 0
    out, err = capsys.readouterr()
    heading, *rows = [line.split("\t") for line in out.splitlines()]
    assert tuple(heading) == FIELDS
    assert [int(row[1]) for row in rows] == words
    assert err == f"arcs found: {len(words)}\n"


def test_counts_agree_with_counts_by_hand(file, capsys):
    assert run("-q", "arcs", file, "--count-by", "head.upos,direction", "--where", "crossing=1") == 0
    heading, *rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert heading == ["head.upos", "direction", "arcs", "crossing", "sent_ids"]
    (sentence,) = read_sentences(file)
    assert rows == [["NOUN", "right", "1", "1", sentence.id], ["VERB", "right", "1", "1", sentence.id]]


def test_counts_of_a_treebank_agree_with_a_naive_search(small_treebank):
    sentences = list(read_sentences(small_treebank))
    counts = counted_arcs(found_arcs(sentences, [arc_condition("distance>=2")]), ["label"])
    for (label,), arcs, _, names in counts:
        naive = [
            1
            for sentence in sentences
            for word, (head, deprel) in enumerate(zip(sentence.heads()[1:], sentence.deprels()[1:], strict=True), 1)
            if deprel == label and head and abs(head - word) >= 2
        ]
        assert len(naive) == arcs
        having = [sentence.id for sentence in sentences if any(row["label"] == label for row in far_arcs(sentence))]
        assert [*names] == having[:MOST_NAMED]
    numbers = [arcs for _, arcs, _, _ in counts]
    assert numbers == sorted(numbers, reverse=True)


def far_arcs(sentence):
    return found_arcs([sentence], [arc_condition("distance>=2")])


MISC = ("Conf=0.40|Gloss=DEF", "Keep=Yes", "Conf=0.95", "_", "Conf=0.05|Gloss=the,DEF")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("conf<0.5", [1, 5]),
        ("conf>=0.95", [3]),
        ("misc.Conf<=0.4", [1, 5]),
        ("misc.Keep=Yes", [2]),
        ("misc.Gloss!=_", [1, 5]),
        ("misc.Gloss~the", [5]),
        ("misc=Keep=Yes", [2]),
        ("head.misc.Keep=Yes", [1, 3, 5]),
        ("head.misc.Conf<0.5", [4]),
    ],
)
def test_entries_of_misc_are_fields(condition, words):
    sentence = Sentence.from_tokens([*"abcde"], heads=[2, 0, 2, 5, 2], deprels=["x"] * 5, misc=MISC)
    assert [int(row["word"]) for row in found_arcs([sentence], [arc_condition(condition)])] == words


def test_words_without_a_head_have_no_arc():
    columns = {"head": ("2", "_", "2"), "deprel": ("x", "_", "y")}
    sentence = Sentence.from_tokens([*"abc"], heads=[2, 0, 2], deprels=["x"] * 3).with_columns(columns)
    assert [(row["word"], row["crossing"]) for row in arcs_in(sentence)] == [("1", "0"), ("3", "0")]


def test_words_without_columns_have_empty_fields():
    [row, _] = arcs_in(Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"]))
    assert (row["lemma"], row["head.form"], row["head.feats"]) == ("_", "bark", "_")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label", "label: expected one of = != ~"),
        ("labl=x", "field 'labl' (did you mean 'label'?)"),
        ("label<3", "label: expected one of = != ~"),
        ("distance>x", "field 'x'"),
        ("lemma~'('", "invalid regular expression"),
    ],
)
def test_invalid_conditions_are_refused(text, message):
    with pytest.raises(CrossarcError) as caught:
        arc_condition(text)
    assert message in str(caught.value)


def test_cycles_are_refused(tmp_path, capsys):
    (tmp_path / "c.conllu").write_text(CYCLE)
    assert run("arcs", tmp_path / "c.conllu") == 1
    assert capsys.readouterr().err.endswith("c.conllu:2: not a tree, words 1 2 form a cycle\n")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("feats=PronType=Int,Rel", ["1"]),
        ("feats!=PronType=Int,Rel", ["2", "3"]),
        ("form=,", ["2"]),
        ("form=who,.", ["1", "3"]),
        ("misc.feats=1", ["1"]),
        ("head.misc.xmisc=_", ["1", "3"]),
    ],
)
def test_values_may_have_commas_and_keys_any_name(condition, words):
    sentence = Sentence.from_tokens(
        ["who", ",", "."],
        feats=["PronType=Int,Rel", "_", "_"],
        misc=["feats=1", "xmisc=2", "_"],
        heads=[0, 1, 1],
        deprels=["root", "punct", "punct"],
    )
    rows = list(found_arcs([sentence], [arc_condition(condition)]))
    assert [row["word"] for row in rows] == (words if "xmisc" not in condition else ["1", "2", "3"])
