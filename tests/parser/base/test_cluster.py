"""Clusters: results are those of one machine, and none is lost when a worker dies."""

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import conllu, run
from crossarc import CrossarcError, load_config, read_sentences
from crossarc.experiments.harness.parsing import Part
from crossarc.experiments.harness.runner import Cell, run_cells
from crossarc.parser.base import cluster
from crossarc.parser.base.cluster import on_cluster
from crossarc.parser.training.tuning.trials import Budget, Data, Trials
from short_search import shorten


def lengths(part, seconds=0):
    """The lengths of the sentences, after a delay."""
    time.sleep(seconds)
    return [len(sentence) for sentence in part.sentences()]


def local_cluster():
    from distributed import LocalCluster

    return LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)


@pytest.fixture
def part(tmp_path):
    (tmp_path / "a.conllu").write_text(conllu(1, 5))
    return Part(str(tmp_path / "a.conllu"), limit=3)


@pytest.mark.filterwarnings("ignore")
def test_killing_a_worker_does_not_change_results(part, tmp_path):
    cells = [
        Cell(f"{number}", lengths, (Part(part.path, limit=number), 0.1), {"limit": number}, (part.path,))
        for number in range(1, 6)
    ]
    cells += [Cell(f"slow {number}", lengths, (part, 0.3), {"slow": number}, (part.path,)) for number in range(10)]
    expected = run_cells(cells[:6], tmp_path / "one", progress=lambda line: None)
    said = []
    with local_cluster() as local:
        victim = next(iter(local.workers.values())).pid

        def watch(line):
            said.append(line)
            if line.startswith("[4/"):
                os.kill(victim, signal.SIGKILL)

        with on_cluster(local.scheduler_address) as jobs:
            assert jobs == 2
            results = run_cells(cells, tmp_path / "many", progress=watch)
    assert {name: results[name] for name in expected} == expected
    assert all(results[f"slow {number}"] == lengths(part) for number in range(10))
    assert any(line.startswith("[15/15]") for line in said)


@pytest.mark.filterwarnings("ignore")
def test_workers_of_another_version_are_refused(monkeypatch):
    with local_cluster() as local:
        monkeypatch.setattr(cluster, "__version__", "9.9")
        with pytest.raises(CrossarcError, match=r"^workers have crossarc .*; allowed: 9\.9$"):
            on_cluster(local.scheduler_address).__enter__()


@pytest.mark.filterwarnings("ignore")
def test_unreachable_schedulers_are_reported(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with (
        pytest.raises(CrossarcError, match=r"^--jobs dask=tcp://127\.0\.0\.1:1: no worker can be reached: .*$"),
        on_cluster("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.filterwarnings("ignore")
def test_clusters_parse_and_run_trials_like_one_machine(tmp_path, monkeypatch):
    """One of the two workers is killed after a second."""
    monkeypatch.setattr("crossarc.parser.commands.models.REMOTE_SIZE", 2**12)
    monkeypatch.setenv("CROSSARC_KERNEL", "numpy")
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 60))
    Path("many.conllu").write_text(conllu(100, 200))
    train = ["train", "swap", "--train", "train.conllu", "--set", "features=small", "--model", "m"]
    assert run("-q", *train) == 0
    assert run("-q", "parse", "m", "many.conllu", "-o", "here.conllu") == 0
    config = load_config("swap", ["features=small"], {"treebank.train": str(tmp_path / "train.conllu")})
    sentences = list(read_sentences("train.conllu"))
    candidates = [replace(config, guide={"learner": "svm", "C": 0.1 * place}) for place in range(1, 4)]
    found = {}
    with local_cluster() as local:
        address = local.scheduler_address
        victim = threading.Timer(1, os.kill, (next(iter(local.workers.values())).pid, signal.SIGKILL))
        victim.start()
        remote = ["--jobs", f"dask={address}"]
        assert run("-q", "parse", "m", "many.conllu", "-o", "there.conllu", *remote) == 0
        for name, scheduler in (("here", 1), ("there", address)):
            with on_cluster(scheduler):
                data = Data(sentences[::2], sentences[1::2])
                trials = Trials(data, tmp_path / f"{name}.jsonl", Budget(600), jobs=2)
                assert trials.attempt(candidates, 1, 0) == candidates
                outcomes = [trials.outcome(own, 1) for own in candidates]
                found[name] = [(own.right.tolist(), own.heads_right) for own in outcomes if own]
        shorten(monkeypatch)
        tune = ["tune", "swap", "--set", "features=small", "--train", "train.conllu", "--folds", 2, "--minutes", 9]
        assert run(*tune, "--out", "t", *remote) == 0
    assert Path("there.conllu").read_bytes() == Path("here.conllu").read_bytes()
    assert found["there"] == found["here"]
