"""Sentences of other libraries: each kind is read, and trees are returned in the same kind."""

import subprocess
import sys
from dataclasses import replace

import crossarc
import pytest
from crossarc.parser.plugins.interfaces.estimator import DependencyParser
from crossarc.parser.plugins.interfaces.ids import word_ids
from crossarc.parser.treebank.samples import sample_types, type_of, with_trees
from handmade import any_heads
from hypothesis import given, strategies as st

KINDS = sample_types()
FORMS = ["A", "hearing", "is", "scheduled", "today"]
UPOS = ["DET", "NOUN", "AUX", "VERB", "ADV"]
FEATS = ["_", "Number=Sing|Case=Nom", "_", "Tense=Past", "_"]
TREE = crossarc.Sentence.from_tokens(
    FORMS, upos=UPOS, feats=FEATS, heads=[2, 4, 4, 0, 2], deprels=["det", "nsubj", "aux", "root", "nmod"]
)
OTHER = TREE.with_tree([-1, 4, 1, 1, 0, 3], ["", *"abcde"])


def as_mappings():
    return [{"form": form, "upos": upos, "feats": feats} for form, upos, feats in zip(FORMS, UPOS, FEATS, strict=True)]


CONVERTERS = {
    "conllu": crossarc.to_token_list,
    "pandas": lambda sentence: crossarc.to_frame([sentence]),
    "spacy": crossarc.to_doc,
    "nltk": crossarc.to_dependency_graph,
}
"""Functions that convert a sentence to the kind of a package."""


def of_library(package):
    """A function that converts the tree to the kind of a package, or skips the test."""
    return lambda: pytest.importorskip(package) and CONVERTERS[package](TREE)


MAKERS = (lambda: TREE, *map(of_library, CONVERTERS), as_mappings, lambda: FORMS)


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind.title for kind in KINDS])
def test_kinds_are_recognised_and_filled(number):
    value = MAKERS[number]()
    assert type_of(value) is KINDS[number]
    read = crossarc.as_sentence(value)
    assert read.column("form") == TREE.column("form")
    if number < len(KINDS) - 1:
        assert read.column("upos") == TREE.column("upos")
        # spaCy changes the order of features
        feats = [[{*own.split("|")} for own in sentence.column("feats")] for sentence in (read, TREE)]
        assert feats[0] == feats[1]
    if number < len(KINDS) - 2:
        assert (read.heads(), read.deprels()) == (TREE.heads(), TREE.deprels())
    [filled] = with_trees([value], lambda own: [OTHER])
    again = crossarc.as_sentence(filled)
    assert (again.heads(), again.deprels()) == (OTHER.heads(), OTHER.deprels())
    if number < len(KINDS) - 1:
        assert type(filled) is type(value)


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind.title for kind in KINDS])
def test_predicted_tags_are_returned(number):
    """The result contains the tags and lemmas that a parser has changed; the input does not change."""
    changed = {"upos": ("X",) * 5, "feats": ("Case=Nom",) * 5, "lemma": tuple("abcde")}
    value = MAKERS[number]()
    before = crossarc.as_sentence(value)
    [filled] = with_trees([value], lambda own: [OTHER.with_columns(changed)])
    again = crossarc.as_sentence(filled)
    assert {name: again.column(name) for name in changed} == changed
    assert again.heads() == OTHER.heads()
    assert crossarc.as_sentence(value) == before


