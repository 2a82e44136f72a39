"""A service under load: many clients at once, every answer checked, with clients that misbehave among them.

    python -m crossarc.experiments.load MODEL FILE [--clients 200] [--seconds 300]

It starts ``crossarc serve`` itself and says how many answers were lost, wrong or late, how its memory went, and its
throughput beside that of ``crossarc parse --jobs 1``, by the clock and by the processor's time. Each client keeps its
connection, as HTTP/1.1 has it. It needs the extra ``serve``, and Linux's /proc for memory and time.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..parser.models.files import load_model
from ..parser.models.pieces import PieceParser
from ..parser.models.workers import piece_size
from ..parser.treebank import conll_text, read_pieces, read_treebank

__all__ = ["main"]

HEAD = (
    "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    "Content-Length: {size}\r\n\r\n"
)
LEAST_SECONDS = 5
LEAST_BYTES = 2**24
"""What parsing in batch is measured for: of the processor, and of text at a time."""
LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
LONGEST = 2**22
LATE = 60.0
"""Seconds after which an answer counts as late: the service's own limit."""


@dataclass
class Tally:
    """What clients met. seconds: of each answer. cpu: seconds of the processor that the service took."""

    words: int = 0
    lost: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    cpu: float = 0.0


@dataclass(frozen=True)
class Question:
    """A stretch of sentences as a request, and the text that is the right answer.

    right: answers as they came over the wire, once they have been read and found right: the same bytes need not be read
    again.
    """

    request: bytes
    answer: str
    words: int
    right: set[bytes] = field(default_factory=set)

    def is_right(self, content: bytes) -> bool:
        if content not in self.right:
            if json.loads(content)["result"] != self.answer:
                return False
            self.right.add(content)
        return True


@dataclass(frozen=True)
class Speed:
    """Words per second of parsing in batch: of the clock, and of the processor."""

    wall: float
    cpu: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the load and print the report. Returns 1 if any answer was lost, wrong or late."""
    parser = argparse.ArgumentParser(prog="python -m crossarc.experiments.load", description=__doc__.split("\n", 1)[0])
    parser.add_argument("model")
    parser.add_argument("file", help="CoNLL file with the sentences that clients send")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args(arguments)
    questions = _questions(options.model, options.file)
    batch = _batch_speed(options.model, options.file)
    command = [sys.executable, "-m", "crossarc", "-q", "serve", options.model, "--port", str(port := _free_port())]
    with subprocess.Popen(command) as service:
        try:
            tally = asyncio.run(_run(questions, port, service.pid, options.clients, options.seconds))
        finally:
            service.send_signal(signal.SIGTERM)
    late = sum(seconds > LATE for seconds in tally.seconds)
    _report(tally, late, options.clients, options.seconds, batch)
    return int(bool(tally.lost or tally.wrong or late))


def _questions(model: str, path: str) -> list[Question]:
    """Stretches of 1 to 20 sentences."""
    sentences = read_treebank(path).sentences
    parsed = list(load_model(model).parse(sentences))
    chance = random.Random(1)
    questions = []
    first = 0
    while first < len(sentences):
        end = first + chance.randint(1, 20)
        text, answer = ("".join(map(conll_text, own[first:end])) for own in (sentences, parsed))
        body = urllib.parse.urlencode({"data": text, "parser": ""})
        request = (HEAD.format(path="/process", size=len(body)) + body).encode()
        questions.append(Question(request, answer, sum(map(len, sentences[first:end]))))
        first = end
    return questions


def _batch_speed(model: str, path: str) -> Speed:
    """Of ``crossarc parse --jobs 1`` once it runs: of the file as often as needed, without loading and writing."""
    data = Path(path).read_bytes()
    if not path.endswith(("gz", "xz")):
        data *= max(1, LEAST_BYTES // len(data))
    parse = PieceParser(load_model(model))
    parse.warm(list(read_pieces(io.BytesIO(data))))
    words = 0
    start, cpu = time.monotonic(), time.process_time()
    while time.process_time() - cpu < LEAST_SECONDS:
        for piece in read_pieces(io.BytesIO(data), size=piece_size("-", 1)):
            words += parse(piece).words
    return Speed(words / (time.monotonic() - start), words / (time.process_time() - cpu))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


async def _run(questions: Sequence[Question], port: int, process: int, clients: int, seconds: float) -> Tally:
    while True:
        try:
            (await asyncio.open_connection("127.0.0.1", port))[1].close()
            break
        except OSError:
            await asyncio.sleep(0.1)
    tally = Tally(cpu=-_cpu_seconds(process))
    end = time.monotonic() + seconds
    good = [_client(number, questions, port, end, tally) for number in range(clients)]
    bad = [_slow(port, end), _endless(port, end), _stopping(port, end)]
    await asyncio.gather(_watch(process, end, tally), *good, *bad)
    tally.cpu += _cpu_seconds(process)
    return tally


def _cpu_seconds(process: int) -> float:
    """What the process has taken so far, 0 where that cannot be known."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return 0.0
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _client(number: int, questions: Sequence[Question], port: int, end: float, tally: Tally) -> None:
    chance = random.Random(number)
    writer = None
    while time.monotonic() < end:
        question = chance.choice(questions)
        start = time.monotonic()
        try:
            if writer is None or writer.is_closing():
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LONGEST)
            writer.write(question.request)
            head = await reader.readuntil(b"\r\n\r\n")
            content = await reader.readexactly(int(LENGTH.findall(head)[0]))
        except (OSError, EOFError, IndexError):
            tally.lost += 1
            writer = None
            continue
        tally.seconds.append(time.monotonic() - start)
        if not head.startswith(b"HTTP/1.1 200 "):
            tally.lost += 1
        elif not question.is_right(content):
            tally.wrong += 1
        else:
            tally.words += question.words
    if writer is not None:
        writer.close()


