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
from crossarc.transitions.trees import nonprojective_arcs

HOME = Path(crossarc.__file__).parent / "experiments" / "guides"
GUIDES = sorted(path for path in HOME.glob("*.md") if re.search(r"^```sh$", path.read_text("utf-8"), re.M))
BLOCK = re.compile(r"(?:[Ss]ave (?:this )?as `([\w.]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)
PORT = "8001"
SLOW = {"blending", "comparing", "large", "own_text", "rounds", "serving", "tutorial"}
DRAWN = {"tree.svg": "trees", "step.svg": "steps", "arc-length.svg": "charts"}
"""The folder that the commands of the tutorial write each picture to."""
needs_shell = pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="runs commands of a shell")
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


def follow(page, folder):
    """Run the commands of a page in a folder; return by block what it shows, and what was printed."""
    port = free_port()
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
            (folder / name).write_text(text, "utf-8")
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    run = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    return expected, dict(re.findall(r"<<(\d+)>>\n(.*?)(?=<<\d+>>\n|\Z)", run.stdout, re.S))


@needs_shell
@pytest.mark.parametrize(
    "guide", [pytest.param(guide, marks=[pytest.mark.slow] * (guide.stem in SLOW), id=guide.stem) for guide in GUIDES]
)
def test_a_guide_prints_what_it_shows(guide, tmp_path):
    expected, printed = follow(guide.read_text("utf-8"), tmp_path)
    faults = {number: shown(text, printed[str(number)]) for number, text in expected.items()}
    assert {number: fault for number, fault in faults.items() if fault} == {}
    if guide.stem == "tutorial":
        pages = {path.name for path in tmp_path.glob("*.html")}
        assert pages == {"trees.html", "steps.html", "report.html", "errors.html"}
        of_python = r"^LAS \d\d\.\d\d, crossing arcs: P \d+\.\d, R \d+\.\d$"
        assert re.search(of_python, "".join(printed.values()), re.M)
        assert "arc-length.svg" in {path.name for path in (tmp_path / "charts").iterdir()}


@pytest.mark.slow
@needs_shell
def test_the_pictures_of_the_tutorial_are_drawn_by_its_commands(tmp_path):
    """Those that need no training; the sentences whose derivations are compared have crossing arcs."""
    page = (HOME / "tutorial.md").read_text("utf-8")
    sections = re.split(r"^## ", page, flags=re.M)[1:]
    follow("".join(text for text in sections if text.startswith(("A treebank", "Trees", "Derivations"))), tmp_path)
    for picture in ("tree.svg", "step.svg"):
        drawn = [path.read_text("utf-8") for path in (tmp_path / DRAWN[picture]).glob("*.svg")]
        assert (HOME / "charts" / picture).read_text("utf-8") in drawn
    assert "<html" in (tmp_path / "steps.html").read_text("utf-8")
    trees = crossarc.read_treebank(str(tmp_path / "test.conllu")).sentences
    compared = re.findall(r"show test.conllu --id (\d+) --derivation", page)
    assert compared
    assert all(any(nonprojective_arcs(trees[int(number) - 1].heads())) for number in compared)


def test_every_picture_is_on_the_tutorial_and_drawn_by_a_command():
    page = (HOME / "tutorial.md").read_text("utf-8")
    pictures = re.findall(r"\]\(charts/([\w.-]+)\)", page)
    assert sorted(pictures) == sorted(DRAWN) == sorted(path.name for path in (HOME / "charts").iterdir())
    assert [folder for folder in DRAWN.values() if not re.search(rf" -o {folder}$", page, re.M)] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_is_on_the_list(guide):
    assert f"({guide.name})" in (HOME / "README.md").read_text("utf-8")