@pytest.fixture(scope="module")
def parser(small_treebank):
    return DependencyParser("arc-standard", features="small").fit(list(crossarc.read_sentences(small_treebank))[:10])


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind.title for kind in KINDS])
def test_parsers_take_every_kind(number, parser):
    """All kinds get the same tree as the Sentence, except words alone, which have no tags."""
    value = MAKERS[number]()
    if number == len(KINDS) - 1:
        with pytest.raises(crossarc.CrossarcError, match="the sentence has no tags, but the model reads UPOS"):
            parser.predict([value])
        with pytest.warns(UserWarning, match="the sentence has no tags"):
            [parsed] = parser.predict([value], allow_empty_columns=True)
        assert isinstance(parsed, crossarc.Sentence)
        assert len(parsed.heads()) == len(value) + 1
        return
    read, expected = (crossarc.as_sentence(own) for [own] in (parser.predict([value]), parser.predict([TREE])))
    assert (read.heads(), read.deprels()) == (expected.heads(), expected.deprels())
    for stream in (False, True):
        [parsed] = parser.model_.parse(iter([value]), stream=stream)
        assert (parsed.heads(), parsed.deprels()) == (expected.heads(), expected.deprels())


def test_a_frame_of_several_sentences_is_parsed_and_trained_on(parser):
    pytest.importorskip("pandas")
    frame = crossarc.to_frame([TREE, OTHER])
    assert len(list(parser.model_.parse(frame))) == 2
    model = crossarc.train(crossarc.load_config("arc-standard-small"), sentences=frame)
    assert set(model.labels) >= {"det", "nsubj"}


def test_mixed_lists_keep_their_order():
    filled = with_trees([FORMS, as_mappings(), TREE], lambda read: [OTHER] * 3)
    assert [type(own) for own in filled] == [crossarc.Sentence, list, crossarc.Sentence]
    assert filled[1][0] == {"form": "A", "upos": "DET", "feats": "_", "head": 4, "deprel": "a"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "sentences: found int, expected a list of sentences"),
        (TREE, "sentences: found Sentence, expected a list of sentences"),
        (["Dogs", "bark"], "sentence 1: found str, expected a Sentence, "),
        ([FORMS, []], "sentence 2: found list, expected a Sentence, "),
        ([FORMS, ["a", 1]], "sentence 2: form of word 2: found 1, expected text"),
        ([[{"form": "a"}, {"lemma": "b"}]], "sentence 1: token 2: found .*, expected a mapping with 'form'"),
        ([[{"form": "a", "head": 2}]], "sentence 1: head of word 1: found 2, expected 0 to 1"),
        ([TREE, object()], "sentence 2: found object, expected a Sentence, a conllu.TokenList, "),
    ],
)
def test_invalid_sentences_are_reported_in_one_line(value, message):
    with pytest.raises(crossarc.CrossarcError, match=f"^{message}") as caught:
        crossarc.as_sentences(value)
    assert "\n" not in str(caught.value)


