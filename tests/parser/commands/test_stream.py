"""``parse --stream``: a co-process that answers each sentence before the next one comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from command_line import TEMPLATES, conllu, few, run, without_trees


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stream")
    (folder / "few.yaml").write_text(TEMPLATES)
    (folder / "train.conllu").write_text(conllu(1, 40))
    run("-q", "train", "arc-standard", "--train", folder / "train.conllu", "--model", folder / "m", *few(folder))
    return folder / "m"


def test_each_sentence_is_answered_before_the_next_is_sent(model: Path, tmp_path: Path) -> None:
    sentences = [without_trees(conllu(50 + number, 1)) for number in range(3)]
    (tmp_path / "all").write_text("".join(sentences))
    run("-q", "parse", model, tmp_path / "all", "-o", tmp_path / "parsed")
    command = [sys.executable, "-m", "crossarc", "parse", str(model), "-", "--stream"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines: Queue[bytes] = Queue()
        Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()  # type: ignore[union-attr]
        answers = b""
        for sentence in sentences:
            process.stdin.write(sentence.encode())
            process.stdin.flush()
            while (line := lines.get(timeout=60)) != b"\n":
                answers += line
            answers += line
        process.stdin.close()
        assert process.wait(30) == 0
    assert answers == (tmp_path / "parsed").read_bytes()


def test_what_does_not_go_with_it(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "all").write_text(conllu(1, 1))
    assert run("parse", model, tmp_path / "all", "--stream", "--jobs", "2") == 1
    assert capsys.readouterr().err == (
        "crossarc: --stream: writes a tree at a time to standard output; allowed: without -o, --jobs, --k-best\n"
    )
