"""Annotation in rounds, by the commands of parser/plugins/annotation/README.md, with gold trees as the annotator."""

import json
import re
from pathlib import Path

import pytest
from command_line import conllu, run, without_trees
from crossarc import read_sentences, write_sentences


def sentences(path):
    return list(read_sentences(path))


@pytest.mark.parametrize("rule", ["random", "varied"])
def test_three_rounds_from_an_empty_folder(tmp_path, capsys, monkeypatch, rule):
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(conllu(7, 330), "utf-8")
    gold = sentences("gold.conllu")
    forms = {own.column("form"): own for own in gold}
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
        corrected = sentences("fixed.conllu")
        earlier = [
            own if number else own.with_columns({"misc": ("Keep=Yes",) * len(own)}) for own in sentences("done.conllu")
        ]
        write_sentences([*earlier, *corrected], "done.conllu")
        assert run("check", "done.conllu") == 0
    assert run("train", "fast", "--train", "done.conllu", "--model", "m") == 0
    said = capsys.readouterr().err
    assert "words have no head" in said
    assert run("suspects", "done.conllu", "-q") == 0
    assert run("show", "done.conllu", "--id", "1", "-o", "tree.svg") == 0
    assert Path("tree.svg").read_text("utf-8").startswith("<")
    assert las[-1] >= las[0] - 5
