"""The component for spaCy's pipelines; skipped if spaCy is not installed."""

import io
import re
from importlib.metadata import entry_points
from pathlib import Path

import crossarc
import pytest
from crossarc.parser.base.data_warnings import DataWarning
from installed import needs
from spoken import treebank

spacy = pytest.importorskip("spacy")
spacy_component = pytest.importorskip("crossarc.parser.plugins.interfaces.spacy_component")


def saved(system, settings, treebank, path):
    """A parser, whose model file is written to a path."""
    config = crossarc.load_config(system, ["features=small", *settings], {"treebank.train": str(treebank)})
    parser = crossarc.train(config)
    crossarc.save_model(parser, path)
    return parser


@pytest.fixture(scope="module")
def model(small_treebank, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "swap.model"
    saved("swap", [], small_treebank, path)
    return path


@pytest.fixture(scope="module")
def sentences(small_treebank):
    return list(crossarc.read_sentences(str(small_treebank)))[:6]


def nlp_with(model, **options):
    nlp = spacy.blank("xx")
    nlp.add_pipe("crossarc", config={"model": str(model), **options})
    return nlp


def untreed(sentence, nlp):
    """The Doc of a sentence without its tree, as earlier components of a pipeline make it."""
    blank = sentence.with_columns({"head": ("_",) * len(sentence), "deprel": ("_",) * len(sentence)})
    return crossarc.to_doc(blank, nlp.vocab)


def test_docs_get_the_trees_of_the_model(model, sentences):
    nlp = nlp_with(model)
    expected = list(crossarc.open_parser(model).parse(sentences))
    docs = list(nlp.pipe([untreed(sentence, nlp) for sentence in sentences], batch_size=4))
    assert len(docs) == len(expected)
    for doc, tree in zip(docs, expected, strict=True):
        assert [0 if token.head.i == token.i else token.head.i + 1 for token in doc] == tree.heads()[1:]
        assert [token.dep_ for token in doc] == tree.deprels()[1:]
        assert doc.has_annotation("DEP")


@needs("tagging")
def test_taggers_set_missing_columns(small_treebank, tmp_path, sentences):
    parser = saved("swap", ["tags=[upos, xpos, lemma]"], small_treebank, tmp_path / "m")
    nlp, words = nlp_with(tmp_path / "m"), [list(sentence.column("form")) for sentence in sentences]
    docs = nlp.pipe([spacy.tokens.Doc(nlp.vocab, word) for word in words])
    for doc, sentence in zip(docs, parser.parse(words), strict=True):
        assert crossarc.as_sentence(doc).column("xpos") == sentence.column("xpos")
        assert crossarc.as_sentence(doc).column("lemma") == sentence.column("lemma")
        assert [token.dep_ for token in doc] == sentence.deprels()[1:]


@needs("tagging")
def test_a_model_of_raw_text_splits_the_text_anew(tmp_path):
    (tmp_path / "t").write_text(treebank(120, 1), "utf-8")
    parser = saved("arc-standard", ["input=text"], tmp_path / "t", tmp_path / "m")
    nlp = nlp_with(tmp_path / "m", split=True)
    doc = nlp("zum cat didn't see it! the dog barks.")
    assert doc.text == "zu dem cat didn't see it! the dog barks."
    expected = parser("zum cat didn't see it! the dog barks.")
    assert [[token.text for token in sent] for sent in doc.sents] == [
        list(sentence.column("form")) for sentence in expected
    ]
    assert [token.dep_ for token in doc] == [label for sentence in expected for label in sentence.deprels()[1:]]
    assert [token.lemma_ for token in doc] == [lemma for sentence in expected for lemma in sentence.column("lemma")]
    assert len(nlp(" ")) == 1


def test_sentence_boundaries_of_the_pipeline_are_kept(model, sentences):
    nlp = nlp_with(model)
    docs = [untreed(sentence, nlp) for sentence in sentences[:3]]
    for doc in docs:
        doc[0].is_sent_start = True
        for token in doc[1:]:
            token.is_sent_start = False
    whole = spacy.tokens.Doc.from_docs(docs)
    parsed = nlp(whole)
    expected = list(crossarc.open_parser(model).parse(sentences[:3]))
    assert [[token.text for token in span] for span in parsed.sents] == [
        list(sentence.column("form")) for sentence in expected
    ]
    assert [token.dep_ for token in parsed] == [deprel for sentence in expected for deprel in sentence.deprels()[1:]]


def test_texts_without_tags_are_refused_unless_allowed(model):
    with pytest.raises(crossarc.CrossarcError, match=r" no tags, but the model reads UPOS"):
        nlp_with(model)("Dogs bark loudly.")
    nlp = nlp_with(model, allow_empty_columns=True)
    with pytest.warns(UserWarning, match=" no tags, but the model reads"):
        doc = nlp("Dogs bark loudly.")
    assert sum(token.head.i == token.i for token in doc) == 1
    assert list(nlp_with(model).pipe([])) == []
    assert len(nlp_with(model)("")) == 0


def test_a_saved_pipeline_contains_the_model(model, sentences, tmp_path):
    copy = tmp_path / "copy.model"
    copy.write_bytes(model.read_bytes())
    nlp = nlp_with(copy)
    nlp.to_disk(tmp_path / "pipeline")
    content = nlp.to_bytes()
    copy.unlink()
    for again in (spacy.load(tmp_path / "pipeline"), nlp_with(copy).from_bytes(content)):
        for sentence in sentences:
            deprels = [[token.dep_ for token in own(untreed(sentence, own))] for own in (nlp, again)]
            assert deprels[0] == deprels[1]


def test_spacy_finds_the_component_by_its_entry_point():
    entries = entry_points(group="spacy_factories")
    named = [entry.value for entry in entries if entry.name == "crossarc"]
    if not named:
        pytest.skip("crossarc was installed before it had the entry point")
    assert named == ["crossarc.parser.plugins.interfaces.spacy_component:make_component"]


def test_missing_models_are_refused(tmp_path):
    with pytest.raises(crossarc.CrossarcError, match=r"^crossarc: names no model; add config="):
        spacy.blank("xx").add_pipe("crossarc")
    with pytest.raises(crossarc.CrossarcError, match=r"gone\.model: "):
        nlp_with(tmp_path / "gone.model")("Dogs bark.")


def test_parts_of_speech_unknown_to_spacy_are_left_out():
    sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], upos=["NN", "VERB"], misc=["SpaceAfter=No", "_"])
    doc = crossarc.to_doc(sentence)
    assert [token.pos_ for token in doc] == ["", "VERB"]
    assert doc.text == "Dogsbark "
    assert not doc.has_annotation("DEP")


