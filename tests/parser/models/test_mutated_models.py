"""Models with random changes to metadata and arrays: each is refused in one line or parses, in a separate process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import conllu

PROGRAM = Path(__file__).parents[2] / "support" / "model_mutations.py"


@pytest.fixture(scope="module")
def models(small_models):
    """Paths of models of all learners and kinds."""
    return sorted(map(str, small_models.glob("*.model")))


def try_mutations(folder, models, cases, seed, seconds):
    (folder / "sentences.conllu").write_text(conllu(7, 2), "utf-8")
    command = [sys.executable, str(PROGRAM), str(folder), str(cases), str(seed), *models]
    environment = {**os.environ, "CROSSARC_KERNEL": "numpy"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds, check=False)
    assert run.returncode == 0, f"ended by {run.returncode}: {run.stderr[-2000:]}"
    result = json.loads(run.stdout)
    assert not result["failures"], "\n\n".join(result["failures"])
    return result


@pytest.mark.filterwarnings("ignore")
def test_mutated_models_are_refused_or_harmless(models, tmp_path):
    found = try_mutations(tmp_path, models, 12, 1, 300)
    assert found["cases"] > 9 * len(models)
    assert found["refused"] > found["cases"] // 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_mutated_models_are_refused_or_harmless(models, tmp_path, seed):
    try_mutations(tmp_path, models, 1000, seed, 7200)
