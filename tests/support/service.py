"""A service in a separate process, and requests to it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import crossarc

TAGGED = "tagged.model"


class Service(NamedTuple):
    process: subprocess.Popen[str]
    address: str
    model: Path
    log: Path

    @property
    def port(self) -> int:
        return urllib.parse.urlsplit(self.address).port or 0


def start(
    model: Path, log: Path, *options: object, others: Sequence[Path] = (), limit: Callable[[], None] | None = None
) -> Service:
    """Start a service. limit: is called in its process before, to limit its resources."""
    command = [sys.executable, "-m", "crossarc", "serve", model, *others, "--port", 0, *options]
    with log.open("w") as stream:
        process = subprocess.Popen([*map(str, command)], stderr=stream, text=True, preexec_fn=limit)
    for _ in range(1800):
        for line in log.read_text().splitlines():
            if '"listening"' in line:
                return Service(process, json.loads(line)["listening"], model, log)
        if process.poll() is not None:
            break
        time.sleep(0.1)
    process.kill()
    process.wait()
    raise AssertionError(f"the service did not start: {log.read_text()}")


def ask(service: Service, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> tuple[int, str]:
    request = urllib.request.Request(service.address + path, body, dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def form(**fields: str) -> bytes:
    return urllib.parse.urlencode(fields).encode()


def expected(service: Service, text: str) -> str:
    return "".join(map(crossarc.parser.treebank.conll_text, parser(service.model).parse(sentences_of(text))))


@cache
def parser(model: Path) -> crossarc.ParserModel:
    return crossarc.open_parser(model)


def sentences_of(text: str) -> Iterator[crossarc.Sentence]:
    return crossarc.read_sentences(StringIO(text))
