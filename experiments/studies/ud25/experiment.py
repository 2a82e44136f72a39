"""Levels of effort on eighteen treebanks of UD 2.5 from raw text, words and gold tags, beside UDPipe 1 as published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from ....parser.base.errors import CrossarcError
from ....parser.evaluate.conll18 import METRICS, evaluate_conll18
from ....parser.evaluate.resampling import bootstrap
from ....parser.tokenizer.raw_text import gold_text
from ....parser.treebank import Sentence, read_sentences
from ...harness import Cell, Experiment, Json, Part, Treebank, over
from ...harness.costs import COLUMNS, GOLD_TAGS, cost, maltparser, maltparser_jar, trained_apart, write_conll
from ...harness.parsing import split_off, timed

UDPIPE, MALTPARSER, GUM = "UDPipe 1", "MaltParser", "English-GUM"
"""Names in results."""
COSTS = ("cpu", "megabytes", "size", "speed")
OTHER_TOOLS = Path(__file__).parents[1] / "other_parsers" / "experiment.yaml"
"""Settings with MaltParser's options and features."""
TAGS = ("lemma", "upos", "xpos", "feats")
CONDITIONS = {"gold": ("gold",), "text": ("text", "words")}
"""Conditions by the input that a model is trained for. A model of raw text also parses gold words."""


def cells(treebank: Treebank) -> list[Cell]:
    """A cell for each parser and each input that it is trained for, and one for MaltParser where it is available."""
    parts = treebank.part("train"), treebank.dev, treebank.part("test")
    found = [
        treebank.cell(f"{name} {given}", measured, config, given, *parts)
        for name, config in treebank.values["levels"].items()
        for given in treebank.values["inputs"]
    ]
    if "gold" in treebank.values["inputs"] and _has_maltparser():
        spec = yaml.safe_load(OTHER_TOOLS.read_text("utf-8"))["tools"]["MaltParser extended"]
        given = spec["inputs"]["gold"], spec["features"]
        found.append(treebank.cell(f"{MALTPARSER} gold", with_maltparser, *given, *parts))
    return found


def _has_maltparser() -> bool:
    try:
        maltparser_jar()
    except CrossarcError:
        return False
    return True


def measured(config: str, given: str, train: Part, dev: Part | None, test: Part) -> Json:
    """Train a parser in a separate process, and parse the test set in each of its conditions.

    The result has by condition F1 by metric (``scores``), the 95 % confidence interval of each F1 over sentences
    (``intervals``), and parsed words per CPU second (``speed``); and CPU seconds, peak memory in MB and size of the
    model in MB (``cost``).
    """
    learned, held_out = split_off(train, dev)
    model, spent = trained_apart(config, learned, held_out, [f"input={given}"])
    gold = list(test.sentences())
    model.warm()
    scores: dict[str, Json] = {}
    intervals: dict[str, Json] = {}
    speed: dict[str, Json] = {}
    for condition in CONDITIONS[given]:
        parsed, seconds = timed(_parsed, model, condition, gold)
        speed[condition] = sum(map(len, gold)) / seconds
        scores[condition], intervals[condition] = _scored(gold, parsed)
    return {"scores": scores, "intervals": intervals, "speed": speed, "cost": {**spent}}


def with_maltparser(options: str, features: str, train: Part, dev: Part | None, test: Part) -> Json:
    """Train MaltParser, and parse the test set with gold tags. The result has the form of that of :func:`measured`.

    options, features: see :func:`~crossarc.experiments.harness.costs.maltparser`.
    """
    tool, gold = maltparser(options, features), list(test.sentences())
    with TemporaryDirectory(prefix="crossarc-") as folder:
        home = Path(folder, "model")
        home.mkdir()
        source, target = Path(folder, "source.conll"), Path(folder, "parsed.conll")
        write_conll(split_off(train, dev)[0], source, columns=COLUMNS)
        spent = cost(tool.train(source, home / "model", source))
        size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6
        write_conll(gold, source, columns=GOLD_TAGS)
        seconds = cost(tool.parse(home / "model", source, target)).cpu
        pairs = zip(gold, read_sentences(str(target), "conllu"), strict=True)
        parsed = [own.with_columns({name: tree.column(name) for name in ("head", "deprel")}) for own, tree in pairs]
    scores, intervals = _scored(gold, parsed)
    return {
        "scores": {"gold": scores},
        "intervals": {"gold": intervals},
        "speed": {"gold": sum(map(len, gold)) / seconds},
        "cost": {"cpu": spent.cpu, "megabytes": spent.memory, "size": size},
    }


