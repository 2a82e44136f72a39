"""Costs of training do not include those of compiling."""

from dataclasses import replace
from types import SimpleNamespace

import yaml
from command_line import write_splits
from crossarc.experiments.harness import costs, parsing
from crossarc.parser.config.loading import load_config


def test_measured_costs_do_not_include_compiling(tmp_path, monkeypatch):
    clock = [0.0]
    compiled = []

    def compiling():
        compiled.append(1)
        clock[0] += 1000

    for module in (parsing, costs):
        monkeypatch.setattr(module, "once_warm", compiling)
    monkeypatch.setattr(parsing, "time", SimpleNamespace(process_time=lambda: clock[0]))
    write_splits(tmp_path, {"train": 10, "dev": 5}, rate=0.4)
    train, dev = (parsing.TreebankPart(str(tmp_path / f"{split}.conllu")) for split in ("train", "dev"))
    cost = parsing.parses(load_config("arc-standard-small"), train, {"dev": dev})["cost"]
    assert (cost["train_cpu"], cost["parse_cpu"]) == (0, {"dev": 0})
    assert len(compiled) == 1
    costs.crossarc("arc-standard")
    assert len(compiled) == 2


def test_configs_are_trained_apart_as_they_are(tmp_path, monkeypatch):
    """Also with files whose paths are relative to the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text("templates: ['form(Stack[0])']\n")
    settings = ["also=[a.conllu, b.conllu]", "raw=[r.txt]", "lexicon=l.tsv", "constraints=c.yaml", "features=own.yaml"]
    settings += ["treebank.decided=keep", "tags=[upos]", "beam=2", "guide={learner: maxent, C: 3}"]
    config = load_config("arc-standard", settings)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "config.yaml").write_text(yaml.safe_dump(costs._document(config)), "utf-8")
    written = load_config(str(tmp_path / "there" / "config.yaml"))
    files = {name: str(tmp_path / getattr(config, name)) for name in ("lexicon", "constraints", "features")}
    several = {name: tuple(str(tmp_path / file) for file in getattr(config, name)) for name in ("also", "raw")}
    assert written == replace(config, **files, **several, model=written.model)
