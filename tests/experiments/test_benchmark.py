"""The benchmark: what it measures, and what it says of mistakes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import conllu
from crossarc.experiments import benchmark
from crossarc.parser.errors import CrossarcError
from crossarc.parser.treebank import read_sentences


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    treebank = tmp_path / "a treebank"
    treebank.mkdir()
    for name, first, count in (("train", 1, 30), ("dev", 31, 5), ("test", 36, 8)):
        (treebank / f"{name}.conllu").write_text(conllu(first, count), "utf-8")
    return treebank


def in_this_process(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, asked: list[Any]) -> Any:
    """As ``benchmark._run``, without a process, and noting what is asked."""

    def run(*task: object, settings: list[str] = [], kernel: str = "") -> Any:  # noqa: B006
        printed = capsys.readouterr().out
        asked.append((task[0], kernel, settings))
        monkeypatch.setenv("CROSSARC_SETTINGS", json.dumps(settings))
        assert benchmark.main(["--task", json.dumps(task, default=str)]) == 0
        result = json.loads(capsys.readouterr().out)
        print(printed, end="")
        return result

    return run


def test_every_figure_has_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(benchmark, "_run", in_this_process(capsys, monkeypatch, asked))
    own = ["--treebank", str(folder), "--configs", "swap-small", "--copies", "2", "--set", "guide.C=0.1"]
    assert benchmark.main(own) == 0
    out, err = capsys.readouterr()
    number = r" *[\d,]+"
    assert re.fullmatch(
        rf"""a treebank, CPU seconds of one thread

reading    {number} words per CPU s

swap-small
  training    {number}\.\d CPU s,{number} MB; model 0\.\d MB
  numpy      {number} tokens per CPU s parsing,{number} with reading and writing,{number} MB
  numba      {number} tokens per CPU s parsing,{number} with reading and writing,{number} MB
  test        LAS \d+\.\d\d  UAS \d+\.\d\d
""",
        out,
    ), out
    assert err == ""
    assert asked == [
        ("read", "", []), ("train", "", ["guide.C=0.1"]), ("parse", "numpy", []), ("parse", "numba", [])
    ]  # fmt: skip


def test_tasks_measure_what_they_say(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(benchmark.time, "process_time", lambda: float(next(clock)))
    words = {name: sum(map(len, read_sentences(folder / f"{name}.conllu"))) for name in ("train", "test")}
    assert benchmark._read(str(folder / "train.conllu")) == {"words_per_second": words["train"]}
    monkeypatch.setenv("CROSSARC_SETTINGS", "[]")
    model = str(tmp_path / "model")
    assert benchmark._train("arc-standard-small", str(folder / "train.conllu"), model)["seconds"] == 1
    figures = benchmark._parse(model, str(folder / "test.conllu"), 3)
    assert (figures["parse"], figures["whole"]) == (3 * words["test"], 3 * words["test"])
    assert 0 < figures["las"] <= figures["uas"] <= 100


def test_a_measurement_is_a_process_of_its_own_with_one_thread(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert benchmark._run("read", folder / "train.conllu")["words_per_second"] > 0
    with pytest.raises(CrossarcError) as caught:
        benchmark._run("read", folder / "absent")
    assert str(caught.value) == f"read: crossarc-benchmark: {folder}/absent: cannot be read: No such file or directory"
    seen: dict[str, Any] = {}

    def run(command: list[str], **options: Any) -> Any:
        seen.update(options["env"])
        return type("Done", (), {"returncode": 0, "stdout": "{}", "stderr": ""})

    monkeypatch.setattr(benchmark.subprocess, "run", run)
    assert benchmark._run("train", "swap", settings=["a=b"], kernel="numpy") == {}
    assert seen["OMP_NUM_THREADS"] == seen["OPENBLAS_NUM_THREADS"] == seen["MKL_NUM_THREADS"] == "1"
    assert (seen["CROSSARC_KERNEL"], seen["CROSSARC_SETTINGS"]) == ("numpy", '["a=b"]')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--treebank", "{here}"], "{here}: found no train.*, dev.* and test.*; name a folder with --treebank"),
        (["--treebank", "{there}", "--configs", "swop"], "swop: cannot read the config: "),
        (
            ["--treebank", "{there}", "--set", "guid.C=1"],
            "--set guid.C=1: unknown key 'guid' ",
        ),
    ],
)
def test_mistakes(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str, tmp_path: Path
) -> None:
    places = {"here": str(tmp_path), "there": str(folder)}
    assert benchmark.main([word.format(**places) for word in arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(f"crossarc-benchmark: {re.escape(message.format(**places))}[^\n]*\n", err), err


def test_copies_are_a_whole_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        benchmark.main(["--copies", "0"])
    assert capsys.readouterr().err.endswith("argument --copies: found '0', expected a whole number, 1 or more\n")
