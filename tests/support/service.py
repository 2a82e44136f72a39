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
from contextlib import contextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

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


@contextmanager
def running(
    model: Path, log: Path, *options: object, others: Sequence[Path] = (), limit: Callable[[], None] | None = None
) -> Iterator[Service]:
    """A service during the block. limit: is called in its process before, to limit its resources."""
    command = [sys.executable, "-m", "crossarc", "serve", model, *others, "--port", 0, *options]
    with log.open("w") as stream:
        process = subprocess.Popen([*map(str, command)], stderr=stream, text=True, preexec_fn=limit)
    try:
        yield Service(process, _address(process, log), model, log)
    finally:
        process.kill()
        process.wait()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    """The address in the log, once it is there. Raises AssertionError if the process ends before."""
    for _ in range(1800):
        for line in log.read_text().splitlines():
            if '"listening"' in line:
                return str(json.loads(line)["listening"])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"the service did not start: {log.read_text()}")


def ask(service: Service, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> tuple[int, str]:
    request = urllib.request.Request(service.address + path, body, dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def answered(service: Service, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> Any:
    """The JSON of the answer to a request, which must succeed."""
    status, answer = ask(service, path, body, headers)
    assert status == 200, answer
    return json.loads(answer)


def form(**fields: str) -> bytes:
    return urllib.parse.urlencode(fields).encode()


def expected(service: Service, text: str) -> str:
    return "".join(map(crossarc.parser.treebank.conll_text, parser(service.model).parse(sentences_of(text))))


@cache
def parser(model: Path) -> crossarc.ParserModel:
    return crossarc.open_parser(model)


def sentences_of(text: str) -> Iterator[crossarc.Sentence]:
    return crossarc.read_sentences(StringIO(text))
