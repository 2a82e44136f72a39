"""Lexicons: files with their faults, the column that taggers read, and what a lexicon is good for."""

import hashlib
import random
from operator import eq
from pathlib import Path

import crossarc
import pytest
from command_line import run
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.files import model_bytes, model_in
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.plugins.tagging.lexicon import Analysis, Lexicon, read_lexicon
from crossarc.parser.treebank import conll_text
from installed import needs

ANALYSES = {
    "cats": [Analysis("cat", "NOUN", "Number=Plur"), Analysis("cat", "VERB", "Number=Sing|Person=3")],
    "cat": [Analysis("cat", "NOUN", "_")],
    "Rome": [Analysis("_", "PROPN", "_")],
    "hm": [Analysis("_", "_", "_")],
}


def test_files_have_several_lines_for_a_form_and_comments(tmp_path):
    lines = ["# form, lemma, UPOS, FEATS", "", "# 1", "#\t#\tSYM\t_"]
    lines += ["\t".join((form, *analysis)) for form, of_form in ANALYSES.items() for analysis in of_form]
    path = tmp_path / "l.tsv"
    path.write_bytes("\r\n".join([*lines, lines[4], ""]).encode())
    assert read_lexicon(str(path)) == {"#": [Analysis("#", "SYM", "_")], **ANALYSES}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("cat\tcat\tNOUN", "found 3 columns"),
        ("cat cat NOUN _", "found 1 columns"),
        ("cat\tcat\tNOUN\t_\t_", "found 5 columns"),
        ("cat\t\tNOUN\t_", "found an empty column"),
        ("cat\tcat\tNOUN\tPlur", "FEATS: found Plur"),
        ("cat\tcat\tNOUN\tNumber=Plur|", "FEATS: found Number=Plur|"),
        ("cat\tcat\tNOUN\t=Plur", "FEATS: found =Plur"),
    ],
)
def test_bad_lines_are_refused_with_their_number(tmp_path, capsys, line, fault):
    Path(tmp_path, "l.tsv").write_text(f"dog\tdog\tNOUN\t_\n{line}\n{line}\n", "utf-8")
    Path(tmp_path, "t.conllu").write_text("1\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n" * 5, "utf-8")
    words = ["train", "arc-standard-small", "--set", f"lexicon={tmp_path}/l.tsv", "--set", "tags=auto"]
    assert run(*words, "--train", f"{tmp_path}/t.conllu", "--model", f"{tmp_path}/m", "-q") == 1
    [message] = capsys.readouterr().err.splitlines()
    assert f"{tmp_path}/l.tsv:2: {fault}" in message


@pytest.mark.parametrize(
    ("text", "fault"), [("# nothing\n\n", "found no word"), ("x\tx\tX\t_\n", "no word of the training")]
)
def test_lexicons_without_words_of_the_treebank_are_refused(tmp_path, text, fault):
    Path(tmp_path, "l.tsv").write_text(text, "utf-8")
    config = crossarc.load_config("arc-standard-small", ["tags=[upos]", f"lexicon={tmp_path}/l.tsv"])
    sentence = crossarc.Sentence.from_tokens(["a"], upos=["DET"], heads=[0], deprels=["root"])
    with pytest.raises(CrossarcError, match=fault):
        crossarc.train(config, sentences=[sentence] * 5)


def test_words_get_what_the_lexicon_says_of_their_form_or_its_lower_case():
    lexicon = Lexicon.of(ANALYSES, "l.tsv")
    texts = [*lexicon.texts, "_"]
    found = [texts[number] for number in lexicon.numbers_of(["cats", "Cats", "cat", "Rome", "ROME", "hm", "dog"])]
    both = "feats=Number:Plur+Number:Sing;Person:3|lemma=lower  end <|upos=NOUN+VERB"
    assert found == [both, both, "lemma=lower  end |upos=NOUN", "upos=PROPN", "upos=PROPN", "_", "_"]


def treebank(numbers):
    """Sentences in any order of forms that say nothing of their tags: only a lexicon knows them."""
    sentences = []
    for number in numbers:
        upos = random.Random(number).sample(["DET", "NOUN", "VERB"], 3)
        lemmas = [hashlib.sha256(f"{number}{tag}".encode()).hexdigest()[:8] for tag in upos]
        columns = {"upos": upos, "lemma": lemmas, "heads": [2, 3, 0], "deprels": ["a", "b", "root"]}
        sentences.append(crossarc.Sentence.from_tokens([f"{lemma}s" for lemma in lemmas], **columns))
    return sentences


def test_taggers_learn_to_trust_a_lexicon(tmp_path):
    """Words that training lacks are tagged as the lexicon says, also by a model from its file."""
    gold = treebank(range(100))
    lines = (zip(*(sentence.column(name) for name in ("form", "lemma", "upos")), strict=True) for sentence in gold)
    rows = ("\t".join((*row, "_")) for of_sentence in lines for row in of_sentence)
    Path(tmp_path, "l.tsv").write_text("\n".join(rows), "utf-8")
    right = []
    for settings in ([], [f"lexicon={tmp_path}/l.tsv"]):
        config = crossarc.load_config("arc-standard-small", ["tags=[upos]", *settings])
        model = model_in(model_bytes(crossarc.train(config, sentences=gold[:60])), "m")
        parsed = list(model.parse([sentence.with_columns({"upos": ("_",) * 3}) for sentence in gold[60:]]))
        both = ([tag for sentence in trees for tag in sentence.column("upos")] for trees in (parsed, gold[60:]))
        right.append(sum(map(eq, *both)) / (3 * len(parsed)))
    assert right[0] < 0.9
    assert right[1] == 1
    assert "lexicon" in model.to_text()


def test_the_column_of_a_lexicon_is_not_written(tmp_path):
    gold = treebank(range(20))
    lexicon = Lexicon.of({gold[0].column("form")[0]: [Analysis("_", "DET", "_")]}, "l.tsv")
    words = SentenceWords(gold)
    lexicon.annotate(words)
    assert list(map(conll_text, words.with_tags())) == list(map(conll_text, gold))


def test_a_lexicon_without_taggers_is_refused(tmp_path):
    Path(tmp_path, "l.tsv").write_text("a\ta\tDET\t_\n", "utf-8")
    config = crossarc.load_config("arc-standard-small", [f"lexicon={tmp_path}/l.tsv"])
    with pytest.raises(CrossarcError, match="lexicon: only taggers read it"):
        crossarc.train(config, sentences=treebank(range(5)))


@needs("blending")
def test_parsers_within_a_model_have_no_lexicon_of_their_own(tmp_path):
    gold = treebank(range(20))
    Path(tmp_path, "l.tsv").write_text(f"{gold[0].column('form')[0]}\t_\tDET\t_\n", "utf-8")
    shared = f"{{tags: [upos], lexicon: {tmp_path}/l.tsv}}"
    Path(tmp_path, "b.yaml").write_text(f"components: [arc-standard-small, swap-small]\nshared: {shared}\n", "utf-8")
    blend = crossarc.train_blend(crossarc.load_blend_config(f"{tmp_path}/b.yaml"), sentences=gold)
    assert [step.kind for step in blend.steps] == ["lexicon", "tagger"]
    assert all(not component.steps for component in blend.components.values())
