"""``crossarc parse --stream``: a process that answers each sentence before the next one is sent."""

import gzip
import os
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from command_line import conllu, run, without_trees


@pytest.mark.usefixtures("here")
def test_each_sentence_is_answered_before_the_next_is_sent():
    sentences = [without_trees(conllu(50 + number, 1)) for number in range(3)]
    Path("all").write_text("".join(sentences))
    run("-q", "parse", "m", "all", "-o", "parsed")
    command = [sys.executable, "-m", "crossarc", "parse", "m", "-", "--stream"]
    pipe, numpy = subprocess.PIPE, {**os.environ, "CROSSARC_KERNEL": "numpy"}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=numpy) as process:
        lines = Queue()
        Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()
        answers = b""
        for sentence in sentences:
            process.stdin.write(sentence.encode())
            process.stdin.flush()
            while (line := lines.get(timeout=60)) != b"\n":
                answers += line
            answers += line
        process.stdin.close()
        assert process.wait(30) == 0
    assert answers == Path("parsed").read_bytes()


def test_streamed_trees_are_written_to_a_file(here):
    assert run("-q", "parse", "m", "test.conllu", "-o", "whole") == 0
    assert run("-q", "parse", "m", "test.conllu", "--stream", "-o", "streamed") == 0
    assert Path("streamed").read_bytes() == Path("whole").read_bytes()
    assert run("-q", "parse", "m", "test.conllu", "--stream", "-o", "streamed.gz") == 0
    assert gzip.decompress(Path("streamed.gz").read_bytes()) == Path("whole").read_bytes()
