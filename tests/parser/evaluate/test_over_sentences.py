"""Tests of differences over sentences and runs, against all exchanges of a small file written out."""

import json
import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, compare_parsers, write_sentences
from crossarc.parser.evaluate.mcnemar import holm

GOLD = [Sentence.from_tokens([f"w{word}" for word in range(4)]).with_tree([-1, 0, 1, 1, 1], ["", *"rabc"])] * 6


RUNS = {"A": [[0, 1, 0, 2, 0, 1]], "B": [[1, 2, 1, 2, 1, 2], [2, 2, 0, 2, 2, 1]], "C": [[2, 2, 2, 2, 2, 2]]}


def parsed(wrong):
    """The sentences with a number of wrong heads in each: the last words depend on the second one."""
    return [
        gold.with_tree([-1, 0, 1, *(2 if 2 - at < number else 1 for at in range(1, 3))], ["", *"rabc"])
        for gold, number in zip(GOLD, wrong, strict=True)
    ]


def wrong_heads(sentences):
    return [
        sum(head != own for head, own in zip(sentence.heads(), gold.heads(), strict=True))
        for sentence, gold in zip(sentences, GOLD, strict=True)
    ]


def all_exchanges(first, second):
    """p of the difference over all ways to exchange sentences."""
    change = np.array(first) - np.array(second)
    sums = [
        abs(sum(sign * own for sign, own in zip(signs, change, strict=True))) for signs in product((1, -1), repeat=6)
    ]
    return float(np.mean([own >= abs(change.sum()) - 1e-9 for own in sums]))


@pytest.mark.parametrize("score", ["uas", "uem"])
def test_p_is_the_share_of_exchanges_over_all_runs(score):
    parsers = {name: [parsed(run) for run in runs] for name, runs in RUNS.items()}
    errors = {name: np.array([wrong_heads(run) for run in runs], dtype=float) for name, runs in parsers.items()}
    if score == "uem":
        errors = {name: (own > 0).astype(float) for name, own in errors.items()}
    means = {name: bin_.mean(axis=0) for name, bin_ in errors.items()}
    tests = compare_parsers(GOLD, parsers, score)
    assert list(tests) == [("A", "B"), ("A", "C"), ("B", "C")]
    items = 24 if score == "uas" else 6
    for (first, second), test in tests.items():
        assert test.p == pytest.approx(all_exchanges(means[first], means[second]), abs=0.015)
        assert test.difference == pytest.approx(100 * (means[first] - means[second]).sum() / items)
        assert test.low <= test.difference <= test.high
    corrected = holm({pair: test.p for pair, test in tests.items()})
    assert {pair: test.corrected for pair, test in tests.items()} == corrected


def test_runs_of_folders_are_compared_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_sentences(GOLD, "gold.conllu")
    for name, runs in RUNS.items():
        Path(name).mkdir()
        for number, wrong in enumerate(runs):
            write_sentences(parsed(wrong), f"{name}/{number}.conllu")
    assert run("evaluate", "gold.conllu", "A", "B", "C", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    parsers = {name: [parsed(run) for run in runs] for name, runs in RUNS.items()}
    expected = compare_parsers(GOLD, parsers, "uas")
    assert [(row["p"], row["corrected"]) for row in document["over_sentences"]["uas"]] == [
        (test.p, test.corrected) for test in expected.values()
    ]
    wrong = np.mean([wrong_heads(parser) for parser in parsers["B"]], axis=0).sum()
    assert document["scores"]["B"]["uas"] == pytest.approx(100 * (24 - wrong) / 24)
    alone = [name for name, runs in RUNS.items() if len(runs) == 1]
    for tests in document["significance"].values():
        assert [(test["first"], test["second"]) for test in tests] == list(combinations(alone, 2))
    assert run("evaluate", "gold.conllu", "B", "--full") == 0
    places = re.findall(r" (\d+):\d+\b", capsys.readouterr().out)
    assert places
    assert {int(place) for place in places} <= {*range(1, len(GOLD) + 1)}
    assert run("evaluate", "gold.conllu", "A", "B", "-o", "all.csv", "-q") == 0
    assert "Test over sentences, LAS" in Path("all.csv").read_text("utf-8")
    capsys.readouterr()
    Path("none").mkdir()
    assert run("evaluate", "gold.conllu", "A", "none") == 1
    assert run("evaluate", "gold.conllu", "A", "B", "-o", "words.tsv") == 1
    first, second = capsys.readouterr().err.splitlines()[-2:]
    assert first.startswith("crossarc: none: ")
    assert second.startswith("crossarc: -o words.tsv: ")


def test_a_parser_without_runs_is_refused():
    with pytest.raises(CrossarcError, match="parser B: found no run"):
        compare_parsers(GOLD, {"A": [GOLD], "B": []})
    assert compare_parsers(GOLD, {"A": [GOLD]}) == {}
