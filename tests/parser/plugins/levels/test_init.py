"""``crossarc init``: its configs train without changes and describe the treebank correctly."""

import re
from collections import Counter
from pathlib import Path

import pytest
from command_line import CYCLE, conll09, conllu, run
from crossarc import load_config, load_model, read_treebank, score_sentences, train
from crossarc.parser.plugins.levels import starting_config
from crossarc.parser.plugins.levels.profile import profile
from crossarc.parser.treebank.sentence import is_punctuation
from crossarc.transitions.trees import nonprojective_arcs


def text_of(first, count, form, rate=0.5):
    """Generated sentences in one of the formats."""
    text = conllu(first, count, rate=rate)
    if form != "conllx":
        return conll09(text) if form == "conll09" else text
    rows = [line.split("\t") for line in text.split("\n") if not line.startswith("#")]
    return "\n".join("\t".join([*row[:8], *row[6:8]]) if row[1:] else "" for row in rows)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["conllu", "conllx", "conll09"])
def test_written_configs_train_parsers(form, here, capsys):
    (here / "data").mkdir()
    (here / "configs").mkdir()
    Path("data/train.txt").write_text(text_of(1, 40, form), "utf-8")
    dev = ["data/dev.txt"] if form == "conll09" else []  # with it, init trains parsers to measure the cost of tags
    Path("data/dev.txt").write_text(text_of(41, 10, form), "utf-8")
    assert run("init", "-q", "data/train.txt", *dev, "-o", "configs/own.yaml") == 0
    assert capsys.readouterr() == ("", "")
    config = load_config("configs/own.yaml")
    assert config.treebank.format == form
    assert run("train", "configs/own.yaml", "--set", "features=small", "-q") == 0
    model = load_model("configs/my.model")
    assert model.provenance["train"]["sentences"] == 40
    assert ("dev" in model.provenance) == bool(dev)
    text = Path("configs/own.yaml").read_text("utf-8")
    assert text.startswith("# Written by crossarc init for train.txt: 40 sentences, ")
    assert max(map(len, text.splitlines())) <= 112


def test_the_profile_agrees_with_the_file(here):
    Path("own.conllu").write_text(text_of(1, 60, "conllu") + CYCLE, "utf-8")
    found = profile("own.conllu")
    sentences = [own for own in read_treebank("own.conllu").sentences if own.id != "round"]
    arcs = [crosses for sentence in sentences for crosses in nonprojective_arcs(sentence.heads())[1:]]
    assert (found.sentences, found.words, found.no_trees) == (60, len(arcs), 1)
    assert found.crossing == pytest.approx(100 * sum(arcs) / len(arcs))
    assert found.crossing > 1
    assert found.single_root == sum(sentence.heads().count(0) == 1 for sentence in sentences)
    words = [
        (form, label)
        for sentence in sentences
        for form, label in zip(sentence.column("form"), sentence.deprels()[1:], strict=True)
    ]
    marks = Counter(label for form, label in words if is_punctuation(form))
    assert found.punctuation == marks.total() > 0
    assert set(found.punctuation_labels) == set(marks)
    assert found.labels == {label for _, label in words}
    columns = {column.name: column for column in found.columns}
    assert columns["form"].values == len({form for form, _ in words})
    assert columns["form"].filled == 100
    assert "head" not in columns
    assert "morph" not in columns


def lines(*rows):
    return "\n".join("\t".join(row.split()) for row in rows) + "\n\n"


def test_roots_faulty_sentences_and_empty_columns_are_reported(here, capsys):
    one = lines("1 a _ N _ _ 0 top _ _", "2 . _ . _ _ 1 p _ _")
    two = lines("1 a _ N _ _ 0 top _ _", "2 b _ N _ _ 0 frag _ _", "3 c _ N _ _ 2 top _ _")
    Path("own.conllu").write_text(one * 3 + two + CYCLE, "utf-8")
    assert run("init", "own.conllu") == 0
    text = " ".join(capsys.readouterr().out.replace("\n# ", " ").split())
    assert "1 of 4 sentences have none or several; their label is top, others frag; 1 other arcs have it, too." in text
    assert "1 sentences are not trees and are left out; crossarc check names them." in text
    assert "Columns with values: FORM (4 values), UPOS (2 values)." in text
    assert "33.3 % of the words are punctuation (label p)" in text
    Path("own.yaml").write_text("", "utf-8")
    assert run("init", "own.conllu", "-o", "own.yaml") == 0
    config = load_config("own.yaml")
    assert (config.root.single, config.root.label, config.treebank.faulty) == (False, "top", "skip")
    assert run("train", "own.yaml", "-q") == 0


def test_file_names_that_begin_with_a_tilde_are_kept(here):
    Path("~own.conllu").write_text(conllu(1, 10), "utf-8")
    assert run("init", "~own.conllu", "-o", "own.yaml") == 0
    assert Path(load_config("own.yaml").treebank.train) == Path("~own.conllu")
    assert re.search(r"train: \./~own\.conllu", Path("own.yaml").read_text("utf-8"))


def test_the_cost_of_predicted_tags_is_reported(here, capsys, monkeypatch):
    """It is measured on at most MOST_TRAINED sentences, and omitted for few sentences or without tags."""
    monkeypatch.setattr(starting_config, "MOST_TRAINED", 30)
    Path("train.conllu").write_text(conllu(1, 60), "utf-8")
    Path("dev.conllu").write_text(conllu(61, 10), "utf-8")
    assert run("init", "train.conllu", "dev.conllu") == 0
    text = " ".join(capsys.readouterr().out.split("\n# "))
    taught, gold = read_treebank("train.conllu").sentences[::2], read_treebank("dev.conllu").sentences
    models = [train(load_config("arc-standard-small", own), sentences=taught) for own in ([], ["tags=auto"])]
    exact, predicted = (score_sentences(gold, list(model.parse(gold, retag=True))).las for model in models)
    assert (
        f"Predicted tags (key tags: auto) cost {exact - predicted:.1f} LAS: {exact:.1f} with gold tags, "
        f"{predicted:.1f} from words alone. Measured with arc-standard-small, trained on 30 and scored on 10 sentences;"
    ) in text
    for train_text, dev_text in (
        (conllu(1, 2), conllu(61, 10)),
        (lines("1 a _ _ _ _ 0 top _ _") * 9, conllu(61, 10)),
        (conllu(1, 60), lines("1 a _ _ _ _ 0 top _ _")),
    ):
        Path("train.conllu").write_text(train_text, "utf-8")
        Path("dev.conllu").write_text(dev_text, "utf-8")
        assert run("init", "train.conllu", "dev.conllu") == 0
        assert "Predicted tags" not in capsys.readouterr().out
