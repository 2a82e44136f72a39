"""Segmentation: confusions are counted, and F1 of sentences agrees with the scorer of CoNLL 2018."""

import io

import pytest
from crossarc import evaluate_conll18, read_sentences, read_treebank
from crossarc.experiments.studies.segmentation.experiment import confusions
from crossarc.parser.plugins.raw_text.raw_text import gold_text
from crossarc.parser.plugins.raw_text.reading import conllu_of, sentences_of
from crossarc.parser.plugins.raw_text.tokenizer import Tokenizer
from reports import run_experiment
from spoken import rows, treebank

SETTINGS = "treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}\n"


def test_f1_of_sentences_agrees_with_the_scorer(tmp_path):
    for seed, (name, count) in enumerate({"train": 30, "dev": 10, "test": 30}.items()):
        text = treebank(count, seed).replace("SpaceAfter=No", "_") if name == "train" else treebank(count, seed)
        (tmp_path / f"{name}.conllu").write_text(text, "utf-8")
    found = run_experiment("segmentation", tmp_path, settings=SETTINGS).figures["tiny"]
    train, dev, gold = (read_treebank(str(tmp_path / f"{name}.conllu")).sentences for name in ("train", "dev", "test"))
    rows = "".join(conllu_of(sentences_of(Tokenizer.fit(train, dev), [gold_text(gold).text])))
    parsed = [as_tree(own) for own in read_sentences(io.StringIO(rows))]
    assert found["sentences"] == pytest.approx(evaluate_conll18(gold, parsed).f1["Sentences"], abs=0.01)
    assert 0 < found["sentences"] < 100
    assert found["errors"] > 0


def as_tree(sentence):
    return sentence.with_tree([-1, *range(len(sentence))], ["", *["dep"] * len(sentence)])


def test_each_error_has_a_name():
    words = [("Dogs", "_"), ("bark", "SpaceAfter=No"), (".", "_")]
    text = rows(words, True) + rows(words, False)  # zum Dogs bark. Dogs bark.
    gold = gold_text(read_sentences(io.StringIO(text)))
    zum = ("zum", ("zum",))
    tokens = [zum, ("Dogs", ("Dogs",)), ("bark.", ("bark.",)), ("Dogs", ("Dogs",)), ("bark", ("bark",)), (".", (".",))]
    ends = [3, 8, 14, 19, 24, 25]
    assert sorted(confusions(gold, tokens, ends, [8, 25])) == [
        "joined `.` + capital",
        "split capital + word",
        "token end missed after word",
        "words of a multiword token",
    ]
