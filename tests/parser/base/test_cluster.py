"""Clusters: results are those of one machine, and none is lost when a worker dies."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from command_line import conllu, run
from crossarc import CrossarcError
from crossarc.experiments.harness.parsing import TreebankPart
from crossarc.experiments.harness.runner import Cell, run_cells
from crossarc.parser.base import cluster
from crossarc.parser.base.cluster import on_cluster

pytestmark = pytest.mark.filterwarnings("ignore")


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
    return TreebankPart(str(tmp_path / "a.conllu"), limit=3)


def test_killing_a_worker_does_not_change_results(part, tmp_path):
    cells = [
        Cell(f"{number}", lengths, (TreebankPart(part.path, limit=number), 0.1), {"limit": number}, (part.path,))
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


def test_workers_of_another_version_are_refused(monkeypatch):
    with local_cluster() as local:
        monkeypatch.setattr(cluster, "__version__", "9.9")
        with pytest.raises(CrossarcError, match=r"^workers have crossarc .*; allowed: 9\.9$"):
            on_cluster(local.scheduler_address).__enter__()


def test_unreachable_schedulers_are_reported(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with (
        pytest.raises(CrossarcError, match=r"^--jobs dask=tcp://127\.0\.0\.1:1: no worker can be reached: .*$"),
        on_cluster("tcp://127.0.0.1:1"),
    ):
        pass


OWN = """
from crossarc.experiments.harness import Experiment, by_treebank


def words(part):
    return [len(sentence) for sentence in part.sentences()]


def cells(bank):
    return [bank.cell("words", words, bank.part("train"))]


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(lambda bank: bank["words"]))
"""


def test_workers_get_the_module_of_an_experiment_of_ones_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("train.conllu").write_text(conllu(1, 3))
    Path("own/counted.py").write_text(OWN)
    Path("own/counted.yaml").write_text(f"treebanks: {{bank: {{train: {tmp_path}/train.conllu}}}}\n")
    Path("own/broken.py").write_text("1 / 0\n")
    Path("own/broken.yaml").write_text("treebanks: {}\n")
    with local_cluster() as local:
        jobs = ["--jobs", f"dask={local.scheduler_address}"]
        assert run("-q", "experiment", "own/counted.yaml", *jobs) == 0
        assert run("-q", "experiment", "own/broken.yaml", *jobs) == 1
    assert "own/broken.py: the workers cannot import it: division by zero" in capsys.readouterr().err
    assert json.loads(Path("counted.out/scores.json").read_text())["bank"] == lengths(TreebankPart("train.conllu"))


def test_clusters_parse_like_one_machine(tmp_path, monkeypatch):
    """One of the two workers is killed when the cluster has its first tasks."""
    monkeypatch.setattr("crossarc.parser.commands.models.REMOTE_SIZE", 2**12)
    monkeypatch.setenv("CROSSARC_KERNEL", "numpy")
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 28))
    Path("many.conllu").write_text(conllu(100, 100))
    treebank = ["swap", "--set", "features=small", "--train", "train.conllu"]
    assert run("-q", "train", *treebank, "--model", "m") == 0
    with local_cluster() as local:
        victim = next(iter(local.workers.values())).pid

        def kill():
            while not local.scheduler.tasks:
                time.sleep(0.001)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        for name, jobs in (("here", []), ("there", ["--jobs", f"dask={local.scheduler_address}"])):
            assert run("-q", "parse", "m", "many.conllu", "-o", f"{name}.conllu", *jobs) == 0
        killer.join(timeout=60)
        assert not killer.is_alive()
    assert Path("there.conllu").read_bytes() == Path("here.conllu").read_bytes()
