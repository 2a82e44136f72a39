"""Writing and reading of model files of all kinds."""

from __future__ import annotations

import os
from typing import Any

from numpy.typing import NDArray

from ..base.errors import CrossarcError, UnknownPartError, choices
from ..base.parameters import shown
from .archive import damaged, pack, read_archive, unpack, write_archive
from .model import KINDS, Content, ParserModel


def save_model(model: ParserModel, path: str | os.PathLike[str]) -> None:
    """Write a model to one file, atomically. Raises CrossarcError if the file cannot be written.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    """
    if not isinstance(model, ParserModel):
        raise CrossarcError(f"model: found {type(model).__name__}, expected a model from train or load_model")
    write_archive(os.fspath(path), *_values_and_arrays(model))


def model_bytes(model: ParserModel) -> bytes:
    """The bytes of the file that :func:`save_model` writes."""
    return pack(*_values_and_arrays(model))


def _values_and_arrays(model: ParserModel) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    content = model.content()
    return {"kind": model.kind, **content.values}, content.arrays


def load_model(path: str | os.PathLike[str]) -> ParserModel:
    """Load a model that :func:`save_model` wrote. Raises CrossarcError for files that are not models.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    >>> crossarc.load_model("swap.model").labels == model.labels
    True
    """
    name = os.fspath(path)
    return model_of(*read_archive(name), name)


def model_in(content: bytes, name: str) -> ParserModel:
    """The model in the bytes of a file. name: of the file, for messages. Raises as :func:`load_model`."""
    return model_of(*unpack(content, name), name)


def model_of(values: dict[str, Any], arrays: dict[str, NDArray[Any]], name: str) -> ParserModel:
    """The model of the values and arrays of a file. name and errors: as for :func:`model_in`."""
    kind = values.get("kind", next(iter(KINDS)))
    if not isinstance(kind, str) or kind not in KINDS:
        raise CrossarcError(f"{name}: a model of kind {choices(kind if isinstance(kind, str) else shown(kind), KINDS)}")
    try:
        return KINDS[kind].from_content(Content(values, arrays))
    except UnknownPartError as error:
        raise CrossarcError(f"{name}: {error}") from error
    except CrossarcError as error:
        raise damaged(name, error) from error
    except MemoryError as error:
        raise CrossarcError(f"{name}: the model needs more memory than is available") from error


def open_parser(path: str | os.PathLike[str]) -> ParserModel:
    """Open the parser in a model file of any kind: ``open_parser("my.model").parse(sentences)``.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> crossarc.save_model(model, "swap.model")
    >>> parser = crossarc.open_parser("swap.model")
    >>> len(list(parser.parse(crossarc.read_sentences("test.conllu"))))
    40
    """
    return load_model(path)
