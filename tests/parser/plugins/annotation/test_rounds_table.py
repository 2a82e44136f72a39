"""The table over rounds: words, corrections and accuracy, compared with counts by hand."""

import json
from dataclasses import replace

import pytest
from command_line import run
from crossarc import read_sentences, write_sentences
from crossarc.parser.plugins.annotation.rounds import rounds


def corrected(sentence, changed, decided):
    """The sentence with other labels of some words, in which some words have a head."""
    labels = tuple(f"{label}-x" if k in changed else label for k, label in enumerate(sentence.column("deprel")))
    heads = tuple(head if k in decided else "_" for k, head in enumerate(sentence.column("head")))
    return sentence.with_columns({"deprel": labels, "head": heads})


def test_figures_are_those_of_counts_by_hand(sentences):
    first, second, third, *_ = (sentence for sentence in sentences if len(sentence) > 5)
    batches = [
        ([first, second, third], [corrected(first, {0, 1}, range(len(first))), corrected(second, {0, 4}, range(3))]),
        ([first], [third]),
    ]
    one, two = rounds(batches, [second])
    assert (one.sentences, one.words, one.decided) == (2, len(first) + len(second), len(first) + 3)
    assert (one.compared, one.corrections) == (len(first) + 3, 3)
    assert one.las == pytest.approx(100 * (1 - 3 / (len(first) + 3)))
    assert one.all_words == len(second) + len(first) + 3
    assert (two.compared, two.corrections, two.las, two.held) == (0, 0, None, None)


def test_collected_sentences_have_the_decided_heads_and_no_marks(sentences, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    whole, partly = sentences[0], next(sentence for sentence in sentences[1:] if len(sentence) > 3)
    marks = {"misc": tuple("Conf=0.41|Keep=Yes" if word % 2 else "Conf=0.63" for word in range(len(partly)))}
    write_sentences([whole], "done.conllu")
    write_sentences([partly.with_columns(marks)], "fixed.conllu")
    assert run("collect", "done.conllu", "fixed.conllu", "-o", "all.conllu") == 0
    total, decided = len(whole) + len(partly), len(whole) + len(partly) // 2
    assert f"2 sentences, {total} words, {decided} of them decided" in capsys.readouterr().err
    first, second = read_sentences("all.conllu")
    assert first.column("head") == whole.column("head")
    for word, (head, before) in enumerate(zip(second.column("head"), partly.column("head"), strict=True)):
        assert head == (before if word % 2 else "_")
    assert set(second.column("misc")) == {"_"}
    assert run("collect", "all.conllu", "-o", "again.conllu", "-q") == 0
    assert (tmp_path / "again.conllu").read_bytes() == (tmp_path / "all.conllu").read_bytes()
    assert run("collect", "all.conllu", "-o", "all.conllu") == 1


@pytest.mark.parametrize(
    ("mark", "told"), [("Yes", False), ("head,deprel,upos,xpos,feats,lemma", False), ("head,deprel", True)]
)
def test_collecting_tells_of_tags_that_marks_leave_open(mark, told, sentences, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    marked = sentences[0].with_columns({"misc": (f"Keep={mark}",) * len(sentences[0])})
    write_sentences([marked], "fixed.conllu")
    assert run("collect", "fixed.conllu", "-o", "all.conllu") == 0
    assert (f"{len(marked)} words have a decided arc and open tags" in capsys.readouterr().err) == told


def test_the_command_scores_a_parser_of_each_round(sentences, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_sentences(sentences[:20], "first.conllu")
    for name in ("batch.conllu", "batch2.conllu", "fixed.conllu", "fixed2.conllu"):
        write_sentences(sentences[20:30], name)
    write_sentences(sentences[30:], "held.conllu")
    files = ["batch.conllu", "fixed.conllu", "batch2.conllu", "fixed2.conllu"]
    assert run("rounds", *files, "--first", "first.conllu", "--held", "held.conllu", "--json") == 0
    lines = json.loads(capsys.readouterr().out)["rounds"]
    assert [line["las"] for line in lines] == [100, 100]
    assert all(0 < line["held"] <= 100 for line in lines)
    assert run("rounds", "batch.conllu") == 1
    assert "two for each round" in capsys.readouterr().err


def test_sentences_of_equal_words_are_paired_by_name_in_any_order(sentences):
    first = next(sentence for sentence in sentences if len(sentence) > 3)
    named = {name: replace(first, comments=(f"# sent_id = {name}",)) for name in ("s1", "s2", "x")}
    changed = named["s2"].with_columns({"deprel": ("other",) * len(first)})
    corrections = [named["s1"], replace(changed, comments=named["x"].comments)]
    for order in (corrections, corrections[::-1]):
        (figures,) = rounds([([named["s1"], changed], order)], [])
        assert (figures.corrections, figures.las) == (0, 100)


def test_held_out_files_have_whole_trees(sentences, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second, *_ = sentences
    for name in ("p.conllu", "c.conllu"):
        write_sentences([first], name)
    write_sentences([second.with_columns({"misc": ("Keep=Yes", *"_" * (len(second) - 1))})], "held.conllu")
    assert run("rounds", "p.conllu", "c.conllu", "--held", "held.conllu") == 1
    assert "these scores need whole trees" in capsys.readouterr().err
