"""Parsing words alone: one sentence, or one word, per line."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from command_line import run
from crossarc.parser.treebank import read_sentences


def test_both_formats_give_what_empty_columns_give(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From files and pipes, in one piece and sentence by sentence."""
    sentences = [own.column("form") for own in read_sentences("test.conllu")]
    rows = (
        "".join(f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_\n" for number, word in enumerate(own, 1))
        for own in sentences
    )
    inputs = {
        "auto": "\n".join(rows) + "\n",
        "words": "".join(f"{' '.join(own)}\n" for own in sentences),
        "vertical": "\n".join("".join(f"{word}\n" for word in own) for own in sentences),
    }
    found = set()
    for format, text in inputs.items():
        Path("in").write_text(text, "utf-8")
        for options in (["in", "-o", "out"], ["in", "-o", "out", "--jobs", "2"], [], ["--stream"]):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            assert run("parse", "-q", "m", *options, "--format", format, "--allow-empty-columns") == 0
            out, err = capfdbinary.readouterr()
            assert b"warning: the input has no tags" in err
            found.add(out or Path("out").read_bytes())
    (parsed,) = found
    assert [own.column("form") for own in read_sentences(io.BytesIO(parsed))] == sentences


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_words_without_tags_are_refused(here: Path, capsys: pytest.CaptureFixture[str], stream: list[str]) -> None:
    Path("in").write_text("A dog barks\n")
    assert run("parse", "-q", "m", "in", "--format", "words", *stream) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("crossarc: the input has no tags, but the model reads XPOS; ")
