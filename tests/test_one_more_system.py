"""New transition systems: the four example files in `transitions/README.md` suffice to add a system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import crossarc
import pytest
from command_line import write_splits

ROOT = Path(crossarc.__file__).parent
PAGE = (ROOT / "transitions" / "README.md").read_text("utf-8").partition("\n## One more system\n")[2]
BLOCK = re.compile(r"^ {4}(?:`(?P<file>[\w./-]+)`|```(?P<language>\w+)\n(?P<text>.*?)^ {4}```)$", re.M | re.S)
NAME = "arc-standard-buffer"


def blocks() -> list[tuple[str, str, str]]:
    """(file, language, text) of each block of the page; the file is the last one named before the block."""
    found, file = [], ""
    for block in BLOCK.finditer(PAGE):
        if block["file"]:
            file = block["file"]
        else:
            found.append((file, block["language"], textwrap.dedent(block["text"])))
    return found


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the new system."""
    copy = tmp_path_factory.mktemp("copy") / "crossarc"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "results*"))
    files = [(file, text) for file, language, text in blocks() if language != "sh"]
    assert len(files) == 4
    for file, text in files:
        assert not (copy / file).exists()
        (copy / file).parent.mkdir(exist_ok=True)
        (copy / file).write_text(text, "utf-8")
    return copy


def run(package: Path, folder: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commands() -> list[str]:
    return [line for _, language, text in blocks() if language == "sh" for line in text.splitlines()]


@pytest.mark.slow
def test_new_system_trains_and_parses(package: Path, tmp_path: Path) -> None:
    write_splits(tmp_path, {"train": 60, "test": 10}, rate=0)
    ours = [line for line in commands() if line.startswith("crossarc ")]
    assert len(ours) == 2
    for line in ours:
        run(package, tmp_path, "-m", *line.split(), "-q")
    assert (tmp_path / "parsed.conllu").read_text("utf-8").count("\n\n") == 10
    assert run(package, tmp_path, "-m", "crossarc", "list", "systems", NAME).startswith(
        f"{NAME}: Arc-standard with arcs"
    )


def test_new_system_passes_the_tests_of_registered_systems(package: Path) -> None:
    """The conformance tests include the new system, and no test needs a change."""
    (line,) = (line for line in commands() if "pytest" in line)
    assert line == f"python -m pytest tests/conformance -k {NAME}"
    files = ("transitions/test_declarations.py", "oracles/test_derivations.py", "parser/config/test_feature_files.py")
    chosen = ["tests/conformance", *(f"tests/{file}" for file in files)]
    pattern = " or ".join([NAME, *(Path(file).stem for file in files)])
    words = ["-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-p", "no:randomly", *chosen, "-k", pattern]
    out = run(package, package, *words)
    for name in ("conformance", *files):
        assert f"PASSED tests/{name}" in out
    assert len(re.findall(rf"PASSED tests/conformance/.*{NAME}", out)) >= 20
