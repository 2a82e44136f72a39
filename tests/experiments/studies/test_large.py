"""The study of large treebanks: a run on a generated one."""

from importlib.util import find_spec

import pytest
from command_line import conllu, run, write_splits
from crossarc import read_sentences, read_treebank
from crossarc.experiments.studies.large import cluster
from crossarc.experiments.studies.large.experiment import limited
from reports import run_experiment

SETTINGS = """levels:
  arc-standard-small: {gold: 200, words: 50}
words: {gold: [50, 200], words: [50]}
tools:
  UDPipe 1: {program: udpipe, inputs: {gold: iterations=1}, words: [200]}
  none: {program: maltparser, inputs: {gold: ""}, words: [200]}
raw: RAW
parser: arc-standard-small
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu}
"""


@pytest.mark.slow
def test_costs_are_those_of_the_first_words(tmp_path):
    write_splits(tmp_path, {"train": 40, "dev": 20}, rate=0.5)
    sentences = list(read_sentences(str(tmp_path / "train.conllu"))) * 3
    (tmp_path / "raw.txt").write_text("".join(" ".join(part.column("form")) + "\n" for part in sentences), "utf-8")
    settings = SETTINGS.replace("RAW", str(tmp_path / "raw.txt"))
    figures = run_experiment("large", tmp_path, settings=settings).figures["tiny"]
    assert "none" not in figures  # not installed
    if find_spec("ufal"):
        assert figures["UDPipe 1"]["gold"]["200"]["cpu"] > 0
    costs = figures["arc-standard-small"]
    assert costs["words"]["50"].keys() == costs["gold"]["50"].keys()
    assert costs["words"].pop("50")["size"] > costs["gold"]["50"]["size"]
    assert not costs.pop("words")
    costs = costs["gold"]
    assert set(costs) == {"50", "200"}
    for words, cost in costs.items():
        assert cost["cpu"] > 0
        assert cost["per million"] == pytest.approx(cost["cpu"] / int(words) * 1e6, rel=0.01)
        assert 0 <= cost["las"] <= 100
    assert costs["50"]["size"] < costs["200"]["size"]


@pytest.mark.parametrize("words", [0, 1, 17, 10**6])
def test_sentences_are_taken_as_long_as_their_words_fit(words, tmp_path):
    write_splits(tmp_path, {"train": 9}, rate=0.5)
    sentences = list(read_sentences(str(tmp_path / "train.conllu")))
    taken = list(limited(iter(sentences), words))
    assert taken == sentences[: len(taken)]
    assert sum(map(len, taken)) <= words
    assert taken == sentences or sum(map(len, sentences[: len(taken) + 1])) > words


@pytest.mark.slow
def test_a_cluster_parses_like_one_process_also_if_a_worker_is_killed(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("CROSSARC_KERNEL", "numpy")
    for name, text in (("train", conllu(1, 28)), ("many", conllu(100, 60))):
        (tmp_path / f"{name}.conllu").write_text(text)
    model = str(tmp_path / "m")
    assert run("-q", "train", "arc-standard-small", "--train", f"{tmp_path}/train.conllu", "--model", model) == 0
    assert cluster.main([model, f"{tmp_path}/many.conllu"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["one process", "2 workers", "one of them killed"]
    assert all(line.endswith("same output") for line in lines)
    sentences = read_treebank(f"{tmp_path}/many.conllu").sentences
    assert cluster.words_in(f"{tmp_path}/many.conllu") == sum(map(len, sentences))
