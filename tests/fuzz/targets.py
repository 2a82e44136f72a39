"""What comes from outside, as functions of bytes: each may raise a CrossarcError of one line, and nothing else."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from crossarc.parser.blending.vote_weights import weights_from_json
from crossarc.parser.config.blend_config import is_blend_config, load_blend_config
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.config.loading import load_config
from crossarc.parser.errors import CrossarcError
from crossarc.parser.models.files import load_model
from crossarc.parser.serving.exchange import INPUTS, format_sentences, read_json, read_request
from crossarc.parser.serving.limits import Limits
from crossarc.parser.transforms import parse_transform
from crossarc.parser.treebank import check, conll_text, read_sentences

__all__ = ["SEEDS", "TARGETS"]

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = Path(os.environ.get("CROSSARC_FUZZ_SCRATCH", "."))
FORMATS = ("auto", "conllu", "conllx", "conll09")


def treebank(data: bytes) -> None:
    """A treebank in any format: read, written and read again; checked."""
    format = FORMATS[data[0] % 4] if data else "auto"
    try:
        first = [conll_text(sentence) for sentence in read_sentences(io.BytesIO(data[1:]), format)]
    except CrossarcError as error:
        _one_line(error)
    else:
        text = "".join(first)
        again = [conll_text(own) for own in read_sentences(io.BytesIO(text.encode()), format)]
        assert "".join(again) == text
    try:
        check(io.BytesIO(data[1:]))
    except CrossarcError as error:
        _one_line(error)


def config(data: bytes) -> None:
    """The config of a parser, or of a blend."""
    path = _file("config.yaml", data)
    if is_blend_config(path):
        load_blend_config(path)
    else:
        load_config(path)


def features(data: bytes) -> None:
    """A feature model for arc-eager."""
    load_features(
        _file("features.yaml", data), "arc-eager", ["form", "lemma", "upos", "xpos", "feats", "morph", "misc"]
    )


def transform(data: bytes) -> None:
    """A transform as configs name it."""
    parse_transform(data.decode("utf-8", "replace"))


def weights(data: bytes) -> None:
    """The weights of a blend."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    weights_from_json(document, "weights", 3)


def model(data: bytes) -> None:
    """The bytes of a model file."""
    load_model(_file("fuzzed.model", data)).to_text()


def metadata(data: bytes) -> None:
    """The metadata of a model file, whose arrays are sound."""
    _, _, rest = _seed_archive()
    path = SCRATCH / "metadata.model"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", data)
        for name, content in rest.items():
            archive.writestr(name, content)
    load_model(path).to_text()


def request(data: bytes) -> None:
    """What a client sends to the service."""
    limits = Limits(words=100, sentence=50)
    kind = data[0] % (len(INPUTS) + 1) if data else 0
    if kind == len(INPUTS):
        read_json(data[1:], limits)
        return
    name = list(INPUTS)[kind]
    sentences = read_request(data[1:].decode("utf-8", "replace"), name, limits)
    format_sentences(sentences, name if name.startswith("conll") else "conllu")


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    own.__name__: own for own in (treebank, config, features, transform, weights, model, metadata, request)
}


def run(name: str, data: bytes) -> None:
    """One case: a CrossarcError must be one line."""
    try:
        TARGETS[name](data)
    except CrossarcError as error:
        _one_line(error)


def seeds(name: str) -> list[bytes]:
    """What fuzzing a target begins with."""
    return SEEDS[name]()


def _one_line(error: CrossarcError) -> None:
    assert "\n" not in str(error)
    assert str(error)


def _file(name: str, data: bytes) -> str:
    path = SCRATCH / name
    path.write_bytes(data)
    return str(path)


def _seed_archive() -> tuple[Path, bytes, dict[str, bytes]]:
    path = ROOT / "tests/data/models/version-1/svm.model"
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    return path, content.pop("metadata.json"), content


def _treebanks() -> list[bytes]:
    text = (ROOT / "tests/data/models/version-1/sentences.conllu").read_bytes()[:1500]
    nodes = b"# text = vamos\n1-2\tvamos\t_\t_\t_\t_\t_\t_\t_\t_\n" + b"".join(
        b"%d\tw\tw\tVERB\tV\tA=b|C=d\t%d\troot\t%d:root\tSpaceAfter=No\n" % (number, number - 1, number - 1)
        for number in (1, 2)
    )
    row = b"1\tw\tw\tw\tN\tN\ta=b\ta=b\t0\t0\troot\troot\tY\tw.01\tA0\n"
    return [b"\x00" + text, b"\x01" + nodes + b"2.1\tx" + b"\t_" * 8 + b"\n\n", b"\x03" + row + b"\n", b"\x02" + text]


def _yamls(folder: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob("*.yaml"))]


SEEDS: Mapping[str, Callable[[], list[bytes]]] = {
    "treebank": _treebanks,
    "config": lambda: _yamls("configs") + _yamls("configs/blends"),
    "features": lambda: _yamls("configs/features"),
    "transform": lambda: [
        b"pseudo-projective:encoding=head+path,label_cap=30",
        b"coordination:style=melcuk",
        b"reversal",
    ],
    "weights": lambda: [
        b'{"by": "pos", "overall": [0.5, 0.6, 0.7], "special": [{"NOUN": 0.5}, {"NOUN": 0.1}, {}]}',
        b'{"by": "equal", "overall": [1, 1, 1], "special": []}',
    ],
    "model": lambda: [path.read_bytes() for path in sorted((ROOT / "tests/data/models/version-1").glob("*.model"))],
    "metadata": lambda: [_seed_archive()[1]],
    "request": lambda: (
        [bytes([number]) + own[1:] for number, own in enumerate(_treebanks())]
        + [
            b'\x05{"model": "a", "sentences": [[{"form": "x", "upos": "X"}, "y"]]}',
            b"\x03a b c\nd e",
            b"\x04a\nb\n\nc\n",
        ]
    ),
}
