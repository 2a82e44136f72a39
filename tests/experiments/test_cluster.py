"""Many machines: what a call reads goes along by its content, and a worker's death loses nothing."""

from __future__ import annotations

import argparse
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import conllu
from crossarc.experiments.harness import cluster
from crossarc.experiments.harness.cluster import call_shipped, is_remote, on_cluster, ship
from crossarc.experiments.harness.command import run_experiment
from crossarc.experiments.harness.parsing import Part
from crossarc.experiments.harness.runner import Cell, run_cells
from crossarc.parser.errors import CrossarcError


def lengths(part: Part, seconds: float = 0) -> list[int]:
    """The lengths of the sentences, after some time."""
    time.sleep(seconds)
    return [len(sentence) for sentence in part.sentences()]


def paths(values: dict[str, Any]) -> list[str]:
    return [Path(value).read_text() for value in values["files"]]


@pytest.fixture
def part(tmp_path: Path) -> Part:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.conllu").write_text(conllu(1, 5))
    return Part(str(tmp_path / "far" / "a.conllu"), limit=3)


def test_files_go_by_their_content(part: Part, tmp_path: Path) -> None:
    shipped = ship((part,), (part.path,))
    expected = lengths(part)
    (tmp_path / "far").rename(tmp_path / "nowhere")
    assert call_shipped(lengths, shipped) == expected


def test_yaml_files_that_arguments_name_go_along(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("features")
    shipped = ship(({"files": [str(tmp_path / "f.yaml")]},), ())
    (tmp_path / "f.yaml").unlink()
    assert call_shipped(paths, shipped) == ["features"]


def test_another_version_is_refused(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = ship((part,), ())
    monkeypatch.setattr(cluster, "__version__", "9.9")
    with pytest.raises(CrossarcError, match=r"^a worker has crossarc 9\.9, expected .*, as where the run began$"):
        call_shipped(lengths, shipped)


def test_without_a_scheduler_nothing_is_remote() -> None:
    with on_cluster(""):
        assert not is_remote()


def test_one_option_without_the_other_is_refused() -> None:
    options = argparse.Namespace(name="kuhlmann-nivre-2010", backend="dask", scheduler="")
    with pytest.raises(
        CrossarcError, match=r"^--backend dask and --scheduler ADDRESS: one is given without the other$"
    ):
        run_experiment(options)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_in_mid_run_changes_nothing(part: Part, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: crossarc[distributed]")
    cells = [
        Cell(f"{number}", lengths, (Part(part.path, limit=number), 0.3), {"limit": number}, (part.path,))
        for number in range(1, 6)
    ]
    cells += [Cell(f"slow {number}", lengths, (part, 0.5), {"slow": number}, (part.path,)) for number in range(20)]
    expected = run_cells(cells[:6], tmp_path / "one", progress=lambda line: None)
    said: list[str] = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        victim = next(iter(local.workers.values())).pid

        def watch(line: str) -> None:
            said.append(line)
            if line.startswith("[4/"):
                os.kill(victim, signal.SIGKILL)

        with on_cluster(local.scheduler_address):
            assert is_remote()
            results = run_cells(cells, tmp_path / "many", progress=watch)
    assert {name: results[name] for name in expected} == expected
    assert all(results[f"slow {number}"] == lengths(part) for number in range(20))
    assert any(line.startswith("[25/25]") for line in said)


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed: crossarc[distributed]")
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with (
        pytest.raises(CrossarcError, match=r"^--scheduler tcp://127\.0\.0\.1:1: cannot be reached: .*$"),
        on_cluster("tcp://127.0.0.1:1"),
    ):
        pass
