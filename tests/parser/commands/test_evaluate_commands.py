"""``crossarc evaluate`` of one and of several files."""

import csv
import json
import re
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from command_line import conllu
from crossarc import Sentence, compare_sentences, read_sentences, score_sentences, write_sentences
from crossarc.__main__ import main
from crossarc.parser.evaluate.mcnemar import holm, significance
from crossarc.parser.evaluate.report import BREAKDOWNS, breakdown_tables
from crossarc.transitions.trees import nonprojective_arcs
from installed import needs

FIGURES = ["arc-length.svg", "depth.svg", "error-clustering.svg", "position.svg"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A gold file, ``better`` with a wrong label on every third word, and ``worse``: chains with wrong labels only."""
    monkeypatch.chdir(tmp_path)
    text = conllu(1, 30, rate=0.3, depth=1)
    (tmp_path / "gold.conllu").write_text(text, encoding="utf-8")
    sentences = list(read_sentences("gold.conllu"))
    write_sentences(map(every_third_label_wrong, sentences), "better.conllu")
    write_sentences(map(chain, sentences), "worse.conllu")
    return tmp_path


def every_third_label_wrong(sentence):
    labels = ["x" if word and word % 3 == 0 else label for word, label in enumerate(sentence.deprels())]
    return sentence.with_tree(sentence.heads(), labels)


def chain(sentence):
    return sentence.with_tree(range(-1, len(sentence)), ["", *["x"] * len(sentence)])


def report(*arguments, capsys):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_compare_scores_and_tests_every_pair(here, capsys):
    options = ("--punctuation", "upos:NOUN", "--json")
    found = json.loads(report("evaluate", "gold.conllu", "better.conllu", "worse.conllu", *options, capsys=capsys))
    names = ("better.conllu", "worse.conllu")
    row = {name: compare_sentences(read_sentences("gold.conllu"), read_sentences(name)) for name in names}
    for name in row:
        alone = json.loads(report("evaluate", "gold.conllu", name, *options, capsys=capsys))
        del alone["gold_columns"]
        assert found["scores"][name] == alone
    wanted = significance(row["better.conllu"], row["worse.conllu"], "las").to_json()
    assert found["significance"]["las"] == [{"first": "better.conllu", "second": "worse.conllu", **wanted}]
    assert wanted["winner"] == "first"
    assert list(found["significance"]) == ["las", "uas", "lem", "uem"]


def with_other_tags(sentence):
    """Keep XPOS, empty LEMMA, change some UPOS, and reorder or change FEATS."""
    feats = [f"Z=1|A={word % 3}" for word in range(len(sentence))]
    upos = ["X" if word % 4 == 0 else tag for word, tag in enumerate(sentence.column("upos"))]
    return sentence.with_columns({"upos": tuple(upos), "feats": tuple(feats), "lemma": ("_",) * len(sentence)})


@needs("drawing")
def test_columns_that_differ_are_scored(here, capsys):
    """The accuracies of UPOS and FEATS equal those counted from the rows of the files."""
    gold = [
        sentence.with_columns({"feats": ("A=1|Z=1",) * len(sentence)}) for sentence in read_sentences("gold.conllu")
    ]
    write_sentences(gold, "gold.conllu")
    write_sentences(map(with_other_tags, gold), "tagged.conllu")
    rows = [
        [line.split("\t") for line in Path(name).read_text("utf-8").splitlines() if "\t" in line]
        for name in ("gold.conllu", "tagged.conllu")
    ]
    right = {"upos": 0, "feats": 0}
    for own, other in zip(*rows, strict=True):
        right["upos"] += own[3] == other[3]
        right["feats"] += set(own[5].split("|")) == set(other[5].split("|"))
    wanted = {name: f"{100 * count / len(rows[0]):.2f}" for name, count in right.items()}
    assert 0 < right["feats"] < right["upos"] < len(rows[0])
    found = json.loads(report("evaluate", "gold.conllu", "tagged.conllu", "--json", capsys=capsys))
    told = {name: f"{row['accuracy']:.2f}" for name, row in found["columns"].items()}
    assert told == {**wanted, "xpos": "100.00"}
    assert found["gold_columns"] == ["xpos"]
    assert {row["tokens"] for row in found["columns"].values()} == {len(rows[0])}
    lines = [f"{name.upper()} {share} {len(rows[0])}" for name, share in wanted.items()]
    text = report("evaluate", "gold.conllu", "tagged.conllu", "-o", "page.html", capsys=capsys)
    assert [line for line in map(" ".join, map(str.split, text.splitlines())) if line in lines] == lines
    assert wanted["upos"] in (here / "page.html").read_text("utf-8")
    files = ["gold.conllu", "better.conllu", "tagged.conllu"]
    header, *compared = report("evaluate", *files, capsys=capsys).splitlines()
    assert header.split()[-2:] == ["UPOS", "FEATS"]
    assert compared[1].split()[-2:] == list(wanted.values())


@needs("drawing")
def test_plots_are_written_to_new_folders(here, capsys):
    text = report("evaluate", "gold.conllu", "better.conllu", "-o", "one", capsys=capsys)
    assert text == report("evaluate", "gold.conllu", "better.conllu", capsys=capsys)
    assert sorted(path.name for path in (here / "one").iterdir()) == FIGURES
    report("evaluate", "gold.conllu", "better.conllu", "worse.conllu", "-o", "two/deep", capsys=capsys)
    assert sorted(path.name for path in (here / "two" / "deep").iterdir()) == sorted([*FIGURES, "significance.svg"])
    chart = (here / "two" / "deep" / "depth.svg").read_text("utf-8")
    assert "better.conllu" in chart
    assert "worse.conllu" in chart


@needs("drawing")
def test_pages_contain_all_tables_and_charts(here, capsys):
    printed = report("evaluate", "gold.conllu", "better.conllu", "--full", "-o", "one.html", capsys=capsys)
    page = (here / "one.html").read_text("utf-8")
    assert "<title>better.conllu against gold.conllu</title>" in page
    *tables, meaning = printed.split("\n\n")
    assert page.count("<table>") == len(tables)
    assert meaning.startswith("LAS counts label subtypes, and punctuation; CoNLL 2018 LAS, without subtypes: ")
    assert page.count("<img ") == len(FIGURES)
    report("evaluate", "gold.conllu", "better.conllu", "worse.conllu", "-o", "two.html", capsys=capsys)
    page = (here / "two.html").read_text("utf-8")
    assert page.count("<img ") == len(FIGURES) + 1
    assert "better.conllu is better than worse.conllu in LAS (p &lt; 0.01)" in page


def test_words_of_several_files_are_written_as_a_table(here):
    """The shares of right words are the LAS of the files."""
    gold = list(read_sentences("gold.conllu"))
    assert main(["-q", "evaluate", "gold.conllu", "better.conllu", "worse.conllu", "-o", "words.tsv"]) == 0
    heading, *lines = [line.split("\t") for line in Path("words.tsv").read_text("utf-8").splitlines()]
    rows = [dict(zip(heading, line, strict=True)) for line in lines]
    assert [row["form"] for row in rows] == [form for sentence in gold for form in sentence.column("form")]
    for name in ("better.conllu", "worse.conllu"):
        right = sum(row[f"right:{name}"] == "1" for row in rows)
        las = score_sentences(gold, read_sentences(name)).las
        assert las == pytest.approx(100 * right / len(rows))
    crossing = sum(sum(nonprojective_arcs(sentence.heads())) for sentence in gold)
    assert sum(row["crossing"] == "1" for row in rows) == crossing > 0


def test_breakdowns_of_several_files_stand_side_by_side(here, capsys):
    """Each column has the figures of its file alone."""
    gold = list(read_sentences("gold.conllu"))
    systems = {name: score_sentences(gold, read_sentences(f"{name}.conllu")) for name in ("gold", "better", "worse")}
    tables = {table.title: table for table in breakdown_tables(systems)}
    assert list(tables) == list(BREAKDOWNS)
    for table in tables.values():
        assert list(table.header[2:]) == list(systems)
        assert {row[2] for row in table.rows} == {"100.00"}
    for name, number, _, recall, _ in tables["Recall of head and label by deprel"].rows:
        scores = systems["better"].by_deprel[name].head_label
        assert (int(number), recall) == (scores.gold, f"{scores.recall:.2f}")
    assert main(["-q", "evaluate", "gold.conllu", "better.conllu", "worse.conllu", "--full"]) == 0
    out = capsys.readouterr().out
    assert all(title in out for title in BREAKDOWNS)


@pytest.mark.parametrize("parsed", [["better.conllu"], ["better.conllu", "worse.conllu"]])
@pytest.mark.parametrize("kind", ["own", "conll18"])
def test_tables_are_written_as_csv_and_latex(parsed, kind, here, capsys):
    options = ["evaluate", "gold.conllu", *parsed, "--scores", kind]
    printed = report(*options, "-o", "scores.csv", capsys=capsys)
    report(*options, "-o", "scores.tex", capsys=capsys)
    rows = list(csv.DictReader(Path("scores.csv").read_text("utf-8").splitlines()))
    assert {"table", "row", "column", "value"} == set(rows[0])
    assert all(row["table"] and row["column"] for row in rows)
    figures = {(row["row"], row["column"]): row["value"] for row in rows}
    las = figures[("better.conllu", "LAS") if kind == "own" and parsed[1:] else ("LAS", COLUMN[kind, len(parsed)])]
    assert las in printed
    text = Path("scores.tex").read_text("utf-8")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len({row["table"] for row in rows})
    widths = re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.S)
    for columns, body in widths:
        lines = [line for line in body.strip().splitlines() if line.endswith(r"\\")]
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {len(columns)}
        assert not re.search(r"(?<!\\)[%#_$]", body)
    assert las in text


COLUMN = {("own", 1): "all tokens", ("conll18", 1): "F1", ("conll18", 2): "better.conllu"}


def test_p_values_of_several_pairs_are_corrected(here, capsys):
    sentences = list(read_sentences("gold.conllu"))
    write_sentences([every_third_label_wrong(own) if n % 2 else own for n, own in enumerate(sentences)], "third.conllu")
    files = ["better.conllu", "worse.conllu", "third.conllu"]
    options = ["--scores", "conll18", "--json"]
    every = json.loads(report("evaluate", "gold.conllu", *files, *options, capsys=capsys))["p"]
    alone = {}
    for one, other in combinations(files, 2):
        [found] = json.loads(report("evaluate", "gold.conllu", one, other, *options, capsys=capsys))["p"]
        alone[one, other] = found["LAS"]
    expected = holm(alone)
    assert {tuple(row["files"]): row["LAS"] for row in every} == pytest.approx(expected)
    assert any(expected[pair] > alone[pair] for pair in alone)


def test_other_relations_than_those_of_universal_dependencies_are_told(here, capsys):
    text = Path("gold.conllu").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    other = "\n".join("\t".join([*row[:7], "X", *row[8:]]) if len(row) == 10 else row[0] for row in rows) + "\n"
    Path("other.conllu").write_text(other, "utf-8")
    Path("same.conllu").write_text(other, "utf-8")
    assert main(["evaluate", "other.conllu", "same.conllu", "--scores", "conll18"]) == 0
    assert "CLAS" in capsys.readouterr().err
    assert main(["evaluate", "gold.conllu", "better.conllu", "--scores", "conll18"]) == 0
    assert "CLAS" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["own", "conll18"])
def test_composed_and_decomposed_characters_are_the_same_word(kind, tmp_path, capsys):
    for form in ("NFC", "NFD"):
        words = [unicodedata.normalize(form, word) for word in ("café", "é", "naïve")]
        sentence = Sentence.from_tokens(words, heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])
        write_sentences([sentence], str(tmp_path / form))
    for gold, parsed in (("NFC", "NFD"), ("NFD", "NFC")):
        files = [str(tmp_path / gold), str(tmp_path / parsed)]
        assert "100.00" in report("evaluate", *files, "--scores", kind, capsys=capsys)


@pytest.mark.parametrize("form", ['"', 'a"b', '""', "'", "«", "\\"])
def test_tables_of_words_are_read_back_whole(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sentences = [Sentence.from_tokens([form, "x", form], heads=[2, 0, 2], deprels=["punct", "root", "punct"])] * 5
    write_sentences(sentences, "gold.conllu")
    write_sentences(sentences, "parsed.conllu")
    assert main(["-q", "evaluate", "gold.conllu", "parsed.conllu", "-o", "words.tsv"]) == 0
    with Path("words.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["form"] for row in rows] == [form, "x", form] * 5
