"""Whoever counts, scores or learns what a person has decided asks each word, whatever others in the file have."""

import json
from io import StringIO
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from command_line import generated, run
from crossarc import check, load_config, read_sentences, train, write_sentences
from crossarc.parser.evaluate.reliability import SHARES, reliability
from crossarc.parser.models.inputs import FIRST, is_marked
from crossarc.parser.plugins.annotation.agreement import agreement
from crossarc.parser.plugins.annotation.rounds import rounds, settled
from crossarc.parser.training.partial import only_decided
from installed import PLUGINS, needs

JUNK = "junk"


def marked(sentences, every=2, mark="Keep=Yes"):
    """Each n-th word and the root are marked; the others have a label that no person has given."""
    result = []
    for sentence in sentences:
        decided = [number % every == 0 or head == "0" for number, head in enumerate(sentence.column("head"))]
        misc = tuple(mark if known else "_" for known in decided)
        deprels = zip(sentence.column("deprel"), decided, strict=True)
        result.append(
            sentence.with_columns({"misc": misc, "deprel": tuple(label if known else JUNK for label, known in deprels)})
        )
    return result


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold = generated(1, 28)
    write_sentences(gold, "gold.conllu")
    write_sentences(marked(gold), "marked.conllu")
    write_sentences(mixed(gold), "mixed.conllu")
    return gold


def mixed(sentences):
    """The first half is marked as a whole, so that parsers can learn from it."""
    half = len(sentences) // 2
    whole = [sentence.with_columns({"misc": ("Keep=Yes",) * len(sentence)}) for sentence in sentences[:half]]
    return [*whole, *marked(sentences[half:])]


def decided_in(sentences):
    return sum("Keep=" in value for sentence in sentences for value in sentence.column("misc"))


def test_commands_count_decided_words_alone(files, capsys):
    count = decided_in(marked(files))
    assert run("evaluate", "marked.conllu", "gold.conllu", "--json") == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"].values()
    assert (score["las"], score["words"]) == (100, count)
    report = check("marked.conllu")
    assert report.decided == count
    assert report.partial == sum(decided_in([sentence]) < len(sentence) for sentence in marked(files))
    assert run("suspects", "mixed.conllu", "-q") == 0
    assert JUNK not in capsys.readouterr().out


def test_annotators_agree_on_sentences_that_both_have_decided(files):
    whole = [sentence.with_columns({"misc": ("Keep=Yes",) * len(sentence)}) for sentence in files[:5]]
    figures = agreement([*whole, *marked(files[5:])], files)
    complete = sum(decided_in([sentence]) == len(sentence) for sentence in marked(files[5:]))
    assert (figures.sentences, figures.las) == (5 + complete, 100)


@pytest.mark.parametrize("place", [0, FIRST - 1, FIRST, FIRST + 99])
def test_replaced_decisions_are_told_wherever_they_are(place, files, recwarn):
    model = train(load_config("arc-standard-small"), sentences=files)
    short = min((sentence for sentence in generated(50, 40) if len(sentence) > 1), key=len)
    many = [short] * (FIRST + 100)
    many[place] = short.with_columns({"misc": ("Keep=Yes", *short.column("misc")[1:])})
    list(model.parse(many))
    assert sum("Keep= in MISC" in str(warning.message) for warning in recwarn.list) == 1


