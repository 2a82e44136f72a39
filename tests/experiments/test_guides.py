"""Guides: their commands run in the order of the page, and print what the page shows."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import crossarc
import pytest

HOME = Path(crossarc.__file__).parent / "experiments" / "guides"
GUIDES = sorted(path for path in HOME.glob("*.md") if re.search(r"^```sh$", path.read_text("utf-8"), re.M))
BLOCK = re.compile(r"(?:[Ss]ave (?:this )?as `([\w.]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)
PORT = "8001"
DECIMAL = re.compile(r"[+-]?\d+\.\d+")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def alike(line, other):
    """Whether two lines are equal; decimals may differ a little, as they do between processors."""
    (texts, numbers), (other_texts, other_numbers) = (
        (" ".join(DECIMAL.sub("", one).split()), list(map(float, DECIMAL.findall(one)))) for one in (line, other)
    )
    return texts == other_texts and numbers == pytest.approx(other_numbers, abs=3)


def shown(expected, printed):
    """The first expected line that was not printed in its place; "..." stands for any lines, also in the beginning."""
    lines = iter(re.split(r"[\r\n]+", printed.strip()))
    left_out = True
    for line in expected.splitlines():
        if line == "...":
            left_out = True
        elif left_out:
            if not any(alike(line, other) for other in lines):
                return line
            left_out = False
        elif not alike(line, other := next(lines, "nothing")):
            return f"{line}, not {other}"
    return None


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="runs commands of a shell")
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_prints_what_it_shows(guide, tmp_path):
    page, port = guide.read_text("utf-8"), free_port()
    if "curl " in page and shutil.which("curl") is None:
        pytest.skip("needs curl")
    script, marks, expected = ["set -eu"], [], {}
    for number, (name, language, text) in enumerate(BLOCK.findall(page)):
        if language == "sh":
            marks.append(number)
            script += [f"echo '<<{number}>>'", text.replace(PORT, port)]
        elif language == "text" and not name:
            expected[marks[-1]] = text
        elif language == "python":
            script.append(f"{sys.executable} - <<'END'\n{text}END")
        elif name:
            (tmp_path / name).write_text(text, "utf-8")
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    run = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    printed = dict(re.findall(r"<<(\d+)>>\n(.*?)(?=<<\d+>>\n|\Z)", run.stdout, re.S))
    faults = {number: shown(text, printed[str(number)]) for number, text in expected.items()}
    assert {number: fault for number, fault in faults.items() if fault} == {}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_is_on_the_list(guide):
    assert f"({guide.name})" in (HOME / "README.md").read_text("utf-8")