def _scored(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> tuple[Json, Json]:
    """F1 and its 95 % confidence interval, by metric."""
    found = evaluate_conll18(gold, parsed)
    return dict(found.f1), dict(zip(METRICS, bootstrap(found.counts).tolist(), strict=True))


def _parsed(model: Any, condition: str, gold: Sequence[Sentence]) -> list[Sentence]:
    if condition == "text":
        return list(model(gold_text(gold).text))
    if condition == "gold":
        return list(model.parse(gold))
    untagged = [own.with_columns(dict.fromkeys(TAGS, ("_",) * len(own))) for own in gold]
    return list(model.parse(untagged))


def figures(treebanks: Sequence[Treebank]) -> dict[str, Json]:
    """By condition: F1 by treebank and parser, differences to UDPipe 1, their summaries, and means; costs by treebank.

    ``intervals`` has the ends of the interval of LAS, of its difference to UDPipe 1, whose own error is unknown, and
    the interval as a text.
    In ``medians`` are by parser the costs of models of raw text, and words parsed per CPU second. A summary has the
    number of treebanks, of those above UDPipe 1, and the median and mean difference.
    """
    values = treebanks[0].values
    found: dict[str, Any] = {}
    for given in values["inputs"]:
        for condition in CONDITIONS[given]:
            rows: dict[str, Any] = {own.name: _row(own, given, condition) for own in treebanks}
            found[condition] = {
                "treebanks": rows,
                "summary": {
                    name: {metric: _summary(rows, name, metric) for metric in METRICS}
                    for name in _parsers(treebanks[0], given)
                },
                "means": over(list(rows.values()), fmean),
                "intervals": {own.name: _intervals(own, given, condition) for own in treebanks},
            }
    found["cost"] = {
        own.name: {
            name: {given: own[f"{name} {given}"]["cost"] for given in values["inputs"]} for name in values["levels"]
        }
        for own in treebanks
    }
    if "text" in found:
        costs = over(list(found["cost"].values()), median)
        speeds = over(list(found["text"]["treebanks"].values()), median)
        found["medians"] = {name: {**own["text"], "speed": speeds[f"{name} speed"]} for name, own in costs.items()}
        found["overview"] = overview(found)
    return found


def overview(found: Mapping[str, Any]) -> dict[str, Json]:
    """The figures of the first table of the project: LAS and costs by parser; None where nothing was measured."""
    by_input = {given: found.get(given, {}).get("means", {}) for given in ("text", "gold")}
    parsers = [UDPIPE, *found["medians"], *(name for name in by_input["gold"] if name == MALTPARSER)]
    rows: dict[str, Json] = {}
    for name in parsers:
        gum = found["text"]["treebanks"].get(GUM, {}).get(name, {})
        means = {given: own.get(name, {}).get("LAS") for given, own in by_input.items()}
        costs = found["medians"].get(name, {})
        rows[name] = {"gum": gum.get("LAS"), **means, **{own: costs.get(own) for own in COSTS}}
    return rows


def _parsers(treebank: Treebank, given: str) -> Iterator[str]:
    """The parsers with a result for an input."""
    names = (*treebank.values["levels"], MALTPARSER)
    return (name for name in names if f"{treebank.name} {name} {given}" in treebank.results)


def _row(treebank: Treebank, given: str, condition: str) -> Json:
    """F1 by parser and metric, with UDPipe 1 as published, differences to it (``gain``), and speeds."""
    published = treebank.values["published"][treebank.name].get(condition, {})
    row: dict[str, Any] = {UDPIPE: published}
    for name in _parsers(treebank, given):
        result = treebank[f"{name} {given}"]
        scores = result["scores"][condition]
        row[name] = scores
        row[f"{name} gain"] = {own: scores[own] - published[own] for own in METRICS if own in published}
        row[f"{name} speed"] = result["speed"][condition]
    return row


def _intervals(treebank: Treebank, given: str, condition: str) -> dict[str, Json]:
    published = treebank.values["published"][treebank.name].get(condition, {}).get("LAS")
    found: dict[str, Json] = {}
    for name in _parsers(treebank, given):
        low, high = treebank[f"{name} {given}"]["intervals"][condition]["LAS"]
        gain = {} if published is None else {"gain low": low - published, "gain high": high - published}
        found[name] = {"low": low, "high": high, "text": f"{low:.1f} to {high:.1f}", **gain}
    return found


def _summary(rows: Mapping[str, Mapping[str, Any]], name: str, metric: str) -> Json:
    gains = [own[f"{name} gain"][metric] for own in rows.values() if metric in own[f"{name} gain"]]
    if not gains:
        return None
    return {
        "treebanks": len(gains),
        "above": sum(gain > 0 for gain in gains),
        "median": median(gains),
        "mean": fmean(gains),
        "las": fmean(own[name][metric] for own in rows.values()),
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
