"""Comparison with other parsers: costs of processes, commands of parsers, and a run with a fake clock."""

import json
import re
import sys
from argparse import Namespace
from importlib.util import find_spec
from itertools import count
from xml.etree import ElementTree

import pytest
from command_line import write_splits
from crossarc import CrossarcError, evaluate_conll18, read_sentences, score_sentences
from crossarc.__main__ import main as crossarc_main
from crossarc.experiments.harness.costs import (
    COLUMNS,
    GIVEN,
    PACKAGES,
    Cost,
    cost,
    make_tool,
    throughput,
    write_conll,
    write_input,
    write_training,
)
from crossarc.experiments.harness.experiment import run_declared
from crossarc.experiments.studies.other_parsers import experiment as others

TREEBANK = """\
# sent_id = 1
1-2	ab	_	_	_	_	_	_	_	_
1	a	A	X	Y	F=1	2	dep	2:dep	G
2	b	_	V	_	_	0	root	_	_

"""
WORDS = "1	a	A	X	Y	F=1	2	dep	_	_\n2	b	_	V	_	_	0	root	_	_\n\n"
JAVA = """\
#!/bin/sh
echo "$@" >> $PEER/told
model=$7; mode=$9; shift 9
if [ $mode = parse ]; then cp $2 $4; else touch "$PEER/$model.mco"; fi
"""
"""A fake ``java``: it appends its arguments to a file, and copies input to output instead of parsing."""


