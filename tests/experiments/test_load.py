"""The load test itself: answers are checked, and the report says what came of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import TEMPLATES, conllu, few, run
from crossarc.experiments import load

for name in ("starlette", "uvicorn", "python_multipart", "prometheus_client"):
    pytest.importorskip(name, reason=f"{name} is not installed: the extra crossarc[serve]")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "few.yaml").write_text(TEMPLATES)
    (tmp_path / "train.conllu").write_text(conllu(1, 40))
    run("-q", "train", "arc-standard", "--train", tmp_path / "train.conllu", "--model", tmp_path / "m", *few(tmp_path))
    return [str(tmp_path / "m"), str(tmp_path / "train.conllu")]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LEAST_SECONDS", 0.1)
    monkeypatch.setattr(load, "LEAST_BYTES", 1)


def test_a_short_load(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert load.main([*files, "--clients", "5", "--seconds", "2"]) == 0
    first, _, third, *cpu, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"5 clients, 2 s: [1-9]\d* answers, 0 lost, 0 wrong, 0 late", first)
    assert re.match(r"words per second: [1-9]", third)
    assert all(re.match(r"words per CPU second: [1-9]", line) for line in cpu)
    assert re.match(r"memory of the service, MB: [1-9]", last)


def test_wrong_answers_are_seen(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [replace(own, answer=own.answer + "x") for own in load._questions(*files)]
    monkeypatch.setattr(load, "_questions", lambda model, path: wrong)
    assert load.main([*files, "--clients", "2", "--seconds", "1"]) == 1
    assert re.search(r" 0 lost, [1-9]\d* wrong, 0 late", capsys.readouterr().out)
