"""Measurement of commands, ours and those of other parsers: CPU seconds, peak memory, throughput in steady state.

A :class:`Tool` is a parser as two commands, one for training and one for parsing. Every command runs in a separate
process with one thread.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import yaml

from ...parser.base import __version__
from ...parser.base.errors import CrossarcError, choices
from ...parser.config.config import FILES_OF_TRAINING, ParserConfig
from ...parser.models.files import load_model
from ...parser.models.model import ParserModel
from ...parser.plugins.raw_text.raw_text import gold_text
from ...parser.treebank import Sentence, atomic_output, conll_text, format_of, write_sentences
from .runner import once_warm

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
GIVEN = {"gold": COLUMNS[:5], "words": ("form",)}
"""Columns of the file to parse: with gold tags, or only words."""
TEXT = "text"
"""Input of parsers that begin with raw text. Their training files are complete."""
Spec: TypeAlias = Mapping[str, Any]
"""A parser in the setting ``tools``: ``program``, ``inputs`` with the options for each input, and ``features``."""
PACKAGES = {"udpipe": "ufal.udpipe", "spacy": "spacy", "nltk": "nltk"}
"""Python packages of the parsers that ``programs.py`` runs."""
PROGRAMS = Path(__file__).with_name("programs.py")
JAR = "MALTPARSER"
"""Environment variable with the path of MaltParser's jar."""
LAUNCHER = """
import json, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss]))
sys.exit(status)
"""
"""A small process that starts the command.

A forked process begins with the peak memory of its parent, so this is small.
"""


class Cost(NamedTuple):
    """The cost of a command and of all processes that it starts.

    cpu: CPU seconds, user and system.
    memory: peak memory of the largest process in MB.
    """

    cpu: float
    memory: float


@dataclass(frozen=True)
class Tool:
    """A parser as commands.

    train: makes the command from (treebank, model), and perhaps a development treebank.
    parse: makes the command from (model, file, parsed file).

    All files of a model are in its folder, which contains nothing else.
    """

    train: Callable[..., list[str]]
    parse: Callable[[Path, Path, Path], list[str]]


def crossarc(config: str, *settings: str, raw: bool = False) -> Tool:
    """Our command line with a config and values of its keys; inner loops are compiled before its commands run.

    raw: the files to parse have raw text.
    """
    once_warm()
    program = [sys.executable, "-m", "crossarc"]
    changes = [word for setting in settings for word in ("--set", setting)]

    def train(treebank: Path, model: Path, _: Path | None = None) -> list[str]:
        return [*program, "train", config, "-q", "--train", str(treebank), "--model", str(model), *changes]

    def parse(model: Path, source: Path, target: Path) -> list[str]:
        files = [str(model), str(source), "-o", str(target)]
        return [*program, "parse", "-q", *files, *(["--format", "text"] if raw else [])]

    return Tool(train, parse)


def maltparser_jar() -> str:
    """The path of MaltParser's jar. Raises CrossarcError if the jar or Java is missing."""
    jar = os.environ.get(JAR, "")
    if not os.path.isfile(jar):
        raise CrossarcError(f"found no file {jar!r}; name MaltParser's jar in the environment variable {JAR}")
    if shutil.which("java") is None:
        raise CrossarcError("found no command java; install Java")
    return jar


def maltparser(options: str, features: str) -> Tool:
    """The commands of MaltParser, with options of its command line and features in its notation, one per line."""

    def command(mode: str, model: Path, *words: str) -> list[str]:
        home = ["-w", str(model.absolute().parent), "-c", model.name]
        # Training on Ancient_Greek-AGDT with extended features needs 14.8 GB.
        return ["java", "-Xmx18g", "-jar", os.environ[JAR], *home, "-m", mode, *words]

    def train(treebank: Path, model: Path, _: Path) -> list[str]:
        more = []
        if features:
            file = model.with_name("features.xml")
            lines = "".join(f"<feature>{line}</feature>\n" for line in features.splitlines())
            file.write_text(f"<featuremodels><featuremodel>\n{lines}</featuremodel></featuremodels>\n", "utf-8")
            more = ["-F", str(file)]
        return command("learn", model, "-i", str(treebank), *shlex.split(options), *more)

    return Tool(train, lambda model, source, target: command("parse", model, "-i", str(source), "-o", str(target)))


def make_tool(spec: Spec, input_kind: str, language: str) -> Tool:
    """The commands of a tool.

    spec: entry of the setting ``tools``.
    input_kind: ``gold`` (with gold tags), ``words`` or ``text`` (raw text).
    language: of the treebank, as spaCy names it ("": none).
    """
    options = str(spec["inputs"][input_kind])
    if spec["program"] == "crossarc":
        return crossarc(*shlex.split(options), raw=input_kind == TEXT)
    if spec["program"] == "maltparser":
        return maltparser(options, str(spec.get("features", "")))
    if spec["program"] == "spacy":
        options = f"{language or 'xx'} {options}"
    program = [sys.executable, str(PROGRAMS), spec["program"]]
    return Tool(
        lambda treebank, model, dev: [*program, "train", str(model), str(treebank), str(dev), input_kind, options],
        lambda model, source, target: [*program, "parse", str(model), str(source), str(target), input_kind, options],
    )


