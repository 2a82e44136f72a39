"""Costs of training do not include those of compiling."""

from types import SimpleNamespace

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
