"""New transition systems: the steps of `transitions/README.md`, in a folder of their own beside an installed wheel."""

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


def blocks():
    """(file, language, text) of each block of the page; the file is the last one named before the block."""
    found, file = [], ""
    for block in BLOCK.finditer(PAGE):
        if block["file"]:
            file = block["file"]
        else:
            found.append((file, block["language"], textwrap.dedent(block["text"])))
    return found


def pip(*words):
    line = [sys.executable, "-m", "pip", "-q", *map(str, words), "--no-deps"]
    subprocess.run(line, check=True, timeout=300)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the wheel of crossarc is installed."""
    folder = tmp_path_factory.mktemp("installed")
    copy = folder / "copy"
    ignored = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "results*", "tests")
    shutil.copytree(ROOT, copy, ignore=ignored)
    pip("wheel", copy, "--wheel-dir", folder / "dist")
    (wheel,) = (folder / "dist").glob("*.whl")
    pip("install", wheel, "--target", folder / "site")
    return folder / "site"


@pytest.fixture
def folder(tmp_path):
    """A folder with the files of the page and treebanks."""
    for file, language, text in blocks():
        if language != "sh":
            (tmp_path / file).write_text(text, "utf-8")
    write_splits(tmp_path, {"train": 60, "test": 10}, rate=0)
    return tmp_path


def run(line, folder, *paths, status=0):
    """The output of a command, or the error message of one that is refused (status 1)."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [sys.executable, "-m", *line.split()]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status else done.stdout


def test_steps_of_the_page_work_beside_an_installed_wheel(installed, folder):
    lines = [line for _, language, text in blocks() if language == "sh" for line in text.splitlines()]
    check, train, parse, oracle = lines
    checked = run(check, folder, installed).splitlines()
    assert checked
    assert all(line.startswith("ok: ") for line in checked)
    run(f"{train} -q", folder, installed)
    run(f"{parse} -q", folder, installed)
    assert (folder / "parsed.conllu").read_text("utf-8").count("\n\n") == 10
    assert "derived      60 (100.00 %)" in run(f"{oracle} -q", folder, installed)
    refused = run(parse.partition(" --plugin")[0], folder, installed, status=1)
    assert NAME in refused
    assert "Traceback" not in refused


def test_entry_points_of_an_installed_package_register_the_system(installed, folder):
    pip("install", folder, "--target", folder / "own")
    (folder / "arc_standard_buffer.py").unlink()
    paths = (installed, folder / "own")
    assert run(f"crossarc list systems {NAME}", folder, *paths).startswith(f"{NAME}: Arc-standard with arcs")
    assert "derived      60 (100.00 %)" in run(f"crossarc oracle {NAME} train.conllu -q", folder, *paths)