def found_version(spec: Spec) -> str:
    """The version of a tool. spec: entry of the setting ``tools``. Raises CrossarcError if it is not installed."""
    program = spec["program"]
    if program == "crossarc":
        return __version__
    if program == "maltparser":
        return os.path.basename(maltparser_jar())
    if program not in PACKAGES:
        raise CrossarcError(f"program {choices(program, ['crossarc', 'maltparser', *PACKAGES])}")
    try:
        return version(PACKAGES[program])
    except PackageNotFoundError as error:
        raise CrossarcError(f"is not installed; install it with: pip install {PACKAGES[program]}") from error


def missing(spec: Spec) -> str:
    """The reason why a tool cannot be used; "" if it can be used."""
    try:
        found_version(spec)
    except CrossarcError as error:
        return str(error)
    return ""


def cost(command: Sequence[str], environment: Mapping[str, str] = {}) -> Cost:
    """Run a command with additions to the environment. Raises CrossarcError with its last line if it fails."""
    variables = {**os.environ, **dict.fromkeys(THREADS, "1"), **environment}
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *command]
    with Popen(launcher, env=variables, stdout=PIPE, stderr=PIPE, text=True, errors="replace") as process:
        printed, said = process.communicate()
    if process.returncode:
        raise CrossarcError(f"{shlex.join(command)[:200]}: {(said.strip() or 'no message').splitlines()[-1]}")
    cpu, memory = json.loads(printed)
    return Cost(cpu, memory * BYTES_PER_UNIT / 1e6)


def trained_apart(
    config: str | ParserConfig,
    sentences: Iterable[Sentence],
    dev: Iterable[Sentence] = (),
    settings: Sequence[str] = (),
) -> tuple[ParserModel, dict[str, float | None]]:
    """A parser that is trained in a separate process, and its cost.

    config: a config, or the name of a ready config or level.
    dev: development sentences (empty: none).
    settings: values of keys, as on the command line.

    The cost has CPU seconds (``cpu``), peak memory in MB (``megabytes``) and size of the model in MB (``size``).
    """
    trained = list(sentences)
    with TemporaryDirectory(prefix="crossarc-") as folder:
        train, held_out, described, model = (Path(folder, file) for file in ("train", "dev", "config.yaml", "model"))
        write_sentences(trained, str(train))
        if held := list(dev):
            write_sentences(held, str(held_out))
            settings = [*settings, f"treebank.dev={held_out}"]
        if isinstance(config, ParserConfig):
            described.write_text(yaml.safe_dump(_document(config)), "utf-8")
            config = str(described)
        spent = cost(crossarc(config, *settings).train(train, model))
        size = model.stat().st_size / 1e6
        return load_model(str(model)), {"cpu": spent.cpu, "megabytes": spent.memory, "size": size}


def _document(config: ParserConfig) -> dict[str, Any]:
    """The config as it stands in a file, with absolute paths of the files that it reads beside the treebank."""
    values = config.to_json()
    values["treebank"]["decided"] = config.treebank.decided
    for name in (*FILES_OF_TRAINING, "features", "passes", "tag_features", "lemma_features", "constraints"):
        value = getattr(config, name, "")
        if isinstance(value, tuple) and value:
            values[name] = list(map(os.path.abspath, value))
        elif value and (name in FILES_OF_TRAINING or value.endswith(".yaml")):
            values[name] = os.path.abspath(value)
    return values


def throughput(once: tuple[int, Cost], many: tuple[int, Cost]) -> float | None:
    """Tokens per CPU second in steady state, from the (tokens, cost) of a file and of many copies of it.

    The difference of the two removes start-up costs. None if noise exceeds the difference.
    """
    seconds = many[1].cpu - once[1].cpu
    return (many[0] - once[0]) / seconds if seconds > 0 else None


def write_training(input_kind: str, sentences: Iterable[Sentence], file: Path) -> None:
    """Write sentences as a file to train on; for raw text they are complete."""
    if input_kind == TEXT:
        write_sentences(sentences, str(file))
    else:
        write_conll(sentences, file, columns=COLUMNS)


def write_input(input_kind: str, sentences: Sequence[Sentence], file: Path, copies: int = 1) -> None:
    """Write copies of sentences as the file to parse."""
    if input_kind == TEXT:
        file.write_text(f"{gold_text(sentences).text}\n\n" * copies, "utf-8")
    else:
        write_conll(sentences, file, copies, columns=GIVEN[input_kind])


def write_conll(sentences: Iterable[Sentence], path: Path, copies: int = 1, *, columns: Collection[str]) -> None:
    """Write copies of the sentences in the ten columns that CoNLL-X and CoNLL-U share, without ranges and comments.

    columns: the columns that are written; others are empty, and heads are 0.
    """
    text = "".join(conll_text(with_columns(sentence, columns)) for sentence in sentences).encode()
    with atomic_output(path) as out:
        for _ in range(copies):
            out.write(text)


def with_columns(sentence: Sentence, wanted: Collection[str] = COLUMNS) -> Sentence:
    """The sentence as CoNLL-U with some of its columns, without ranges and comments."""
    n, conllu = len(sentence), format_of("conllu")
    known = {name: sentence.column(name) for name in wanted if name in sentence.format.index}
    columns = {"id": tuple(map(str, range(1, n + 1))), "head": ("0",) * n, **known}
    return Sentence(conllu, tuple(columns.get(name, ("_",) * n) for name in conllu.names))