def run(folder, *settings, only=()):
    """The figures of a run in a folder, and its messages."""
    files = {split: str(folder / f"{split}.conllu") for split in ("train", "dev", "test")}
    given = [f"treebanks={json.dumps({'Own': files})}", "copies=3", "repeats=1", "sizes=[20]", *settings]
    told = []
    run_declared("other-parsers", folder / "out", settings=given, only=only, progress=told.append)
    return json.loads((folder / "out" / "results.json").read_text("utf-8"))["figures"], told


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with splits of a treebank. Commands run in this process; the n-th is reported to cost n CPU seconds."""
    clock = count(1)
    monkeypatch.delenv("MALTPARSER", raising=False)

    def fake(command, environment):
        assert crossarc_main(command[3:]) == 0
        return Cost(next(clock), 50 if environment.get("CROSSARC_KERNEL") == "numpy" else 60)

    monkeypatch.setattr(others, "cost", fake)
    write_splits(tmp_path, {"train": 30, "dev": 5, "test": 8}, rate=0.3)
    return tmp_path


FAST = (
    "tools={fast: {program: crossarc, inputs: {gold: arc-standard-small}, growth: true}, "
    "Malt: {program: maltparser, inputs: {gold: ''}, growth: true, sentences: 10}}"
)


def test_costs_include_all_processes_that_a_command_starts():
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


def test_throughput_excludes_start_up():
    assert throughput((10, Cost(1.0, 5.0)), (210, Cost(3.0, 7.0))) == 100
    assert throughput((10, Cost(1.0, 5.0)), (210, Cost(0.9, 7.0))) is None


def test_report_agrees_with_costs_and_only_measurements_are_repeated(folder, monkeypatch):
    figures, told = run(folder, FAST)
    assert told[0] == "left out: Malt: found no file ''; name MaltParser's jar in the environment variable MALTPARSER"
    row, malt = (figures["parsers"]["Own"]["gold"][name] for name in ("fast", "Malt"))
    gold = list(read_sentences(str(folder / "test.conllu")))
    # Commands 1 and 2 train, 3 and 4 parse to measure accuracy, six more measure speed.
    assert (row["train"], row["speed"], row["speed_numpy"]) == (2, 2 * sum(map(len, gold)), 2 * sum(map(len, gold)))
    assert (row["start"], row["memory"], "upos" in row) == (10, 60, False)
    assert row["model"] > 0.01
    assert set(malt.values()) == {None}
    assert figures["growth"]["Own"]["fast, gold"]["30"] == {"las": row["las"], "train": 2}
    assert set(figures["growth"]["Own"]["fast, gold"]) == {"20", "30"}
    assert set(figures["growth"]["Own"]["Malt, gold"]) == {"10"}
    report = (folder / "out" / "report.md").read_text("utf-8")
    assert "Note: left out: Malt" in report
    assert f"| Own      | gold  | fast | {row['las']:.2f} |" in report
    for name in ("las", "train", "gold-speed"):
        ElementTree.parse(folder / "out" / f"Own-{name}.svg")
    again, told = run(folder, FAST, "measurement=2")
    assert [line for line in told if "cells" in line] == [
        "2 cells, 2 of them finished before",
        "3 cells, 2 of them finished before",
    ]
    assert again["parsers"]["Own"]["gold"]["fast"]["train"] == 2
    assert again["parsers"]["Own"]["gold"]["fast"]["start"] > 10


def test_parsers_of_raw_text_get_text_and_are_scored_as_in_the_shared_task(folder):
    tools = "tools={ours: {program: crossarc, inputs: {text: arc-standard-small input=text}}}"
    row = run(folder, tools)[0]["parsers"]["Own"]["text"]["ours"]
    assert row["las"] > 0
    assert row["speed"] == 2 * sum(map(len, read_sentences(str(folder / "test.conllu"))))


def test_with_compute_false_reports_have_stored_results(folder):
    run(folder, FAST, "sizes=[]")
    more = FAST.replace("Malt: {program: maltparser", "swap: {program: crossarc").replace("''", "swap-small")
    figures, told = run(folder, more, "compute=false")
    assert not any(line.startswith("[") for line in told)
    assert figures["parsers"]["Own"]["gold"]["fast"]["las"] > 0
    assert "las" not in figures["parsers"]["Own"]["gold"]["swap"]
    figures, _ = run(folder, more, only=("swap",))
    assert list(figures["parsers"]["Own"]["gold"]) == ["swap"]
    with pytest.raises(CrossarcError, match=r"treebank or tool 'fats' .did you mean 'fast'.*allowed: Own, fast, swap"):
        run(folder, more, only=("fats",))


def test_failed_training_is_reported(folder):
    def fail(*_):
        raise CrossarcError("out of memory")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(others, "cost", fail)
        figures, _ = run(folder, FAST, "sizes=[]")
    assert figures["failures"] == {"Own fast gold all train": {"failure": "out of memory"}}
    assert set(figures["parsers"]["Own"]["gold"]["fast"].values()) == {None}


def test_only_results_of_our_parser_depend_on_our_code_and_config(folder):
    pytest.importorskip("nltk")
    entry = Namespace(name="Own", part=lambda split: others.TreebankPart(str(folder / f"{split}.conllu")))
    tools = {name: {"program": name, "inputs": {"gold": str(folder / "own.yaml")}} for name in ("crossarc", "nltk")}
    values = {"tools": tools, "languages": {}, "sizes": [], "compute": True}
    treebank = others.ExperimentTreebank(entry, Namespace(values=values), {}, folder)
    keys = []
    for system in ("swap", "arc-standard"):
        (folder / "own.yaml").write_text(f"system: {system}\n")
        ours, other = others.train_cells(treebank)
        assert other.code
        assert not ours.code
        keys.append((ours.key, other.key))
    assert keys[0][0] != keys[1][0]
    assert keys[0][1] == keys[1][1]


def test_maltparser_gets_its_options_and_features(tmp_path, monkeypatch):
    (tmp_path / "java").write_text(JAVA)
    (tmp_path / "java").chmod(0o755)
    jar, treebank, words, model = (tmp_path / name for name in ("malt.jar", "t.conllu", "t.conll", "m"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("MALTPARSER", str(jar))
    treebank.write_text(TREEBANK)
    write_conll(read_sentences(treebank), words, 2, columns=COLUMNS)
    assert words.read_text() == WORDS * 2
    write_conll(read_sentences(treebank), tmp_path / "bare", columns=GIVEN["words"])
    assert (tmp_path / "bare").read_text() == re.sub(r"(\d\t\w).*", r"\1" + "\t_" * 4 + "\t0" + "\t_" * 3, WORDS)
    spec = {"program": "maltparser", "inputs": {"gold": "-l liblinear"}, "features": "A(B)\nSplit(C,\\|)"}
    tool = make_tool(spec, "gold", "")
    for command in (tool.train(words, model, words), tool.parse(model, words, tmp_path / "out")):
        cost(command, {"PEER": str(tmp_path)})
    assert (tmp_path / "out").read_text() == WORDS * 2
    same = f"-Xmx18g -jar {jar} -w {tmp_path} -c m -m"
    assert (tmp_path / "told").read_text().splitlines() == [
        f"{same} learn -i {words} -l liblinear -F {tmp_path}/features.xml",
        f"{same} parse -i {words} -o {tmp_path}/out",
    ]
    features = ElementTree.parse(tmp_path / "features.xml").iter("feature")
    assert [feature.text for feature in features] == ["A(B)", "Split(C,\\|)"]


@pytest.mark.parametrize(
    ("program", "given", "options"),
    [
        ("udpipe", "gold", "iterations=1;hidden_layer=10"),
        ("udpipe", "words", "iterations=1;hidden_layer=10"),
        ("spacy", "words", "training.max_steps=20 training.eval_frequency=10"),
        ("spacy", "text", "training.max_steps=20 training.eval_frequency=10"),
        pytest.param("nltk", "gold", "", marks=pytest.mark.slow),
    ],
)
def test_other_parsers_train_and_parse(tmp_path, program, given, options):
    """The treebank labels roots TOP. Parsers that are not installed are skipped."""
    if find_spec(PACKAGES[program].partition(".")[0]) is None:
        pytest.skip(f"{program} is not installed")
    write_splits(tmp_path, {"train": 10, "dev": 3, "test": 5})
    for name in ("train", "dev", "test"):
        file = tmp_path / f"{name}.conllu"
        file.write_text(file.read_text().replace("\t0\troot\t", "\t0\tTOP\t"))
        write_training(given, list(read_sentences(str(file))), file)
    gold = list(read_sentences(str(tmp_path / "test.conllu")))
    write_input(given, gold, tmp_path / "given")
    tool = make_tool({"program": program, "inputs": {given: options}}, given, "")
    home = tmp_path / "models"
    home.mkdir()
    cost(tool.train(tmp_path / "train.conllu", home / "model", tmp_path / "dev.conllu"))
    cost(tool.parse(home / "model", tmp_path / "given", tmp_path / "out"))
    parsed = list(read_sentences(str(tmp_path / "out")))
    labels = [
        label
        for sentence in parsed
        for head, label in zip(sentence.heads(), sentence.deprels(), strict=True)
        if head == 0
    ]
    assert "TOP" in labels
    with pytest.raises(CrossarcError):
        cost(tool.parse(tmp_path / "none", tmp_path / "given", tmp_path / "out"))
    if given == "text":
        assert evaluate_conll18(gold, parsed).f1["UPOS"] > 0
        return
    scores = score_sentences(gold, parsed)
    assert scores.columns["xpos"].accuracy == 100.0 if given == "gold" else "upos" in scores.columns
