"""Comparison of crossarc with other parsers: all train on and parse the same files, and are measured the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from ....parser.base.errors import CrossarcError
from ....parser.evaluate.align import score_sentences
from ....parser.evaluate.conll18 import evaluate_conll18
from ....parser.treebank import checksum, read_sentences
from ...harness import Cell, Experiment, ExperimentTreebank, Json, Settings, TreebankPart
from ...harness.code_keys import without_comments
from ...harness.costs import (
    PROGRAMS,
    TEXT,
    Cost,
    Spec,
    cost,
    found_version,
    make_tool,
    missing,
    throughput,
    write_input,
    write_training,
)
from ...harness.parsing import make_cell
from ...harness.registry import ROOT
from ...harness.runner import is_finished

INSTALLED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Environment that lets Python store compiled modules, as it does for installed packages."""


def notes(settings: Settings) -> list[str]:
    """One line for each tool that is left out, with the reason."""
    left_out = {name: missing(spec) for name, spec in settings.values["tools"].items()}
    return [f"left out: {name}: {reason}" for name, reason in left_out.items() if reason]


def train_cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that train each tool, on the complete training set and on parts of it."""
    train, dev = treebank.part("train"), treebank.part("dev")
    cells = [
        _cell(treebank, row, "train", trained, replace(train, limit=row[2] or train.limit), dev)
        for row in _rows(treebank)
        if not missing(treebank.values["tools"][row[0]])
    ]
    return _wanted(treebank, cells)


def test_cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that score each model, and that measure the cost of parsing with models of complete training sets."""
    cells = []
    values, test = treebank.values, treebank.part("test")
    for row in _rows(treebank):
        name, _, size = row
        model = treebank.results.get(_name(treebank, row, "train"), {}).get("model")
        if model:
            cells.append(_cell(treebank, row, "score", scored, model, test))
            if size == _whole(treebank, name):
                copies = values["tools"][name].get("copies", values["copies"])
                more = (copies, values["repeats"], values["measurement"])
                cells.append(_cell(treebank, row, "speed", measured, model, test, *more))
    return _wanted(treebank, cells)


def trained(spec: Spec, input_kind: str, language: str, models: str, train: TreebankPart, dev: TreebankPart) -> Json:
    """Train a tool: the folder and size of the model, and the cost; or the reason of a ``failure``.

    spec: entry of the setting ``tools``.
    input_kind: input, a key of :data:`GIVEN` or :data:`TEXT`.
    language: of the treebank, "" if not set.
    models: folder for models of all tools.
    train, dev: sentences to train on, and to choose a model by.
    """
    Path(models).mkdir(parents=True, exist_ok=True)
    home = Path(mkdtemp(prefix=f"{spec['program']}-", dir=models))
    with TemporaryDirectory(prefix="crossarc-") as scratch:
        files = Path(scratch, "train.conllu"), Path(scratch, "dev.conllu")
        for part, file in zip((train, dev), files, strict=True):
            write_training(input_kind, part.sentences(), file)
        try:
            spent = cost(make_tool(spec, input_kind, language).train(files[0], home / "model", files[1]), INSTALLED)
        except CrossarcError as error:
            return {"failure": str(error)}
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    return {"model": home.name, "bytes": size, **spent._asdict()}


def scored(spec: Spec, input_kind: str, language: str, models: str, model: str, test: TreebankPart) -> Json:
    """LAS and UAS over all words; if only words are given, also the accuracy of tags. See :func:`trained`.

    From raw text, they are F1 as in the CoNLL 2018 shared task.
    """
    gold = list(test.sentences())
    with TemporaryDirectory(prefix="crossarc-") as scratch:
        source, target = Path(scratch, "test.conllu"), Path(scratch, "parsed.conllu")
        write_input(input_kind, gold, source)
        cost(make_tool(spec, input_kind, language).parse(Path(models, model, "model"), source, target), INSTALLED)
        parsed = list(read_sentences(str(target)))
    if input_kind == TEXT:
        f1 = evaluate_conll18(gold, parsed).f1
        return {"las": f1["LAS"], "uas": f1["UAS"]}
    scores = score_sentences(gold, parsed, breakdowns="no_punct")
    tags = scores.columns if input_kind == "words" else {}
    return {"las": scores.las, "uas": scores.uas, **{name: column.accuracy for name, column in tags.items()}}