def test_the_command_tells_replaced_decisions(files, capsys):
    assert run("-q", "train", "arc-standard-small", "--train", "gold.conllu", "--model", "m") == 0
    text = Path("gold.conllu").read_text("utf-8") * (1 + FIRST // 28)
    Path("many.conllu").write_text(text + Path("marked.conllu").read_text("utf-8"), "utf-8")
    assert run("parse", "m", "many.conllu", "-o", "out.conllu") == 0
    assert "Keep= in MISC" in capsys.readouterr().err
    assert "Keep=" not in Path("out.conllu").read_text("utf-8")


def test_other_keys_of_misc_are_no_marks(files):
    others = marked(files, mark="ZooKeep=1")
    assert not any(map(is_marked, others))
    assert [sentence.column("head") for sentence in settled(others)] == [sentence.column("head") for sentence in files]


@pytest.mark.parametrize("mark", ["upos", "head", "deprel", "head,deprel", "Yes"])
def test_check_counts_the_words_that_are_learned(mark, files):
    some = marked(files, mark=f"Keep={mark}")
    write_sentences(some, "some.conllu")
    learned = sum(value != "_" for sentence in only_decided(some, "marked") for value in sentence.column("head"))
    assert check("some.conllu").decided == learned


@pytest.mark.parametrize("column", ["head", "deprel", "upos"])
def test_a_mark_of_some_columns_decides_no_arc(column, files, recwarn):
    """Neither a label that nobody has decided nor a head becomes gold."""
    only = only_decided(marked(files, mark=f"Keep={column}"), "marked")
    assert {value for sentence in only for value in sentence.column("head")} == {"_"}
    assert any("HEAD or DEPREL alone" in str(warning.message) for warning in recwarn.list) == (column != "upos")


def test_rounds_pair_each_sentence_with_its_own_proposal():
    """Also among sentences of the same words: by name, or in their order."""
    rows = "# sent_id = {}\n1\tRun\trun\tX\tX\t_\t{}\ta\t_\t_\n2\thome\thome\tX\tX\t_\t{}\tb\t_\t_\n\n"

    def sentences(*trees):
        return list(read_sentences(StringIO("".join(rows.format(*tree) for tree in trees)), "conllu"))

    trees = [("a", 0, 1), ("b", 2, 0), ("c", 0, 1)]
    proposed = sentences(*trees)
    for order in permutations(trees):
        (figures,) = rounds([(proposed, sentences(*order))])
        assert (figures.corrections, figures.las) == (0, 100)
    renamed = [(name * 2, *heads) for name, *heads in trees]
    (figures,) = rounds([(proposed, sentences(*renamed[:2]))])
    assert figures.corrections == 0


@pytest.mark.parametrize("words", [["rounds", "a", "b", "a", "b"], ["rounds", "a", "a"], ["collect", "a", "b", "a"]])
def test_files_are_counted_once(words, files, capsys):
    assert run(*words) == 1
    assert "a: given twice" in capsys.readouterr().err


def test_what_is_learned_from_twice_or_scored_is_told(files, capsys):
    write_sentences(files[:20], "more.conllu")
    assert run("collect", "gold.conllu", "more.conllu", "-o", "all.conllu") == 0
    assert "20 sentences stand in the files more than once" in capsys.readouterr().err
    assert run("rounds", "gold.conllu", "mixed.conllu", "--held", "more.conllu") == 0
    assert "of the sentences of more.conllu are learned from" in capsys.readouterr().err


def test_errors_among_the_least_certain_words_do_not_depend_on_the_order():
    """Words of equal probability count as in the mean over all orders."""
    probabilities, right = np.array([0.5, 0.5, 0.5, 0.9, 0.9]), np.array([True, False, True, False, True])
    found = reliability(probabilities, right).found
    dice = np.random.default_rng(1)
    for share in SHARES:
        least = max(len(right) * share // 100, 1)
        means = []
        for _ in range(4000):
            order = dice.permutation(len(right))
            chosen = order[np.argsort(probabilities[order], kind="stable")][:least]
            means.append(100 * (~right[chosen]).sum() / (~right).sum())
        assert found[str(share)] == pytest.approx(np.mean(means), abs=2)
    assert set(reliability(probabilities, np.ones(5, np.bool_)).found.values()) == {None}


def test_development_words_that_nobody_decided_are_not_scored(files, capsys):
    """A file of which some words are marked is refused where scores need whole trees."""
    train_line = ["-q", "train", "arc-standard-small", "--train", "gold.conllu", "--model", "m"]
    fault = "in a file with Keep= in MISC, words without it are undecided"
    assert run(*train_line, "--dev", "marked.conllu") == 1
    assert fault in capsys.readouterr().err
    assert run(*train_line) == 0
    for line in (
        ["calibrate", "m", "marked.conllu"],
        ["evaluate", "marked.conllu", "gold.conllu", "--scores", "conll18"],
        ["evaluate", "marked.conllu", "gold.conllu", "--scores", "calibration"],
    ):
        assert run("-q", *line) == 1
        assert fault in capsys.readouterr().err


def test_a_file_without_marks_is_whole_whatever_the_training_treebank_has(files, capsys):
    """Development files and further treebanks, with the key that says that the first treebank has marks."""
    train_line = ["-q", "train", "arc-standard-small", "--train", "mixed.conllu", "--model", "m"]
    decided = ["--set", "treebank.decided=keep"]
    assert run(*train_line, *decided, "--dev", "gold.conllu") == 0
    capsys.readouterr()
    if "several_treebanks" in PLUGINS:
        assert run(*train_line[1:], *decided, "--train", "gold.conllu", "--dev", "gold.conllu") == 0
        assert "without any head" not in capsys.readouterr().err


@needs("levels")
def test_levels_and_starting_configs_choose_by_decided_words(files, capsys):
    """The key ``treebank.decided`` counts as in training."""
    config = load_config("fast", [], {"treebank.train": "marked.conllu", "treebank.decided": "heads"})
    assert config.explore == 0
    assert load_config("fast", [], {"treebank.train": "mixed.conllu"}).explore == 1
    assert load_config("fast", ["treebank.decided=heads"], {"treebank.train": "mixed.conllu"}).explore == 0
    assert run("init", "mixed.conllu", "--level", "fast") == 0
    assert JUNK not in capsys.readouterr().out
