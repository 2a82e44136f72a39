"""Annotation in rounds, by the commands of parser/plugins/annotation/README.md, with gold trees as the annotator."""

import json
import re
from pathlib import Path

import pytest
from command_line import conllu, run, without_trees
from crossarc import read_sentences, write_sentences
from installed import needs
from service import running


def sentences(path):
    return list(read_sentences(path))


@pytest.mark.parametrize("rule", [pytest.param("random", marks=pytest.mark.slow), "varied"])
@needs("analysis", "levels")
def test_three_rounds_from_an_empty_folder(tmp_path, capsys, monkeypatch, rule):
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(conllu(7, 330), "utf-8")
    gold = sentences("gold.conllu")
    forms = {sentence.column("form"): sentence for sentence in gold}
    write_sentences(gold[:100], "done.conllu")
    write_sentences(gold[100:130], "held.conllu")
    write_sentences(gold[130:180], "test.conllu")
    write_sentences(gold[180:], "rest.conllu")
    Path("text.conllu").write_text(without_trees(Path("rest.conllu").read_text("utf-8")), "utf-8")
    las = []
    for number in range(3):
        assert run("train", "fast", "--train", "done.conllu", "--dev", "held.conllu", "--model", "m", "-q") == 0
        assert run("parse", "m", "test.conllu", "-o", "parsed.conllu", "-q") == 0
        assert run("parse", "m", "text.conllu", "--scores", "-o", "scored.conllu", "-q") == 0
        command = ["choose", "scored.conllu", "--batch", "300", "--rule", rule, "--without", "done.conllu"]
        assert run(*command, "-o", f"batch{number}.conllu", "-q") == 0
        capsys.readouterr()
        assert run("evaluate", "test.conllu", "parsed.conllu", "--json") == 0
        las.append(json.loads(capsys.readouterr().out)["las"])
        batch = sentences(f"batch{number}.conllu")
        corrected = []
        for place, sentence in enumerate(batch):
            right = forms[sentence.column("form")]
            whole = place % 2  # of every other sentence only some words are decided
            decided = [whole or word % 3 == 0 for word in range(len(sentence))]
            for name in ("head", "deprel"):
                pairs = zip(right.column(name), sentence.column(name), decided, strict=True)
                sentence = sentence.with_columns({name: tuple(a if sure else b for a, b, sure in pairs)})
            misc = zip(sentence.column("misc"), decided, strict=True)
            marks = {"misc": tuple(re.sub(r"^_\|", "", f"{value}|Keep=Yes") if sure else value for value, sure in misc)}
            corrected.append(sentence.with_columns(marks))
        write_sentences(corrected, "corrected.conllu")
        assert run("parse", "m", "corrected.conllu", "--keep", "marked", "-o", "fixed.conllu", "-q") == 0
        assert run("collect", "done.conllu", "fixed.conllu", "-o", "all.conllu", "-q") == 0
        Path("all.conllu").replace("done.conllu")
        assert run("check", "done.conllu") == 0
    assert run("train", "fast", "--train", "done.conllu", "--dev", "held.conllu", "--model", "m") == 0
    said = capsys.readouterr().err
    assert "words have no head" in said
    assert run("suspects", "done.conllu", "-q") == 0
    assert run("show", "done.conllu", "--id", "1", "-o", "tree.svg") == 0
    assert Path("tree.svg").read_text("utf-8").startswith("<")
    assert las[-1] >= las[0] - 5


@needs("serving")
def test_a_round_in_the_browser(tmp_path, monkeypatch, browser, capsys):
    """The annotator corrects one label, accepts the sentences, and the parser learns from them."""
    for name in ("starlette", "uvicorn", "python_multipart", "prometheus_client"):
        pytest.importorskip(name, reason=f"{name} is not installed: the extra crossarc[serve]")
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(conllu(7, 160), "utf-8")
    gold = sentences("gold.conllu")
    write_sentences(gold[:120], "done.conllu")
    write_sentences(gold[120:], "rest.conllu")
    Path("text.conllu").write_text(without_trees(Path("rest.conllu").read_text("utf-8")), "utf-8")
    assert run("train", "arc-standard-small", "--train", "done.conllu", "--model", "my.model", "-q") == 0
    assert run("parse", "my.model", "text.conllu", "--scores", "-o", "scored.conllu", "-q") == 0
    assert run("choose", "scored.conllu", "--batch", "60", "-o", "batch.conllu", "-q") == 0
    size = len(sentences("batch.conllu"))
    with running(Path("my.model"), Path("log"), "--edit", "batch.conllu") as service:
        browser.open(f"{service.address}/edit")
        browser.wait("document.querySelector('article.drawn figure') !== null")
        browser.evaluate(
            "document.querySelector('.word[data-word]').dispatchEvent(new MouseEvent('click', {bubbles: true})), 0"
        )
        browser.evaluate(
            "byId('correct-label').value = 'mine', byId('correct').querySelector('form').requestSubmit(), 0"
        )
        browser.wait("!byId('correct').open")
        for number in range(size):
            before = Path("batch.conllu").read_bytes()
            browser.evaluate(f"accept(document.querySelectorAll('article')[{number}])")
            assert Path("batch.conllu").read_bytes() != before, browser.evaluate("byId('saved').textContent")
        assert browser.complaints == []
    batch = sentences("batch.conllu")
    assert batch[0].deprels()[1] == "mine"
    assert all("Keep=Yes" in entry for sentence in batch for entry in sentence.column("misc"))
    assert run("parse", "my.model", "batch.conllu", "--keep", "marked", "-o", "fixed.conllu", "-q") == 0
    assert [sentence.heads() for sentence in sentences("fixed.conllu")] == [sentence.heads() for sentence in batch]
    assert run("check", "fixed.conllu") == 0
    assert run("train", "arc-standard-small", "--train", "fixed.conllu", "--model", "next.model", "-q") == 0
    capsys.readouterr()
    assert run("rounds", "scored.conllu", "fixed.conllu", "--json") == 0
    (line,) = json.loads(capsys.readouterr().out)["rounds"]
    assert line["corrections"] >= 1
    assert line["decided"] == sum(map(len, batch))
