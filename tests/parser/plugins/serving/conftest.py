"""A service with two models, one of which has taggers, and a service for raw text with scores."""

import pytest
from command_line import TEMPLATES, conllu, few, run
from service import TAGGED, running
from spoken import treebank


@pytest.fixture(scope="package")
def libraries():
    for name in ("starlette", "uvicorn", "python_multipart", "prometheus_client"):
        pytest.importorskip(name, reason=f"{name} is not installed: the extra crossarc[serve]")


@pytest.fixture(scope="package")
def service(tmp_path_factory, libraries):
    folder = tmp_path_factory.mktemp("service")
    (folder / "few.yaml").write_text(TEMPLATES)
    (folder / "train.conllu").write_text(conllu(1, 40))
    model = folder / "small.model"
    train = ["-q", "train", "arc-standard", "--train", folder / "train.conllu", *few(folder)]
    run(*train, "--model", model)
    run(*train, "--model", folder / TAGGED, "--set", "tags=[upos, xpos, lemma]")
    limits = [word for own in ("body=300000", "sentence=200", "seconds=8") for word in ("--limit", own)]
    with running(model, folder / "log", *limits, others=[folder / TAGGED]) as started:
        yield started


@pytest.fixture(scope="package")
def raw(tmp_path_factory, libraries):
    folder = tmp_path_factory.mktemp("raw")
    (folder / "train.conllu").write_text(treebank(120, 1), "utf-8")
    (folder / "dev.conllu").write_text(treebank(40, 2), "utf-8")
    train = ["train", "arc-standard", "--train", folder / "train.conllu", "--dev", folder / "dev.conllu"]
    settings = ["--set", "input=text", "--set", "features=small"]
    assert run("-q", *train, "--model", folder / "raw.model", *settings) == 0
    with running(folder / "raw.model", folder / "log") as started:
        yield started
