"""Everything that the page says, measured in one run."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...parser.errors import CrossarcError
from ...parser.treebank import Sentence, checksum, read_sentences, read_treebank, write_sentences
from ..harness.results import versions
from .commands import Cost, Speed, cost, crossarc, peer_command, speed
from .material import parts_of, relabelled, repeated, with_batch_size, with_length, write_conllx
from .phases import phases, traffic

__all__ = ["FEATURES", "measured"]

FEATURES = ("arc-standard", "arc-standard-small")
KERNELS = {"numba": "numba", "numpy": "numpy"}
AS_USERS_DO = {"numba": "", "numpy": "numpy"}
"""In steady state compiled loops are loaded for short files, too; users' short files do without."""
BATCHES = (16, 64, 256, 1024)
LENGTHS = (5, 20, 80, 320, 1280)
LABELS = (1, 40, 160)
SHORT, LONG = 6_000, 200_000
"""Tokens of the files whose difference is the steady state: compiled code is loaded for the short one, too."""
FOR_JOBS = 250_000
FOR_LABELS = 1_500
"""Sentences that models with other labels, and the parsers of a blend, are trained on."""
BLEND = "six-parsers"
WARM = 50
"""Sentences that nothing is measured with."""


def measured(
    files: Mapping[str, str], most: int, peers: Mapping[str, str], tell: Callable[[str], None]
) -> dict[str, Any]:
    """Figures by what they are of. files: "train" and "test". most: tokens of the longest file for growth. peers: by
    name the command that parses {file} to {out}. tell: is told what is measured, a line at a time."""
    test = read_treebank(files["test"]).sentences
    with tempfile.TemporaryDirectory() as scratch:
        bench = _Bench(Path(scratch), test, tell)
        found: dict[str, Any] = {
            "machine": _machine(),
            "versions": versions(),
            "treebanks": {name: {"file": Path(file).name, "sha256": checksum(file)} for name, file in files.items()},
            "training": {},
            "features": {},
            "one sentence": {},
            "phases": {},
            "traffic": {},
        }
        tell("training on a few sentences, so that all modules are compiled")
        train = read_treebank(files["train"]).sentences
        write_sentences(train[:WARM], bench.path("train.conllu"))
        bench.train(FEATURES[1], bench.path("train.conllu"), bench.path("warm"))
        for config in FEATURES:
            tell(f"training {config}")
            model = bench.path(config)
            trained = bench.train(config, Path(files["train"]), model)
            found["training"][config] = {
                "cpu": trained.cpu,
                "memory": trained.memory,
                "model": os.path.getsize(model) / 1e6,
            }
            for name, kernel in KERNELS.items():
                bench.start(model, kernel)  # the first time code is compiled, and kept for all others
                found["features"].setdefault(config, {})[name] = bench.speed(model, kernel)._asdict()
                found["one sentence"].setdefault(config, {})[name] = bench.start(model, AS_USERS_DO[name])._asdict()
        rich, small = map(bench.path, FEATURES)
        found["batch"], found["length"], found["labels"] = {}, {}, {}
        for size in BATCHES:
            with_batch_size(str(rich), size, bench.path("batched"))
            found["batch"][size] = bench.speed(bench.path("batched"), like=rich)._asdict()
        for length in LENGTHS:
            found["length"][length] = bench.speed(rich, sentences=with_length(test, length, LONG))._asdict()
        for labels in LABELS:
            tell(f"training with {labels} labels")
            write_sentences(relabelled(train[:FOR_LABELS], labels), bench.path("train.conllu"))
            model = bench.path(f"{labels}-labels")
            bench.train(FEATURES[1], bench.path("train.conllu"), model)
            found["labels"][labels] = bench.speed(model, like=small)._asdict()
        found["blend"] = bench.blend(train[:FOR_LABELS])
        found["jobs"] = bench.jobs(rich)
        found["growth"] = {kernel: bench.growth(small, most, AS_USERS_DO[kernel]) for kernel in KERNELS}
        found["peers"] = {name: bench.peer(command) for name, command in peers.items()}
        for config in FEATURES:  # last: a command's peak memory is at least that of the process which starts it
            tell(f"phases of {config}")
            found["phases"][config] = phases(str(bench.path(config)), _first(test, LONG // 4))
            found["traffic"][config] = traffic(str(bench.path(config)), _first(test, LONG // 30))
    return found


def _machine() -> dict[str, Any]:
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
    }


def _first(sentences: Sequence[Sentence], tokens: int) -> list[Sentence]:
    found: list[Sentence] = []
    done = 0
    for sentence in sentences:
        if done >= tokens:
            break
        found.append(sentence)
        done += len(sentence)
    return found


class _Bench:
    """A folder to work in, with files of one sentence, some and many, of the test treebank."""

    def __init__(self, scratch: Path, test: Sequence[Sentence], tell: Callable[[str], None]) -> None:
        self._scratch = scratch
        self._test = test
        self._tell = tell
        self._start: dict[tuple[Path, str], Cost] = {}
        self._one, self._short, self._long = map(self.path, ("one.conllu", "short.conllu", "long.conllu"))
        sizes = {self._one: 1, self._short: SHORT, self._long: LONG}
        self._tokens = {file: repeated(test, size, file) for file, size in sizes.items()}

    def path(self, name: str) -> Path:
        return self._scratch / name

    def cost(self, command: Sequence[str], kernel: str = "") -> Cost:
        """Of a command, with Python's modules compiled as those of installed packages are."""
        return cost(command, kernel, self.path("bytecode"))

    def train(self, config: str, treebank: Path, model: Path) -> Cost:
        return self.cost(crossarc("train", config, "-q", "--train", treebank, "--model", model))

    def _parse(self, model: Path, file: Path, jobs: int = 1) -> list[str]:
        return crossarc("parse", "-q", "--jobs", jobs, model, file, "-o", self.path("out"))

    def speed(
        self, model: Path, kernel: str = "numba", sentences: Sequence[Sentence] | None = None, like: Path | None = None
    ) -> Speed:
        """Of the long file, or of sentences, without what the short one costs. like: a model that costs the same
        there."""
        self._tell(f"parsing with {model.name} {kernel}")
        alone = like or model
        if (alone, kernel) not in self._start:
            self._start[alone, kernel] = self.cost(self._parse(alone, self._short), kernel)
        file, tokens = self._long, self._tokens[self._long]
        if sentences is not None:
            file, tokens = self.path("other.conllu"), sum(map(len, sentences))
            write_sentences(sentences, file)
        taken = self.cost(self._parse(model, file), kernel)
        return speed((self._tokens[self._short], self._start[alone, kernel]), (tokens, taken))

    def start(self, model: Path, kernel: str) -> Cost:
        """Of one sentence."""
        self._tell(f"one sentence with {model.name} {kernel}")
        return self.cost(self._parse(model, self._one), kernel)

    def blend(self, treebank: Sequence[Sentence]) -> dict[str, dict[str, float | None]]:
        """Tokens a CPU second of a parser, of each part of a blend alone, and of the blend, with each kernel."""
        write_sentences(treebank, self.path("train.conllu"))
        models = {FEATURES[0]: self.path("one"), BLEND: self.path(BLEND)}
        for config, model in models.items():
            self._tell(f"training {config} on {len(treebank)} sentences")
            self.train(config, self.path("train.conllu"), model)
        parts = {f"its part {name}": path for name, path in parts_of(models[BLEND], self._scratch).items()}
        models = {FEATURES[0]: models[FEATURES[0]], **parts, BLEND: models[BLEND]}
        return {name: {kernel: self.speed(model, kernel).cpu for kernel in KERNELS} for name, model in models.items()}

    def jobs(self, model: Path) -> dict[int, dict[str, float]]:
        """What one process and several take for the same file."""
        file = self.path("jobs.conllu")
        tokens = repeated(self._test, FOR_JOBS, file)
        found = {}
        for jobs in (1, 2, 4)[: 1 + (os.cpu_count() or 1) // 2]:
            self._tell(f"parsing with {jobs} jobs")
            found[jobs] = {**self.cost(self._parse(model, file, jobs))._asdict(), "tokens": tokens}
        return found

    def growth(self, model: Path, most: int, kernel: str) -> list[dict[str, float]]:
        """What files of ten times as many tokens cost, again and again."""
        found = []
        size = 1000
        while size <= most:
            self._tell(f"parsing {size} tokens {kernel}")
            tokens = repeated(self._test, size, self.path("growth.conllu"))
            taken = self.cost(self._parse(model, self.path("growth.conllu")), kernel)
            found.append({"tokens": tokens, **taken._asdict()})
            size *= 10
        return found

    def peer(self, command: str) -> dict[str, Any]:
        """Raises CrossarcError for a command without {file} or {conllx}."""
        if "{file}" not in command and "{conllx}" not in command:
            expected = "a command with {file} or {conllx}, and {out} if it writes one"
            raise CrossarcError(f"--peer: found {command!r}; expected {expected}")
        costs = []
        for file in (self._short, self._long):
            words = file.with_suffix(".conll")
            write_conllx(read_sentences(file), words)
            costs.append(self.cost(peer_command(command, str(file), str(self.path("peer.out")), str(words))))
        found = speed((self._tokens[self._short], costs[0]), (self._tokens[self._long], costs[1]))
        return {**found._asdict(), "command": command}