def measured(
    spec: Spec,
    input_kind: str,
    language: str,
    models: str,
    model: str,
    test: TreebankPart,
    copies: int,
    repeats: int,
    _: int,
) -> Json:
    """Measure parsing from file to file.

    copies: copies of the test set in the large file.
    repeats: number of repetitions; medians count.
    Other parameters are those of :func:`trained`; the last one only makes the key of the cell different.

    The result has words per CPU second (``speed``; of crossarc also without numba, ``speed_numpy``), CPU seconds for
    one sentence (``start``), and peak memory in MB (``memory``).
    """
    gold, tool, home = list(test.sentences()), make_tool(spec, input_kind, language), Path(models, model, "model")
    words = sum(map(len, gold))
    with TemporaryDirectory(prefix="crossarc-") as scratch:
        first, once, many, target = (Path(scratch, f"{name}.conllu") for name in ("first", "once", "many", "parsed"))
        for file, sentences, number in ((first, gold[:1], 1), (once, gold, 1), (many, gold, copies)):
            write_input(input_kind, sentences, file, number)

        def run(file: Path, kernel: str) -> Cost:
            return cost(tool.parse(home, file, target), {**INSTALLED, "CROSSARC_KERNEL": kernel})

        def speed(kernel: str) -> tuple[float | None, float]:
            pairs = [(run(once, kernel), run(many, kernel)) for _ in range(repeats)]
            speeds = [throughput((words, short), (words * copies, long)) for short, long in pairs]
            known = [speed for speed in speeds if speed is not None]
            return median(known) if known else None, max(long.memory for _, long in pairs)

        ours = spec["program"] == "crossarc"
        fast = "numba" if ours and find_spec("numba") else ""
        if fast:
            run(once, fast)  # stores compiled code for later processes
        words_per_second, memory = speed(fast)
        slow = speed("numpy")[0] if ours else None
        start = median(run(first, "").cpu for _ in range(repeats))
    return {"speed": words_per_second, "speed_numpy": slow, "start": start, "memory": memory}


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """Measures by treebank, input and tool (``parsers``) and by number of training sentences (``growth``); failures."""
    parsers: dict[str, Any] = {}
    growth: dict[str, Any] = {}
    failures: dict[str, Json] = {}
    for treebank in treebanks:
        for row in _rows(treebank):
            name, input_kind, size = row
            train, score, speed = (treebank.results.get(_name(treebank, row, part), {}) for part in PARTS)
            if "failure" in train:
                failures[_name(treebank, row, "train")] = {"failure": train["failure"]}
            if size == _whole(treebank, name):
                parsers.setdefault(treebank.name, {}).setdefault(input_kind, {})[name] = {
                    **score,
                    **speed,
                    "train": train.get("cpu"),
                    "train_memory": train.get("memory"),
                    "model": train["bytes"] / 1e6 if "bytes" in train else None,
                }
            if treebank.values["tools"][name].get("growth"):
                points = growth.setdefault(treebank.name, {}).setdefault(f"{name}, {input_kind}", {})
                points[str(size or _sentences(treebank))] = {"las": score.get("las"), "train": train.get("cpu")}
    return {"parsers": parsers, "growth": growth, "failures": failures}


PARTS = ("train", "score", "speed")
Row = tuple[str, str, int]
"""(tool, input, number of training sentences (0: all))."""


def _rows(treebank: ExperimentTreebank) -> Iterator[Row]:
    for name, spec in treebank.values["tools"].items():
        for input_kind in spec["inputs"]:
            if spec.get("growth"):
                most = _whole(treebank, name) or _sentences(treebank)
                yield from ((name, input_kind, size) for size in treebank.values["sizes"] if size < most)
            yield name, input_kind, _whole(treebank, name)


def _whole(treebank: ExperimentTreebank, tool: str) -> int:
    return int(treebank.values["tools"][tool].get("sentences", 0))


def _sentences(treebank: ExperimentTreebank) -> int:
    return treebank.once("sentences", lambda: sum(1 for _ in treebank.part("train").sentences()))


def _name(treebank: ExperimentTreebank, row: Row, part: str) -> str:
    name, input_kind, size = row
    return f"{treebank.name} {name} {input_kind} {size or 'all'} {part}"


def _cell(treebank: ExperimentTreebank, row: Row, part: str, compute: Any, *arguments: Any) -> Cell:
    """A cell that trains, scores or times one tool on one treebank. part: what it does, the end of its name.

    It is computed again when the tool, its version, its options or the arguments change. Results of crossarc also
    depend on its code and on all ready configs, since a level chooses among them; those of other tools on
    ``programs.py``, and their scores on our scorer. The place of the models does not count.
    """
    name, input_kind, _ = row
    spec, language = treebank.values["tools"][name], treebank.values["languages"].get(treebank.name, "")
    ours = spec["program"] == "crossarc"
    tool = {name: spec.get(name, "") for name in ("program", "features")}
    key = [tool, spec["inputs"][input_kind], input_kind, language, found_version(spec)]
    key += [argument for argument in arguments if not isinstance(argument, TreebankPart)]
    if ours:
        own_config = filter(Path.is_file, map(Path, spec["inputs"][input_kind].split()[:1]))
        files = [*ROOT.glob("configs/**/*.yaml"), *own_config]
        key += sorted(checksum(str(file)) for file in files)
    models = str(treebank.folder / "models")
    cell = make_cell(_name(treebank, row, part), compute, spec, input_kind, language, models, *arguments, key=key)
    return cell if ours or part == "score" else replace(cell, code=without_comments(PROGRAMS.read_text("utf-8")))


def _wanted(treebank: ExperimentTreebank, cells: Collection[Cell]) -> list[Cell]:
    return [cell for cell in cells if treebank.values["compute"] or is_finished(cell, treebank.folder)]


EXPERIMENT = Experiment(cells=(train_cells, test_cells), figures=figures, notes=notes)
