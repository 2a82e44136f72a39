"""Commands read each treebank once, and a model states the checksum of the bytes that it learned from."""

import gzip
import hashlib
import io
import lzma
from collections import Counter
from pathlib import Path

import pytest
from command_line import conllu, run
from crossarc import load_config, read_treebank, train
from crossarc.parser.treebank import conll_text, reader, reading_once, source
from installed import needs

SMALL = ["--set", "features=small"]
TRAIN = ["--train", "train.conllu", "--model", "m.model"]
BLEND = "components: [arc-standard-small, swap-small]\nweights: equal\n"


@pytest.fixture
def read_counts(tmp_path, monkeypatch):
    """The numbers of times that files of the working directory are read by name."""
    monkeypatch.chdir(tmp_path)
    for name, first, count in (("train", 1, 40), ("dev", 41, 12), ("more", 53, 20)):
        Path(f"{name}.conllu").write_text(conllu(first, count), "utf-8")
    Path("blend.yaml").write_text(BLEND, "utf-8")
    counts = Counter()

    def counting(opener):
        def opened(name):
            counts[str(name)] += 1
            return opener(name)

        return opened

    monkeypatch.setattr(source.io, "FileIO", counting(io.FileIO))
    monkeypatch.setattr(reader, "HashedFile", counting(source.HashedFile))
    return counts


@pytest.mark.parametrize(
    "words",
    [
        ["train", "arc-standard", *TRAIN, *SMALL],
        ["train", "arc-standard", *TRAIN, *SMALL, "--dev", "dev.conllu"],
        pytest.param(["train", "fast", *TRAIN, "--dev", "dev.conllu"], marks=needs("levels")),
        pytest.param(["train", "fast", *TRAIN, "--train", "more.conllu"], marks=needs("levels", "several_treebanks")),
        pytest.param(["train", "blend.yaml", *TRAIN, "--dev", "dev.conllu"], marks=needs("blending")),
        ["evaluate", "dev.conllu", "dev.conllu"],
        ["check", "train.conllu"],
        ["transform", "pseudo-projective:encoding=head", "train.conllu", "-o", "lifted.conllu"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_each_file_is_read_once(words, read_counts, capsys):
    assert run(*words) == 0, capsys.readouterr().err
    named = [Path(word).name for word in words if word.endswith(".conllu") and word != "lifted.conllu"]
    assert {name: read_counts[name] for name in named} == dict(Counter(named))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, lambda data: gzip.compress(data) + b"\0" * 9])
@pytest.mark.parametrize("rest", [b"", b"\r\n\n\n"])
def test_a_treebank_has_the_checksum_of_its_file(pack, rest, tmp_path):
    file = tmp_path / "treebank"
    file.write_bytes(pack(conllu(1, 300).encode() + rest))
    assert read_treebank(file).sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert len(read_treebank(file)) == 300
    with file.open("rb") as stream:
        assert read_treebank(stream).sha256 == ""


def test_what_was_read_is_kept_by_file_format_and_columns(tmp_path):
    file = tmp_path / "treebank.conllu"
    file.write_text(conllu(1, 3), "utf-8")
    read = reading_once()
    whole = read(str(file), "auto", "gold")
    assert read(str(file), "conllu", "gold") is whole
    assert read(str(file), "auto", "predicted") is not whole
    assert reading_once()(str(file), "conllu", "gold") is not whole


def test_a_model_names_what_it_learned_from(read_counts):
    """Sentences that replace those of the file have a checksum of their own."""
    config = load_config("arc-standard", ["features=small"], {"treebank.train": "train.conllu"})
    of_file = hashlib.sha256(Path("train.conllu").read_bytes()).hexdigest()
    assert train(config).provenance["train"]["sha256"] == of_file
    few = read_treebank("train.conllu").sentences[:30]
    of_few = hashlib.sha256("".join(map(conll_text, few)).encode()).hexdigest()
    assert train(config, sentences=few).provenance["train"]["sha256"] == of_few != of_file
