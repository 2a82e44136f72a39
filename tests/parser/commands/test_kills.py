"""Commands that are killed at random moments: nothing half-written, nothing wrong, and the next run goes on.

By hand: ``pytest -m slow tests/parser/commands/test_kills.py``, 50 kills of each command.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import conllu, crossarc, run

pytestmark = pytest.mark.slow

KILLS = 50
EXPERIMENT = """
experiment: kuhlmann-nivre-2010
parsers: {P0: {config: arc-standard, features: small}, P3: {config: swap, features: small}}
treebanks:
  one: {train: train.conllu, dev: dev.conllu}
  two: {train: train.conllu, dev: dev.conllu}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with treebanks, two models and two parsed files."""
    folder = tmp_path_factory.mktemp("made")
    for name, first, count in (("train", 1, 40), ("dev", 50, 15), ("many", 100, 300)):
        (folder / f"{name}.conllu").write_text(conllu(first, count))
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    for system in ("swap", "arc-standard"):
        train = ["train", system, "--train", folder / "train.conllu", "--set", "features=small"]
        assert run("-q", *train, "--model", folder / f"{system}.model") == 0
        assert run("-q", "parse", folder / f"{system}.model", folder / "many.conllu", "-o", folder / system) == 0
    return folder


def killed(words: list[object], folder: Path, seconds: float) -> bool:
    """Start a command in a folder and kill it after some time; whether it was still running."""
    command = [sys.executable, "-m", "crossarc", "-q", *map(str, words)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return True
    return False


def files(folder: Path) -> dict[str, bytes]:
    """What stands under its own name, not beside it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".part")
    }


def one_file(command: str, made: Path) -> list[object]:
    if command == "train":
        return ["train", "swap", "--train", made / "train.conllu", "--set", "features=small", "--model", "out"]
    if command == "parse":
        return ["parse", made / "swap.model", made / "many.conllu", "-o", "out"]
    return ["blend", made / "swap", made / "arc-standard", "-o", "out"]


@pytest.mark.parametrize("command", ["train", "parse", "blend"])
def test_one_file_is_whole_or_not_there(command: str, made: Path, tmp_path: Path) -> None:
    words = one_file(command, made)
    start = time.monotonic()
    assert crossarc("-q", *words, cwd=tmp_path).returncode == 0
    whole = time.monotonic() - start
    expected = files(tmp_path)
    (tmp_path / "out").unlink()
    dice = random.Random(1)
    kills = 0
    for _ in range(10 * KILLS):
        kills += killed(words, tmp_path, dice.uniform(0.3, 1) * whole)
        assert files(tmp_path) in ({}, expected)
        (tmp_path / "out").unlink(missing_ok=True)
        if kills == KILLS:
            break
    time.sleep(2.5)  # younger leftovers could be another run's
    assert crossarc("-q", *words, cwd=tmp_path).returncode == 0
    assert files(tmp_path) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def goes_on(words: list[object], folder: Path, check: Callable[[], None]) -> int:
    """Kill a command again and again, each time later, until it comes to its end; how many kills there were."""
    dice = random.Random(1)
    for kills in range(KILLS + 1):
        if kills == KILLS or not killed(words, folder, dice.uniform(1, 6)):
            break
        check()
    assert crossarc("-q", *words, cwd=folder).returncode == 0
    return kills


def test_an_experiment_goes_on_where_it_was(made: Path, tmp_path: Path) -> None:
    def start(folder: Path) -> list[object]:
        folder.mkdir()
        for name in ("experiment.yaml", "train.conllu", "dev.conllu"):
            (folder / name).write_bytes((made / name).read_bytes())
        return ["experiment", "experiment.yaml", "--out", "out"]

    words = start(tmp_path / "whole")
    assert crossarc("-q", *words, cwd=tmp_path / "whole").returncode == 0
    expected = files(tmp_path / "whole" / "out" / "cells")
    kills = 0
    for attempt in range(KILLS):
        folder = tmp_path / f"killed-{attempt}"
        start(folder)
        cells = folder / "out" / "cells"

        def check(cells: Path = cells) -> None:
            for text in files(cells).values():
                json.loads(text)

        kills += goes_on(words, folder, check)
        assert files(cells).keys() == expected.keys()
        for name, text in files(cells).items():
            assert without_times(json.loads(text)) == without_times(json.loads(expected[name]))
        if kills >= KILLS:
            break


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: without_times(own) for key, own in value.items() if "second" not in key and not key.endswith("_cpu")
        }
    return [without_times(own) for own in value] if isinstance(value, list) else value


def test_tuning_goes_on_where_it_was(made: Path, tmp_path: Path) -> None:
    data = ["--train", made / "train.conllu", "--dev", made / "dev.conllu"]
    words = ["tune", "arc-standard", *data, "--set", "features=small", "--minutes", "0.3", "--out", "out"]

    def check() -> None:
        for name, text in files(tmp_path).items():
            if name.endswith(".json"):
                json.loads(text)

    kills = 0
    while kills < KILLS:
        kills += max(1, goes_on(words, tmp_path, check))
    model = next((tmp_path / "out").glob("*.model"))
    assert crossarc("-q", "parse", model, made / "dev.conllu", "-o", tmp_path / "parsed").returncode == 0