def test_other_libraries_are_imported_only_when_needed():
    code = (
        "import sys, crossarc; crossarc.as_sentences([['Dogs', 'bark']]); "
        "print(sorted({'conllu', 'pandas', 'spacy', 'nltk', 'sklearn'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"[]"


@pytest.mark.parametrize("package", CONVERTERS)
def test_missing_packages_are_named(package, monkeypatch):
    for name in [module for module in sys.modules if module.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(crossarc.CrossarcError, match=rf"^to_\w+: needs \w+; install the extra crossarc\[{package}\]$"):
        CONVERTERS[package](TREE)


@pytest.mark.parametrize("function", ["to_token_list", "to_doc", "to_dependency_graph"])
@pytest.mark.parametrize("value", [None, "Dogs", [TREE], 3])
def test_conversions_accept_only_sentences(function, value):
    with pytest.raises(crossarc.CrossarcError):
        getattr(crossarc, function)(value)


MULTIWORD = """# sent_id = own
# newdoc
1-2\tit's\t_\t_\t_\t_\t_\t_\t_\t_
1\tit\tit\tPRON\t_\tNumber=Sing|Person=3\t2\tnsubj\t2:nsubj\tSpaceAfter=No
2\t's\tbe\tAUX\t_\t_\t0\troot\t0:root\t_
2.1\tgone\tgo\tVERB\t_\t_\t_\t_\t2:xcomp\t_

"""


def test_token_lists_keep_multiword_tokens_and_empty_nodes(tmp_path):
    conllu = pytest.importorskip("conllu")
    [tokens] = conllu.parse(MULTIWORD)
    read = crossarc.as_sentence(tokens)
    assert read.column("form") == ("it", "'s")
    assert read.column("feats") == ("Number=Sing|Person=3", "_")
    assert read.column("deps") == ("2:nsubj", "0:root")
    [filled] = with_trees([tokens], lambda own: [own[0].with_tree([-1, 0, 1], ["", "root", "cop"])])
    expected = MULTIWORD.replace("2\tnsubj\t2:nsubj", "0\tROOT\t_").replace("0\troot\t0:root", "1\tcop\t_")
    expected = "".join(line for line in expected.splitlines(keepends=True) if not line.startswith("2.1"))
    assert filled.serialize() == expected.replace("ROOT", "root")  # empty nodes are nodes of the former graph
    assert tokens.serialize() == MULTIWORD
    (tmp_path / "own.conllu").write_text(MULTIWORD, "utf-8")
    [sentence] = crossarc.read_sentences(str(tmp_path / "own.conllu"))
    assert crossarc.to_token_list(sentence).serialize() == MULTIWORD


def test_token_lists_made_by_hand_are_read():
    conllu = pytest.importorskip("conllu")
    tokens = conllu.TokenList([{"form": "Dogs", "upos": "NOUN"}, {"form": "bark", "feats": {"Number": "Plur"}}])
    read = crossarc.as_sentence(tokens)
    assert (read.column("upos"), read.column("feats")) == (("NOUN", "_"), ("_", "Number=Plur"))
    with pytest.raises(crossarc.CrossarcError, match=r"^word 2 of the TokenList has no form$"):
        crossarc.as_sentence(conllu.TokenList([{"form": "Dogs"}, {"lemma": "bark"}]))


def test_one_frame_can_hold_a_treebank(small_treebank):
    pandas = pytest.importorskip("pandas")
    sentences = list(crossarc.read_sentences(str(small_treebank)))
    frame = crossarc.to_frame(sentences)
    assert frame["sentence"].nunique() == len(sentences)
    read = crossarc.as_sentences(frame)
    assert [own.columns for own in read] == [sentence.columns for sentence in sentences]
    flat = [sentence.with_tree([-1, *[0] * len(sentence)], ["", *["x"] * len(sentence)]) for sentence in read]
    filled = with_trees(frame, lambda own: flat)
    assert isinstance(filled, pandas.DataFrame)
    assert filled["head"].tolist() == [0] * len(frame)
    assert set(filled["deprel"]) == {"x"}
    assert filled.drop(columns=["head", "deprel"]).equals(frame.drop(columns=["head", "deprel"]))


def test_frames_from_files_are_read(tmp_path):
    """Missing values make read_csv return heads as floats; with ``dtype=str``, it returns text."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "own.csv"
    path.write_text("form,head,number,upos\nDogs,2,1,NOUN\nbark,,2,\n", "utf-8")
    read = crossarc.as_sentence(pandas.read_csv(path))
    assert read.column("head") == ("2", "_")
    assert read.column("upos") == ("NOUN", "_")
    assert read.column("number") == ("1", "2")
    assert crossarc.as_sentence(pandas.read_csv(path, dtype=str)).column("head") == ("2", "_")
    assert crossarc.as_sentence(pandas.DataFrame({"form": ["a"], "head": ["_"]})).column("head") == ("_",)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"word": ["a"]}, "the frame has the columns word; expected 'form' among them"),
        ({"form": []}, "the frame has no rows, expected one for each word"),
        (
            {"form": ["a", "b"], "head": [2, 3]},
            "rows 0 to 1 of the frame: head of the word with id 2: found 3, expected",
        ),
        (
            {"form": ["a"], "head": [0.5]},
            "rows 0 to 0 of the frame: head of the word with id 1: found 0.5, expected 0 or",
        ),
        ({"form": ["a", None]}, "rows 0 to 1 of the frame: form of word 2: found None"),
        ({"sentence": [1, None], "form": ["a", "b"]}, "row 1 of the frame has no value of 'sentence'"),
        ({"sentence": [1, 2, 1], "form": list("abc")}, "row 2 of the frame continues sentence 1"),
        (
            {"sent_id": ["x", "y"], "form": list("ab")},
            "rows 0 to 1 .* several values of 'sent_id'; number the sentences",
        ),
    ],
)
def test_invalid_frames_are_refused(columns, message):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(crossarc.CrossarcError, match=message):
        crossarc.as_sentences(pandas.DataFrame(columns))


def test_a_frame_with_a_column_twice_is_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([["a", 0, 0]], columns=["form", "head", "head"])
    with pytest.raises(crossarc.CrossarcError, match="the frame has the column 'head' twice"):
        crossarc.as_sentences(frame)


def test_a_frame_in_a_list_is_one_sentence():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"sentence": [1, 2], "form": ["a", "b"]})
    assert len(crossarc.as_sentences(frame)) == 2
    with pytest.raises(crossarc.CrossarcError, match=r"^sentence 1: the frame has 2 sentences, expected one"):
        crossarc.as_sentences([frame])


def test_graphs_of_nltk_have_one_root():
    pytest.importorskip("nltk")
    graph = crossarc.to_dependency_graph(TREE)
    assert graph.root["word"] == "scheduled"
    roots = TREE.with_tree([-1, 0, 0, 0, 0, 0], ["", "x", "root", "x", "root", "x"])
    assert crossarc.to_dependency_graph(roots).root["word"] == "A"
    with pytest.raises(crossarc.CrossarcError):
        crossarc.to_dependency_graph(crossarc.Sentence.from_tokens(FORMS))
    with pytest.raises(crossarc.CrossarcError, match="not a tree, words 1 2 form a cycle"):
        crossarc.to_dependency_graph(TREE.with_tree([-1, 2, 1, 0, 3, 3], TREE.deprels()))


@st.composite
def trees(draw):
    """Random trees of up to seven words."""
    heads = any_heads(draw(st.integers(1, 7)), draw(st.integers(0, 10**9)))[1:]
    deprels = [draw(st.sampled_from(["nsubj", "root", "a:b", "ü"])) for _ in heads]
    letters = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1)
    return crossarc.Sentence.from_tokens([draw(letters) for _ in heads], heads=heads, deprels=deprels)


@pytest.mark.parametrize("package", ["conllu", "pandas", "spacy"])
@given(sentence=trees())
def test_conversion_and_back_keeps_trees(package, sentence):
    pytest.importorskip(package)
    again = crossarc.as_sentence(CONVERTERS[package](sentence))
    assert again.column("form") == sentence.column("form")
    assert (again.heads(), again.deprels()) == (sentence.heads(), sentence.deprels())


def test_graphs_without_heads_keep_their_tags():
    graph = of_library("nltk")()
    for node in graph.nodes.values():
        node["head"] = None
    assert crossarc.as_sentence(graph).column("upos") == tuple(UPOS)


IDS = [
    ([1, 2, 3], [2, 0, 2], [2, 0, 2]),
    ([2, 3, 7], [3, 0, 3], [2, 0, 2]),
    ([1.0, 2.0, 3.0], [2.0, 0.0, None], [2, 0, None]),
    (["1", "2", "3"], ["2", "0", "_"], [2, 0, None]),
    (["1-2", "1", "2", "2.1", "3"], ["_", "2", "0", "_", "2"], [2, 0, 2]),
    ([1.0, 2.0, 2.1, 3.0], [2, 0, None, 2], [2, 0, 2]),
    ([(1, "-", 2), 1, 2, (2, ".", 1), 3], [None, 2, 0, None, 2], [2, 0, 2]),
]
"""Ids of rows, their heads, and the heads of the words as numbers of words."""


@pytest.mark.parametrize(("ids", "heads", "expected"), IDS)
def test_heads_are_ids_of_words(ids, heads, expected):
    words = word_ids(ids)
    assert words.heads(heads) == expected
    back = words.of_heads([head or 0 for head in expected])
    assert back == [int(heads[row]) if heads[row] not in (None, "_") else 0 for row in words.rows]


@pytest.mark.parametrize(
    ("ids", "heads", "message"),
    [
        ([1, None], [0, 1], "id of row 2: found None, expected a whole number"),
        ([1, "x"], [0, 1], "id of row 2: found 'x', expected a whole number"),
        ([0, 1], [0, 1], "id of row 1: found 0, expected a whole number"),
        ([1, 1], [0, 1], "id 1 occurs twice"),
        ([2, 1], [0, 2], "id 1 is out of order, after 2"),
        ([1, 3], [0, 2], "head of the word with id 3: found 2, expected 0 or the id of a word"),
        ([1, 3], [0, -1], "head of the word with id 3: found -1"),
        ([1, float("inf")], [0, 1], "id of row 2: found inf"),
        ([1, True], [0, 1], "id of row 2: found True"),
        ([1, 2], [0, True], "head of the word with id 2: found True"),
    ],
)
def test_ids_and_heads_that_do_not_fit_are_named(ids, heads, message):
    with pytest.raises(crossarc.CrossarcError, match=message):
        word_ids(ids).heads(heads)


def test_every_kind_of_conversion_maps_heads_by_id():
    """Words and rows that a user leaves out never change the heads of others."""
    pandas, conllu = pytest.importorskip("pandas"), pytest.importorskip("conllu")
    nltk = pytest.importorskip("nltk")
    tokens = crossarc.to_token_list(TREE).filter(upos=lambda upos: upos != "DET")
    frame = crossarc.to_frame([TREE])
    frame = frame[frame["upos"] != "DET"]
    graph = crossarc.to_dependency_graph(TREE)
    graph.remove_by_address(1)
    for value in (tokens, frame, graph):
        read = crossarc.as_sentence(value)
        assert read.column("form") == tuple(FORMS[1:])
        assert read.heads() == [-1, 3, 3, 0, 1]
    [filled] = with_trees([tokens], lambda own: own)
    assert filled == tokens
    assert with_trees(frame, lambda own: own)["head"].tolist() == frame["head"].tolist()
    assert isinstance(tokens, conllu.TokenList)
    assert isinstance(graph, nltk.parse.DependencyGraph)
    rows = pandas.DataFrame({"id": ["1-2", "1", "2"], "form": ["au", "à", "le"], "head": ["_", "0", "1"]})
    assert crossarc.as_sentence(rows).column("form") == ("à", "le")
    filled = with_trees(rows, lambda own: [own[0].with_tree([-1, 2, 0], ["", "a", "b"])])
    assert filled["head"].tolist() == ["_", 2, 0]
    assert filled["deprel"].tolist() == ["_", "a", "b"]


@pytest.mark.parametrize("names", [["1", "1"], ["", ""], [None, "1"]])
def test_sentences_of_a_frame_do_not_depend_on_their_names(names):
    pytest.importorskip("pandas")
    comments = [() if name is None else (f"# sent_id = {name}",) for name in names]
    sentences = [replace(TREE, comments=comment, source="file") for comment in comments]
    frame = crossarc.to_frame(sentences)
    assert frame["sentence"].tolist() == [1] * 5 + [2] * 5
    read = crossarc.as_sentences(frame)
    assert [sentence.columns for sentence in read] == [TREE.columns] * 2
    assert [sentence.comment("sent_id") or None for sentence in read] == [name or None for name in names]


@pytest.mark.parametrize("form", ["26  000", "a   b", "\ue000  x", "  y"])
def test_spaces_in_forms_do_not_separate_columns_of_token_lists(form):
    pytest.importorskip("conllu")
    sentence = crossarc.Sentence.from_tokens(
        [form, "cats"], heads=[2, 0], deprels=["nummod", "root"], misc=[f"G={form}", "_"]
    )
    tokens = crossarc.to_token_list(sentence)
    assert [(token["form"], token["head"], token["deprel"]) for token in tokens] == [
        (form, 2, "nummod"),
        ("cats", 0, "root"),
    ]
    assert tokens[0]["misc"] == {"G": form}


def test_words_without_a_head_have_no_number_in_a_frame():
    pytest.importorskip("pandas")
    whole, half = (crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["a", "b"]) for _ in range(2))
    half = half.with_columns({"head": ("_", "0"), "deprel": ("_", "b")})
    for sentences, roots in (([whole, half], 2), ([half], 1), ([whole], 1)):
        frame = crossarc.to_frame(sentences)
        assert (frame["head"] == 0).sum() == roots
        assert frame["head"].isna().sum() == sentences.count(half)
        columns = [sentence.column("head") for sentence in crossarc.as_sentences(frame)]
        assert columns == [sentence.column("head") for sentence in sentences]


def test_token_lists_lose_what_described_the_former_tree(parser):
    conllu = pytest.importorskip("conllu")
    rows = "# k_best = 1\n# probability = 0.4\n# text = a b\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n"
    rows += "2\tb\tb\tX\tX\t_\t1\tx\t_\t_\n2.1\tc\tc\tX\tX\t_\t_\t_\t1:dep\t_\n\n"
    (tokens,) = conllu.parse(rows)
    (parsed,) = parser.predict([tokens])
    assert dict(parsed.metadata) == {"text": "a b"}
    assert [token["id"] for token in parsed] == [1, 2]
    assert {token["deps"] for token in parsed} == {None}
    (bare,) = parser.predict([conllu.TokenList([{"form": "a", "upos": "X"}, {"form": "b", "upos": "X"}])])
    assert len(bare) == 2
    parsed.metadata["text"] = "other"
    assert tokens.metadata["text"] == "a b"


@pytest.mark.parametrize("form", ["a", "a  b"])
def test_entries_of_token_lists_may_have_several_equal_signs(form):
    misc = ("Link=http://x?y=z|Keep", "_")
    sentence = crossarc.Sentence.from_tokens([form, "b"], heads=[2, 0], deprels=["x", "root"], misc=misc)
    tokens = crossarc.to_token_list(sentence)
    assert [token["misc"] for token in tokens] == [{"Link": "http://x?y=z", "Keep": ""}, None]
    assert tokens[0]["form"] == form
    assert f"\t{misc[0]}\n" in tokens.serialize()


def test_comments_of_token_lists_are_read():
    conllu = pytest.importorskip("conllu")
    [tokens] = conllu.parse("# newpar\n# sent_id = s1\n# text = ab\n1\tab\tab\tX\t_\t_\t0\troot\t_\t_\n\n")
    [sentence] = crossarc.as_sentences([tokens])
    assert sentence.comments == ("# newpar", "# sent_id = s1", "# text = ab")


def test_frames_keep_ids_of_zero_and_whole_numbers_beside_missing_values():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"sentence": [0, 0, 1], "sent_id": [0, 0, None], "form": list("abc"), "xpos": [5, None, 7]}
    )
    first, second = crossarc.as_sentences(frame)
    assert (first.comments, second.comments) == (("# sent_id = 0",), ())
    assert (first.column("xpos"), second.column("xpos")) == (("5", "_"), ("7",))


@pytest.mark.parametrize("name", ["sentence", "sent_id"])
def test_columns_with_the_names_of_a_frames_own_are_refused(name, tmp_path):
    pytest.importorskip("pandas")
    (tmp_path / "x.conllu").write_text(f"# global.columns = ID FORM {name.upper()}\n1\ta\tfoo\n\n")
    with pytest.raises(crossarc.CrossarcError, match=f"the column {name.upper()} has a name of a frame's own"):
        crossarc.to_frame(crossarc.read_sentences(str(tmp_path / "x.conllu")))


def test_a_setting_in_a_section_and_by_itself_is_refused():
    with pytest.raises(crossarc.CrossarcError, match=r"guide\.C is given twice, by itself and in a section"):
        DependencyParser("swap", settings={"guide": {"C": 1}, "guide.C": 2}).config([TREE])
