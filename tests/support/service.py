"""A service in a separate process, and requests to it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import crossarc

TAGGED = "tagged.model"


class Service(NamedTuple):
    process: subprocess.Popen[str]
    port: int
    model: Path
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def start(model: Path, log: Path, *options: object, others: Sequence[Path] = ()) -> Service:
    command = [sys.executable, "-m", "crossarc", "serve", model, *others, "--port", 0, *options]
    with log.open("w") as stream:
        process = subprocess.Popen([*map(str, command)], stderr=stream, text=True)
    for _ in range(600):
        lines = log.read_text().splitlines()
        if lines and lines[0].startswith("{"):
            return Service(process, int(json.loads(lines[0])["listening"].rpartition(":")[2]), model, log)
        if process.poll() is not None:
            break
        time.sleep(0.1)
    process.kill()
    process.wait()
    raise AssertionError(f"the service did not start: {log.read_text()}")


def ask(service: Service, path: str, body: bytes | None = None, kind: str = "") -> tuple[int, str]:
    request = urllib.request.Request(service.address + path, body, {"Content-Type": kind} if kind else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def form(**fields: str) -> bytes:
    return urllib.parse.urlencode(fields).encode()


def expected(service: Service, text: str) -> str:
    return "".join(
        map(crossarc.parser.treebank.conll_text, crossarc.open_parser(service.model).parse(sentences_of(text)))
    )


def sentences_of(text: str) -> Iterator[crossarc.Sentence]:
    return crossarc.read_sentences(StringIO(text))