async def _slow(port: int, end: float) -> None:
    """A client that sends a byte a second."""
    while time.monotonic() < end:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD.format(path="/process", size=1000).encode())
        while time.monotonic() < end and not reader.at_eof() and not writer.is_closing():
            writer.write(b"d")
            try:
                await asyncio.wait_for(reader.read(1), 1)
            except TimeoutError:
                continue
            break
        writer.close()


async def _endless(port: int, end: float) -> None:
    """A client that sends a gigabyte."""
    block = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    head = HEAD.replace("Content-Length: {size}", "Transfer-Encoding: chunked").format(path="/process")
    while time.monotonic() < end:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode())
        try:
            for _ in range(2**30 // len(block)):
                writer.write(block)
                await writer.drain()
        except OSError:
            await asyncio.sleep(1)
        writer.close()


async def _stopping(port: int, end: float) -> None:
    """A client that goes in mid-request."""
    while time.monotonic() < end:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD.format(path="/process", size=1000).encode() + b"data=")
        await asyncio.sleep(0.2)
        writer.transport.abort()


async def _watch(process: int, end: float, tally: Tally) -> None:
    """Note the service's resident memory in MB, ten times in all."""
    pause = max(0.1, (end - time.monotonic()) / 10)
    while time.monotonic() + pause / 2 < end:
        await asyncio.sleep(pause)
        status = Path(f"/proc/{process}/status")
        if status.exists():
            tally.memory.append(int(status.read_text().partition("VmRSS:")[2].split()[0]) / 1000)


def _report(tally: Tally, late: int, clients: int, seconds: float, batch: Speed) -> None:
    waited = sorted(tally.seconds) or [0.0]
    speed = tally.words / seconds
    answers = f"{len(tally.seconds)} answers, {tally.lost} lost, {tally.wrong} wrong, {late} late"
    print(f"{clients} clients, {seconds:.0f} s: {answers}")
    print(f"seconds until an answer: median {waited[len(waited) // 2]:.2f}, longest {waited[-1]:.2f}")
    print(f"words per second: {speed:.0f}, {speed / batch.wall:.2f} of crossarc parse ({batch.wall:.0f})")
    if tally.cpu:
        own = tally.words / tally.cpu
        print(f"words per CPU second: {own:.0f}, {own / batch.cpu:.2f} of crossarc parse ({batch.cpu:.0f})")
    print(f"memory of the service, MB: {' '.join(f'{own:.0f}' for own in tally.memory)}")


if __name__ == "__main__":
    sys.exit(main())
