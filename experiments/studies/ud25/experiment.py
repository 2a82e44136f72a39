"""Levels of effort on eighteen treebanks of UD 2.5 from raw text, words and gold tags, beside UDPipe 1 as published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from ....parser.evaluate.conll18 import METRICS, evaluate_conll18
from ....parser.evaluate.resampling import bootstrap
from ....parser.plugins.raw_text.raw_text import gold_text
from ....parser.treebank import Sentence, read_sentences
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, over
from ...harness.costs import TEXT, Spec, cost, make_tool, missing, trained_apart, write_input, write_training
from ...harness.parsing import split_off, timed

UDPIPE, STANZA = "UDPipe 1", "Stanza 1.0"
"""Their names in results."""
SHOWN = ("UPOS", "UFeats", "Lemmas", "LAS", "MLAS", "BLEX")
"""The metrics of which there are means beside those of both."""
GOLD = "gold"
OTHER_TOOLS = Path(__file__).parents[1] / "other_parsers" / "experiment.yaml"
"""Settings of the comparison with other parsers."""
TAGS = ("lemma", "upos", "xpos", "feats")
CONDITIONS = {"gold": ("gold",), "text": ("text", "words")}
"""Conditions by the input that a model is trained for. A model of raw text also parses gold words."""


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """A cell for each parser and each input that it is trained for; other parsers only where they are installed."""
    parts = treebank.part("train"), treebank.dev, treebank.part("test")
    measured_cells = [
        treebank.cell(f"{name} {input_kind}", measured, config, input_kind, *parts)
        for name, config in treebank.values["levels"].items()
        for input_kind in treebank.values["inputs"]
    ]
    for name, spec in treebank.values["tools"].items():
        tool = _complete(spec)
        for input_kind in tool["inputs"]:
            wanted = input_kind in treebank.values["inputs"] and treebank.name in tool.get("treebanks", [treebank.name])
            if wanted and not missing(tool):
                measured_cells.append(treebank.cell(f"{name} {input_kind}", with_tool, tool, input_kind, *parts))
    return measured_cells


def _complete(spec: Spec) -> Spec:
    """A tool with the keys of the one in the comparison with other parsers that its key ``like`` names, if any."""
    others = yaml.safe_load(OTHER_TOOLS.read_text("utf-8"))["tools"] if "like" in spec else {}
    return {**others.get(spec.get("like"), {}), **spec}


def measured(config: str, input_kind: str, train: TreebankPart, dev: TreebankPart | None, test: TreebankPart) -> Json:
    """Train a parser in a separate process, and parse the test set in each of its conditions.

    The result has by condition F1 by metric (``scores``), the 95 % confidence interval of each F1 over sentences
    (``intervals``), and parsed words per CPU second (``speed``); and CPU seconds, peak memory in MB and size of the
    model in MB (``cost``).
    """
    learned, held_out = split_off(train, dev)
    model, spent = trained_apart(config, learned, held_out, [f"input={input_kind}"])
    gold = list(test.sentences())
    model.warm()
    parsed = {condition: timed(_parsed, model, condition, gold) for condition in CONDITIONS[input_kind]}
    return _measures(gold, parsed, spent)


def with_tool(spec: Spec, input_kind: str, train: TreebankPart, dev: TreebankPart | None, test: TreebankPart) -> Json:
    """Train another parser, and parse the test set. The result has the form of that of :func:`measured`.

    input_kind: ``gold``, or ``text`` for raw text.
    """
    tool, gold = make_tool(spec, input_kind, spec.get("language", "")), list(test.sentences())
    with TemporaryDirectory(prefix="crossarc-") as folder:
        home = Path(folder, "model")
        home.mkdir()
        train_file, dev_file, source, target = (Path(folder, file) for file in ("train", "dev", "source", "parsed"))
        for sentences, file in zip(split_off(train, dev), (train_file, dev_file), strict=True):
            write_training(input_kind, sentences, file)
        spent = cost(tool.train(train_file, home / "model", dev_file))
        size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6
        write_input(input_kind, gold, source)
        seconds = cost(tool.parse(home / "model", source, target)).cpu
        parsed = list(read_sentences(str(target), "conllu"))
    if input_kind == GOLD:  # other parsers write neither ranges nor spaces
        pairs = zip(gold, parsed, strict=True)
        parsed = [
            sentence.with_columns({name: tree.column(name) for name in ("head", "deprel")}) for sentence, tree in pairs
        ]
    costs = {"cpu": spent.cpu, "megabytes": spent.memory, "size": size}
    return _measures(gold, {input_kind: (parsed, seconds)}, costs)


def _measures(
    gold: Sequence[Sentence], parsed: Mapping[str, tuple[Sequence[Sentence], float]], costs: Mapping[str, Json]
) -> Json:
    """The result of :func:`measured`. parsed: by condition the parsed sentences, and the CPU seconds of parsing."""
    scores_of = {condition: evaluate_conll18(gold, sentences) for condition, (sentences, _) in parsed.items()}
    ends = {condition: bootstrap(scores.counts).tolist() for condition, scores in scores_of.items()}
    return {
        "scores": {condition: dict(scores.f1) for condition, scores in scores_of.items()},
        "intervals": {condition: dict(zip(METRICS, ends_of, strict=True)) for condition, ends_of in ends.items()},
        "speed": {condition: sum(map(len, gold)) / seconds for condition, (_, seconds) in parsed.items()},
        "cost": dict(costs),
    }


def _parsed(model: Any, condition: str, gold: Sequence[Sentence]) -> list[Sentence]:
    if condition == "text":
        return list(model(gold_text(gold).text))
    if condition == "gold":
        return list(model.parse(gold))
    untagged = [sentence.with_columns(dict.fromkeys(TAGS, ("_",) * len(sentence))) for sentence in gold]
    return list(model.parse(untagged))


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """The figures of each condition (see :func:`_of_condition`), ``cost`` by treebank, and ``medians``.

    In ``medians`` are by parser the costs of models of raw text, and words parsed per CPU second.
    """
    values = treebanks[0].values
    document: dict[str, Any] = {
        condition: _of_condition(treebanks, condition)
        for input_kind in values["inputs"]
        for condition in CONDITIONS[input_kind]
    }
    costs = {
        treebank.name: {
            name: {input_kind: treebank[f"{name} {input_kind}"]["cost"] for input_kind in values["inputs"]}
            for name in values["levels"]
        }
        for treebank in treebanks
    }
    if TEXT in document:
        speeds = over(list(document[TEXT]["treebanks"].values()), median)
        document["medians"] = {
            name: {**cost[TEXT], "speed": speeds[f"{name} speed"]}
            for name, cost in over(list(costs.values()), median).items()
        }
    return {**document, "cost": costs}


def _of_condition(treebanks: Sequence[ExperimentTreebank], condition: str) -> Json:
    """F1 by treebank and parser, differences to UDPipe 1, their summaries, and means.

    A summary has the number of treebanks, of those above UDPipe 1, and the median and mean difference. ``beside`` has
    by metric the means over the treebanks for which UDPipe 1 has the metric, and their number. ``intervals`` has the
    ends of the interval of LAS, of its difference to UDPipe 1, whose own error is unknown, and the interval as a text.
    """
    rows: dict[str, Any] = {treebank.name: _row(treebank, condition) for treebank in treebanks}
    return {
        "treebanks": rows,
        "summary": {
            name: {metric: _summary(rows, name, metric) for metric in METRICS}
            for name in _results(treebanks[0], condition)
            if all(name in row for row in rows.values())
        },
        "means": over(list(rows.values()), fmean),
        "beside": {metric: _beside(list(rows.values()), metric) for metric in SHOWN},
        "intervals": {treebank.name: _intervals(treebank, condition) for treebank in treebanks},
    }


def _results(treebank: ExperimentTreebank, condition: str) -> dict[str, Any]:
    """The results that have scores for a condition, by parser."""
    input_kind = GOLD if condition == GOLD else TEXT
    names = (*treebank.values["levels"], *treebank.values["tools"])
    rows = {name: treebank.results.get(f"{treebank.name} {name} {input_kind}") for name in names}
    return {name: row for name, row in rows.items() if row and condition in row["scores"]}


def _row(treebank: ExperimentTreebank, condition: str) -> Json:
    """F1 by parser and metric, with UDPipe 1 as published, differences to it (``gain``), and speeds."""
    published = treebank.values["published"][treebank.name].get(condition, {})
    row: dict[str, Any] = {UDPIPE: published}
    if condition == TEXT and (of_stanza := treebank.values.get("stanza", {}).get(treebank.name)):
        row[STANZA] = of_stanza
    for name, result in _results(treebank, condition).items():
        scores = result["scores"][condition]
        row[name] = scores
        row[f"{name} gain"] = {metric: scores[metric] - published[metric] for metric in METRICS if metric in published}
        row[f"{name} speed"] = result["speed"][condition]
    return row


def _beside(rows: Sequence[Mapping[str, Any]], metric: str) -> Json:
    chosen = [row for row in rows if metric in row[UDPIPE]]
    names = dict.fromkeys(name for row in chosen for name in row if not name.endswith((" gain", " speed")))
    parsers = [name for name in names if all(metric in row.get(name, {}) for row in chosen)]
    return {"treebanks": len(chosen), **{name: fmean(row[name][metric] for row in chosen) for name in parsers}}


def _intervals(treebank: ExperimentTreebank, condition: str) -> dict[str, Json]:
    published = treebank.values["published"][treebank.name].get(condition, {}).get("LAS")
    intervals: dict[str, Json] = {}
    for name, result in _results(treebank, condition).items():
        low, high = result["intervals"][condition]["LAS"]
        gain = {} if published is None else {"gain low": low - published, "gain high": high - published}
        intervals[name] = {"low": low, "high": high, "text": f"{low:.1f} to {high:.1f}", **gain}
    return intervals


def _summary(rows: Mapping[str, Mapping[str, Any]], name: str, metric: str) -> Json:
    gains = [row[f"{name} gain"][metric] for row in rows.values() if metric in row[f"{name} gain"]]
    if not gains:
        return None
    return {
        "treebanks": len(gains),
        "above": sum(gain > 0 for gain in gains),
        "median": median(gains),
        "mean": fmean(gains),
    }


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
