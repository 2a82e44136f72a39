"""Without numba and llvmlite: training and parsing write the same files as with them."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import conllu, run

CONFIGS = ["swap", "explored", "beam", "three-step"]
HIDDEN = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None; from crossarc.__main__ import main; "


def lines(config: str, folder: Path) -> list[list[str]]:
    files = ["--train", "train.conllu", "--set", "features=small"]
    features = ["--set", "guide.epochs=1"] if config == "beam" else []
    return [
        ["-q", "train", config, *files, *features, "--model", str(folder / config)],
        ["-q", "parse", str(folder / config), "many.conllu", "-o", str(folder / f"{config}.conllu")],
    ]


@pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")
def test_models_and_trees_are_the_same_without_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROSSARC_KERNEL", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 30), "utf-8")
    Path("many.conllu").write_text(conllu(100, 60), "utf-8")  # enough sentences to use stored compiled loops
    with_it, without = tmp_path / "with", tmp_path / "without"
    with_it.mkdir()
    without.mkdir()
    for config in CONFIGS:
        assert [run(*line) for line in lines(config, with_it)] == [0, 0]
    words = [line for config in CONFIGS for line in lines(config, without)]
    code = f"{HIDDEN}assert [main(line) for line in {words!r}] == {[0] * len(words)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for path in sorted(with_it.iterdir()):
        assert path.read_bytes() == (without / path.name).read_bytes(), path.name