def test_the_example_in_the_readme_runs(model, monkeypatch):
    monkeypatch.chdir(model.parent)
    page = Path(spacy_component.__file__).with_name("README.md").read_text("utf-8")
    (block,) = re.findall(r"```pycon\n(.*?)```", page, re.S)
    example = re.sub("^>>> ", "", block, flags=re.M)
    tagged = spacy.blank("en")
    tagged.add_pipe("attribute_ruler").add([[{}]], {"POS": "NOUN"})
    exec(compile(example, "README.md", "exec"), {"nlp": tagged})


@pytest.fixture(scope="module")
def of_text(tmp_path_factory):
    """A model that splits raw text, and needs no tags."""
    folder = tmp_path_factory.mktemp("text")
    (folder / "t").write_text(treebank(120, 1), "utf-8")
    saved("arc-standard", ["input=text"], folder / "t", folder / "m")
    return folder / "m"


def arcs(doc):
    """The head and label of each word, as texts and numbers among the words."""
    words = [token for token in doc if not token.is_space]
    number = {token.i: place for place, token in enumerate(words)}
    return [(token.text, number[token.head.i], token.dep_, token.pos_, token.lemma_) for token in words]


@pytest.mark.parametrize("text", ["the dog barks!", "the cat didn't see it! the dog barks.", "Dr. cat sees!"])
@pytest.mark.parametrize("spaces", ["  ", "\n", " \n ", "\t", "\u3000"])
@pytest.mark.parametrize("split", [False, True])
@needs("tagging")
def test_tokens_of_spaces_change_no_tree(of_text, text, spaces, split):
    nlp = nlp_with(of_text, split=split)
    plain = arcs(nlp(text))
    for place in [*(place for place, sign in enumerate(text) if sign == " "), len(text)]:
        spaced = nlp(text[:place] + spaces + text[place + 1 :])
        assert spaced.text == text[:place] + spaces + text[place + 1 :]
        assert arcs(spaced) == plain
        assert not any(child for token in spaced if token.is_space for child in token.children if not child.is_space)
    assert arcs(nlp(spaces + text)) == plain


@pytest.mark.parametrize("text", ["", " ", "\n", " \n "])
@needs("tagging")
def test_docs_without_words_stay(of_text, text):
    for split in (False, True):
        assert nlp_with(of_text, split=split)(text).text == text


@needs("tagging")
def test_splitting_keeps_what_users_have_added(of_text):
    nlp = nlp_with(of_text, split=True)
    texts = ["the dog barks!  the cat sees it.\n\nDr. bird sees!", "the dog barks!"]
    spacy.tokens.Doc.set_extension("source", default=None, force=True)
    docs = [nlp.make_doc(text) for text in texts]
    for doc in docs:
        doc.user_data["key"] = doc.text
        doc._.source = "file"
        doc.cats = {"news": 1.0}
        doc.set_ents([spacy.tokens.Span(doc, 0, 2, "ANIMAL")])
        doc.spans["own"] = [doc[1:2]]
    for doc, text in zip(nlp.pipe(docs), texts, strict=True):
        assert doc.text == text
        assert (doc.user_data["key"], doc._.source, doc.cats) == (text, "file", {"news": 1.0})
        assert [(ent.text, ent.label_) for ent in doc.ents] == [("the dog", "ANIMAL")]
        assert [span.text for span in doc.spans["own"]] == ["dog"]
    pairs = list(nlp.pipe([(text, number) for number, text in enumerate(texts)], as_tuples=True))
    assert [(doc.text, context) for doc, context in pairs] == [(text, number) for number, text in enumerate(texts)]
    multiword = nlp.make_doc("zum dog barks!")
    multiword.set_ents([spacy.tokens.Span(multiword, 1, 2, "ANIMAL")])
    with pytest.warns(DataWarning, match="entities or spans of a Doc are lost"):
        assert nlp(multiword).ents == ()


