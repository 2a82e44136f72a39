"""The benchmark page: what is measured on, how figures come of costs, and what the page says of them."""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path

import pytest
from crossarc.experiments.benchmark_page import malt_peer, udpipe_peer
from crossarc.experiments.benchmark_page.commands import Cost, cost, peer_command, speed
from crossarc.experiments.benchmark_page.material import relabelled, repeated, with_length
from crossarc.experiments.benchmark_page.page import CHART, RESULTS, chart, page_text
from crossarc.parser.errors import CrossarcError
from crossarc.parser.treebank import Sentence, read_treebank

PAGE = Path(sys.modules[page_text.__module__].__file__ or "").parent
SENTENCES = [
    Sentence.from_tokens(["a", "b", "c"], upos=["X", "Y", "X"], heads=[2, 0, 2], deprels=["k", "root", "k"]),
    Sentence.from_tokens(["d", "e"], upos=["X", "Z"], heads=[0, 1], deprels=["root", "m"]),
]


def test_files_are_as_long_as_they_should_be(tmp_path: Path) -> None:
    path = tmp_path / "f.conllu"
    for tokens, expected in ((1, 3), (3, 3), (4, 5), (11, 13)):
        assert repeated(SENTENCES, tokens, path) == expected == read_treebank(path).words
    for length in (1, 2, 7):
        made = with_length(SENTENCES, length, 14)
        assert [len(sentence) for sentence in made] == [length] * (14 // length)
        assert "".join(chain.from_iterable(sentence.column("form") for sentence in made)) == "abcdeabcdeabcd"[:14]
    assert [len(sentence) for sentence in with_length(SENTENCES, 9, 3)] == [9]


@pytest.mark.parametrize(("labels", "expected"), [(1, ["other"]), (2, ["k", "other"]), (3, ["k", "other", "root"])])
def test_labels_are_as_many_as_they_should_be(labels: int, expected: list[str]) -> None:
    found = relabelled(SENTENCES, labels)
    assert sorted(set(chain.from_iterable(sentence.column("deprel") for sentence in found))) == expected
    assert [sentence.heads() for sentence in found] == [sentence.heads() for sentence in SENTENCES]


def test_more_labels_than_there_are_come_from_parts_of_speech() -> None:
    found = relabelled(SENTENCES, 9)
    assert {*chain.from_iterable(own.column("deprel") for own in found)} == {"k+X", "root+Y", "root+X", "m+Z"}


def test_costs_are_of_the_command_and_mistakes_are_told() -> None:
    spent = cost([sys.executable, "-S", "-c", "x = bytearray(300_000_000); sum(range(3_000_000))"])
    assert spent.cpu > 0.01
    assert spent.memory > 300
    with pytest.raises(CrossarcError, match="expected a treebank"):
        cost([sys.executable, "-S", "-c", "raise SystemExit('expected a treebank')"])
    with pytest.raises(CrossarcError, match="no-such-parser: cannot be run: No such file or directory"):
        cost(["no-such-parser"])
    assert peer_command("p -i {file} -o '{out}'", "a b", "c") == ["p", "-i", "a b", "-o", "c"]
    assert speed((10, Cost(1.0, 2.0, 5.0)), (210, Cost(3.0, 4.0, 7.0))) == (100.0, 100.0, 7.0, 1.0)


def test_commands_find_compiled_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    command = [sys.executable, "-c", "import json"]
    cost(command)
    assert not list(tmp_path.rglob("*.pyc"))
    cost(command, bytecode=tmp_path)
    assert list(tmp_path.rglob("json/__init__.*.pyc"))


@pytest.mark.parametrize("words", [[], ["parse", "model"], ["train", "a", "b", "c"]])
def test_udpipe_is_told_what_to_do(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert udpipe_peer.main(words) == 1
    assert capsys.readouterr().err == "udpipe_peer: expected: train TREEBANK MODEL, or parse MODEL FILE OUT\n"


TREEBANK = """\
# sent_id = 1
1-2	ab	_	_	_	_	_	_	_	_
1	a	A	X	Y	F=1	2	dep	2:dep	G
2	b	_	V	_	_	0	root	_	_

"""
WORDS = """\
1	a	A	X	Y	F=1	2	dep	_	_
2	b	_	V	_	_	0	root	_	_

"""
JAVA = """\
#!/bin/sh
echo "$@" >> $PEER/told
model=$7; mode=$9; shift 9
if [ $mode = parse ]; then cp $2 $4; else cp $2 $PEER/read; touch "$PEER/$model.mco"; fi
"""
"""A script that stands in for Java: it writes down what it is told, and what it is to learn from."""


def test_maltparser_gets_what_it_reads_and_is_told_to_parse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "java").write_text(JAVA)
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PEER", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    treebank, model = tmp_path / "t.conllu", tmp_path / "m"
    treebank.write_text(TREEBANK)
    assert malt_peer.main(["train", "malt.jar", str(treebank), str(model)]) == 0
    assert (tmp_path / "read").read_text() == WORDS
    cost([sys.executable, "-m", malt_peer.__name__, "parse", "malt.jar", str(model), str(treebank), f"{model}.out"])
    assert (tmp_path / "m.out").read_text() == TREEBANK
    learned, parsed = (tmp_path / "told").read_text().splitlines()
    assert learned.startswith(f"-Xmx8g -jar malt.jar -w {tmp_path} -c m -m learn -i ")
    assert learned.endswith(".conll -l liblinear -a stackproj")
    assert parsed == f"-Xmx8g -jar malt.jar -w {tmp_path} -c m -m parse -i {treebank} -o {model}.out"
    monkeypatch.setenv("PATH", "/nowhere")
    assert malt_peer.main(["parse", "malt.jar", str(model), "in", "out"]) == 1
    assert malt_peer.main(["learn"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "malt_peer: needs java on the path: No such file or directory",
        "malt_peer: expected: train JAR TREEBANK MODEL [OPTION ...], or parse JAR MODEL FILE OUT",
    ]


def test_the_page_says_what_a_blend_takes() -> None:
    found = json.loads((PAGE / RESULTS).read_text("utf-8"))
    speeds = {"one": 100_000.0, "its part a": 50_000.0, "its part b": 100_000.0, "all": 20_000.0}
    found["blend"] = {name: {"numba": own} for name, own in speeds.items()}
    text = page_text(found)
    assert "| its part a | numba | 50,000 | 20.0 | 2.0 |" in text
    assert "| all | numba | 20,000 | 50.0 | 5.0 |\n\nThe blend takes 3.3 times the average of its parts" in text


def test_udpipe_may_be_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ufal", None)
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    assert udpipe_peer.main(["parse", "a", "b", "c"]) == 1
    assert capsys.readouterr().err == "udpipe_peer: needs the package ufal.udpipe: pip install ufal.udpipe\n"


def test_the_page_is_that_of_its_results() -> None:
    found = json.loads((PAGE / RESULTS).read_text("utf-8"))
    assert (PAGE / "README.md").read_text("utf-8") == page_text(found)
    assert (PAGE / CHART).read_text("utf-8") == chart(found)
