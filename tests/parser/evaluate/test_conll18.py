"""The scores of the CoNLL 2018 shared task equal those of udeval (package udtools)."""

import io
import lzma
from random import Random

import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, evaluate_conll18, read_sentences, score_sentences
from crossarc.parser.evaluate.conll18 import METRICS, universal_las
from hypothesis import given, strategies as st
from udtools.udeval import evaluate, load_conllu

DEPRELS = ["nsubj", "nsubj:pass", "aux", "case", "punct", "conj", "det", "obl:tmod"]
FEATS = ["_", "Case=Nom", "Case=Nom|Own=Yes", "Own=No", "Number=Sing|Case=Nom"]


class Row:
    """A surface token with its words; words have the columns LEMMA to FEATS, a head and a deprel."""

    def __init__(self, form, words):
        self.form, self.words = form, words


def conllu(sentences, random):
    """CoNLL-U of the sentences with random trees whose roots are the first words."""
    parts = []
    for sentence in sentences:
        number = 0
        for row in sentence:
            if len(row.words) > 1:
                parts.append(f"{number + 1}-{number + len(row.words)}\t{row.form}" + "\t_" * 8)
            for word in row.words:
                number += 1
                head = 0 if number == 1 else random.randint(1, number - 1)
                deprel = "root" if number == 1 else random.choice(DEPRELS)
                form, lemma, upos, xpos, feats = word
                parts.append(f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t_\t_")
        parts.append("")
    return "\n".join(parts) + "\n"


def segmented(text, random):
    """A random segmentation of a text without spaces into sentences, tokens and words."""
    sentences = [[]]
    at = 0
    while at < len(text):
        size = random.choice([1, 1, 2, 2, 3, 4])
        form = text[at : at + size]
        at += size
        if random.random() < 0.25:
            forms = [random.choice([form[:1], form[-1:], form, "x"]) for _ in range(random.randint(2, 3))]
        else:
            form = f"{form[:1]} {form[1:]}" if len(form) > 1 and random.random() < 0.1 else form
            forms = [form]
        words = [
            [form, random.choice(["_", "a", "b"]), random.choice("XY"), random.choice("xy"), random.choice(FEATS)]
            for form in forms
        ]
        sentences[-1].append(Row(form, words))
        if random.random() < 0.2 and at < len(text):
            sentences.append([])
    return sentences


def sentences_of(text):
    return list(read_sentences(io.StringIO(text), "conllu"))


def assert_equal(gold, system):
    theirs = evaluate(load_conllu(io.StringIO(gold), "gold", {}), load_conllu(io.StringIO(system), "system", {}))
    ours = evaluate_conll18(sentences_of(gold), sentences_of(system))
    for name in METRICS:
        scores = theirs[name]
        assert (ours.precision[name], ours.recall[name], ours.f1[name]) == pytest.approx(
            (100 * scores.precision, 100 * scores.recall, 100 * scores.f1), abs=1e-9
        ), name
        if ours.aligned[name] is not None:
            assert ours.aligned[name] == pytest.approx(100 * scores.aligned_accuracy, abs=1e-9), name
        parts = ours.counts.correct, ours.counts.gold, ours.counts.system
        correct, right, found = (int(part[:, METRICS.index(name)].sum()) for part in parts)
        assert (correct, right, found) == (scores.correct, scores.gold_total, scores.system_total)


def random_pair(seed):
    random = Random(seed)
    text = "".join(random.choice("abAé") for _ in range(random.randint(1, 25)))
    gold = segmented(text, random)
    system = gold if random.random() < 0.3 else segmented(text, random)
    return conllu(gold, random), conllu(system, random)


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_random_pairs(first):
    for seed in range(first * 100, 10_000 if first else 100):
        assert_equal(*random_pair(seed))


def damaged(text, random):
    """A treebank with merged and split words, moved ends of sentences, and changed tags, heads and labels."""
    sentences = []
    for sentence in sentences_of(text):
        several = {first - 1: (last - first + 1, cells[1]) for first, last, cells in sentence.multiword_tokens()}
        columns = [sentence.column(name) for name in ("form", "lemma", "upos", "xpos", "feats")]
        words = [list(own) for own in zip(*columns, strict=True)]
        rows, at = [], 0
        while at < len(words):
            size, form = several.get(at, (1, words[at][0]))
            row = Row(form, words[at : at + size])
            at += size
            if random.random() < 0.05:
                row.words[0][2] = random.choice(["NOUN", "X"])
            if rows and random.random() < 0.03:
                rows[-1] = Row(rows[-1].form + row.form, [[rows[-1].form + row.form, *row.words[0][1:]]])
            elif len(row.words) == 1 and len(form) > 3 and " " not in form and random.random() < 0.03:
                rows += [Row(form[:2], [[form[:2], *row.words[0][1:]]]), Row(form[2:], [[form[2:], *row.words[0][1:]]])]
            elif len(row.words) > 1 and random.random() < 0.1:
                rows.append(Row(form, [[form, *row.words[0][1:]]]))
            else:
                rows.append(row)
        if sentences and random.random() < 0.05:
            sentences[-1] += rows
        elif len(rows) > 4 and random.random() < 0.05:
            sentences += [rows[:3], rows[3:]]
        else:
            sentences.append(rows)
    return conllu(sentences, random)


QUICK = (1, 16)
"""Coptic-Scriptorium and Vietnamese-VTB, with multiword tokens and with spaces inside words."""


@pytest.mark.parametrize(
    "number", [number if number in QUICK else pytest.param(number, marks=pytest.mark.slow) for number in range(18)]
)
def test_treebanks_of_ud(treebanks, number):
    folders = sorted(path.parent for path in (treebanks / "ud-2.5").glob("*/test.conllu.xz"))
    if number >= len(folders):
        pytest.skip("no such treebank")
    gold = lzma.decompress((folders[number] / "test.conllu.xz").read_bytes()).decode()
    assert_equal(gold, gold)
    assert_equal(gold, damaged(gold, Random(number)))


def plain(*forms):
    """CoNLL-U of one sentence without lemmas and features."""
    return conllu([[Row(form, [[form, "_", "X", "_", "_"]]) for form in forms]], Random(1))


def test_different_texts_are_refused_at_the_first_difference():
    gold, system = (sentences_of(plain(form)) for form in ("abc", "abd"))
    with pytest.raises(CrossarcError, match="different text: 'abc' in the gold file, 'abd' in"):
        evaluate_conll18(gold, system)


def test_the_command_line_compares_files_with_different_words(tmp_path, capsys):
    gold, system = plain("ab", "c"), plain("a", "bc")
    for name, text in (("gold", gold), ("a", system), ("b", gold)):
        (tmp_path / name).write_text(text, "utf-8")
    files = [tmp_path / "gold", tmp_path / "a"]
    assert run("evaluate", "-q", *files, "--scores", "conll18", "-o", tmp_path / "table.tsv") == 0
    rows = [line.split("\t") for line in (tmp_path / "table.tsv").read_text("utf-8").splitlines()]
    capsys.readouterr()
    scores = evaluate_conll18(sentences_of(gold), sentences_of(system))
    assert [row[4] for row in rows[1:]] == [f"{scores.f1[name]:.2f}" for name in METRICS]
    assert run("evaluate", "-q", *files, tmp_path / "b", "--scores", "conll18") == 0
    table = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines() if line}
    assert table["LAS"] == [f"{scores.f1['LAS']:.2f}", "100.00"]
    assert run("evaluate", "-q", *files, "--format", "conllu") == 1
    assert "--scores conll18" in capsys.readouterr().err