@needs("tagging")
def test_docs_without_boundaries_are_split_into_sentences(of_text, model):
    nlp = nlp_with(of_text)
    assert [len(own) for own in nlp("the dog barks! the cat sees it. the bird barks!").sents] == [4, 5, 4]
    other = nlp_with(model, allow_empty_columns=True)
    with pytest.warns(DataWarning, match="no sentence boundaries and is parsed as one sentence"):
        other("the dog barks! the cat sees it.")


def test_errors_go_to_the_handler_and_cost_no_other_doc(model, sentences):
    """The Docs that are refused do not depend on the batch."""
    for size in (1, 2, 10):
        nlp = nlp_with(model)
        failed = []

        def handle(name, component, docs, error, failed=failed):
            failed.append((name, [doc.text for doc in docs]))

        nlp.set_error_handler(handle)
        given = [untreed(sentences[0], nlp), nlp.make_doc("no tags"), untreed(sentences[1], nlp), nlp.make_doc("none")]
        texts = [doc.text for doc in given]
        assert [doc.text for doc in nlp.pipe(given, batch_size=size)] == [texts[0], texts[2]]
        assert failed == [("crossarc", [texts[1]]), ("crossarc", [texts[3]])]


@pytest.mark.parametrize("export", [crossarc.to_doc, lambda own: own.to_networkx()])
def test_cycles_are_refused_by_every_export_of_trees(export):
    for heads in ([2, 1], [0, 3, 2], [2, 3, 1]):
        words = [f"w{number}" for number in heads]
        sentence = crossarc.Sentence.from_tokens(words, heads=heads, deprels=["x"] * len(heads))
        with pytest.raises(crossarc.CrossarcError, match=r"not a tree, words [0-9 ]+ form a cycle"):
            export(sentence)


def test_empty_labels_make_no_root():
    sentence = crossarc.Sentence.from_tokens(["a", "b"], heads=[2, 0], deprels=["x", "root"])
    doc = crossarc.to_doc(sentence.with_columns({"deprel": ("", "root")}))
    assert [token.head.i for token in doc] == [1, 1]


@pytest.mark.parametrize(
    "feats", ["v3spia---", "gen=neuter|num=sing|x", "a=b=c", "=", "a=", "|", "Case=Nom|Number=Sing"]
)
def test_features_that_spacy_cannot_hold_are_left_out(feats):
    sentence = crossarc.Sentence.from_tokens(["Dogs"], feats=[feats])
    kept = [part for part in feats.split("|") if re.fullmatch(r"[^=]+=[^=]+", part)]
    assert sorted(str(crossarc.to_doc(sentence)[0].morph).split("|")) == sorted(kept or [""])


def test_reference_treebanks_become_docs(treebanks):
    for file in sorted(treebanks.glob("**/dev.con*")) + sorted(treebanks.glob("**/test.con*")):
        for sentence, _ in zip(crossarc.read_sentences(str(file)), range(60), strict=False):
            assert len(crossarc.to_doc(sentence)) == len(sentence)


def test_spacing_of_multiword_tokens_is_that_of_their_last_word():
    rows = [
        "1-2\tau" + "\t_" * 7 + "\tSpaceAfter=No",
        "1\tà\t_\t_\t_\t_\t3\tcase\t_\t_",
        "2\tle\t_\t_\t_\t_\t3\tdet\t_\t_",
        "3\tx\t_\t_\t_\t_\t0\troot\t_\t_",
    ]
    (sentence,) = crossarc.read_sentences(io.StringIO("\n".join(rows) + "\n\n"))
    assert [token.whitespace_ for token in crossarc.to_doc(sentence)] == [" ", "", " "]


def test_docs_of_several_sentences_or_annotated_in_part_are_not_taken_for_others():
    """No boundary is lost, no undecided word becomes a root, and no arc is dropped without a word."""
    words, vocab = ["Dogs", "bark", "Cats", "sleep"], spacy.blank("xx").vocab
    starts = [True, False, True, False]
    with pytest.raises(crossarc.CrossarcError, match="has 2 sentences, expected one"):
        crossarc.as_sentence(spacy.tokens.Doc(vocab, words=words, sent_starts=starts))
    part = crossarc.as_sentence(
        spacy.tokens.Doc(vocab, words=words, heads=[1, 1, 2, 3], deps=["nsubj", "root", "", ""])
    )
    assert part.column("head") == ("2", "0", "_", "_")
    with pytest.warns(DataWarning, match="1 sentences have words without a head"):
        assert not crossarc.to_doc(part).has_annotation("DEP")
