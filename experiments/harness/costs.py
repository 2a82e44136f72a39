"""Measure commands, ours and those of other parsers: CPU seconds, peak memory, throughput in steady state.

A :class:`Tool` is a parser as two commands, one that trains and one that parses. Every command runs in a process of its
own with one thread.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple

from ...parser.base.errors import CrossarcError
from ...parser.treebank import Sentence, atomic_output, conll_text

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024
CONLLX = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
LAUNCHER = """
import json, resource, subprocess, sys, time
begin = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss]))
sys.exit(status)
"""
"""A small process that starts the command: a process begins with the peak memory of the one that it was forked from."""
UDPIPE = """
import sys
from pathlib import Path
from ufal import udpipe
mode, model, source, target, options = sys.argv[1:]
error, none, text = udpipe.ProcessingError(), udpipe.Pipeline.NONE, Path(source).read_text("utf-8")
if mode == "train":
    reader, sentences, sentence = udpipe.InputFormat.newConlluInputFormat(), udpipe.Sentences(), udpipe.Sentence()
    reader.setText(text)
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    made = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), none, none, options, error)
    Path(model).write_bytes(made)
else:
    parser = udpipe.Model.load(model) or sys.exit(f"{model}: UDPipe cannot load it")
    parsed = udpipe.Pipeline(parser, "conllu", none, udpipe.Pipeline.DEFAULT, "conllu").process(text, error)
    Path(target).write_text(parsed, "utf-8")
sys.exit(error.message if error.occurred() else 0)
"""
"""Trains a parser alone, and parses with the tags that are given."""


class Cost(NamedTuple):
    """Of a command and all processes that it starts: CPU seconds (user and system), elapsed seconds, and the peak
    memory of the largest process in MB."""

    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True)
class Tool:
    """A parser as commands.

    train: from (treebank, model); parse: from (model, file, parsed file). model: the file that training writes, by the
    path that the commands take. conllx: whether the files are CoNLL-X instead of CoNLL-U.
    """

    name: str
    train: Callable[[Path, Path], list[str]]
    parse: Callable[[Path, Path, Path], list[str]]
    model: Callable[[Path], Path] = lambda path: path
    conllx: bool = False


def cost(command: Sequence[str], environment: Mapping[str, str] = {}) -> Cost:
    """Run a command with additions to the environment. Raises CrossarcError with its last line if it fails."""
    own = {**os.environ, **dict.fromkeys(THREADS, "1"), **environment}
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *command]
    with Popen(launcher, env=own, stdout=PIPE, stderr=PIPE, text=True, errors="replace") as process:
        printed, said = process.communicate()
    if process.returncode:
        raise CrossarcError(f"{shlex.join(command)[:200]}: {(said.strip() or 'no message').splitlines()[-1]}")
    cpu, wall, memory = json.loads(printed)
    return Cost(cpu, wall, memory * BYTES_PER_UNIT / 1e6)


def throughput(once: tuple[int, Cost], many: tuple[int, Cost]) -> float | None:
    """Tokens per CPU second in steady state, from the (tokens, cost) of a file and of many copies of it.

    Start-up, which both have, does not count. None where noise hides the difference.
    """
    seconds = many[1].cpu - once[1].cpu
    return (many[0] - once[0]) / seconds if seconds > 0 else None


def write_conll(sentences: Iterable[Sentence], path: Path, copies: int = 1, *, conllx: bool = False) -> None:
    """Write copies of the sentences as they are, or as CoNLL-X: words alone, without ranges and comments."""
    text = "".join(map(_conllx if conllx else conll_text, sentences)).encode()
    with atomic_output(path) as out:
        for _ in range(copies):
            out.write(text)


def crossarc(config: str, settings: Sequence[str] = ()) -> Tool:
    """Our command line with a config and values of its keys."""
    program = [sys.executable, "-m", "crossarc"]
    changes = [word for setting in settings for word in ("--set", setting)]

    def train(treebank: Path, model: Path) -> list[str]:
        return [*program, "train", config, "-q", "--train", str(treebank), "--model", str(model), *changes]

    def parse(model: Path, source: Path, target: Path) -> list[str]:
        return [*program, "parse", "-q", str(model), str(source), "-o", str(target)]

    return Tool(config, train, parse)


def maltparser(jar: str, options: Sequence[str] = ("-l", "liblinear", "-a", "stackproj")) -> Tool:
    """MaltParser, by default arc-standard with LIBLINEAR over its default features. Needs Java on the path.

    Raises CrossarcError if the jar does not exist.
    """
    if not Path(jar).is_file():
        raise CrossarcError(f"{jar}: no such file; name MaltParser's jar, e.g. maltparser-1.9.2.jar")

    def command(mode: str, model: Path, *words: str) -> list[str]:
        home = ["-w", str(model.absolute().parent), "-c", model.name]
        return ["java", "-Xmx8g", "-jar", jar, *home, "-m", mode, *words]

    return Tool(
        "MaltParser",
        lambda treebank, model: command("learn", model, "-i", str(treebank), *options),
        lambda model, source, target: command("parse", model, "-i", str(source), "-o", str(target)),
        lambda model: model.with_name(f"{model.name}.mco"),
        conllx=True,
    )


def udpipe(options: str = "") -> Tool:
    """UDPipe 1, by default with its own settings. Raises CrossarcError without the package ``ufal.udpipe``."""
    try:
        import_module("ufal.udpipe")
    except ImportError as error:
        raise CrossarcError("UDPipe is not installed; install it with: pip install ufal.udpipe") from error
    program = [sys.executable, "-c", UDPIPE]
    return Tool(
        "UDPipe",
        lambda treebank, model: [*program, "train", str(model), str(treebank), "", options],
        lambda model, source, target: [*program, "parse", str(model), str(source), str(target), ""],
    )


def _conllx(sentence: Sentence) -> str:
    names = sentence.format.index
    columns = [sentence.column(name) if name in names else ("_",) * len(sentence) for name in CONLLX]
    rows = enumerate(zip(*columns, strict=True), 1)
    return "".join("\t".join([str(number), *row, "_", "_"]) + "\n" for number, row in rows) + "\n"