@given(st.data())
def test_scores_for_equal_words_are_those_of_the_whole_scorer(data):
    labels = st.sampled_from(["nsubj", "nsubj:pass", "obl", "obl:agent"])
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    sides = [[], []]
    for side in sides:
        for number, size in enumerate(sizes):
            heads = [0, *(data.draw(st.integers(1, word)) for word in range(1, size))]
            deprels = [data.draw(labels) for _ in range(size)]
            forms = [f"w{number}.{word}" for word in range(size)]
            side.append(Sentence.from_tokens(forms, heads=heads, deprels=deprels))
    whole = evaluate_conll18(*sides).f1
    assert universal_las(*sides) == pytest.approx(whole["LAS"])
    assert score_sentences(*sides).uas == pytest.approx(whole["UAS"])


@pytest.mark.parametrize(
    "header", ["ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL", "ID UPOS FORM LEMMA XPOS FEATS HEAD DEPREL"]
)
def test_tokens_of_other_columns_are_scored(header):
    names = header.split()
    rows = [
        {"ID": "1-2", "FORM": "ab", "MISC": "SpaceAfter=No"},
        {"ID": "1", "FORM": "a", "HEAD": "0", "DEPREL": "root"},
        {"ID": "2", "FORM": "b", "HEAD": "1", "DEPREL": "x"},
        {"ID": "3", "FORM": ".", "HEAD": "1", "DEPREL": "punct"},
    ]
    lines = ["\t".join(row.get(name, "_") for name in names) for row in rows]
    text = "\n".join([f"# global.columns = {header}", *lines, "", ""])
    sentences = list(read_sentences(io.StringIO(text)))
    usual = [Sentence.from_tokens(["ab", "."], heads=[0, 1], deprels=["root", "punct"])]
    assert evaluate_conll18(usual, sentences).f1["Tokens"] == 100
