"""Models with random changes to metadata and arrays: each is refused in one line or parses, in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crossarc.parser.config.config import Config, GraphOptions, SearchOptions, TreebankOptions
from crossarc.parser.models.files import save_model
from crossarc.parser.training.train import train

SHELF = Path(__file__).parents[2] / "data" / "models" / "version-1"
PROGRAM = Path(__file__).parents[2] / "support" / "model_mutations.py"
TEMPLATES = "templates:\n- upos(Stack[0])\n- upos(Lookahead[0])\n- merge(upos(Stack[1]), upos(Stack[0]))\n"
GUIDES: dict[str, dict[str, Any]] = {
    "ridge": {"learner": "plugin", "estimator": "sklearn.linear_model.RidgeClassifier"},
    "perceptron": {"learner": "perceptron", "epochs": 1},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Paths of models of all learners and kinds: the stored old models, and new ones for the rest."""
    folder = tmp_path_factory.mktemp("models")
    text = (SHELF / "sentences.conllu").read_text("utf-8").split("\n\n")
    (folder / "train.conllu").write_text("\n\n".join(text[:3]) + "\n\n", "utf-8")
    (folder / "few.yaml").write_text(TEMPLATES, "utf-8")
    treebank = TreebankOptions(train=str(folder / "train.conllu"))
    for name, guide in GUIDES.items():
        search = SearchOptions(beam=2 if name == "perceptron" else 1)
        features = str(folder / "few.yaml")
        config = Config(system="arc-standard", features=features, guide=guide, treebank=treebank, search=search)
        save_model(train(config), folder / name)
    options = GraphOptions(epochs=1, table_bits=8)
    save_model(train(Config(system="graph", treebank=treebank, graph=options)), folder / "graph")
    return [*map(str, sorted(SHELF.glob("*.model"))), *(str(folder / name) for name in (*GUIDES, "graph"))]


def try_mutations(folder: Path, models: list[str], cases: int, seed: int, seconds: float) -> dict[str, Any]:
    text = (SHELF / "sentences.conllu").read_text("utf-8").split("\n\n")
    (folder / "sentences.conllu").write_text("\n\n".join(text[3:5]) + "\n\n", "utf-8")
    command = [sys.executable, str(PROGRAM), str(folder), str(cases), str(seed), *models]
    environment = {**os.environ, "CROSSARC_KERNEL": "numpy"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds, check=False)
    assert run.returncode == 0, f"ended by {run.returncode}: {run.stderr[-2000:]}"
    result: dict[str, Any] = json.loads(run.stdout)
    assert not result["failures"], "\n\n".join(result["failures"])
    return result


@pytest.mark.filterwarnings("ignore")
def test_mutated_models_are_refused_or_harmless(models: list[str], tmp_path: Path) -> None:
    found = try_mutations(tmp_path, models, 12, 1, 300)
    assert found["cases"] > 9 * len(models)
    assert found["refused"] > found["cases"] // 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_mutated_models_are_refused_or_harmless(models: list[str], tmp_path: Path, seed: int) -> None:
    try_mutations(tmp_path, models, 1000, seed, 7200)
