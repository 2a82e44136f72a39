"""Without numba and llvmlite: training and parsing write the same files as with them."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import conllu, run
from installed import needs

CONFIGS = ["swap", "explored", "beam", "three-step", "graph"]
SMALL = {"beam": ["--set", "guide.epochs=1"], "graph": ["--set", "graph.epochs=1", "--set", "graph.table_bits=16"]}
HIDDEN = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None; from crossarc.__main__ import main; "


def lines(config, folder):
    given = SMALL.get(config, []) + ([] if config == "graph" else ["--set", "features=small"])
    train, test = ("few.conllu", "few.conllu") if config == "graph" else ("train.conllu", "many.conllu")
    model, parsed = str(folder / config), str(folder / f"{config}.conllu")
    return [
        ["-q", "train", config, "--train", train, *given, "--model", model],
        ["-q", "parse", model, test, "-o", parsed],
    ]


@pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")
@needs("further_learners", "graph")
def test_models_and_trees_are_the_same_without_numba(tmp_path, monkeypatch):
    monkeypatch.delenv("CROSSARC_KERNEL", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 28), "utf-8")
    Path("few.conllu").write_text(conllu(1, 5), "utf-8")  # the loops of graph-based parsing are slow in Python
    Path("many.conllu").write_text(conllu(100, 60), "utf-8")  # enough sentences to use stored compiled loops
    with_it, without = tmp_path / "with", tmp_path / "without"
    with_it.mkdir()
    without.mkdir()
    for config in CONFIGS:
        assert [run(*line) for line in lines(config, with_it)] == [0, 0]
    words = [line for config in CONFIGS for line in lines(config, without)]
    code = f"{HIDDEN}assert [main(line) for line in {words!r}] == {[0] * len(words)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    [warning] = {line for line in done.stderr.splitlines() if "Warning" in line}
    assert "graph-based parsing is more than 100 times slower without numba" in warning
    python = tmp_path / "python"
    python.mkdir()
    for config in CONFIGS:
        (*_, parse), model = lines(config, python), with_it / config
        environment = {**os.environ, "CROSSARC_KERNEL": "python"}
        words = ["-q", "parse", str(model), *parse[3:]]
        subprocess.run([sys.executable, "-m", "crossarc", *words], check=True, timeout=300, env=environment)
        assert (python / f"{config}.conllu").read_bytes() == (with_it / f"{config}.conllu").read_bytes()
    for path in sorted(with_it.iterdir()):
        assert path.read_bytes() == (without / path.name).read_bytes(), path.name
