"""What comes from outside, as functions of bytes: each may raise a CrossarcError of one line, and nothing else."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from crossarc.features.template import TemplateError, parse_feature_model, parse_template
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.base.yaml_values import load_yaml
from crossarc.parser.blending.vote_weights import weights_from_json
from crossarc.parser.config import blend_config, loading, ready
from crossarc.parser.config.blend_config import is_blend_config, load_blend_config
from crossarc.parser.config.loading import load_config
from crossarc.parser.models.files import check_metadata, damaged, model_in, model_of, read_archive
from crossarc.parser.serving.exchange import INPUTS, format_sentences, read_json, read_request
from crossarc.parser.serving.limits import Limits
from crossarc.parser.transforms import parse_transform
from crossarc.parser.treebank import conll_text, read_sentences
from crossarc.parser.treebank.check import check
from crossarc.transitions.registry import SYSTEMS
from numpy.typing import NDArray

__all__ = ["DOCUMENTS", "TARGETS", "run"]

MODELS = Path(__file__).with_name("models")
FORMATS = ("auto", "conllu", "conllx", "conll09")
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "morph", "misc")
SOURCES = SYSTEMS["arc-eager"].sources
DOCUMENTS = ("config", "metadata", "weights")
"""Targets that read JSON, which is changed by its values rather than by its bytes."""
READY = {name: getattr(ready, name)() for name in ("ready_configs", "ready_blends")}


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


def yaml(data: bytes) -> None:
    """The YAML of configs, feature models and profiles."""
    load_yaml(data.decode("utf-8", "replace"), "fuzzed")


def config(data: bytes) -> None:
    """What the YAML of a config holds, of a parser or of a blend, and settings: JSON in place of YAML, for its speed.

    A key that begins with a null character is the JSON value that follows it: YAML's keys may be numbers.
    """
    document = _document(data)
    settings = document.pop("settings", []) if isinstance(document, dict) else []
    settings = settings if isinstance(settings, list) else []
    with _in_place_of_yaml(json.dumps(document)):
        if is_blend_config("fuzzed.yaml"):
            load_blend_config("fuzzed.yaml", settings)
        else:
            load_config("fuzzed.yaml", settings)


def features(data: bytes) -> None:
    """A feature model for arc-eager."""
    try:
        parse_feature_model(data.decode("utf-8", "replace"), "fuzzed", COLUMNS, SOURCES)
    except TemplateError as error:
        _one_line(error)


def template(data: bytes) -> None:
    """A template of a feature model."""
    try:
        str(parse_template(data.decode("utf-8", "replace"), "fuzzed", COLUMNS, SOURCES))
    except TemplateError as error:
        _one_line(error)


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
    model_in(data, "fuzzed").to_text()


def metadata(data: bytes) -> None:
    """The metadata of a model file, whose arrays are sound."""
    try:
        values = check_metadata(_document(data), "fuzzed")
    except ShapeError as error:
        raise damaged("fuzzed", error) from error
    model_of(values, _arrays(), "fuzzed").to_text()


def request(data: bytes) -> None:
    """What a client sends to the service."""
    limits = Limits(words=100, sentence=50)
    kind = data[0] % (len(INPUTS) + 1) if data else 0
    if kind == len(INPUTS):
        read_json(data[1:], limits, {"form", "upos", "xpos"})
        return
    name = list(INPUTS)[kind]
    sentences = read_request(data[1:].decode("utf-8", "replace"), name, limits)
    format_sentences(sentences, name if name.startswith("conll") else "conllu")


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    own.__name__: own
    for own in (treebank, yaml, config, features, template, transform, weights, model, metadata, request)
}


def run(target: Callable[[bytes], None], data: bytes) -> None:
    """One case: a CrossarcError must be one line."""
    try:
        target(data)
    except CrossarcError as error:
        _one_line(error)


def _one_line(error: Exception) -> None:
    assert "\n" not in str(error)
    assert str(error)


def _document(data: bytes) -> Any:
    """The JSON value of the bytes. Raises CrossarcError where there is none: nothing of ours has read it yet."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CrossarcError("no JSON") from error


def _keyed(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_keyed, value))
    if not isinstance(value, dict):
        return value
    return {(json.loads(key[1:]) if key[:1] == "\0" else key): _keyed(own) for key, own in value.items()}


@contextmanager
def _in_place_of_yaml(text: str) -> Iterator[None]:
    """Configs are read from the JSON text, and those of settings as JSON; nothing is looked for on disk."""
    with ExitStack() as stack:
        for module in (loading, blend_config):
            stack.enter_context(_replaced(module, "read_text", lambda path, what: text))
            stack.enter_context(_replaced(module, "load_yaml", _json_or_text))
            for name in set(READY) & set(vars(module)):
                stack.enter_context(_replaced(module, name, READY[name].copy))
        yield


def _json_or_text(text: str, where: str) -> Any:
    try:
        return _keyed(json.loads(text))
    except (ValueError, RecursionError):
        return text


@contextmanager
def _replaced(module: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    return read_archive(str(MODELS / "svm.model"))[1]
