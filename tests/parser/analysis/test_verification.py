"""Verification of models: training again gives the same bytes, and differences are listed."""

from __future__ import annotations

import gzip
import lzma
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import TEMPLATES, conllu, few, run
from crossarc.parser.analysis.verification import verify
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.files import load_model, save_model
from crossarc.parser.models.model import Content

SYSTEMS = ["swap", "three-step", "graph", "pseudo-projective", "explored"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify")
    (folder / "few.yaml").write_text(TEMPLATES)
    (folder / "train.conllu").write_text(conllu(1, 40))
    (folder / "dev.conllu").write_text(conllu(90, 10))
    return folder


def trained(folder: Path, config: object, *options: object) -> Path:
    model = folder / f"{Path(str(config)).stem}.model"
    files = ["--train", folder / "train.conllu", "--dev", folder / "dev.conllu", "--model", model]
    assert run("-q", "train", config, *files, *options) == 0
    return model


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    return trained(folder, "arc-hybrid", *few(folder))


@pytest.mark.parametrize("system", SYSTEMS)
def test_training_again_gives_the_same_bytes(system: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--set", "graph={epochs: 1, table_bits: 14}"] if system == "graph" else ["--set", "features=small"]
    if system == "pseudo-projective":
        options = few(folder)
    model = trained(folder, system, *options)
    files = ["--train", folder / "train.conllu", "--dev", folder / "dev.conllu"]
    capsys.readouterr()
    assert run("-q", "verify", model, *files) == 0
    assert capsys.readouterr().out == "the same model, byte for byte\n"


@pytest.mark.parametrize(("suffix", "compress"), [(".xz", lzma.compress), (".gz", gzip.compress)])
def test_compressed_copies_of_the_treebanks_are_accepted(
    folder: Path, model: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    for name in ("train", "dev"):
        content = (folder / f"{name}.conllu").read_bytes()
        (folder / f"{name}.conllu{suffix}").write_bytes(compress(content))
        (folder / f"other-{name}.conllu{suffix}").write_bytes(compress(content + content))
    train, dev = (str(folder / f"{name}.conllu{suffix}") for name in ("train", "dev"))
    assert verify(str(model), train, dev).same_bytes
    with pytest.raises(CrossarcError, match=r"sha256 \w{64}, unpacked \w{64}, expected \w{64} for the dev treebank "):
        verify(str(model), train, dev.replace("dev.", "other-dev."))


def test_blends_are_verified_with_their_config(folder: Path) -> None:
    (folder / "two.yaml").write_text(
        "components:\n- {name: one, config: arc-standard, features: small}\n"
        "- {name: two, config: swap, features: small}\nweights: accuracy\n"
    )
    model = trained(folder, folder / "two.yaml")
    train, dev = str(folder / "train.conllu"), str(folder / "dev.conllu")
    assert verify(str(model), train, dev, str(folder / "two.yaml")).same_bytes
    blend = load_model(model)
    older = {name: own.with_provenance(numpy="0.1") for name, own in blend.components.items()}
    save_model(replace(blend, components=older), folder / "older.model")
    found = verify(str(folder / "older.model"), train, dev, str(folder / "two.yaml"))
    assert (found.differences, [*found.versions], found.same_bytes) == ((), ["numpy"], False)
    with pytest.raises(CrossarcError, match=r"two.model: a blend does not contain .*; give --config$"):
        verify(str(model), train, dev)


def test_differences_of_parsers_are_listed(folder: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = load_model(model)
    other = folder / "changed.model"
    content = parser.with_provenance(numpy="0.1").content()
    weights = content.arrays["stage0/guide/weights"].copy()
    weights.flat[0] += 1
    save_model(
        type(parser).from_content(Content(content.values, {**content.arrays, "stage0/guide/weights": weights})), other
    )
    assert run("-q", "verify", other, "--train", folder / "train.conllu", "--dev", folder / "dev.conllu") == 1
    said = capsys.readouterr().out
    assert re.search(r"^numpy: 0\.1 then, .* now$", said, re.M)
    assert re.search(r"^array stage0/guide/weights: 1 of \d+ values differ$", said, re.M)
    assert said.endswith("a different parser\n")


@pytest.mark.parametrize(
    ("train", "dev", "message"),
    [
        ("dev.conllu", "dev.conllu", r".*dev.conllu: sha256 \w{64}, expected \w{64} for the train treebank of .*"),
        ("train.conllu", "train.conllu", r".*train.conllu: sha256 \w{64}, expected \w{64} for the dev treebank of .*"),
        ("train.conllu", "", r".*: was scored on a development treebank \(sha256 \w{64}\); give it with --dev"),
        ("gone", "dev.conllu", r".*gone: cannot be read: No such file or directory"),
    ],
)
def test_other_treebanks_are_refused(folder: Path, model: Path, train: str, dev: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{message}$"):
        verify(str(model), str(folder / train), dev and str(folder / dev))
