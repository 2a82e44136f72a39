"""What a tree transform is: a pair of pure functions on trees, applied before training and inverted after parsing."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from ..errors import CrossarcError, choices
from ..treebank.tree import Columns, Tree

__all__ = ["Transform", "apply_all", "check_choice", "fit_all", "invert_all", "prepare_all"]


class Transform(ABC):
    """A tree transformation with its inverse (Nilsson 2009, section 5.1: steps 1 and 4).

    Subclasses take their parameters as keyword arguments with defaults and store them unchanged under the same names;
    in configs and specs an underscore is written as a hyphen. Nothing mutates its argument.
    """

    name: ClassVar[str]

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """The parameters as they are written in a config, with their defaults."""
        signature = inspect.signature(cls.__init__).parameters
        return {_written(key): value.default for key, value in signature.items() if value.default is not value.empty}

    def params(self) -> dict[str, Any]:
        """The parameters as they are written in a config, with their values here."""
        return {key: getattr(self, _stored(key)) for key in self.parameters()}

    def validate(self) -> None:
        """Raise CrossarcError if a parameter has a value that is not allowed."""
        return None

    def fit(self, trees: Sequence[Tree]) -> Self:
        """Learn from the training trees what the transform needs, and return the transform."""
        self.validate()
        return self

    @abstractmethod
    def apply(self, tree: Tree) -> Tree:
        """The transformed tree, for training."""

    @abstractmethod
    def invert(self, tree: Tree) -> Tree:
        """The tree that a parse of transformed training trees stands for; total on trees, whatever their labels."""

    def prepare(self, columns: Columns) -> Columns:
        """What happens to the columns of a sentence that is going to be parsed."""
        return columns

    def state(self) -> dict[str, Any]:
        """What ``fit`` has learned, as JSON values."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what ``fit`` had learned when ``state`` was written."""
        if state:
            raise CrossarcError(f"transform {self.name}: unexpected state {choices(next(iter(state)), ())}")

    def to_json(self) -> dict[str, Any]:
        """Name, parameters and learned state, for the model file."""
        return {"name": self.name, "params": self.params(), "state": self.state()}

    @classmethod
    def from_config(cls, params: Mapping[str, Any]) -> Self:
        """The transform with the given parameters as a config writes them.

        Raises CrossarcError for a parameter that does not exist and for a value that is not allowed.
        """
        allowed = cls.parameters()
        for key in params:
            if key not in allowed:
                raise CrossarcError(f"transform {cls.name}: unknown parameter {choices(key, allowed)}")
        transform = cls(**{_stored(key): value for key, value in params.items()})
        transform.validate()
        return transform

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The transform that ``to_json`` described."""
        transform = cls.from_config(data.get("params", {}))
        transform.restore(data.get("state", {}))
        return transform


def fit_all(transforms: Iterable[Transform], trees: Sequence[Tree]) -> list[Tree]:
    """Fit the transforms in order, each on the trees that the ones before it give; the trees after the last."""
    result = list(trees)
    for transform in transforms:
        transform.fit(result)
        result = [transform.apply(tree) for tree in result]
    return result


def apply_all(transforms: Iterable[Transform], tree: Tree) -> Tree:
    """Apply the transforms in order."""
    for transform in transforms:
        tree = transform.apply(tree)
    return tree


def invert_all(transforms: Sequence[Transform], tree: Tree) -> Tree:
    """Invert the transforms, the last one first."""
    for transform in reversed(transforms):
        tree = transform.invert(tree)
    return tree


def prepare_all(transforms: Iterable[Transform], columns: Columns) -> Columns:
    """Prepare the columns of a sentence to be parsed, in the order of the transforms."""
    for transform in transforms:
        columns = transform.prepare(columns)
    return columns


def check_choice(transform: Transform, parameter: str, value: object, allowed: Iterable[str]) -> None:
    """Raise CrossarcError unless the parameter's value is one of the allowed strings."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise CrossarcError(f"transform {transform.name}: {parameter} is {choices(value, allowed)}")


def _written(parameter: str) -> str:
    return parameter.replace("_", "-")


def _stored(parameter: str) -> str:
    return parameter.replace("-", "_")
