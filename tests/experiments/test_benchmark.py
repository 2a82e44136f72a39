"""The benchmark: costs of processes, figures from costs, and the commands of other parsers."""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from command_line import conllu
from crossarc.__main__ import main as crossarc_main
from crossarc.experiments.benchmark import __main__ as benchmark
from crossarc.experiments.harness.costs import Cost, cost, maltparser, throughput, udpipe, write_conll
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.treebank import read_sentences, read_treebank

TREEBANK = """\
# sent_id = 1
1-2	ab	_	_	_	_	_	_	_	_
1	a	A	X	Y	F=1	2	dep	2:dep	G
2	b	_	V	_	_	0	root	_	_

"""
CONLLX = """\
1	a	A	X	Y	F=1	2	dep	_	_
2	b	_	V	_	_	0	root	_	_

"""
JAVA = """\
#!/bin/sh
echo "$@" >> $PEER/told
model=$7; mode=$9; shift 9
if [ $mode = parse ]; then cp $2 $4; else touch "$PEER/$model.mco"; fi
"""
"""Stands in for Java: it notes its arguments."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, first, number in (("train", 1, 30), ("test", 36, 8)):
        (tmp_path / f"{name}.conllu").write_text(conllu(first, number), "utf-8")
    return tmp_path


def test_costs_are_of_the_command_and_all_it_starts() -> None:
    work = "x = bytearray(300_000_000); sum(range(3_000_000)); import os; assert os.environ['OMP_NUM_THREADS'] == '1'"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {work!r}], check=True)"
    spent = cost([sys.executable, "-S", "-c", child])
    assert spent.cpu > 0.01
    assert spent.memory > 300
    large = b"x" * 300_000_000
    assert cost([sys.executable, "-S", "-c", "import os; os.environ['OWN']"], {"OWN": "1"}).memory < 100
    del large
    with pytest.raises(CrossarcError, match=r": expected a treebank$"):
        cost([sys.executable, "-S", "-c", "raise SystemExit('expected a treebank')"])
    with pytest.raises(CrossarcError, match=r"^no-such-parser: FileNotFoundError: .*No such file or directory"):
        cost(["no-such-parser"])


def test_start_up_does_not_count() -> None:
    assert throughput((10, Cost(1.0, 2.0, 5.0)), (210, Cost(3.0, 4.0, 7.0))) == 100
    assert throughput((10, Cost(1.0, 2.0, 5.0)), (210, Cost(0.9, 4.0, 7.0))) is None


def test_the_table_and_the_results(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With commands in this process, of which each takes a second of CPU time longer than the one before."""
    clock, kernels = count(1), []

    def fake(command: list[str], environment: dict[str, str]) -> Cost:
        assert crossarc_main(command[3:]) == 0
        kernels.append(environment.get("CROSSARC_KERNEL"))
        return Cost(next(clock), 0, 50)

    monkeypatch.setattr(benchmark, "cost", fake)
    own = ["--treebank", str(folder), "--configs", "swap-small", "--copies", "3", "--set", "guide.C=0.1"]
    assert benchmark.main([*own, "--out", str(folder / "out")]) == 0
    assert kernels == [None, "numba", "numba", "numba", "", "numpy", "numpy", "numpy", "numpy"]
    words = read_treebank(str(folder / "test.conllu")).words
    document = json.loads((folder / "out" / "results.json").read_text())
    figures: dict[str, dict[str, Any]] = document["figures"]["swap-small"]
    found = [(own["train"], own["speed"], own["start"]) for own in figures.values()]
    assert found == [(1, 2 * words, 5), (1, 2 * words, 9)]
    assert document["setting"]["set"] == ["guide.C=0.1"]
    table = capsys.readouterr().out.splitlines()
    assert [line.split("|")[2].strip() for line in table] == ["loops", "-----", "numba", "numpy"]
    assert f"{figures['numpy']['las']:.2f}" in table[3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--treebank", "{here}/out"], "{here}/out: found no train.* and test.*; name a folder with --treebank"),
        (["--configs", "swop"], "swop: cannot read the config: "),
        (["--set", "guid.C=1"], "--set guid.C=1: unknown key 'guid' "),
        (["--malt", "{here}/malt.jar"], "{here}/malt.jar: no such file; name MaltParser's jar"),
        (["--udpipe"], "UDPipe is not installed; install it with: pip install ufal.udpipe"),
    ],
)
def test_mistakes(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.setitem(sys.modules, "ufal", None)
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    assert benchmark.main(["--treebank", str(folder), *(word.format(here=folder) for word in arguments)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"crossarc-benchmark: {message.format(here=folder)}")
    assert error.count("\n") == 1


def test_maltparser_reads_conllx_and_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "java").write_text(JAVA)
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    jar, treebank, words, model = (tmp_path / name for name in ("malt.jar", "t.conllu", "t.conll", "m"))
    jar.touch()
    treebank.write_text(TREEBANK)
    tool = maltparser(str(jar))
    write_conll(read_sentences(treebank), words, 2, conllx=tool.conllx)
    assert words.read_text() == CONLLX * 2
    for command in (tool.train(words, model), tool.parse(model, words, tmp_path / "out")):
        cost(command, {"PEER": str(tmp_path)})
    assert tool.model(model).is_file()
    assert (tmp_path / "out").read_text() == CONLLX * 2
    same = f"-Xmx8g -jar {jar} -w {tmp_path} -c m -m"
    assert (tmp_path / "told").read_text().splitlines() == [
        f"{same} learn -i {words} -l liblinear -a stackproj",
        f"{same} parse -i {words} -o {tmp_path}/out",
    ]


def test_udpipe_trains_and_parses(folder: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    tool = udpipe("iterations=1;hidden_layer=10")
    cost(tool.train(folder / "train.conllu", folder / "model"))
    cost(tool.parse(tool.model(folder / "model"), folder / "test.conllu", folder / "out"))
    gold, parsed = (read_treebank(str(folder / name)).sentences for name in ("test.conllu", "out"))
    assert [own.column("upos") for own in parsed] == [own.column("upos") for own in gold]
    with pytest.raises(CrossarcError, match="UDPipe cannot load it"):
        cost(tool.parse(folder / "test.conllu", folder / "test.conllu", folder / "out"))
