"""A service under load: many clients at once, every answer checked, with clients that misbehave among them.

    python -m crossarc.experiments.load MODEL FILE [--clients 200] [--seconds 300]

It starts ``crossarc serve`` itself and says how many answers were lost, wrong or late, how its memory went, and
its throughput beside that of parsing the file in one go. It needs the extra ``serve``, and Linux's /proc for memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
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
from ..parser.treebank import conll_text, read_treebank

__all__ = ["main"]

HEAD = (
    "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    "Connection: close\r\nContent-Length: {size}\r\n\r\n"
)
LATE = 60.0
"""Seconds after which an answer counts as late: the service's own limit."""


@dataclass
class Tally:
    """What clients met. seconds: of each answer."""

    words: int = 0
    lost: int = 0
    wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Question:
    """A stretch of sentences, and the text that is the right answer."""

    text: str
    answer: str
    words: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the load and print the report. Returns 1 if any answer was lost, wrong or late."""
    parser = argparse.ArgumentParser(prog="python -m crossarc.experiments.load", description=__doc__.split("\n", 1)[0])
    parser.add_argument("model")
    parser.add_argument("file", help="CoNLL file with the sentences that clients send")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args(arguments)
    questions, batch_speed = _questions(options.model, options.file)
    command = [sys.executable, "-m", "crossarc", "-q", "serve", options.model, "--port", str(port := _free_port())]
    with subprocess.Popen(command) as service:
        try:
            tally = asyncio.run(_run(questions, port, service.pid, options.clients, options.seconds))
        finally:
            service.send_signal(signal.SIGTERM)
    late = sum(seconds > LATE for seconds in tally.seconds)
    _report(tally, late, options.clients, options.seconds, batch_speed)
    return int(bool(tally.lost or tally.wrong or late))


def _questions(model: str, path: str) -> tuple[list[Question], float]:
    """(stretches of 1 to 20 sentences, words per second of parsing the whole file)."""
    parser = load_model(model)
    sentences = read_treebank(path).sentences
    list(parser.parse(sentences[:50]))  # whatever is compiled is compiled now
    start = time.monotonic()
    parsed = list(parser.parse(sentences))
    speed = sum(map(len, sentences)) / (time.monotonic() - start)
    chance = random.Random(1)
    questions = []
    first = 0
    while first < len(sentences):
        end = first + chance.randint(1, 20)
        text, answer = ("".join(map(conll_text, own[first:end])) for own in (sentences, parsed))
        questions.append(Question(text, answer, sum(map(len, sentences[first:end]))))
        first = end
    return questions, speed


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
    tally = Tally()
    end = time.monotonic() + seconds
    good = [_client(number, questions, port, end, tally) for number in range(clients)]
    bad = [_slow(port, end), _endless(port, end), _stopping(port, end)]
    await asyncio.gather(_watch(process, end, tally), *good, *bad)
    return tally


async def _client(number: int, questions: Sequence[Question], port: int, end: float, tally: Tally) -> None:
    chance = random.Random(number)
    while time.monotonic() < end:
        question = chance.choice(questions)
        body = urllib.parse.urlencode({"data": question.text, "parser": ""})
        start = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write((HEAD.format(path="/process", size=len(body)) + body).encode())
            answer = await reader.read(-1)
            writer.close()
        except OSError:
            tally.lost += 1
            continue
        tally.seconds.append(time.monotonic() - start)
        head, _, content = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            tally.lost += 1
        elif json.loads(content)["result"] != question.answer:
            tally.wrong += 1
        else:
            tally.words += question.words


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


def _report(tally: Tally, late: int, clients: int, seconds: float, batch_speed: float) -> None:
    waited = sorted(tally.seconds) or [0.0]
    speed = tally.words / seconds
    answers = f"{len(tally.seconds)} answers, {tally.lost} lost, {tally.wrong} wrong, {late} late"
    print(f"{clients} clients, {seconds:.0f} s: {answers}")
    print(f"seconds until an answer: median {waited[len(waited) // 2]:.2f}, longest {waited[-1]:.2f}")
    print(f"words per second: {speed:.0f}, {speed / batch_speed:.2f} of parsing the file in one go ({batch_speed:.0f})")
    print(f"memory of the service, MB: {' '.join(f'{own:.0f}' for own in tally.memory)}")


if __name__ == "__main__":
    sys.exit(main())
