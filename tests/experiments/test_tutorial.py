"""Tutorial: its commands run in the order of the page, and they draw the pictures on the page."""

import re
import shlex
from pathlib import Path

import crossarc
import pytest
from crossarc.__main__ import main
from crossarc.transitions.trees import nonprojective_arcs

HOME = Path(crossarc.__file__).parent / "experiments" / "tutorial"
PAGE = (HOME / "README.md").read_text("utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.M)[1:]
WITHOUT_TRAINING = ("A treebank", "Trees", "Derivations")
DRAWN = {"tree.svg": "trees", "step.svg": "steps", "arc-length.svg": "charts"}
"""The folder that the commands write each picture to."""


def follow(sections):
    """Run the commands and Python examples of sections, and write their files, in the working directory."""
    for section in sections:
        for language, text in re.findall(r"^```(\w+)\n(.*?)^```", section, re.M | re.S):
            if language == "sh":
                for line in text.splitlines():
                    program, *words = shlex.split(line)
                    assert program == "crossarc"
                    assert main(words) == 0, line
            elif language in ("yaml", "text"):
                (name,) = re.findall(r"Save (?:this )?as `([\w.]+)`", section)
                Path(name).write_text(text, "utf-8")
            else:
                exec(compile(text, "tutorial", "exec"), {})


def drawn(folder):
    return [path.read_text("utf-8") for path in sorted(Path(folder).glob("*.svg"))]


def test_sections_without_training_draw_their_pictures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    follow([section for section in SECTIONS if section.startswith(WITHOUT_TRAINING)])
    for picture in ("tree.svg", "step.svg"):
        assert (HOME / "charts" / picture).read_text("utf-8") in drawn(DRAWN[picture])
    assert "<html" in Path("steps.html").read_text("utf-8")
    compared = re.findall(r"show test.conllu --id (\d+) --derivation", PAGE)
    assert compared
    trees = crossarc.read_treebank("test.conllu").sentences
    assert all(any(nonprojective_arcs(trees[int(number) - 1].heads())) for number in compared)


@pytest.mark.slow
def test_all_sections_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    follow(SECTIONS)
    out = capsys.readouterr().out
    assert re.search(r"^LAS \d\d\.\d\d, crossing arcs: P \d+\.\d, R \d+\.\d$", out, re.M)
    assert {path.name for path in Path().glob("*.html")} == {"trees.html", "steps.html", "report.html", "errors.html"}
    assert "arc-length.svg" in {path.name for path in Path("charts").iterdir()}


def test_every_picture_is_on_the_page_and_drawn_by_a_command():
    shown = re.findall(r"\]\(charts/([\w.-]+)\)", PAGE)
    assert sorted(shown) == sorted(DRAWN) == sorted(path.name for path in (HOME / "charts").iterdir())
    assert [folder for folder in DRAWN.values() if not re.search(rf" -o {folder}$", PAGE, re.M)] == []
