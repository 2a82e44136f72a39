"""A trained parser: everything that parsing needs, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ...transitions.three_step import ValencyPass
from ..errors import CrossarcError
from ..search.stage import Stage, column_sizes
from ..transforms import Transform, transform_from_json
from ..treebank import SetTable, SymbolTable, Table
from .archive import DAMAGE, damaged, read_archive, write_archive

__all__ = ["ParserModel", "load_model", "model_content", "model_from_content", "save_model"]


@dataclass(frozen=True, slots=True)
class ParserModel:
    """A parser as trained.

    config: what it was trained with. stages: the greedy passes, one but for the three-step system. tables: the symbol
    tables of the columns that features look at. labels: the dependency labels, by label number. transforms: in the
    order of training. provenance: treebank checksums, library versions, scores on development data.
    """

    config: Mapping[str, Any]
    stages: tuple[Stage, ...]
    tables: Mapping[str, Table]
    labels: tuple[str, ...]
    transforms: tuple[Transform, ...]
    provenance: Mapping[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the model's features look at."""
        return tuple(self.tables)


def save_model(model: ParserModel, path: str) -> None:
    """Write the model to one file, atomically. Raises CrossarcError when it cannot be written."""
    write_archive(path, *model_content(model))


def load_model(path: str) -> ParserModel:
    """The model that :func:`save_model` wrote. Raises CrossarcError for anything that is not one."""
    metadata, arrays = read_archive(path)
    if metadata.get("kind") == "blend":
        raise CrossarcError(f"{path}: a blend of several parsers, expected a single one")
    try:
        return model_from_content(metadata, arrays)
    except (*DAMAGE, CrossarcError) as error:
        raise damaged(path, error) from error


def model_content(model: ParserModel) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(values that JSON can carry, arrays): everything that is written of a model."""
    arrays = {}
    stages = []
    for number, stage in enumerate(model.stages):
        values, stage_arrays = stage.state()
        stages.append(values)
        arrays.update({f"stage{number}/{name}": array for name, array in stage_arrays.items()})
    metadata = {
        "config": model.config,
        "columns": {name: _table_json(table) for name, table in model.tables.items()},
        "labels": list(model.labels),
        "transforms": [transform.to_json() for transform in model.transforms],
        "provenance": model.provenance,
        "stages": stages,
    }
    return metadata, arrays


def model_from_content(metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> ParserModel:
    """The model that :func:`model_content` described. Raises one of :data:`~.archive.DAMAGE` or CrossarcError."""
    tables = {name: _table(state) for name, state in metadata["columns"].items()}
    labels = _strings(metadata["labels"])
    if metadata["config"]["sentences"] < 1:
        raise ValueError("batches of no sentences")
    stages = []
    for number, values in enumerate(metadata["stages"]):
        prefix = f"stage{number}/"
        own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        stages.append(Stage.from_state(values, own, column_sizes(tables, tuple(tables)), len(labels)))
    if any(isinstance(stage.system, ValencyPass) != bool(number) for number, stage in enumerate(stages)):
        raise ValueError("only the first stage, and it alone, can parse without a tree")
    if not stages:
        raise ValueError("no stage")
    transforms = tuple(transform_from_json(state) for state in metadata["transforms"])
    return ParserModel(metadata["config"], tuple(stages), tables, labels, transforms, metadata["provenance"])


def _strings(values: Sequence[Any]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a label or value that is not text")
    return tuple(values)


def _table_json(table: Table) -> dict[str, Any]:
    return {"set" if isinstance(table, SetTable) else "single": table.to_json()}


def _table(state: Mapping[str, Any]) -> Table:
    if "set" not in state:
        return SymbolTable.from_json(_strings(state["single"]))
    table = SetTable.from_json(state["set"])
    if not 0 <= table.size <= len(_strings(table.atoms.values)):
        raise ValueError(f"sets of {table.size} of {len(table.atoms.values)} values")
    return table


def build_tables(columns: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, Table]:
    """The symbol tables of the training columns; ``feats`` is a set, split at ``|``."""
    kinds: Mapping[str, type[SymbolTable] | type[SetTable]] = {"feats": SetTable}
    return {name: kinds.get(name, SymbolTable).build(values) for name, values in columns.items()}
